//! Carrying out what was decided: the tree changes, watches fire, the client's result comes out.
//!
//! ZooKeeper's `DataTree.processTxn`. Which event follows what, and in which order, is here.

use std::cmp::Ordering;

use super::member::Member;
use super::protocol::{
    Answer, Change, ErrorCode, EventType, MultiResult, Path, Reply, SessionId, WatchedEvent, Zxid,
};
use super::transaction::{Operation, Transaction};
use super::watches::WatchTable;

impl Member {
    /// Carries out a transaction as number `zxid`, which becomes the member's last one.
    ///
    /// The answer is the one for the client that asked; other members drop it. A transaction that does
    /// not fit this tree answers the error and changes nothing (it cannot happen while all members apply
    /// one log).
    pub fn apply(&mut self, zxid: Zxid, transaction: &Transaction) -> Answer {
        self.zxid = zxid;
        let mut answer = self.answer(Ok(Reply::Done));
        match transaction {
            Transaction::CreateSession { session, timeout_ms } => self.sessions.open(*session, *timeout_ms),
            Transaction::CloseSession { session, ephemerals } => {
                self.close_session(*session, ephemerals, &mut answer);
            }
            Transaction::Operation(operation) => {
                answer.result = self.carry_out(operation, &mut answer).map(|result| match result {
                    MultiResult::Created { path } => Reply::Created { path },
                    MultiResult::Created2 { path, stat } => Reply::Created2 { path, stat },
                    MultiResult::Stat(stat) => Reply::Stat(stat),
                    MultiResult::Deleted | MultiResult::Checked | MultiResult::Error(_) => Reply::Done,
                });
            }
            Transaction::Multi(operations) => {
                let mut results = Vec::with_capacity(operations.len());
                for operation in operations {
                    let result = self.carry_out(operation, &mut answer);
                    results.push(result.unwrap_or_else(|error| MultiResult::Error(Some(error))));
                }
                answer.result = Ok(Reply::Multi { results });
            }
            Transaction::Error(error) => answer.result = Err(*error),
            Transaction::MultiError { at, of, error } => {
                let results = (0..*of).map(|i| {
                    MultiResult::Error(match i.cmp(at) {
                        Ordering::Less => None,
                        Ordering::Equal => Some(*error),
                        Ordering::Greater => Some(ErrorCode::RuntimeInconsistency),
                    })
                });
                answer.result = Ok(Reply::Multi { results: results.collect() });
            }
        }
        answer
    }

    /// Carries out one operation; what came of it beside the result goes to `answer`.
    fn carry_out(&mut self, operation: &Operation, answer: &mut Answer) -> Result<MultiResult, ErrorCode> {
        match operation {
            Operation::Create { path, data, owner, parent_creates, with_stat } => {
                let end = self.settings.counter_end;
                let parent = self.tree.create(self.zxid, path, data.clone(), *owner, *parent_creates, end)?;
                if let Some(owner) = owner {
                    self.sessions.add_ephemeral(*owner, path);
                }
                answer.changes.push(Change::Created { path: path.clone(), czxid: self.zxid, owner: *owner });
                self.fire(WatchTable::Data, path, EventType::NodeCreated, &[], answer);
                self.fire(WatchTable::Children, &parent, EventType::NodeChildrenChanged, &[], answer);
                Ok(match self.stat(path).filter(|_| *with_stat) {
                    Some(stat) => MultiResult::Created2 { path: path.clone(), stat },
                    None => MultiResult::Created { path: path.clone() },
                })
            }
            Operation::Delete { path } => self.delete(path, answer).map(|()| MultiResult::Deleted),
            Operation::SetData { path, data, version } => {
                let stat = self.tree.set_data(self.zxid, path, data.clone(), *version)?;
                answer.changes.push(Change::DataSet { path: path.clone() });
                self.fire(WatchTable::Data, path, EventType::NodeDataChanged, &[], answer);
                Ok(MultiResult::Stat(stat))
            }
            // No event: `set_acl_*`.
            Operation::SetAclOpen { path, aversion } => {
                self.tree.set_aversion(path, *aversion).map(MultiResult::Stat)
            }
            Operation::Check => Ok(MultiResult::Checked),
        }
    }

    fn delete(&mut self, path: &Path, answer: &mut Answer) -> Result<(), ErrorCode> {
        let (parent, node) = self.tree.delete(self.zxid, path)?;
        if let Some(owner) = node.owner() {
            self.sessions.remove_ephemeral(owner, path);
        }
        let czxid = node.stat().czxid;
        answer.changes.push(Change::Deleted { path: path.clone(), czxid, owner: node.owner() });
        // A session that watched data and children hears of the deletion once, and both watches
        // are used up (DataTree.deleteNode; `watch_data_and_child_delete`).
        let told = self.fire(WatchTable::Data, path, EventType::NodeDeleted, &[], answer);
        self.fire(WatchTable::Children, path, EventType::NodeDeleted, &told, answer);
        self.fire(WatchTable::Children, &parent, EventType::NodeChildrenChanged, &[], answer);
        Ok(())
    }

    fn close_session(&mut self, session: SessionId, ordered: &[Path], answer: &mut Answer) {
        let ephemerals = self.sessions.take_ephemerals(session);
        // The session stays until its nodes are gone: it hears of them if it watches them.
        for path in ordered.iter().chain(&ephemerals) {
            if self.node(path).is_some_and(|node| node.owner() == Some(session)) {
                // An ephemeral node has no children, so it can be deleted.
                let _ = self.delete(path, answer);
            }
        }
        self.sessions.end(session);
        self.watches.forget(session);
    }

    /// Fires one event, except to the sessions in `told`. Returns whose watches were hit.
    fn fire(
        &mut self,
        table: WatchTable,
        path: &Path,
        kind: EventType,
        told: &[SessionId],
        answer: &mut Answer,
    ) -> Vec<SessionId> {
        let hit = self.watches.fire(table, path, kind);
        let hearers = hit.iter().filter(|session| told.binary_search(session).is_err());
        answer.events.extend(hearers.map(|&session| (session, WatchedEvent { kind, path: path.clone() })));
        hit
    }
}
