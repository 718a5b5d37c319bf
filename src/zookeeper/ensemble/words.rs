//! The words of an ensemble: what servers say to each other, what can be done, what follows.

use std::fmt;
use std::sync::Arc;

use litemap::LiteMap;
use serde::{Serialize, Serializer};

use crate::zookeeper::protocol::{Answer, Change, Path, Request, SessionId, WatchedEvent, Zxid};
use crate::zookeeper::transaction::Transaction;

/// A server's number. Of two logs that are equally complete, the greater number leads
/// (`FastLeaderElection.totalOrderPredicate`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerId(pub u8);

/// As people see it: S1, S2, …
impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}", self.0 + 1)
    }
}

impl Serialize for ServerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One connection of one client to one server, while it lasts. The number is the smallest that nothing
/// in the ensemble speaks of any more, so that equal situations are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u32);

/// How many servers there are; most of them are a quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EnsembleSize {
    One,
    Three,
    Five,
}

impl EnsembleSize {
    /// Every size, from the smallest on.
    pub const ALL: [EnsembleSize; 3] = [EnsembleSize::One, EnsembleSize::Three, EnsembleSize::Five];

    pub fn servers(self) -> u8 {
        match self {
            EnsembleSize::One => 1,
            EnsembleSize::Three => 3,
            EnsembleSize::Five => 5,
        }
    }
}

/// One entry of the log: a transaction, its number, and the connection that waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub zxid: Zxid,
    /// None for an expiry, which nobody asked for.
    pub origin: Option<Origin>,
    pub transaction: Transaction,
}

/// Where a request came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    pub server: ServerId,
    pub connection: ConnectionId,
}

/// What only the leader can decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A new session.
    Open {
        timeout_ms: u32,
    },
    Write {
        session: SessionId,
        request: Request,
    },
    Sync {
        path: Path,
    },
    /// The end of a session, and in which order its nodes go: see [`EnsembleAction::Close`].
    Close {
        session: SessionId,
        order: Vec<Path>,
    },
}

/// What one server sends another. Between two servers messages arrive in the order they were sent
/// (`QuorumPacket`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ServerMessage {
    /// To the leader: a client's request that it has to decide (REQUEST).
    Forward { connection: ConnectionId, call: Call },
    /// To a follower: write this down (PROPOSAL).
    Propose(Arc<Entry>),
    /// To the leader: all up to this is written down (ACK).
    Ack(Zxid),
    /// To a follower: a quorum has written this down, carry it out (COMMIT).
    Commit(Zxid),
    /// To a follower: all that was committed when its sync came in has been sent before this (SYNC).
    Synced { connection: ConnectionId, path: Path },
    /// To the leader: may this session go on here? (REVALIDATE)
    Validate { connection: ConnectionId, session: SessionId, timeout_ms: u32 },
    /// The leader's word on it.
    Validated { connection: ConnectionId, session: SessionId, timeout_ms: u32, valid: bool },
    /// To a follower: whom have you heard of? (PING)
    Ping,
    /// To the leader: these sessions have been heard of since the last time, with their timeouts in ms.
    Touched(LiteMap<SessionId, u32>),
}

/// What a client says when it connects (`ConnectRequest`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hello {
    /// None: a new one, please. The password is taken for right.
    pub session: Option<SessionId>,
    /// The greatest zxid it has seen in a reply.
    pub last_zxid: Zxid,
    pub timeout_ms: u32,
}

/// Everything that can happen to an ensemble: what clients do, what goes on by itself, what breaks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EnsembleAction {
    /// A client connects to a server. The first event says whether the server listens.
    Connect {
        server: ServerId,
        hello: Hello,
    },
    /// A request arrives on a connection.
    Ask {
        connection: ConnectionId,
        request: Request,
    },
    /// The client ends its session. Its nodes are deleted in this order; those that are left out
    /// follow in the order of their creation. (The order is for recordings, where it is that of a
    /// Java hash set.)
    Close {
        connection: ConnectionId,
        order: Vec<Path>,
    },
    /// The client, or what lies between, ends the connection and nothing else.
    HangUp {
        connection: ConnectionId,
    },
    /// The leader has not heard of a session for its timeout. Does nothing if nobody leads a quorum.
    Expire {
        session: SessionId,
        order: Vec<Path>,
    },
    /// Somebody with a shell next to the leader writes in a session that the ensemble knows, and waits for
    /// no reply. Does nothing if nobody leads a quorum.
    Administer {
        session: SessionId,
        request: Request,
    },
    /// The leader asks a follower for the sessions it has heard of, every half tick.
    Ping {
        to: ServerId,
    },
    Progress(ServerAction),
    /// The process dies. Its log and what it has carried out are on disk.
    Crash(ServerId),
    Restart(ServerId),
    /// The connection between two servers breaks, with what is under way, and cannot be made anew.
    Cut(ServerId, ServerId),
    Heal(ServerId, ServerId),
    /// What other servers send to this one stays under way: it falls behind, and does not know.
    Stall(ServerId),
    Resume(ServerId),
}

/// What an ensemble does by itself; [`Ensemble::enabled`](super::Ensemble::enabled) lists what is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ServerAction {
    /// The oldest message between two servers arrives.
    Deliver { from: ServerId, to: ServerId },
    /// A server notices that it has lost its leader, or its quorum: it closes its connections and looks
    /// for a leader.
    GiveUp(ServerId),
    /// Those who look for a leader and can talk to this server agree on it.
    Elect(ServerId),
    /// A server that looks for a leader finds one that has a quorum, and takes over its history.
    Join { server: ServerId, leader: ServerId },
}

/// What followed. `Applied` and the `Fired` and `Replied` around it are one moment at one server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ServerEvent {
    // To clients.
    /// The server listens; whether the session is good is said later.
    Accepted {
        server: ServerId,
        connection: ConnectionId,
    },
    /// The server does not listen.
    Refused {
        server: ServerId,
        refusal: ConnectRefusal,
    },
    /// The session is good, and may be used on this connection. Sent without a zxid.
    Opened {
        connection: ConnectionId,
        session: SessionId,
        timeout_ms: u32,
    },
    /// The reply to the oldest request that has none.
    Replied {
        connection: ConnectionId,
        answer: Answer,
    },
    /// A watch event, and the transaction that set it off; none where setWatches tells of what was missed.
    Fired {
        connection: ConnectionId,
        event: WatchedEvent,
        zxid: Option<Zxid>,
    },
    /// The server has closed the connection, and will say nothing more on it.
    Closed {
        connection: ConnectionId,
        why: ConnectionLoss,
    },

    // Among servers.
    /// A message is under way; it arrives with [`ServerAction::Deliver`].
    Sent {
        from: ServerId,
        to: ServerId,
        message: ServerMessage,
    },
    /// A follower and its leader have no connection any more, and what was under way on it is gone.
    Parted {
        follower: ServerId,
        leader: ServerId,
    },
    Proposed {
        server: ServerId,
        zxid: Zxid,
    },
    Acknowledged {
        server: ServerId,
        zxid: Zxid,
    },
    /// A quorum has written it down: it will not be lost.
    Committed {
        server: ServerId,
        zxid: Zxid,
    },
    /// A server has carried out an entry, which is visible there from now on.
    Applied {
        server: ServerId,
        entry: Arc<Entry>,
        changes: Vec<Change>,
    },
    /// Entries that a server had written down and that never were committed are gone.
    Truncated {
        server: ServerId,
        after: Zxid,
    },
    /// A leader has heard of a session: its timeout starts anew. A new leader says it of everybody.
    Touched {
        leader: ServerId,
        session: SessionId,
        timeout_ms: u32,
    },
    /// A leader no longer waits for a session: it is about to end, or the leader leads no more.
    Untracked {
        leader: ServerId,
        session: SessionId,
    },
    Elected {
        leader: ServerId,
        epoch: u32,
        voters: Vec<ServerId>,
    },
    Joined {
        server: ServerId,
        leader: ServerId,
    },
    GaveUp {
        server: ServerId,
    },
}

/// Why a server does not take a connection. The client learns no more than that it was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectRefusal {
    /// It is down, or has no leader or no quorum.
    NotServing,
    /// The client has seen more than this server has carried out
    /// (`ZooKeeperServer.processConnectRequest`).
    Behind,
}

/// Why a server closed a connection. The client sees the end of the stream; only
/// [`SessionExpired`](ConnectionLoss::SessionExpired) as the answer to a `Connect` says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionLoss {
    /// The server died, or lost its leader or its quorum.
    ServerLost,
    /// The session has ended; or there was none by that number.
    SessionExpired,
    /// The client ended its session, and has the reply.
    SessionClosed,
    /// The session wrote through a connection that it had left for another server.
    SessionMoved,
    /// The session has a newer connection to the same server.
    Replaced,
}
