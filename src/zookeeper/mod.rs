//! What ZooKeeper means: requests, replies, errors, the tree, watches and sessions of one member, and the
//! ensemble of several.
//!
//! This room knows nothing of locks, clients, links or time. A [`Member`] is a value: give it one
//! request of one session and it returns the reply, the watch events that left before the reply
//! and the changes to the tree. It behaves as a standalone ZooKeeper 3.8.0 server does; the
//! recordings in `tests/traces` say so, field by field. An [`Ensemble`] is servers around such members
//! that agree on one history, message by message.
//!
//! ```
//! use lockstep::zookeeper::{CreateMode, Member, Reply, Request};
//! let mut member = Member::new();
//! let session = member.connect(10_000).session;
//! let made = member.request(session, &Request::Create {
//!     path: "/lock-".into(),
//!     data: "".into(),
//!     mode: CreateMode::EphemeralSequential,
//! });
//! assert_eq!(made.result, Ok(Reply::Created { path: "/lock-0000000000".into() }));
//! ```

mod apply;
mod ensemble;
mod member;
mod path;
mod prepare;
mod protocol;
mod read;
mod sessions;
mod standalone;
mod transaction;
mod tree;
mod watches;

pub use ensemble::{
    Call, ConnectRefusal, ConnectionId, ConnectionLoss, Ensemble, EnsembleAction, EnsembleSize, Entry, Hello,
    Origin, Role, Server, ServerAction, ServerEvent, ServerId, ServerMessage,
};
pub use member::{Connected, Member, MemberSettings};
pub use prepare::Outstanding;
pub use protocol::*;
pub use standalone::StandaloneServer;
pub use transaction::{Operation, Transaction};
pub use tree::{CounterEnd, Node};
pub use watches::{Watch, WatchMode, WatchTable};
