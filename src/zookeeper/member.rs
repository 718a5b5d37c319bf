//! One server: its tree, its watches, its sessions and the last transaction it has carried out.

use std::collections::BTreeSet;

use super::prepare::Outstanding;
use super::protocol::{Answer, ErrorCode, Path, Reply, Request, SessionId, Stat, Zxid};
use super::sessions::Sessions;
use super::transaction::Transaction;
use super::tree::{CounterEnd, Node, Tree};
use super::watches::{Watch, Watches};

/// What differs between servers by their generation or their configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberSettings {
    pub counter_end: CounterEnd,
    /// Shorter timeouts are raised to this (`minSessionTimeout`).
    pub min_session_timeout_ms: u32,
    /// Longer timeouts are cut to this (`maxSessionTimeout`).
    pub max_session_timeout_ms: u32,
}

impl Default for MemberSettings {
    /// The server of the recordings: 3.8.0, session timeouts from 400 to 60000 ms.
    fn default() -> MemberSettings {
        MemberSettings {
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
    pub(super) settings: MemberSettings,
    pub(super) tree: Tree,
    pub(super) watches: Watches,
    pub(super) sessions: Sessions,
    /// The last transaction carried out.
    pub(super) zxid: Zxid,
}

impl Default for Member {
    fn default() -> Member {
        Member::new()
    }
}

impl Member {
    /// A server with the root node only (czxid −1) that has carried out zxid 0, at the default
    /// [`MemberSettings`].
    pub fn new() -> Member {
        Member::with_settings(MemberSettings::default())
    }

    pub fn with_settings(settings: MemberSettings) -> Member {
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
        if self.sessions.get(session).is_none() {
            return self.answer(Err(ErrorCode::SessionExpired));
        }
        let zxid = self.zxid.next();
        let transaction = self.prepare_end(&mut Outstanding::default(), zxid, session, order);
        self.apply(zxid, &transaction)
    }

    /// The process ends and starts again on its log: connections and watches are gone, all else is
    /// kept (`restart_keeps_sessions_not_watches`).
    pub fn restart(&mut self) {
        self.sessions.disconnect_all();
        self.watches = Watches::default();
    }

    // The first half of a write; the second is in `apply`, reads are in `read`.

    /// Validates a write of `session` against the tree and what is outstanding, and adds to the
    /// latter what the transaction will change. None if `request` is a read.
    ///
    /// A session that is not known, or is about to end, is refused with
    /// [`ErrorCode::SessionExpired`] (`PrepRequestProcessor` asks the session tracker first).
    pub fn prepare(
        &self,
        outstanding: &mut Outstanding,
        zxid: Zxid,
        session: SessionId,
        request: &Request,
    ) -> Option<Transaction> {
        if request.is_write() && (self.sessions.get(session).is_none() || outstanding.is_ending(session)) {
            return Some(Transaction::Error(ErrorCode::SessionExpired));
        }
        outstanding.prepare(&self.tree, zxid, session, request)
    }

    /// The end of a session as a transaction: see [`end_session`](Member::end_session).
    pub fn prepare_end(
        &self,
        outstanding: &mut Outstanding,
        zxid: Zxid,
        session: SessionId,
        order: impl FnOnce(&[Path]) -> Vec<Path>,
    ) -> Transaction {
        let own = outstanding.ephemerals(self.ephemerals(session), session);
        let mut left: BTreeSet<&Path> = own.iter().collect();
        let mut ephemerals = order(&own);
        ephemerals.retain(|path| left.remove(path));
        ephemerals.extend(own.iter().filter(|path| left.contains(path)).cloned());
        outstanding.end_session(zxid, session, &ephemerals);
        Transaction::CloseSession { session, ephemerals }
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

    /// The names (last parts) of a node's children, sorted. Empty if there is no such node.
    pub fn children(&self, path: &str) -> impl Iterator<Item = &Path> {
        self.node(path).into_iter().flat_map(Node::children)
    }

    /// Every node under its full path, sorted by path as text, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = (&Path, &Node)> {
        self.tree.iter()
    }

    /// Every watch: data watches first, then child watches; in each by path, then by session.
    pub fn watchers(&self) -> impl Iterator<Item = Watch> {
        self.watches.list().into_iter()
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
    /// gets this counter and these zxids and keeps all else. No zxid is used and no watch fires.
    ///
    /// # Errors
    /// [`ErrorCode::BadArguments`] for a malformed path, [`ErrorCode::NoNode`] without a parent,
    /// [`ErrorCode::NoChildrenForEphemerals`] below an ephemeral one.
    pub fn preset_node(&mut self, path: &str, creates: i32, czxid: Zxid) -> Result<(), ErrorCode> {
        self.tree.preset(&path.into(), creates, czxid)
    }

    // Helpers.

    pub(super) fn answer(&self, result: Result<Reply, ErrorCode>) -> Answer {
        Answer { result, zxid: self.zxid, events: Vec::new(), changes: Vec::new() }
    }

    /// `ZooKeeperServer.processConnectRequest`: the lower limit first, so that the upper one wins.
    pub(super) fn negotiate(&self, timeout_ms: u32) -> u32 {
        timeout_ms.max(self.settings.min_session_timeout_ms).min(self.settings.max_session_timeout_ms)
    }

    fn attach(&mut self, session: SessionId, timeout_ms: u32) {
        self.watches.forget(session);
        if let Some(known) = self.sessions.get_mut(session) {
            known.connected = true;
            known.timeout_ms = timeout_ms;
        }
    }
}
