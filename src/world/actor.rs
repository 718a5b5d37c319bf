//! One client in the world: the recipe, its connections, its timers, its library's watches.

use std::collections::VecDeque;

use crate::recipe::{LockClient, ResourceReply, ResourceRequest};
use crate::sorted::SortedSet;
use crate::zookeeper::{ErrorCode, Path, Reply, Request, SessionId, WatchTable, WatchedEvent};

/// A message from the server to a client. Replies and watch events share one connection, so their
/// order is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet {
    /// `request` is what it answers.
    Reply {
        request: Request,
        result: Result<Reply, ErrorCode>,
    },
    Event(WatchedEvent),
}

/// A client and what is on its way to and from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Actor {
    pub client: LockClient,
    pub session: SessionId,
    pub to_server: VecDeque<Request>,
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
    pub watches: SortedSet<(WatchTable, Path)>,
}

impl Actor {
    pub(super) fn new(client: LockClient, session: SessionId) -> Actor {
        Actor {
            client,
            session,
            to_server: VecDeque::new(),
            to_client: VecDeque::new(),
            to_resource: VecDeque::new(),
            from_resource: VecDeque::new(),
            will_arrive: true,
            will_sort: false,
            works: false,
            polls: false,
            watches: SortedSet::new(),
        }
    }

    /// Notes what the library learns of its watches from a packet: a reply sets one, an event uses
    /// up those of its path (ZooKeeper's `ZKWatchManager`).
    pub(super) fn note_watches(&mut self, packet: &Packet) {
        match packet {
            Packet::Reply { request, result } => {
                let set = match (request, result) {
                    (Request::GetData { path, watch: true }, Ok(_)) => Some((WatchTable::Data, path)),
                    (Request::Exists { path, watch: true }, Ok(_) | Err(ErrorCode::NoNode)) => {
                        Some((WatchTable::Data, path))
                    }
                    (Request::GetChildren { path, watch: true }, Ok(_)) => Some((WatchTable::Children, path)),
                    _ => None,
                };
                self.watches.extend(set.map(|(kind, path)| (kind, path.clone())));
            }
            Packet::Event(event) => {
                use crate::zookeeper::EventType::*;
                let kinds: &[WatchTable] = match event.kind {
                    NodeCreated | NodeDataChanged => &[WatchTable::Data],
                    NodeChildrenChanged => &[WatchTable::Children],
                    NodeDeleted => &[WatchTable::Data, WatchTable::Children],
                };
                for kind in kinds {
                    self.watches.remove(&(*kind, event.path.clone()));
                }
            }
        }
    }
}
