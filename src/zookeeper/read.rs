//! Reads, and the watches they leave.
//!
//! ZooKeeper's `FinalRequestProcessor` for requests that change nothing.

use std::sync::Arc;

use super::member::Member;
use super::protocol::{Answer, ErrorCode, EventType, Path, Reply, Request, SessionId, WatchedEvent, Zxid};
use super::tree::Node;
use super::watches::{WatchMode, WatchTable};

impl Member {
    /// Answers a read from this member's own state and leaves the watch it asks for. Uses no zxid.
    ///
    /// Reads do not validate paths: a malformed one is a node that is not there
    /// (`FinalRequestProcessor`; `bad_paths`). A write given here does nothing and answers
    /// [`ErrorCode::BadArguments`].
    pub fn read(&mut self, session: SessionId, request: &Request) -> Answer {
        let mut events = Vec::new();
        let result = self.reply_to_read(session, request, &mut events);
        Answer { events, ..self.answer(result) }
    }

    fn reply_to_read(
        &mut self,
        session: SessionId,
        request: &Request,
        events: &mut Vec<(SessionId, WatchedEvent)>,
    ) -> Result<Reply, ErrorCode> {
        Ok(match request {
            Request::GetData { path, watch } => {
                let node = self.existing(path)?;
                let reply = Reply::Data { data: node.data().clone(), stat: node.stat() };
                self.arm(*watch, WatchTable::Data, path, session);
                reply
            }
            // The only read whose path is looked at, and only for this (FinalRequestProcessor).
            Request::Exists { path, .. } if path.contains('\0') => return Err(ErrorCode::BadArguments),
            Request::Exists { path, watch } => {
                self.arm(*watch, WatchTable::Data, path, session);
                Reply::Stat(self.existing(path)?.stat())
            }
            Request::GetChildren { path, watch } => {
                let children = children(self.existing(path)?);
                self.arm(*watch, WatchTable::Children, path, session);
                Reply::Children { children }
            }
            Request::GetChildren2 { path, watch } => {
                let node = self.existing(path)?;
                let reply = Reply::Children2 { children: children(node), stat: node.stat() };
                self.arm(*watch, WatchTable::Children, path, session);
                reply
            }
            Request::Sync { path } => Reply::Synced { path: path.clone() },
            Request::Ping => Reply::Done,
            Request::GetEphemerals { prefix } => {
                Reply::Ephemerals { paths: self.ephemerals_below(session, prefix) }
            }
            Request::AddWatch { path, recursive } => {
                let mode = if *recursive { WatchMode::PersistentRecursive } else { WatchMode::Persistent };
                self.arm_as(mode, WatchTable::Data, path, session);
                self.arm_as(mode, WatchTable::Children, path, session);
                Reply::Done
            }
            Request::RemoveWatches { path, kind } if self.watches.has(*kind, path, session) => {
                self.watches.remove(*kind, path, session);
                Reply::Done
            }
            // 3.8.0 asks whether anybody watches the path (`WatchManager.containsWatcher`); 3.9 asks of the session.
            Request::CheckWatches { path, kind } if self.watches.has_any(*kind, path) => Reply::Done,
            Request::RemoveWatches { .. } | Request::CheckWatches { .. } => return Err(ErrorCode::NoWatcher),
            Request::SetWatches { relative_zxid, data, exist, child } => {
                *events = self.set_watches(session, *relative_zxid, data, exist, child);
                Reply::Done
            }
            Request::Create { .. }
            | Request::Create2 { .. }
            | Request::Delete { .. }
            | Request::SetData { .. }
            | Request::SetAclOpen { .. }
            | Request::Multi { .. } => return Err(ErrorCode::BadArguments),
        })
    }

    fn existing(&self, path: &str) -> Result<&Node, ErrorCode> {
        self.node(path).ok_or(ErrorCode::NoNode)
    }

    fn arm(&mut self, wanted: bool, table: WatchTable, path: &Path, session: SessionId) {
        if wanted {
            self.arm_as(WatchMode::OneShot, table, path, session);
        }
    }

    /// A connection that is gone leaves no watch (`WatchManager.isDeadWatcher`).
    fn arm_as(&mut self, mode: WatchMode, table: WatchTable, path: &Path, session: SessionId) {
        if self.sessions.is_connected(session) {
            self.watches.arm(table, path, session, mode);
        }
    }

    /// What happened since `relative_zxid` is told from the state alone, not from history; what did
    /// not happen is armed (`DataTree.setWatches`). So a node that came and went meanwhile is not
    /// reported, and one that was deleted and made again is reported as changed
    /// (`setwatches_create_delete_missed`, `setwatches_delete_recreate`).
    fn set_watches(
        &mut self,
        session: SessionId,
        relative_zxid: Zxid,
        data: &[Path],
        exist: &[Path],
        child: &[Path],
    ) -> Vec<(SessionId, WatchedEvent)> {
        let mut missed = Vec::new();
        for path in data {
            match self.stat(path) {
                None => missed.push((EventType::NodeDeleted, path)),
                Some(stat) if stat.mzxid > relative_zxid => missed.push((EventType::NodeDataChanged, path)),
                Some(_) => self.arm(true, WatchTable::Data, path, session),
            }
        }
        for path in exist {
            match self.stat(path) {
                None => self.arm(true, WatchTable::Data, path, session),
                Some(_) => missed.push((EventType::NodeCreated, path)),
            }
        }
        for path in child {
            match self.stat(path) {
                None => missed.push((EventType::NodeDeleted, path)),
                Some(stat) if stat.pzxid > relative_zxid => {
                    missed.push((EventType::NodeChildrenChanged, path));
                }
                Some(_) => self.arm(true, WatchTable::Children, path, session),
            }
        }
        if !self.sessions.is_connected(session) {
            return Vec::new();
        }
        missed.into_iter().map(|(kind, path)| (session, WatchedEvent { kind, path: path.clone() })).collect()
    }

    /// The prefix is plain text, not a path: "/a" finds "/ab" too (`FinalRequestProcessor`).
    fn ephemerals_below(&self, session: SessionId, prefix: &str) -> Vec<Path> {
        let all = matches!(prefix.trim(), "" | "/");
        let own = self.ephemerals(session).iter();
        let mut paths: Vec<Path> = own.filter(|path| all || path.starts_with(prefix)).cloned().collect();
        paths.sort();
        paths
    }
}

fn children(node: &Node) -> Arc<[Path]> {
    node.children().cloned().collect()
}
