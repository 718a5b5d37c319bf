//! One server: its tree, its watches, its sessions and the last transaction it has carried out.

use super::prepare::Outstanding;
use super::protocol::{
    Answer, Change, ErrorCode, EventType, MultiResult, Path, Reply, Request, SessionId, Stat, WatchedEvent,
    Zxid,
};
use super::sessions::Sessions;
use super::transaction::{Operation, Transaction};
use super::tree::{CounterEnd, Node, Tree};
use super::watches::{Watch, WatchMode, WatchTable, Watches};

/// What differs between servers by their generation or their configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Settings {
    pub counter_end: CounterEnd,
    /// Shorter timeouts are raised to this (`minSessionTimeout`).
    pub min_session_timeout_ms: u32,
    /// Longer timeouts are cut to this (`maxSessionTimeout`).
    pub max_session_timeout_ms: u32,
}

impl Default for Settings {
    /// The server of the recordings: 3.8.0, session timeouts from 400 to 60000 ms.
    fn default() -> Settings {
        Settings {
            counter_end: CounterEnd::Sticks,
            min_session_timeout_ms: 400,
            max_session_timeout_ms: 60_000,
        }
    }
}

/// What a client gets for a new session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Connected {
    pub session: SessionId,
    /// The transaction that made the session.
    pub zxid: Zxid,
    /// As negotiated: what was asked for, within the server's limits.
    pub timeout_ms: u32,
}

/// One ZooKeeper server as a value.
///
/// A write goes two ways, as in the real server: [`prepare`](Member::prepare) validates it against
/// the present state and turns it into a [`Transaction`], [`apply`](Member::apply) carries one out.
/// A standalone server does one after the other ([`request`](Member::request)); in an ensemble the
/// leader prepares and every member applies.
///
/// It has no clock: a session lives until [`end_session`](Member::end_session).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    settings: Settings,
    tree: Tree,
    watches: Watches,
    sessions: Sessions,
    zxid: Zxid,
}

impl Default for Member {
    fn default() -> Member {
        Member::new()
    }
}

impl Member {
    /// A server with the root node only (czxid −1) that has carried out zxid 0, at the default
    /// [`Settings`].
    pub fn new() -> Member {
        Member::with_settings(Settings::default())
    }

    pub fn with_settings(settings: Settings) -> Member {
        Member {
            settings,
            tree: Tree::new(),
            watches: Watches::default(),
            sessions: Sessions::default(),
            zxid: Zxid(0),
        }
    }

    // What clients and the operator do.

    /// Opens a session with a connection to this member. Uses one zxid.
    pub fn connect(&mut self, timeout_ms: u32) -> Connected {
        let session = self.next_session();
        let timeout_ms = self.negotiate(timeout_ms);
        let zxid = self.apply(self.zxid.next(), &Transaction::CreateSession { session, timeout_ms }).zxid;
        self.attach(session, timeout_ms);
        Connected { session, zxid, timeout_ms }
    }

    /// Carries out one request of a session.
    ///
    /// A write uses one zxid, refused or not; a read none. A session that is not known gets
    /// [`ErrorCode::SessionExpired`] and uses none. A request of a session without a connection is
    /// still carried out (it was on its way), but leaves no watch.
    pub fn request(&mut self, session: SessionId, request: &Request) -> Answer {
        if self.sessions.get(session).is_none() {
            return self.answer(Err(ErrorCode::SessionExpired));
        }
        let zxid = self.zxid.next();
        match self.prepare(&mut Outstanding::default(), zxid, session, request) {
            Some(transaction) => self.apply(zxid, &transaction),
            None => self.read(session, request),
        }
    }

    /// The session's connection is gone, and with it its watches. The session lives on.
    pub fn disconnect(&mut self, session: SessionId) {
        if let Some(known) = self.sessions.get_mut(session) {
            known.connected = false;
        }
        self.watches.forget(session);
    }

    /// Gives a session a new connection and a newly negotiated timeout, which is returned. An older
    /// connection is closed and its watches are gone (`reattach_steals`). Uses no zxid.
    ///
    /// # Errors
    /// [`ErrorCode::SessionExpired`] if the session is not known (any more).
    pub fn reconnect(&mut self, session: SessionId, timeout_ms: u32) -> Result<u32, ErrorCode> {
        if self.sessions.get(session).is_none() {
            return Err(ErrorCode::SessionExpired);
        }
        let timeout_ms = self.negotiate(timeout_ms);
        self.attach(session, timeout_ms);
        Ok(timeout_ms)
    }

    /// Closes or expires a session: one zxid, in which its ephemeral nodes go.
    ///
    /// `order` gets their paths in creation order and returns them in the order of deletion. What it
    /// leaves out is deleted last, what it adds is ignored. Watchers learn of the deletions before
    /// the session is forgotten, so the session's own events are in the answer too.
    ///
    /// A session that is not known: [`ErrorCode::SessionExpired`], no zxid used.
    pub fn end_session(&mut self, session: SessionId, order: impl FnOnce(&[Path]) -> Vec<Path>) -> Answer {
        let Some(ending) = self.sessions.get(session) else {
            return self.answer(Err(ErrorCode::SessionExpired));
        };
        let ephemerals = order(&ending.ephemerals);
        self.apply(self.zxid.next(), &Transaction::CloseSession { session, ephemerals })
    }

    /// The process ends and starts again on its log: connections and watches are gone, all else is
    /// kept (`restart_keeps_sessions_not_watches`).
    pub fn restart(&mut self) {
        self.sessions.disconnect_all();
        self.watches = Watches::default();
    }

    // The two halves of a write, and reads.

    /// Validates a write of `session` against the tree and what is outstanding, and adds to the
    /// latter what the transaction will change. None if `request` is a read.
    pub fn prepare(
        &self,
        outstanding: &mut Outstanding,
        zxid: Zxid,
        session: SessionId,
        request: &Request,
    ) -> Option<Transaction> {
        outstanding.prepare(&self.tree, zxid, session, request)
    }

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
                        std::cmp::Ordering::Less => None,
                        std::cmp::Ordering::Equal => Some(*error),
                        std::cmp::Ordering::Greater => Some(ErrorCode::RuntimeInconsistency),
                    })
                });
                answer.result = Ok(Reply::Multi { results: results.collect() });
            }
        }
        answer
    }

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

    // What can be seen from outside.

    /// The last transaction this member has carried out.
    pub fn zxid(&self) -> Zxid {
        self.zxid
    }

    /// Takes over a zxid that came from elsewhere: a new epoch, or a recording's start.
    pub fn set_zxid(&mut self, zxid: Zxid) {
        self.zxid = zxid;
    }

    /// The number that the next new session will get here.
    pub fn next_session(&self) -> SessionId {
        self.sessions.next()
    }

    pub fn node(&self, path: &str) -> Option<&Node> {
        self.tree.get(path)
    }

    pub fn stat(&self, path: &str) -> Option<Stat> {
        self.node(path).map(Node::stat)
    }

    /// The names (last parts) of a node's children, sorted. None if there are none, or no such node.
    pub fn children(&self, path: &str) -> impl Iterator<Item = &Path> {
        self.node(path).into_iter().flat_map(Node::children)
    }

    /// Every node under its full path, sorted by path as text, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = (&Path, &Node)> {
        self.tree.iter()
    }

    /// Every watch: data watches first, then child watches; in each by path, then by session.
    pub fn watchers(&self) -> impl Iterator<Item = Watch> {
        self.watches.iter()
    }

    /// Every live session with its negotiated timeout in ms and whether it is connected here.
    pub fn sessions(&self) -> impl Iterator<Item = (SessionId, u32, bool)> {
        self.sessions.iter().map(|(id, session)| (id, session.timeout_ms, session.connected))
    }

    /// A live session's negotiated timeout in ms; none if the session is not alive.
    pub fn timeout_ms(&self, session: SessionId) -> Option<u32> {
        self.sessions.get(session).map(|session| session.timeout_ms)
    }

    /// A live session's ephemeral nodes, in creation order.
    pub fn ephemerals(&self, session: SessionId) -> &[Path] {
        self.sessions.get(session).map_or(&[], |session| &session.ephemerals)
    }

    pub fn is_connected(&self, session: SessionId) -> bool {
        self.sessions.is_connected(session)
    }

    /// For tests, and for scenarios whose story starts with a counter that has run for years: puts an
    /// empty persistent node at `path`, created by transaction `czxid`, below which `creates` children
    /// have been made and deleted. The parent counts it as a created child. A node that is there already
    /// gets these numbers and keeps its children. No zxid is used and no watch fires.
    ///
    /// # Errors
    /// [`ErrorCode::BadArguments`] for a malformed path, [`ErrorCode::NoNode`] without a parent.
    pub fn preset_node(&mut self, path: &str, creates: i32, czxid: Zxid) -> Result<(), ErrorCode> {
        self.tree.preset(&path.into(), creates, czxid)
    }

    // Helpers.

    fn answer(&self, result: Result<Reply, ErrorCode>) -> Answer {
        Answer { result, zxid: self.zxid, events: Vec::new(), changes: Vec::new() }
    }

    /// `ZooKeeperServer.processConnectRequest`: the lower limit first, so that the upper one wins.
    fn negotiate(&self, timeout_ms: u32) -> u32 {
        timeout_ms.max(self.settings.min_session_timeout_ms).min(self.settings.max_session_timeout_ms)
    }

    fn attach(&mut self, session: SessionId, timeout_ms: u32) {
        self.watches.forget(session);
        if let Some(known) = self.sessions.get_mut(session) {
            known.connected = true;
            known.timeout_ms = timeout_ms;
        }
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
            Request::CheckWatches { path, kind } if self.watches.has(*kind, path, session) => Reply::Done,
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
        paths.sort_unstable();
        paths
    }
}

fn children(node: &Node) -> std::sync::Arc<[Path]> {
    node.children().cloned().collect()
}
