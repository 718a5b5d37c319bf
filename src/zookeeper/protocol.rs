//! The words of the protocol: requests, replies, errors, events, `Stat`.
//!
//! Names are those of ZooKeeper's client API. Values only; what they do is in `member`.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A znode's path, shared because a name travels through replies, watches and clients.
pub type Path = Arc<str>;

/// A transaction id. Standalone recordings count from the creation of their root (0); the root
/// node `/` itself is older (−1). With an ensemble the epoch stands in the upper 32 bits, as in
/// ZooKeeper's `ZxidUtils`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Zxid(pub i64);

/// As text: JSON readers keep 53 bits of a number.
impl Serialize for Zxid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Zxid {
    /// The next transaction's number.
    pub fn next(self) -> Zxid {
        Zxid(self.0.wrapping_add(1))
    }

    /// The first number of an epoch, which no transaction has.
    pub fn start_of(epoch: u32) -> Zxid {
        Zxid(i64::from(epoch) << 32)
    }

    /// How many leaders came before the one that gave this number.
    pub fn epoch(self) -> u32 {
        u32::try_from(self.0 >> 32).unwrap_or(0)
    }

    /// Counts the transactions within the epoch.
    pub fn counter(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }
}

/// A session's number at the server. Never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub u32);

/// The four create modes of the recordings (container and TTL nodes are not modelled).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CreateMode {
    Persistent,
    Ephemeral,
    PersistentSequential,
    EphemeralSequential,
}

impl CreateMode {
    /// Whether the server appends the parent's ten-digit create counter to the name.
    pub fn is_sequential(self) -> bool {
        matches!(self, CreateMode::PersistentSequential | CreateMode::EphemeralSequential)
    }

    /// Whether the node ends with its session.
    pub fn is_ephemeral(self) -> bool {
        matches!(self, CreateMode::Ephemeral | CreateMode::EphemeralSequential)
    }
}

/// Which table of watches `removeWatches` and `checkWatches` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatcherType {
    Any,
    Data,
    Children,
}

/// A request of a client. `version` −1 means any version.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "call", rename_all = "camelCase")]
pub enum Request {
    Create {
        path: Path,
        data: Arc<str>,
        mode: CreateMode,
    },
    /// Like `Create`; the reply carries the new node's [`Stat`].
    Create2 {
        path: Path,
        data: Arc<str>,
        mode: CreateMode,
    },
    Delete {
        path: Path,
        version: i32,
    },
    SetData {
        path: Path,
        data: Arc<str>,
        version: i32,
    },
    /// `setACL` to `world:anyone:all`; `version` is the ACL's.
    SetAclOpen {
        path: Path,
        version: i32,
    },
    GetData {
        path: Path,
        watch: bool,
    },
    /// Leaves a watch even when it answers NoNode.
    Exists {
        path: Path,
        watch: bool,
    },
    GetChildren {
        path: Path,
        watch: bool,
    },
    /// Like `GetChildren`; the reply carries the parent's [`Stat`].
    GetChildren2 {
        path: Path,
        watch: bool,
    },
    Multi {
        ops: Vec<MultiOp>,
    },
    Sync {
        path: Path,
    },
    Ping,
    /// The session's own ephemeral nodes below `prefix`.
    GetEphemerals {
        prefix: Path,
    },
    /// A persistent watch.
    AddWatch {
        path: Path,
        recursive: bool,
    },
    RemoveWatches {
        path: Path,
        kind: WatcherType,
    },
    CheckWatches {
        path: Path,
        kind: WatcherType,
    },
    /// What a client library sends after a reconnect to arm its watches again.
    SetWatches {
        relative_zxid: Zxid,
        data: Vec<Path>,
        exist: Vec<Path>,
        child: Vec<Path>,
    },
}

impl Request {
    /// Whether it takes a zxid and goes through the leader.
    pub fn is_write(&self) -> bool {
        match self {
            Request::Create { .. }
            | Request::Create2 { .. }
            | Request::Delete { .. }
            | Request::SetData { .. }
            | Request::SetAclOpen { .. }
            | Request::Multi { .. } => true,
            Request::GetData { .. }
            | Request::Exists { .. }
            | Request::GetChildren { .. }
            | Request::GetChildren2 { .. }
            | Request::Sync { .. }
            | Request::Ping
            | Request::GetEphemerals { .. }
            | Request::AddWatch { .. }
            | Request::RemoveWatches { .. }
            | Request::CheckWatches { .. }
            | Request::SetWatches { .. } => false,
        }
    }
}

/// One operation of a [`Request::Multi`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "call", rename_all = "camelCase")]
pub enum MultiOp {
    Create { path: Path, data: Arc<str>, mode: CreateMode },
    Create2 { path: Path, data: Arc<str>, mode: CreateMode },
    Delete { path: Path, version: i32 },
    SetData { path: Path, data: Arc<str>, version: i32 },
    Check { path: Path, version: i32 },
}

/// The answer to a request that succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reply {
    Created {
        path: Path,
    },
    Created2 {
        path: Path,
        stat: Stat,
    },
    /// A reply without a body: delete, ping, addWatch, removeWatches, checkWatches, setWatches.
    Done,
    /// setData, setACL, exists.
    Stat(Stat),
    Data {
        data: Arc<str>,
        stat: Stat,
    },
    /// Children sorted by name (the real server's order is a hash order).
    Children {
        children: Arc<[Path]>,
    },
    Children2 {
        children: Arc<[Path]>,
        stat: Stat,
    },
    /// A multi that was carried out, or one of which nothing was.
    Multi {
        results: Vec<MultiResult>,
    },
    Synced {
        path: Path,
    },
    /// Sorted by name.
    Ephemerals {
        paths: Vec<Path>,
    },
}

/// The result of one operation of a multi.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MultiResult {
    Created {
        path: Path,
    },
    Created2 {
        path: Path,
        stat: Stat,
    },
    Deleted,
    Stat(Stat),
    Checked,
    /// Nothing was applied. `None` stands before the operation that failed ("OK" on the wire).
    Error(Option<ErrorCode>),
}

/// The errors a server answers (ZooKeeper's `KeeperException.Code`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum ErrorCode {
    NoNode,
    NodeExists,
    NotEmpty,
    NoChildrenForEphemerals,
    BadVersion,
    BadArguments,
    NoWatcher,
    RuntimeInconsistency,
    SessionExpired,
    /// The session has been attached to another server since: the connection is closed, and the
    /// client of it never reads this (`FinalRequestProcessor`; only in an ensemble).
    SessionMoved,
    /// No server sends it: a client's library answers with it what was under way when the connection broke
    /// (`KeeperException.ConnectionLossException`).
    ConnectionLoss,
}

impl ErrorCode {
    /// The name in ZooKeeper's API.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::NoNode => "NoNode",
            ErrorCode::NodeExists => "NodeExists",
            ErrorCode::NotEmpty => "NotEmpty",
            ErrorCode::NoChildrenForEphemerals => "NoChildrenForEphemerals",
            ErrorCode::BadVersion => "BadVersion",
            ErrorCode::BadArguments => "BadArguments",
            ErrorCode::NoWatcher => "NoWatcher",
            ErrorCode::RuntimeInconsistency => "RuntimeInconsistency",
            ErrorCode::SessionExpired => "SessionExpired",
            ErrorCode::SessionMoved => "SessionMoved",
            ErrorCode::ConnectionLoss => "ConnectionLoss",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a watch event says happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum EventType {
    NodeCreated,
    NodeDeleted,
    NodeDataChanged,
    NodeChildrenChanged,
}

impl EventType {
    /// The name in ZooKeeper's API.
    pub fn name(self) -> &'static str {
        match self {
            EventType::NodeCreated => "NodeCreated",
            EventType::NodeDeleted => "NodeDeleted",
            EventType::NodeDataChanged => "NodeDataChanged",
            EventType::NodeChildrenChanged => "NodeChildrenChanged",
        }
    }
}

/// A watch event: a kind and a path, and nothing of the news itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct WatchedEvent {
    pub kind: EventType,
    pub path: Path,
}

/// ZooKeeper's `Stat` without the two wall-clock times.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stat {
    /// zxid of the creation.
    pub czxid: Zxid,
    /// zxid of the last change of data.
    pub mzxid: Zxid,
    /// zxid of the last create or delete of a child.
    pub pzxid: Zxid,
    pub version: i32,
    /// Creates and deletes of children; not the sequence counter.
    pub cversion: i32,
    pub aversion: i32,
    pub ephemeral_owner: Option<SessionId>,
    /// Bytes of data.
    pub data_length: u32,
    pub num_children: u32,
}

/// One change of the tree, in the order it was applied.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    Created { path: Path, czxid: Zxid, owner: Option<SessionId> },
    Deleted { path: Path, czxid: Zxid, owner: Option<SessionId> },
    DataSet { path: Path },
}

/// What one request, or the end of one session, did at a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The reply's body, or the error in its header.
    pub result: Result<Reply, ErrorCode>,
    /// The zxid in the reply's header: the last one this member has applied.
    pub zxid: Zxid,
    /// Watch events in the order they were sent. They leave before the reply.
    pub events: Vec<(SessionId, WatchedEvent)>,
    /// What changed in the tree.
    pub changes: Vec<Change>,
}
