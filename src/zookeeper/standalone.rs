//! One server by itself, with its clients' connections.
//!
//! It says what it does in the words of an [`Ensemble`](super::Ensemble), so that whoever listens need not ask
//! how many servers there are. Nobody has to agree with it: each request is answered in the step that brings it.

use std::sync::Arc;

use litemap::LiteMap;

use super::ensemble::{
    ConnectionId, ConnectionLoss, EnsembleAction, Entry, Hello, Origin, ServerEvent, ServerId,
};
use super::member::Member;
use super::prepare::Outstanding;
use super::protocol::{Answer, Path, Request, SessionId, WatchedEvent, Zxid};
use super::transaction::Transaction;

/// The only server there is.
const HERE: ServerId = ServerId(0);

/// A server by itself: its member, and the session of each connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StandaloneServer {
    member: Member,
    connections: LiteMap<ConnectionId, SessionId>,
}

impl StandaloneServer {
    /// A server that has carried out what `member` has, to which nobody is connected.
    pub fn new(member: Member) -> StandaloneServer {
        StandaloneServer { member, connections: LiteMap::new() }
    }

    pub fn member(&self) -> &Member {
        &self.member
    }

    /// Takes one action and returns what followed, in order. Actions among servers do nothing.
    pub fn step(&mut self, action: &EnsembleAction) -> Vec<ServerEvent> {
        let mut out = Vec::new();
        match action {
            EnsembleAction::Connect { server: _, hello } => self.connect(*hello, &mut out),
            EnsembleAction::Ask { connection, request } => self.ask(*connection, request, &mut out),
            EnsembleAction::Close { connection, order } => self.close(*connection, order, &mut out),
            EnsembleAction::HangUp { connection } => {
                if let Some(session) = self.connections.remove(connection) {
                    self.member.disconnect(session);
                }
            }
            EnsembleAction::Expire { session, order } => {
                self.end_session(*session, None, order, &mut out);
            }
            EnsembleAction::Administer { session, request } => {
                if let Some(transaction) = self.prepare(*session, request) {
                    self.carry_out(None, transaction, &mut out);
                }
            }
            EnsembleAction::Restart(_) => self.restart(&mut out),
            EnsembleAction::Ping { .. }
            | EnsembleAction::Progress(_)
            | EnsembleAction::Crash(_)
            | EnsembleAction::Cut(..)
            | EnsembleAction::Heal(..)
            | EnsembleAction::Stall(_)
            | EnsembleAction::Resume(_) => {}
        }
        out
    }

    fn connect(&mut self, hello: Hello, out: &mut Vec<ServerEvent>) {
        let taken = self.connections.keys().zip(0..).take_while(|(id, place)| id.0 == *place).count();
        let connection = ConnectionId(taken as u32);
        out.push(ServerEvent::Accepted { server: HERE, connection });
        let session = match hello.session {
            None => {
                let session = self.member.next_session();
                let timeout_ms = self.member.negotiate(hello.timeout_ms);
                let origin = Origin { server: HERE, connection };
                self.carry_out(Some(origin), Transaction::CreateSession { session, timeout_ms }, out);
                session
            }
            Some(session) => {
                if let Some(former) = self.connection_of(session) {
                    self.connections.remove(&former);
                    out.push(ServerEvent::Closed { connection: former, why: ConnectionLoss::Replaced });
                }
                session
            }
        };
        match self.member.reconnect(session, hello.timeout_ms) {
            Ok(timeout_ms) => {
                self.connections.insert(connection, session);
                out.push(ServerEvent::Opened { connection, session, timeout_ms });
            }
            Err(_) => out.push(ServerEvent::Closed { connection, why: ConnectionLoss::SessionExpired }),
        }
    }

    fn ask(&mut self, connection: ConnectionId, request: &Request, out: &mut Vec<ServerEvent>) {
        let Some(session) = self.connections.get(&connection).copied() else { return };
        let answer = match self.prepare(session, request) {
            Some(transaction) => self.carry_out(Some(Origin { server: HERE, connection }), transaction, out),
            None => {
                let mut answer = self.member.read(session, request);
                self.fire(None, std::mem::take(&mut answer.events), out);
                answer
            }
        };
        out.push(ServerEvent::Replied { connection, answer });
    }

    fn close(&mut self, connection: ConnectionId, order: &[Path], out: &mut Vec<ServerEvent>) {
        if let Some(session) = self.connections.get(&connection).copied() {
            self.end_session(session, Some(Origin { server: HERE, connection }), order, out);
        }
    }

    /// A session ends, because its client asked for it (`origin`) or its time was up.
    fn end_session(
        &mut self,
        session: SessionId,
        origin: Option<Origin>,
        order: &[Path],
        out: &mut Vec<ServerEvent>,
    ) {
        if self.member.timeout_ms(session).is_none() {
            return;
        }
        let zxid = self.member.zxid().next();
        let order = |_: &[Path]| order.to_vec();
        let transaction = self.member.prepare_end(&mut Outstanding::default(), zxid, session, order);
        let answer = self.carry_out(origin, transaction, out);
        if let Some(Origin { connection, .. }) = origin {
            out.push(ServerEvent::Replied { connection, answer });
        }
        if let Some(connection) = self.connection_of(session) {
            self.connections.remove(&connection);
            let asked = origin.is_some_and(|origin| origin.connection == connection);
            let why = if asked { ConnectionLoss::SessionClosed } else { ConnectionLoss::SessionExpired };
            out.push(ServerEvent::Closed { connection, why });
        }
    }

    /// The process ends and starts again on its log: see [`Member::restart`].
    fn restart(&mut self, out: &mut Vec<ServerEvent>) {
        self.member.restart();
        for (connection, _) in std::mem::take(&mut self.connections).iter() {
            out.push(ServerEvent::Closed { connection: *connection, why: ConnectionLoss::ServerLost });
        }
    }

    fn prepare(&self, session: SessionId, request: &Request) -> Option<Transaction> {
        let zxid = self.member.zxid().next();
        self.member.prepare(&mut Outstanding::default(), zxid, session, request)
    }

    fn carry_out(
        &mut self,
        origin: Option<Origin>,
        transaction: Transaction,
        out: &mut Vec<ServerEvent>,
    ) -> Answer {
        let zxid = self.member.zxid().next();
        let mut answer = self.member.apply(zxid, &transaction);
        let entry = Arc::new(Entry { zxid, origin, transaction });
        let changes = std::mem::take(&mut answer.changes);
        out.push(ServerEvent::Applied { server: HERE, entry, changes });
        self.fire(Some(zxid), std::mem::take(&mut answer.events), out);
        answer
    }

    fn fire(&self, zxid: Option<Zxid>, events: Vec<(SessionId, WatchedEvent)>, out: &mut Vec<ServerEvent>) {
        for (session, event) in events {
            if let Some(connection) = self.connection_of(session) {
                out.push(ServerEvent::Fired { connection, event, zxid });
            }
        }
    }

    fn connection_of(&self, session: SessionId) -> Option<ConnectionId> {
        self.connections.iter().find(|(_, of)| **of == session).map(|(connection, _)| *connection)
    }
}
