//! From a request to one history: forward, propose, acknowledge, commit, carry out.
//!
//! `Leader` and `LearnerHandler` on one side, `Follower` and `Learner` on the other.

use std::sync::Arc;

use super::Ensemble;
use super::server::{Leading, PendingSync, Role, Tracked};
use super::words::{Call, ConnectionId, ConnectionLoss, Entry, Origin, ServerEvent, ServerId, ServerMessage};
use crate::zookeeper::protocol::{ErrorCode, Path, Reply, Request, SessionId, Zxid};
use crate::zookeeper::transaction::Transaction;

impl Ensemble {
    /// The oldest message from one server to another arrives.
    pub(super) fn deliver(&mut self, from: ServerId, to: ServerId, out: &mut Vec<ServerEvent>) {
        let Some(link) = self.links.get_mut(&(from, to)) else { return };
        let message = link.remove(0);
        if link.is_empty() {
            self.links.remove(&(from, to));
        }
        match message {
            ServerMessage::Forward { connection, call } => {
                self.decide(to, Origin { server: from, connection }, call, out);
            }
            ServerMessage::Propose(entry) => {
                let zxid = entry.zxid;
                self.at(to).log.push(entry);
                self.send(to, from, ServerMessage::Ack(zxid), out);
            }
            ServerMessage::Ack(zxid) => {
                out.push(ServerEvent::Acknowledged { server: from, zxid });
                if let Some(leading) = self.at(to).leading_mut()
                    && let Some(acknowledged) = leading.followers.get_mut(&from)
                {
                    *acknowledged = zxid;
                }
                self.commit(to, out);
            }
            ServerMessage::Commit(zxid) => self.carry_out_up_to(to, zxid, out),
            ServerMessage::Synced { connection, path } => self.synced(to, connection, path, out),
            ServerMessage::Validate { connection, session, timeout_ms } => {
                let valid = self.validate(to, from, session, timeout_ms, out);
                let word = ServerMessage::Validated { connection, session, timeout_ms, valid };
                self.send(to, from, word, out);
            }
            ServerMessage::Validated { connection, timeout_ms, valid, .. } => {
                self.validated(to, connection, timeout_ms, valid, out);
            }
            ServerMessage::Ping => {
                if let Role::Following { touched, .. } = &mut self.at(to).role {
                    let touched = std::mem::take(touched);
                    self.send(to, from, ServerMessage::Touched(touched), out);
                }
            }
            ServerMessage::Touched(sessions) => {
                if let Some(leading) = self.at(to).leading_mut() {
                    for (session, timeout_ms) in sessions.iter() {
                        out.extend(leading.touch(to, *session, *timeout_ms));
                    }
                }
            }
        }
    }

    /// The leader asks a follower whom it has heard of.
    pub(super) fn ping(&mut self, to: ServerId, out: &mut Vec<ServerEvent>) {
        if let Some(leader) = self.leader()
            && self.server(to).attached_to() == Some(leader)
        {
            self.send(leader, to, ServerMessage::Ping, out);
        }
    }

    /// The leader has not heard of a session for its timeout.
    pub(super) fn expire(&mut self, session: SessionId, order: &[Path], out: &mut Vec<ServerEvent>) {
        if let Some(leader) = self.leader()
            && self.server(leader).leading().is_some_and(|leading| leading.sessions.contains_key(&session))
        {
            self.propose_end(leader, None, session, order, out);
        }
    }

    /// Somebody at the leader writes, and waits for no reply.
    pub(super) fn administer(&mut self, session: SessionId, request: &Request, out: &mut Vec<ServerEvent>) {
        let Some(leader) = self.leader() else { return };
        let server = self.at(leader);
        let zxid = server.last_zxid().next();
        let Role::Leading(leading) = &mut server.role else { return };
        if let Some(transaction) = server.member.prepare(&mut leading.outstanding, zxid, session, request) {
            self.propose(leader, None, transaction, out);
        }
    }

    /// What the leader makes of a client's wish (`PrepRequestProcessor`).
    pub(super) fn decide(
        &mut self,
        leader: ServerId,
        origin: Origin,
        call: Call,
        out: &mut Vec<ServerEvent>,
    ) {
        let server = self.at(leader);
        let zxid = server.last_zxid().next();
        let next_session = server.next_session();
        let underway = server.uncommitted().next().is_some();
        let last_zxid = server.last_zxid();
        let Role::Leading(leading) = &mut server.role else { return };
        match call {
            Call::Open { timeout_ms } => {
                let session = next_session;
                leading.sessions.insert(session, Tracked { timeout_ms, owner: Some(origin.server) });
                out.push(ServerEvent::Touched { leader, session, timeout_ms });
                let transaction = Transaction::CreateSession { session, timeout_ms };
                self.propose(leader, Some(origin), transaction, out);
            }
            Call::Write { session, request } => {
                let transaction = match leading.check(session, origin.server) {
                    Err(error) => Transaction::Error(error),
                    Ok(()) => {
                        let outstanding = &mut leading.outstanding;
                        let prepared = server.member.prepare(outstanding, zxid, session, &request);
                        // A read, which nobody brings here.
                        prepared.unwrap_or(Transaction::Error(ErrorCode::BadArguments))
                    }
                };
                leading.writes.insert(zxid, session);
                self.propose(leader, Some(origin), transaction, out);
            }
            Call::Sync { path } if underway => {
                let (follower, connection) = (origin.server, origin.connection);
                leading.syncs.push(PendingSync { zxid: last_zxid, follower, connection, path });
            }
            Call::Sync { path } => {
                let connection = origin.connection;
                self.send(leader, origin.server, ServerMessage::Synced { connection, path }, out);
            }
            Call::Close { session, order } => self.propose_end(leader, Some(origin), session, &order, out),
        }
    }

    /// Whether a session may go on at `owner`, which it belongs to from then on.
    pub(super) fn validate(
        &mut self,
        leader: ServerId,
        owner: ServerId,
        session: SessionId,
        timeout_ms: u32,
        out: &mut Vec<ServerEvent>,
    ) -> bool {
        let Some(leading) = self.at(leader).leading_mut() else { return false };
        out.extend(leading.touch(leader, session, timeout_ms));
        let tracked = leading.sessions.get_mut(&session);
        tracked.map(|tracked| tracked.owner = Some(owner)).is_some()
    }

    fn propose_end(
        &mut self,
        leader: ServerId,
        origin: Option<Origin>,
        session: SessionId,
        order: &[Path],
        out: &mut Vec<ServerEvent>,
    ) {
        let server = self.at(leader);
        let zxid = server.last_zxid().next();
        let Role::Leading(leading) = &mut server.role else { return };
        if leading.sessions.remove(&session).is_some() {
            out.push(ServerEvent::Untracked { leader, session });
        }
        let order = |_: &[Path]| order.to_vec();
        let transaction = server.member.prepare_end(&mut leading.outstanding, zxid, session, order);
        self.propose(leader, origin, transaction, out);
    }

    fn propose(
        &mut self,
        leader: ServerId,
        origin: Option<Origin>,
        transaction: Transaction,
        out: &mut Vec<ServerEvent>,
    ) {
        let zxid = self.server(leader).last_zxid().next();
        self.propose_as(leader, Entry { zxid, origin, transaction }, out);
    }

    pub(super) fn propose_as(&mut self, leader: ServerId, entry: Entry, out: &mut Vec<ServerEvent>) {
        let entry = Arc::new(entry);
        out.push(ServerEvent::Proposed { server: leader, zxid: entry.zxid });
        for follower in self.followers(leader) {
            self.send(leader, follower, ServerMessage::Propose(entry.clone()), out);
        }
        self.at(leader).log.push(entry);
        self.commit(leader, out);
    }

    /// The leader commits, in order, what a quorum has written down (`Leader.tryToCommit`). It has itself
    /// as soon as it has proposed.
    fn commit(&mut self, leader: ServerId, out: &mut Vec<ServerEvent>) {
        loop {
            let server = self.server(leader);
            let Some(leading) = server.leading() else { return };
            let Some(zxid) = server.uncommitted().next().map(|entry| entry.zxid) else { return };
            let having = leading.followers.values().filter(|acknowledged| **acknowledged >= zxid).count();
            if !self.is_quorum(1 + having) {
                return;
            }
            out.push(ServerEvent::Committed { server: leader, zxid });
            for follower in self.followers(leader) {
                self.send(leader, follower, ServerMessage::Commit(zxid), out);
            }
            self.carry_out_up_to(leader, zxid, out);
            self.send_syncs(leader, zxid, out);
        }
    }

    /// Syncs that waited for what has now been committed go out behind it.
    fn send_syncs(&mut self, leader: ServerId, committed: Zxid, out: &mut Vec<ServerEvent>) {
        let Some(leading) = self.at(leader).leading_mut() else { return };
        let all = std::mem::take(&mut leading.syncs);
        let (due, wait): (Vec<_>, Vec<_>) = all.into_iter().partition(|sync| sync.zxid <= committed);
        leading.syncs = wait;
        for PendingSync { follower, connection, path, .. } in due {
            self.send(leader, follower, ServerMessage::Synced { connection, path }, out);
        }
    }

    fn synced(&mut self, at: ServerId, id: ConnectionId, path: Path, out: &mut Vec<ServerEvent>) {
        let answer = self.server(at).member.answer(Ok(Reply::Synced { path }));
        self.reply(at, id, answer, out);
    }

    /// A server carries out what it has written down, up to `zxid`.
    pub(super) fn carry_out_up_to(&mut self, at: ServerId, zxid: Zxid, out: &mut Vec<ServerEvent>) {
        while let Some(entry) = self.next_to_carry_out(at).filter(|entry| entry.zxid <= zxid) {
            self.carry_out(at, &entry, out);
        }
    }

    fn next_to_carry_out(&self, at: ServerId) -> Option<Arc<Entry>> {
        let server = self.server(at);
        let applied = server.member.zxid();
        server.log.iter().find(|entry| entry.zxid > applied).cloned()
    }

    /// A server carries out one entry: its clients hear of it, and the one who asked gets the reply.
    fn carry_out(&mut self, at: ServerId, entry: &Arc<Entry>, out: &mut Vec<ServerEvent>) {
        let server = self.at(at);
        let mut answer = server.member_mut().apply(entry.zxid, &entry.transaction);
        let mut writer = None;
        if let Some(leading) = server.leading_mut() {
            leading.outstanding.retire(entry.zxid);
            writer = leading.writes.remove(&entry.zxid);
        }
        let changes = answer.changes.clone();
        out.push(ServerEvent::Applied { server: at, entry: entry.clone(), changes });
        let events = std::mem::take(&mut answer.events);
        self.fire(at, Some(entry.zxid), events, out);
        let asker = entry.origin.filter(|origin| origin.server == at).map(|origin| origin.connection);
        let asker = asker.filter(|id| self.server(at).connections.contains_key(id));
        match entry.transaction {
            Transaction::CreateSession { session, timeout_ms } => {
                if let Some(asker) = asker {
                    self.open(at, asker, session, timeout_ms, out);
                }
            }
            Transaction::CloseSession { session, .. } => {
                if let Some(asker) = asker {
                    self.reply(at, asker, answer, out);
                }
                if let Some(connection) = self.server(at).connection_of(session) {
                    let why = match Some(connection) == asker {
                        true => ConnectionLoss::SessionClosed,
                        false => ConnectionLoss::SessionExpired,
                    };
                    self.end_connection(at, connection, why, out);
                }
            }
            Transaction::Error(ErrorCode::SessionMoved) => {
                if let Some(asker) = asker {
                    self.end_connection(at, asker, ConnectionLoss::SessionMoved, out);
                }
            }
            Transaction::Operation(_)
            | Transaction::Multi(_)
            | Transaction::Error(_)
            | Transaction::MultiError { .. } => {
                if let Some(asker) = asker {
                    self.reply(at, asker, answer, out);
                }
            }
        }
        if let Some(connection) = writer.and_then(|session| self.server(at).connection_of(session)) {
            self.answer_reads(at, connection, out);
        }
    }

    fn followers(&self, leader: ServerId) -> Vec<ServerId> {
        self.server(leader).leading().into_iter().flat_map(Leading::followers).collect()
    }
}

impl Leading {
    /// A session has been heard of: its time starts anew.
    pub(super) fn touch(
        &mut self,
        leader: ServerId,
        session: SessionId,
        timeout_ms: u32,
    ) -> Option<ServerEvent> {
        self.sessions.get_mut(&session)?.timeout_ms = timeout_ms;
        Some(ServerEvent::Touched { leader, session, timeout_ms })
    }

    /// Whether `owner` may speak for a session (`SessionTrackerImpl.checkSession`).
    fn check(&mut self, session: SessionId, owner: ServerId) -> Result<(), ErrorCode> {
        let tracked = self.sessions.get_mut(&session).ok_or(ErrorCode::SessionExpired)?;
        if *tracked.owner.get_or_insert(owner) == owner { Ok(()) } else { Err(ErrorCode::SessionMoved) }
    }

    /// Whether a session was attached to another server last.
    pub(super) fn has_moved(&self, session: SessionId, from: ServerId) -> bool {
        let owner = self.sessions.get(&session).and_then(|tracked| tracked.owner);
        owner.is_some_and(|owner| owner != from)
    }
}
