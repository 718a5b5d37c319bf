//! What a member writes down and carries out: the outcome of validating one write.

use std::sync::Arc;

use super::protocol::{ErrorCode, Path, SessionId};

/// One entry of the log. Each takes one zxid, the refused ones too.
///
/// It holds results, not wishes: the full name of a sequential node, the new version. So every
/// member that carries it out comes to the same tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transaction {
    CreateSession {
        session: SessionId,
        timeout_ms: u32,
    },
    /// The session's ephemeral nodes, in the order in which they are deleted.
    CloseSession {
        session: SessionId,
        ephemerals: Vec<Path>,
    },
    Operation(Operation),
    Multi(Vec<Operation>),
    /// A write that was refused.
    Error(ErrorCode),
    /// A multi of `of` operations that was refused because of the one at `at` (from 0).
    MultiError {
        at: u32,
        of: u32,
        error: ErrorCode,
    },
}

impl Transaction {
    /// Whether a session begins or ends with it.
    pub fn is_of_session(&self) -> bool {
        match self {
            Transaction::CreateSession { .. } | Transaction::CloseSession { .. } => true,
            Transaction::Operation(_)
            | Transaction::Multi(_)
            | Transaction::Error(_)
            | Transaction::MultiError { .. } => false,
        }
    }
}

/// One change of the tree, validated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    Create {
        path: Path,
        data: Arc<str>,
        owner: Option<SessionId>,
        /// The parent's create counter afterwards.
        parent_creates: i32,
        /// create2: the reply carries the new node's stat.
        with_stat: bool,
    },
    Delete {
        path: Path,
    },
    SetData {
        path: Path,
        data: Arc<str>,
        version: i32,
    },
    SetAclOpen {
        path: Path,
        aversion: i32,
    },
    /// A multi's check, which held.
    Check,
}
