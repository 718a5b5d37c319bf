//! One server of an ensemble: its disk, its part among the others, and the connections to it.

use std::sync::Arc;

use litemap::LiteMap;

use super::words::{ConnectionId, Entry, ServerId};
use crate::zookeeper::member::Member;
use crate::zookeeper::prepare::Outstanding;
use crate::zookeeper::protocol::{Path, Request, SessionId, Zxid};
use crate::zookeeper::transaction::Transaction;

/// A server: what is on its disk (log, what it has carried out) and what ends with the process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    pub(super) up: bool,
    pub(super) role: Role,
    pub(super) member: Arc<Member>,
    /// What it has written down, oldest first, without what every server has carried out.
    pub(super) log: Vec<Arc<Entry>>,
    pub(super) connections: LiteMap<ConnectionId, Connection>,
}

/// A server's part among the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It has no leader, and serves nobody. A server that is down is this too.
    Looking,
    Following {
        leader: ServerId,
        /// False once the connection to the leader is gone, which the server has not noticed yet.
        attached: bool,
        /// The sessions it has heard of since the leader asked last, with their timeouts in ms.
        touched: LiteMap<SessionId, u32>,
    },
    Leading(Leading),
}

/// What a leader knows that nobody has written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leading {
    /// The followers it has a connection to, and up to where each has written down the log.
    pub(super) followers: LiteMap<ServerId, Zxid>,
    pub(super) outstanding: Outstanding,
    /// The sessions that are alive, as `LeaderSessionTracker` knows them. Here a session ends when its
    /// end is proposed, before it is committed.
    pub(super) sessions: LiteMap<SessionId, Tracked>,
    /// Whose each write is that is not carried out here: what else that session asks of the leader waits for
    /// it, through whichever server the write came (`CommitProcessor.pendingRequests`, by session).
    pub(super) writes: LiteMap<Zxid, SessionId>,
    /// Syncs that wait for an entry to be committed (`Leader.pendingSyncs`).
    pub(super) syncs: Vec<PendingSync>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tracked {
    pub(super) timeout_ms: u32,
    /// The server through which it was attached last. None after an election: the first that speaks for
    /// it then is the one (`SessionTrackerImpl.checkSession`).
    pub(super) owner: Option<ServerId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PendingSync {
    pub(super) zxid: Zxid,
    pub(super) follower: ServerId,
    pub(super) connection: ConnectionId,
    pub(super) path: Path,
}

/// A client's connection to a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Connection {
    pub(super) session: SessionState,
    /// What has come in and has no reply, oldest first.
    pub(super) pending: Vec<Pending>,
}

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SessionState {
    /// A new session is to be made.
    Creating,
    /// The leader is asked whether the session is alive.
    Validating(SessionId),
    Open(SessionId),
}

/// A request without a reply. Writes, syncs and closes are on their way through the leader; reads wait for
/// those before them (`CommitProcessor`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pending {
    Decided,
    /// At the leader it waits for its session's writes up to `after`, too.
    Read {
        request: Request,
        after: Zxid,
    },
}

impl Connection {
    /// The session, once it may be used.
    pub(super) fn open(&self) -> Option<SessionId> {
        match self.session {
            SessionState::Open(session) => Some(session),
            SessionState::Creating | SessionState::Validating(_) => None,
        }
    }
}

impl Server {
    pub(super) fn new(member: Arc<Member>) -> Server {
        Server { up: true, role: Role::Looking, member, log: Vec::new(), connections: LiteMap::new() }
    }

    pub fn is_up(&self) -> bool {
        self.up
    }

    pub fn role(&self) -> &Role {
        &self.role
    }

    /// Whether it takes connections and answers reads. It may do so for a moment after it has lost its
    /// leader or its quorum.
    pub fn serves(&self) -> bool {
        match self.role {
            Role::Looking => false,
            Role::Following { .. } | Role::Leading(_) => true,
        }
    }

    /// What it has carried out: what its clients see.
    pub fn member(&self) -> &Member {
        &self.member
    }

    /// That of the last leader it agreed on (`currentEpoch`): it has taken over the number with which the
    /// leader's time began.
    pub fn epoch(&self) -> u32 {
        self.last_zxid().epoch()
    }

    /// What it has written down and not carried out: proposals of which it does not know (or, leading,
    /// of which it is not true) that a quorum has them.
    pub fn uncommitted(&self) -> impl Iterator<Item = &Entry> {
        let applied = self.member.zxid();
        self.log.iter().filter(move |entry| entry.zxid > applied).map(|entry| &**entry)
    }

    /// The last entry it has written down.
    pub fn last_zxid(&self) -> Zxid {
        self.log.last().map_or(self.member.zxid(), |entry| entry.zxid.max(self.member.zxid()))
    }

    /// The connections to it that may be used, with their sessions.
    pub fn connections(&self) -> impl Iterator<Item = (ConnectionId, SessionId)> {
        self.connections.iter().filter_map(|(id, connection)| Some((*id, connection.open()?)))
    }

    pub(super) fn leading(&self) -> Option<&Leading> {
        match &self.role {
            Role::Leading(leading) => Some(leading),
            Role::Looking | Role::Following { .. } => None,
        }
    }

    pub(super) fn leading_mut(&mut self) -> Option<&mut Leading> {
        match &mut self.role {
            Role::Leading(leading) => Some(leading),
            Role::Looking | Role::Following { .. } => None,
        }
    }

    /// The leader it can talk to.
    pub(super) fn attached_to(&self) -> Option<ServerId> {
        match self.role {
            Role::Following { leader, attached: true, .. } => Some(leader),
            Role::Following { attached: false, .. } | Role::Looking | Role::Leading(_) => None,
        }
    }

    pub(super) fn member_mut(&mut self) -> &mut Member {
        Arc::make_mut(&mut self.member)
    }

    /// The connection through which a session is used here.
    pub(super) fn connection_of(&self, session: SessionId) -> Option<ConnectionId> {
        let mut all = self.connections.iter();
        all.find(|(_, connection)| connection.open() == Some(session)).map(|(id, _)| *id)
    }

    /// The number of the next new session, those on their way included.
    pub(super) fn next_session(&self) -> SessionId {
        let underway = self.uncommitted().filter_map(|entry| match entry.transaction {
            Transaction::CreateSession { session, .. } => Some(SessionId(session.0.saturating_add(1))),
            Transaction::CloseSession { .. }
            | Transaction::Operation(_)
            | Transaction::Multi(_)
            | Transaction::Error(_)
            | Transaction::MultiError { .. } => None,
        });
        underway.fold(self.member.next_session(), SessionId::max)
    }
}

impl Leading {
    /// A leader at the start of its time: every session has its full timeout before it
    /// (`SessionTrackerImpl`; recording `e_failover_extends_session`).
    pub(super) fn new(member: &Member, followers: impl Iterator<Item = ServerId>) -> Leading {
        let tracked = |timeout_ms| Tracked { timeout_ms, owner: None };
        Leading {
            followers: followers.map(|follower| (follower, member.zxid())).collect(),
            sessions: member.sessions().map(|(id, timeout_ms, _)| (id, tracked(timeout_ms))).collect(),
            ..Leading::default()
        }
    }

    /// The last write of a session that is not carried out here.
    pub(super) fn last_write_of(&self, session: SessionId) -> Option<Zxid> {
        let mut own = self.writes.iter().filter(|(_, writer)| **writer == session);
        own.next_back().map(|(zxid, _)| *zxid)
    }

    /// The sessions it waits for, with their timeouts in ms.
    pub fn sessions(&self) -> impl Iterator<Item = (SessionId, u32)> {
        self.sessions.iter().map(|(id, tracked)| (*id, tracked.timeout_ms))
    }

    pub fn followers(&self) -> impl Iterator<Item = ServerId> {
        self.followers.keys().copied()
    }
}
