//! Validation: from a client's write to the transaction that will be carried out, or refused.
//!
//! ZooKeeper's `PrepRequestProcessor`. The order of the checks is the precedence of the errors, as
//! recorded (`bad_paths`, `delete_not_empty` and others).

use std::sync::Arc;

use litemap::LiteMap;

use super::path;
use super::protocol::{CreateMode, ErrorCode, MultiOp, Path, Request, SessionId, Zxid};
use super::transaction::{Operation, Transaction};
use super::tree::Tree;

/// What validated transactions will have changed that the tree does not show yet: the server's
/// `outstandingChanges`. Empty for a standalone member, which carries out each transaction at once.
///
/// It matters beyond speed: at the end of the sequence counter the value pending here goes on to
/// −2147483648 while the stored one sticks (recording `o_overflow_in_multi`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Outstanding {
    changed: LiteMap<Path, Pending>,
    /// Sessions whose end is outstanding, and its zxid.
    ending: LiteMap<SessionId, Zxid>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pending {
    zxid: Zxid,
    /// None: deleted.
    record: Option<Record>,
}

/// As much of a node as validation needs (the server's `ChangeRecord`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Record {
    creates: i32,
    num_children: u32,
    version: i32,
    aversion: i32,
    owner: Option<SessionId>,
}

impl Outstanding {
    /// Forgets what was changed by transactions up to `zxid`: the tree shows it now.
    pub fn retire(&mut self, zxid: Zxid) {
        self.changed.retain(|_, pending| pending.zxid > zxid);
        self.ending.retain(|_, ended| *ended > zxid);
    }

    pub(super) fn is_ending(&self, session: SessionId) -> bool {
        self.ending.contains_key(&session)
    }

    /// A session's ephemeral nodes as they will be, `now` being those in the tree: those that are still
    /// there in their order, then the new ones by path.
    pub(super) fn ephemerals(&self, now: &[Path], session: SessionId) -> Vec<Path> {
        let is_owned = |pending: &Pending| pending.record.is_some_and(|record| record.owner == Some(session));
        let stays = |path: &&Path| self.changed.get(*path).is_none_or(is_owned);
        let new = self.changed.iter().filter(|(path, pending)| is_owned(pending) && !now.contains(path));
        now.iter().filter(stays).chain(new.map(|(path, _)| path)).cloned().collect()
    }

    /// Notes that a session and its nodes are about to go. Their parents are left as they are: until it is
    /// carried out they count as having the children (`PrepRequestProcessor`, closeSession).
    pub(super) fn end_session(&mut self, zxid: Zxid, session: SessionId, ephemerals: &[Path]) {
        self.ending.insert(session, zxid);
        self.changed.extend(ephemerals.iter().map(|path| (path.clone(), Pending { zxid, record: None })));
    }

    /// None if `request` is a read.
    pub(super) fn prepare(
        &mut self,
        tree: &Tree,
        zxid: Zxid,
        session: SessionId,
        request: &Request,
    ) -> Option<Transaction> {
        let mut draft = Draft { tree, outstanding: self, zxid, session };
        let operation = match request {
            Request::Create { path, data, mode } => draft.create(path, data, *mode, false),
            Request::Create2 { path, data, mode } => draft.create(path, data, *mode, true),
            Request::Delete { path, version } => draft.delete(path, *version),
            Request::SetData { path, data, version } => draft.set_data(path, data, *version),
            Request::SetAclOpen { path, version } => draft.set_acl_open(path, *version),
            Request::Multi { ops } => return Some(self.prepare_multi(tree, zxid, session, ops)),
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
            | Request::SetWatches { .. } => return None,
        };
        Some(operation.map_or_else(Transaction::Error, Transaction::Operation))
    }

    /// All or nothing: the operations see each other's changes, and a refused multi gives its
    /// sequence numbers back (`multi_*`).
    fn prepare_multi(&mut self, tree: &Tree, zxid: Zxid, session: SessionId, ops: &[MultiOp]) -> Transaction {
        let mut scratch = self.clone();
        let mut draft = Draft { tree, outstanding: &mut scratch, zxid, session };
        let mut operations = Vec::with_capacity(ops.len());
        for (at, op) in ops.iter().enumerate() {
            match draft.multi_op(op) {
                Ok(operation) => operations.push(operation),
                Err(error) => {
                    return Transaction::MultiError { at: at as u32, of: ops.len() as u32, error };
                }
            }
        }
        *self = scratch;
        Transaction::Multi(operations)
    }
}

/// One transaction in the making.
struct Draft<'a> {
    tree: &'a Tree,
    outstanding: &'a mut Outstanding,
    zxid: Zxid,
    session: SessionId,
}

impl Draft<'_> {
    fn multi_op(&mut self, op: &MultiOp) -> Result<Operation, ErrorCode> {
        match op {
            MultiOp::Create { path, data, mode } => self.create(path, data, *mode, false),
            MultiOp::Create2 { path, data, mode } => self.create(path, data, *mode, true),
            MultiOp::Delete { path, version } => self.delete(path, *version),
            MultiOp::SetData { path, data, version } => self.set_data(path, data, *version),
            MultiOp::Check { path, version } => self.check(path, *version),
        }
    }

    fn create(
        &mut self,
        requested: &Path,
        data: &Arc<str>,
        mode: CreateMode,
        with_stat: bool,
    ) -> Result<Operation, ErrorCode> {
        let parent_path = path::parent_of_request(requested)?;
        let parent = self.record(parent_path)?;
        let path: Path = if mode.is_sequential() {
            // Java's "%010d": ten places, a minus sign among them.
            format!("{requested}{:010}", parent.creates).into()
        } else {
            requested.clone()
        };
        path::validate(&path)?;
        if self.record(&path).is_ok() {
            return Err(ErrorCode::NodeExists);
        }
        if parent.owner.is_some() {
            return Err(ErrorCode::NoChildrenForEphemerals);
        }
        let owner = mode.is_ephemeral().then_some(self.session);
        let parent_creates = parent.creates.wrapping_add(1);
        let num_children = parent.num_children + 1;
        self.change(parent_path, Some(Record { creates: parent_creates, num_children, ..parent }));
        self.change(&path, Some(Record { creates: 0, num_children: 0, version: 0, aversion: 0, owner }));
        Ok(Operation::Create { path, data: data.clone(), owner, parent_creates, with_stat })
    }

    fn delete(&mut self, path: &Path, version: i32) -> Result<Operation, ErrorCode> {
        let parent_path = path::parent_of_request(path)?;
        if **path == *"/" {
            return Err(ErrorCode::BadArguments);
        }
        let parent = self.record(parent_path)?;
        let node = self.record(path)?;
        next_version(node.version, version)?;
        if node.num_children > 0 {
            return Err(ErrorCode::NotEmpty);
        }
        let num_children = parent.num_children.saturating_sub(1);
        self.change(parent_path, Some(Record { num_children, ..parent }));
        self.change(path, None);
        Ok(Operation::Delete { path: path.clone() })
    }

    fn set_data(&mut self, path: &Path, data: &Arc<str>, version: i32) -> Result<Operation, ErrorCode> {
        path::validate(path)?;
        let node = self.record(path)?;
        let version = next_version(node.version, version)?;
        self.change(path, Some(Record { version, ..node }));
        Ok(Operation::SetData { path: path.clone(), data: data.clone(), version })
    }

    fn set_acl_open(&mut self, path: &Path, version: i32) -> Result<Operation, ErrorCode> {
        path::validate(path)?;
        let node = self.record(path)?;
        let aversion = next_version(node.aversion, version)?;
        self.change(path, Some(Record { aversion, ..node }));
        Ok(Operation::SetAclOpen { path: path.clone(), aversion })
    }

    fn check(&self, path: &Path, version: i32) -> Result<Operation, ErrorCode> {
        path::validate(path)?;
        next_version(self.record(path)?.version, version)?;
        Ok(Operation::Check)
    }

    /// The node as it will be when all that is outstanding has been carried out.
    fn record(&self, path: &str) -> Result<Record, ErrorCode> {
        if let Some(pending) = self.outstanding.changed.get(path::root_or(path)) {
            return pending.record.ok_or(ErrorCode::NoNode);
        }
        let node = self.tree.get(path).ok_or(ErrorCode::NoNode)?;
        let stat = node.stat();
        Ok(Record {
            creates: node.creates(),
            num_children: stat.num_children,
            version: stat.version,
            aversion: stat.aversion,
            owner: node.owner(),
        })
    }

    fn change(&mut self, path: &str, record: Option<Record>) {
        let pending = Pending { zxid: self.zxid, record };
        self.outstanding.changed.insert(path::root_or(path).into(), pending);
    }
}

/// The version after a write that expects `expected` (−1: any).
fn next_version(current: i32, expected: i32) -> Result<i32, ErrorCode> {
    if expected == -1 || expected == current {
        Ok(current.wrapping_add(1))
    } else {
        Err(ErrorCode::BadVersion)
    }
}
