//! One client in the world: the recipe, its process, its library with its connection and watches, and
//! what is on its way to and from it.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use crate::recipe::{LockClient, Reconnect, ResourceReply, ResourceRequest};
use crate::zookeeper::{ErrorCode, Path, Reply, Request, SessionId, WatchedEvent, Zxid};

/// A message from a client's library to the server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sent {
    Request(Request),
    Ping,
    /// Opens a connection: for this session, or for a new one.
    Connect(Option<SessionId>),
    /// Ends the session.
    Close,
}

/// A message from the server to a client. Replies and watch events share one connection, so their
/// order is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet {
    /// `request` is what it answers, `zxid` the last one that the server had applied.
    Reply {
        request: Request,
        result: Result<Reply, ErrorCode>,
        zxid: Zxid,
    },
    Event(WatchedEvent),
    /// The answer to a ping. Its header carries a zxid, which no library looks at (`ClientCnxn.readResponse`).
    Pong,
    /// The connection stands, in this session; `timeout_ms` is the negotiated one.
    Connected {
        session: SessionId,
        timeout_ms: u32,
        new: bool,
    },
    /// The session that was asked for does not exist any more.
    Expired,
    /// The server has closed the connection.
    EndOfFile,
}

/// What becomes of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Process {
    Running,
    /// It stands still.
    Paused,
    Crashed,
    /// It has ended in an orderly way.
    Closed,
}

/// What a client's library knows of its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contact {
    Connected,
    /// It has no connection and will try to get one.
    Disconnected,
    /// It has asked the server for a connection.
    Connecting,
    /// The server has told it that the session is over; a new one is not there yet.
    Expired,
    /// It has ended its session.
    Closed,
}

/// Which of a library's three tables a watch stands in (ZooKeeper's `ZKWatchManager`): after a reconnect
/// each is compared with the server's state in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WatchKind {
    /// By `getData`, or by `exists` on a node that was there.
    Data,
    /// By `exists` on a node that was not there.
    Exist,
    /// By `getChildren`.
    Children,
}

/// A client and what is on its way to and from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Actor {
    pub client: LockClient,
    pub process: Process,
    pub contact: Contact,
    /// The session that its library has, `None` until it gets one.
    pub session: Option<SessionId>,
    /// Sessions that nobody uses and that may live on, oldest first: earlier processes left them behind, or the
    /// news of them was lost.
    pub old_sessions: Vec<SessionId>,
    /// Its connection carries nothing, and nobody knows.
    pub stalled: bool,
    /// Its work does not end.
    pub hung: bool,
    /// It was through before its process ended.
    pub through: bool,
    pub to_server: VecDeque<Sent>,
    pub to_client: VecDeque<Packet>,
    pub to_resource: VecDeque<ResourceRequest>,
    pub from_resource: VecDeque<ResourceReply>,
    /// Nobody has asked it to take the lock yet.
    pub will_arrive: bool,
    /// It has a list to sort.
    pub will_sort: bool,
    /// Its work timer is armed.
    pub works: bool,
    /// Its poll timer is armed.
    pub polls: bool,
    /// The watches its library believes to have set. The server's own table is at the server.
    pub watches: BTreeSet<(WatchKind, Path)>,
    /// The last zxid that its library has heard of: replies alone say one (`ClientCnxn.readResponse`).
    pub last_zxid: Zxid,
}

impl Actor {
    pub(super) fn new(client: LockClient, session: SessionId) -> Actor {
        Actor {
            client: client.in_session(session),
            process: Process::Running,
            contact: Contact::Connected,
            session: Some(session),
            old_sessions: Vec::new(),
            stalled: false,
            hung: false,
            through: false,
            to_server: VecDeque::new(),
            to_client: VecDeque::new(),
            to_resource: VecDeque::new(),
            from_resource: VecDeque::new(),
            will_arrive: true,
            will_sort: false,
            works: false,
            polls: false,
            watches: BTreeSet::new(),
            last_zxid: Zxid(0),
        }
    }

    pub fn runs(&self) -> bool {
        self.process == Process::Running
    }

    /// Whether its process has ended.
    pub fn is_gone(&self) -> bool {
        matches!(self.process, Process::Crashed | Process::Closed)
    }

    /// What has become of its process and its connection.
    pub(super) fn condition(&self) -> (Process, Contact, bool, bool, bool) {
        (self.process, self.contact, self.stalled, self.hung, self.through)
    }

    /// Whether it may be kept from the server for ever: what the server hears of it is up to a repair.
    pub fn is_cut_off(&self) -> bool {
        self.stalled || !self.runs()
    }

    /// A new session of which the news is on its way to it.
    pub(super) fn coming_session(&self) -> Option<SessionId> {
        self.to_client.iter().find_map(|packet| match packet {
            Packet::Connected { session, new: true, .. } => Some(*session),
            _ => None,
        })
    }

    /// The process has ended: what it had in memory is gone.
    pub(super) fn end_process(&mut self, process: Process) {
        self.through = self.through || self.client.step().is_over();
        self.client = self.client.restarted();
        self.process = process;
        self.will_sort = false;
        self.works = false;
        self.polls = false;
        self.from_resource.clear();
        self.watches = BTreeSet::new();
    }

    /// Notes what the library learns of its watches from a packet: a reply sets one, an event uses
    /// up those of its path (ZooKeeper's `ZKWatchManager`).
    pub(super) fn note_watches(&mut self, packet: &Packet) {
        match packet {
            Packet::Reply { request, result, zxid } => {
                self.last_zxid = self.last_zxid.max(*zxid);
                let set = match (request, result) {
                    (
                        Request::GetData { path, watch: true } | Request::Exists { path, watch: true },
                        Ok(_),
                    ) => Some((WatchKind::Data, path)),
                    (Request::Exists { path, watch: true }, Err(ErrorCode::NoNode)) => {
                        Some((WatchKind::Exist, path))
                    }
                    (Request::GetChildren { path, watch: true }, Ok(_)) => Some((WatchKind::Children, path)),
                    _ => None,
                };
                self.watches.extend(set.map(|(kind, path)| (kind, path.clone())));
            }
            Packet::Event(event) => {
                use crate::zookeeper::EventType::*;
                let kinds: &[WatchKind] = match event.kind {
                    NodeCreated | NodeDataChanged => &[WatchKind::Data, WatchKind::Exist],
                    NodeChildrenChanged => &[WatchKind::Children],
                    NodeDeleted => &[WatchKind::Data, WatchKind::Exist, WatchKind::Children],
                };
                for kind in kinds {
                    self.watches.remove(&(*kind, event.path.clone()));
                }
            }
            Packet::Pong | Packet::Connected { .. } | Packet::Expired | Packet::EndOfFile => {}
        }
    }

    /// What the library sends after a reconnect, where it sets its watches again
    /// (`ClientCnxn.primeConnection`).
    pub(super) fn set_watches(&self) -> Option<Request> {
        let again = match self.client.decisions().reconnect {
            Reconnect::Rearm | Reconnect::RearmAndLook => true,
            Reconnect::Look | Reconnect::Forget => false,
        };
        if !again || self.watches.is_empty() {
            return None;
        }
        let of = |kind: WatchKind| {
            self.watches.iter().filter(|(k, _)| *k == kind).map(|(_, path)| path.clone()).collect()
        };
        Some(Request::SetWatches {
            relative_zxid: self.last_zxid,
            data: of(WatchKind::Data),
            exist: of(WatchKind::Exist),
            child: of(WatchKind::Children),
        })
    }
}
