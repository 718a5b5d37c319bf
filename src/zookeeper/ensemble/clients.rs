//! A server and its clients: connections, requests, replies.
//!
//! `ZooKeeperServer` (connecting), `CommitProcessor` (who waits for whom), `FinalRequestProcessor`
//! (replies).

use std::collections::BTreeSet;

use super::Ensemble;
use super::server::{Connection, Pending, Role, SessionState};
use super::words::{
    Call, ConnectRefusal, ConnectionId, ConnectionLoss, Hello, Origin, ServerEvent, ServerId, ServerMessage,
};
use crate::zookeeper::protocol::{Answer, Path, Request, SessionId, WatchedEvent, Zxid};

impl Ensemble {
    pub(super) fn connect(&mut self, at: ServerId, hello: Hello, out: &mut Vec<ServerEvent>) {
        let server = self.server(at);
        let refusal = if !server.serves() {
            Some(ConnectRefusal::NotServing)
        } else if hello.last_zxid > server.member.zxid() {
            Some(ConnectRefusal::Behind)
        } else {
            None
        };
        if let Some(refusal) = refusal {
            return out.push(ServerEvent::Refused { server: at, refusal });
        }
        let connection = self.free_connection();
        out.push(ServerEvent::Accepted { server: at, connection });
        let session = hello.session.map_or(SessionState::Creating, SessionState::Validating);
        let timeout_ms = self.server(at).member.negotiate(hello.timeout_ms);
        match hello.session {
            None => {
                self.at(at).connections.insert(connection, Connection { session, pending: Vec::new() });
                self.call(at, connection, Call::Open { timeout_ms }, out);
            }
            Some(id) => {
                // Before anything is known of the new one (`processConnectRequest`).
                if let Some(former) = self.server(at).connection_of(id) {
                    self.hang_up(former);
                    out.push(ServerEvent::Closed { connection: former, why: ConnectionLoss::Replaced });
                }
                self.at(at).connections.insert(connection, Connection { session, pending: Vec::new() });
                match (self.server(at).attached_to(), &self.server(at).role) {
                    (Some(leader), _) => {
                        let ask = ServerMessage::Validate { connection, session: id, timeout_ms };
                        self.send(at, leader, ask, out);
                    }
                    (None, Role::Leading(_)) => {
                        let valid = self.validate(at, at, id, timeout_ms, out);
                        self.validated(at, connection, timeout_ms, valid, out);
                    }
                    // Cut off from its leader: nobody will say.
                    (None, Role::Following { .. } | Role::Looking) => {}
                }
            }
        }
    }

    /// The leader's word on a session has come.
    pub(super) fn validated(
        &mut self,
        at: ServerId,
        id: ConnectionId,
        timeout_ms: u32,
        valid: bool,
        out: &mut Vec<ServerEvent>,
    ) {
        let Some(connection) = self.server(at).connections.get(&id) else { return };
        let SessionState::Validating(session) = connection.session else { return };
        // Whoever knows the session has heard of it from a server that had carried out its creation; so the
        // commit was sent here before the leader's word. A number that was guessed may be unknown.
        if valid && self.server(at).member.timeout_ms(session).is_some() {
            self.open(at, id, session, timeout_ms, out);
        } else {
            self.end_connection(at, id, ConnectionLoss::SessionExpired, out);
        }
    }

    /// From now on the session can be used on this connection.
    pub(super) fn open(
        &mut self,
        at: ServerId,
        id: ConnectionId,
        session: SessionId,
        timeout_ms: u32,
        out: &mut Vec<ServerEvent>,
    ) {
        // Two connections of one session that were validated at the same time: the later one stays.
        if let Some(former) = self.server(at).connection_of(session) {
            self.end_connection(at, former, ConnectionLoss::Replaced, out);
        }
        let server = self.at(at);
        let Some(connection) = server.connections.get_mut(&id) else { return };
        connection.session = SessionState::Open(session);
        // The member knows the session, or it would not have come to this.
        let timeout_ms = server.member_mut().reconnect(session, timeout_ms).unwrap_or(timeout_ms);
        out.push(ServerEvent::Opened { connection: id, session, timeout_ms });
    }

    pub(super) fn ask(&mut self, id: ConnectionId, request: &Request, out: &mut Vec<ServerEvent>) {
        let Some((at, Some(session))) = self.connection(id) else { return };
        self.hear_of(at, session, out);
        if request.is_write() {
            let call = Call::Write { session, request: request.clone() };
            return self.call(at, id, call, out);
        }
        match (&self.server(at).role, request) {
            // To its own clients a leader is never behind: it answers a sync like a read.
            (Role::Following { .. }, Request::Sync { path }) => {
                self.call(at, id, Call::Sync { path: path.clone() }, out);
            }
            // Only the leader looks at whose session it is before it answers a read
            // (`PrepRequestProcessor`; followers have no such processor).
            (Role::Leading(leading), _) if leading.has_moved(session, at) => {
                self.end_connection(at, id, ConnectionLoss::SessionMoved, out);
            }
            (Role::Leading(_) | Role::Following { .. } | Role::Looking, _) => {
                let server = self.at(at);
                let after = server.leading().and_then(|leading| leading.last_write_of(session));
                let (request, after) = (request.clone(), after.unwrap_or_default());
                if let Some(connection) = server.connections.get_mut(&id) {
                    connection.pending.push(Pending::Read { request, after });
                }
                self.answer_reads(at, id, out);
            }
        }
    }

    pub(super) fn close(&mut self, id: ConnectionId, order: &[Path], out: &mut Vec<ServerEvent>) {
        let Some((at, Some(session))) = self.connection(id) else { return };
        self.hear_of(at, session, out);
        self.call(at, id, Call::Close { session, order: order.to_vec() }, out);
    }

    /// The connection is gone, and with it the session's watches here. The session lives on.
    pub(super) fn hang_up(&mut self, id: ConnectionId) {
        let Some((at, session)) = self.connection(id) else { return };
        let server = self.at(at);
        server.connections.remove(&id);
        if let Some(session) = session {
            server.member_mut().disconnect(session);
        }
    }

    /// The server ends a connection.
    pub(super) fn end_connection(
        &mut self,
        at: ServerId,
        id: ConnectionId,
        why: ConnectionLoss,
        out: &mut Vec<ServerEvent>,
    ) {
        debug_assert!(self.server(at).connections.contains_key(&id));
        self.hang_up(id);
        out.push(ServerEvent::Closed { connection: id, why });
    }

    /// All connections of a server end, and all its watches.
    pub(super) fn end_all_connections(&mut self, at: ServerId, out: &mut Vec<ServerEvent>) {
        let server = self.at(at);
        if server.connections.is_empty() {
            return;
        }
        server.member_mut().restart();
        for (connection, _) in std::mem::take(&mut server.connections).iter() {
            out.push(ServerEvent::Closed { connection: *connection, why: ConnectionLoss::ServerLost });
        }
    }

    /// The oldest request of a connection, one that the leader decided, has its reply now; so have the
    /// reads that waited behind it.
    pub(super) fn reply(
        &mut self,
        at: ServerId,
        id: ConnectionId,
        answer: Answer,
        out: &mut Vec<ServerEvent>,
    ) {
        if let Some(connection) = self.at(at).connections.get_mut(&id)
            && connection.pending.first() == Some(&Pending::Decided)
        {
            connection.pending.remove(0);
            out.push(ServerEvent::Replied { connection: id, answer });
            self.answer_reads(at, id, out);
        }
    }

    /// Sends the watch events that a transaction has set off, or setWatches, to those of a server's clients
    /// who are meant.
    pub(super) fn fire(
        &mut self,
        at: ServerId,
        zxid: Option<Zxid>,
        events: Vec<(SessionId, WatchedEvent)>,
        out: &mut Vec<ServerEvent>,
    ) {
        for (session, event) in events {
            if let Some(connection) = self.server(at).connection_of(session) {
                out.push(ServerEvent::Fired { connection, event, zxid });
            }
        }
    }

    /// Answers the reads for which nothing before them is outstanding.
    pub(super) fn answer_reads(&mut self, at: ServerId, id: ConnectionId, out: &mut Vec<ServerEvent>) {
        loop {
            let server = self.at(at);
            let Some(connection) = server.connections.get_mut(&id) else { return };
            let (Some(session), Some(Pending::Read { after, .. })) =
                (connection.open(), connection.pending.first())
            else {
                return;
            };
            if let Role::Leading(leading) = &server.role
                && leading.writes.iter().any(|(zxid, writer)| *writer == session && zxid <= after)
            {
                return;
            }
            let Pending::Read { request, .. } = connection.pending.remove(0) else { return };
            let mut answer = server.member_mut().read(session, &request);
            self.fire(at, None, std::mem::take(&mut answer.events), out);
            out.push(ServerEvent::Replied { connection: id, answer });
        }
    }

    /// Takes something to the leader, which may be this server.
    fn call(&mut self, at: ServerId, id: ConnectionId, call: Call, out: &mut Vec<ServerEvent>) {
        let server = self.at(at);
        if let Some(connection) = server.connections.get_mut(&id)
            && connection.open().is_some()
        {
            connection.pending.push(Pending::Decided);
        }
        match (server.attached_to(), &server.role) {
            (Some(leader), _) => self.send(at, leader, ServerMessage::Forward { connection: id, call }, out),
            (None, Role::Leading(_)) => self.decide(at, Origin { server: at, connection: id }, call, out),
            // Cut off from its leader: the request will never be answered.
            (None, Role::Following { .. } | Role::Looking) => {}
        }
    }

    /// A client has been heard of. A follower notes it for the leader (`LearnerSessionTracker`).
    fn hear_of(&mut self, at: ServerId, session: SessionId, out: &mut Vec<ServerEvent>) {
        let server = self.at(at);
        let Some(timeout_ms) = server.member.timeout_ms(session) else { return };
        match &mut server.role {
            Role::Following { touched, .. } => {
                touched.insert(session, timeout_ms);
            }
            Role::Leading(leading) => out.extend(leading.touch(at, session, timeout_ms)),
            Role::Looking => {}
        }
    }

    /// The smallest number of which nothing speaks any more.
    fn free_connection(&self) -> ConnectionId {
        let mut taken = BTreeSet::new();
        for server in &self.servers {
            taken.extend(server.connections.keys().copied());
            taken.extend(server.log.iter().filter_map(|entry| Some(entry.origin?.connection)));
            let syncs = server.leading().into_iter().flat_map(|leading| &leading.syncs);
            taken.extend(syncs.map(|sync| sync.connection));
        }
        for message in self.links.values().flatten() {
            taken.extend(message.connection());
        }
        // As many of the smallest numbers are taken as stand at their own place.
        let in_a_row = taken.iter().zip(0..).take_while(|(id, place)| id.0 == *place).count();
        ConnectionId(in_a_row as u32)
    }
}

impl ServerMessage {
    /// The connection it speaks of.
    fn connection(&self) -> Option<ConnectionId> {
        match self {
            ServerMessage::Forward { connection, .. }
            | ServerMessage::Synced { connection, .. }
            | ServerMessage::Validate { connection, .. }
            | ServerMessage::Validated { connection, .. } => Some(*connection),
            ServerMessage::Propose(entry) => Some(entry.origin?.connection),
            ServerMessage::Ack(_)
            | ServerMessage::Commit(_)
            | ServerMessage::Ping
            | ServerMessage::Touched(_) => None,
        }
    }
}
