//! What servers say, as this room's events: who is meant, what reaches whom, what is new to all.
//!
//! One server and several say the same ([`ServerEvent`]), and it is translated here, once. What happens among
//! servers is told only where there are several.

use std::sync::Arc;

use super::serve::{children_in, error_in, watch_set};
use super::servers::{Servers, Wire};
use super::{
    Action, ClientId, Deletion, Event, Handshake, Matter, Packet, Sent, ServerFact, ServerWord, World,
};
use crate::recipe::{ResourceReply, ResourceRequest, STOCK_PATH};
use crate::zookeeper::{
    Answer, Change, ConnectionId, ConnectionLoss, Ensemble, EnsembleAction, Entry, Operation, Reply, Request,
    ServerAction, ServerEvent, ServerId, ServerMessage, SessionId, Transaction, Zxid,
};

/// What is known of a step while its events are told.
struct Telling {
    /// The client that acts; for an operator's act, the one whose node is meant.
    by: Option<ClientId>,
    /// The session for which it asks for a connection.
    wants: Option<SessionId>,
    /// What it asks in this step, as long as it has no reply.
    asks: Option<Sent>,
    /// The last transaction that any server has carried out.
    known: Zxid,
    stock: i64,
}

/// What a client's request is about.
pub(super) fn matter_of(action: &EnsembleAction) -> Matter {
    match action {
        EnsembleAction::Ask { request: Request::Create { .. } | Request::Create2 { .. }, .. } => {
            Matter::Create
        }
        EnsembleAction::Ask { request: Request::Delete { .. }, .. } => Matter::Delete,
        EnsembleAction::Ask { request: Request::Multi { .. }, .. } => Matter::Multi,
        EnsembleAction::Ask { request: Request::Sync { .. }, .. } => Matter::Sync,
        EnsembleAction::Ask { request, .. } if request.is_write() => Matter::SetData,
        EnsembleAction::Close { .. } => Matter::EndOfSession,
        _ => Matter::Other,
    }
}

impl World {
    /// Something happens to the servers, and what follows is told.
    pub(super) fn act(&mut self, action: &EnsembleAction, by: Option<ClientId>, events: &mut Vec<Event>) {
        self.act_on(action, by, None, events);
    }

    /// A client asks something on its connection, and what follows is told.
    pub(super) fn ask(
        &mut self,
        c: ClientId,
        connection: ConnectionId,
        message: Sent,
        events: &mut Vec<Event>,
    ) {
        let action = match &message {
            Sent::Request(request) => EnsembleAction::Ask { connection, request: request.clone() },
            Sent::Ping => EnsembleAction::Ask { connection, request: Request::Ping },
            Sent::Close => EnsembleAction::Close { connection, order: Vec::new() },
            Sent::Connect(_) => return,
        };
        let before = events.len();
        let unanswered = self.act_on(&action, Some(c), Some(message), events);
        if let Some(message) = unanswered
            && let Some(wire) = self.wire_mut(connection)
        {
            wire.asked.push_back(message);
        }
        if let Some(server) = self.server_of(c)
            && self.servers.wires().of(c).is_some_and(|(_, wire)| !wire.asked.is_empty())
        {
            let fact = ServerFact::Taken { client: c, server, matter: matter_of(&action) };
            events.insert(before, Event::Server { fact });
        }
    }

    /// Something happens to the servers, and what follows is told. Returns what was asked, if it has no reply.
    fn act_on(
        &mut self,
        action: &EnsembleAction,
        by: Option<ClientId>,
        asks: Option<Sent>,
        events: &mut Vec<Event>,
    ) -> Option<Sent> {
        let before = self.servers.moves();
        let known = self.servers.furthest().zxid();
        let wants = match action {
            EnsembleAction::Connect { hello, .. } => hello.session,
            _ => None,
        };
        let mut telling = Telling { by, wants, asks, known, stock: self.stock() };
        for event in self.servers.step(action) {
            self.tell(event, &mut telling, events);
        }
        self.tell_moves(action, &before, events);
        telling.asks
    }

    /// Tells what servers could do by themselves before and cannot now, and the other way round.
    fn tell_moves(&self, action: &EnsembleAction, before: &[Action], events: &mut Vec<Event>) {
        let Servers::Many(many) = &self.servers else { return };
        let after = many.moves();
        let mut say = |fact| events.push(Event::Server { fact });
        for action in before.iter().filter(|action| !after.contains(action)) {
            say(ServerFact::Disarmed { action: *action });
        }
        // A server that goes on hears at once what it had to wait for.
        let goes_on = |other: &Action| match action {
            EnsembleAction::Resume(server) => *other == Action::Server(ServerAction::GiveUp(*server)),
            _ => false,
        };
        for action in after.into_iter().filter(|action| !before.contains(action) || goes_on(action)) {
            say(ServerFact::Armed { action, notice: many.notice(action) });
        }
    }

    fn tell(&mut self, event: ServerEvent, telling: &mut Telling, events: &mut Vec<Event>) {
        let fact = match event {
            ServerEvent::Accepted { server, connection } => {
                let Some(client) = telling.by else { return };
                self.servers.wires_mut().accept(connection, client, telling.wants);
                ServerFact::Accepted { client, server }
            }
            ServerEvent::Refused { server, refusal } => {
                let Some(client) = telling.by else { return };
                self.actor_mut(client).to_client.push_back(Packet::EndOfFile);
                ServerFact::Refused { client, server, refusal }
            }
            ServerEvent::Opened { connection, session, timeout_ms } => {
                return self.opened(connection, session, timeout_ms, events);
            }
            ServerEvent::Replied { connection, answer } => {
                return self.replied(connection, answer, telling, events);
            }
            ServerEvent::Fired { connection, event, zxid } => {
                let Some(wire) = self.wire(connection) else { return };
                let (client, left) = (wire.client, wire.left);
                let actor = self.actor_mut(client);
                let lost = left || actor.is_gone();
                if !lost {
                    actor.to_client.push_back(Packet::Event(event.clone()));
                }
                return events.push(Event::WatchFired { client, event, lost, zxid });
            }
            ServerEvent::Closed { connection, why } => return self.closed(connection, why, events),
            ServerEvent::Sent { from, to, message } => self.sent_between(from, to, &message),
            ServerEvent::Parted { follower, leader } => ServerFact::Parted { follower, leader },
            ServerEvent::Proposed { server, zxid } => ServerFact::Proposed { server, zxid },
            ServerEvent::Acknowledged { server, zxid } => ServerFact::Acknowledged { server, zxid },
            ServerEvent::Committed { server, zxid } => ServerFact::Committed { server, zxid },
            ServerEvent::Applied { server, entry, changes } => {
                return self.applied(server, &entry, changes, telling, events);
            }
            ServerEvent::Truncated { server, after } => ServerFact::Truncated { server, after },
            ServerEvent::Touched { leader, session, timeout_ms } => match self.tracked(leader, session) {
                Some((client, old)) => ServerFact::Touched { client, old, timeout_ms },
                None => return,
            },
            ServerEvent::Untracked { leader, session } => match self.tracked(leader, session) {
                Some((client, old)) => ServerFact::Untracked { client, old },
                None => return,
            },
            ServerEvent::Elected { leader, epoch, voters } => ServerFact::Elected { leader, epoch, voters },
            ServerEvent::Joined { server, leader } => ServerFact::Joined { server, leader },
            ServerEvent::GaveUp { server } => ServerFact::GaveUp { server },
        };
        self.tell_of_servers(fact, events);
    }

    /// A fact about servers; with one there is nothing to tell.
    fn tell_of_servers(&self, fact: ServerFact, events: &mut Vec<Event>) {
        match &self.servers {
            Servers::One(_) => {}
            Servers::Many(_) => events.push(Event::Server { fact }),
        }
    }

    // Clients' connections.

    fn wire_mut(&mut self, connection: ConnectionId) -> Option<&mut Wire> {
        self.servers.wires_mut().known.get_mut(&connection)
    }

    fn wire(&self, connection: ConnectionId) -> Option<&Wire> {
        self.servers.wires().known.get(&connection)
    }

    fn opened(
        &mut self,
        connection: ConnectionId,
        session: SessionId,
        timeout_ms: u32,
        events: &mut Vec<Event>,
    ) {
        let Some(wire) = self.wire_mut(connection) else { return };
        wire.open = true;
        let (client, new, left) = (wire.client, wire.wanted.is_none(), wire.left);
        if left {
            return;
        }
        self.actor_mut(client).to_client.push_back(Packet::Connected { session, timeout_ms, new });
        let handshake = if new { Handshake::New } else { Handshake::Same };
        let server = self.server_of(client);
        events.push(Event::ConnectTaken { client, handshake, timeout_ms, server });
    }

    /// A reply is to the oldest request that has none: one that came before, or the one of this step.
    fn replied(
        &mut self,
        connection: ConnectionId,
        answer: Answer,
        telling: &mut Telling,
        events: &mut Vec<Event>,
    ) {
        let Some(wire) = self.wire(connection) else { return };
        let (client, left, waits) = (wire.client, wire.left, !wire.asked.is_empty());
        let asked = match waits {
            true => self.wire_mut(connection).and_then(|wire| wire.asked.pop_front()),
            false => telling.asks.take(),
        };
        if left {
            return;
        }
        let (zxid, server) = (answer.zxid, self.server_of(client));
        match asked {
            Some(Sent::Request(request)) => {
                let result = answer.result;
                events.extend(watch_set(client, &request, &result));
                if let (Request::GetData { path, .. }, Ok(Reply::Data { data, .. })) = (&request, &result)
                    && &**path == STOCK_PATH
                {
                    events.push(super::serve::stock_read(client, data.parse().unwrap_or(0)));
                }
                events.push(Event::RequestTaken {
                    client,
                    request: request.clone(),
                    error: error_in(&result),
                    zxid,
                    children: children_in(&result),
                    server,
                });
                self.actor_mut(client).to_client.push_back(Packet::Reply { request, result, zxid });
            }
            Some(Sent::Ping) => {
                self.actor_mut(client).to_client.push_back(Packet::Pong);
                events.push(Event::PingTaken { client, server });
            }
            Some(Sent::Close | Sent::Connect(_)) | None => {}
        }
    }

    fn closed(&mut self, connection: ConnectionId, why: ConnectionLoss, events: &mut Vec<Event>) {
        let Some(wire) = self.servers.wires_mut().known.remove(&connection) else { return };
        let client = wire.client;
        let alone = self.ensemble().is_none();
        self.leave_unopened(Some(&wire), events);
        let actor = self.actor_mut(client);
        // Whoever restarts the one server tells its clients: see `restart_server`.
        if wire.left || actor.is_gone() || (alone && why == ConnectionLoss::ServerLost) {
            return;
        }
        if why == ConnectionLoss::SessionExpired && !wire.open {
            actor.to_client.push_back(Packet::Expired);
            let handshake = Handshake::Expired;
            let server = self.server_of(client);
            return events.push(Event::ConnectTaken { client, handshake, timeout_ms: 0, server });
        }
        actor.to_client.push_back(Packet::EndOfFile);
        let server = self.server_of(client);
        self.tell_of_servers(ServerFact::Dropped { client, server, why }, events);
        events.push(Event::ConnectionClosed { client });
    }

    // Sessions.

    /// Whose session it is, and whether it is that of an earlier process, if `leader` has the say.
    fn tracked(&self, leader: ServerId, session: SessionId) -> Option<(ClientId, bool)> {
        if self.ensemble()?.leader() != Some(leader) {
            return None;
        }
        let client = self.client_of(session)?;
        let actor = self.actor(client)?;
        Some((client, actor.old_sessions.contains(&session)))
    }

    /// A session was made. The client that asked for it may be gone; then nobody will use it.
    fn session_made(
        &mut self,
        client: ClientId,
        session: SessionId,
        connection: ConnectionId,
        timeout_ms: u32,
        events: &mut Vec<Event>,
    ) {
        Arc::make_mut(&mut self.sessions).insert(session, client);
        let wire = self.wire_mut(connection).filter(|wire| wire.client == client && !wire.left);
        let wanted = wire.map(|wire| wire.session = Some(session)).is_some();
        if !wanted {
            self.actor_mut(client).old_sessions.push(session);
        }
        self.tell_of_servers(ServerFact::Touched { client, old: !wanted, timeout_ms }, events);
    }

    fn session_ended(&mut self, session: SessionId, asked: bool, events: &mut Vec<Event>) {
        let Some(client) = self.client_of(session) else { return };
        let actor = self.actor_mut(client);
        let old = actor.old_sessions.contains(&session);
        actor.old_sessions.retain(|old| *old != session);
        events.push(match asked {
            true => Event::SessionClosed { client },
            false => Event::SessionExpired { client, old },
        });
    }

    // What is decided.

    fn applied(
        &mut self,
        server: ServerId,
        entry: &Entry,
        changes: Vec<Change>,
        telling: &mut Telling,
        events: &mut Vec<Event>,
    ) {
        let zxid = entry.zxid;
        let first = zxid > telling.known;
        telling.known = telling.known.max(zxid);
        let asker = self.asker(entry);
        let of_session = match entry.transaction {
            Transaction::CreateSession { session, .. } | Transaction::CloseSession { session, .. } => {
                self.client_of(session)
            }
            _ => None,
        };
        let (matter, client) = (Matter::of(&entry.transaction), asker.or(of_session));
        self.tell_of_servers(ServerFact::Applied { server, zxid, matter, client, first }, events);
        if !first {
            return;
        }
        let why = match &entry.transaction {
            Transaction::CreateSession { session, timeout_ms } => {
                if let (Some(client), Some(origin)) = (asker, entry.origin) {
                    self.session_made(client, *session, origin.connection, *timeout_ms, events);
                }
                return;
            }
            Transaction::CloseSession { session, .. } => {
                let asked = entry.origin.is_some();
                self.session_ended(*session, asked, events);
                if asked { Deletion::Closed } else { Deletion::Expired }
            }
            _ if entry.origin.is_none() => Deletion::Operator,
            _ => Deletion::Request,
        };
        for change in changes {
            self.changed(change, zxid, asker.or(telling.by), why, events);
        }
        self.sold(asker, &entry.transaction, telling, events);
    }

    /// `by` is who acts. Who asks for a deletion is named by it; else the one whose node it was, as far as that can
    /// be told.
    fn changed(
        &self,
        change: Change,
        zxid: Zxid,
        by: Option<ClientId>,
        why: Deletion,
        events: &mut Vec<Event>,
    ) {
        let client = match (&change, why) {
            (Change::DataSet { .. }, _) => return,
            (Change::Created { .. }, _) | (Change::Deleted { .. }, Deletion::Request) => by,
            (Change::Deleted { path, owner, .. }, _) => self.maker(path, *owner).or(by),
        };
        events.extend(self.lock_change(change, zxid, client.unwrap_or(ClientId(0)), why));
    }

    /// With the stock in a znode: a transaction that was to set it is decided.
    fn sold(
        &self,
        asker: Option<ClientId>,
        transaction: &Transaction,
        telling: &mut Telling,
        events: &mut Vec<Event>,
    ) {
        let reply = match transaction {
            Transaction::Multi(operations) => {
                let sets = |operation: &Operation| matches!(operation, Operation::SetData { path, .. } if &**path == STOCK_PATH);
                if !operations.iter().any(sets) {
                    return;
                }
                ResourceReply::Committed
            }
            Transaction::MultiError { .. } => ResourceReply::Refused { highest: None },
            _ => return,
        };
        let Some(client) = asker else { return };
        let (before, after) = (telling.stock, self.stock());
        telling.stock = after;
        let request = ResourceRequest::Commit { token: None };
        events.push(Event::ResourceTaken { client, request, reply, before, after, in_zookeeper: true });
    }

    // Messages between servers.

    fn sent_between(&self, from: ServerId, to: ServerId, message: &ServerMessage) -> ServerFact {
        let what = ServerWord::of(message);
        let logged = |zxid: Zxid| self.ensemble().and_then(|ensemble| ensemble.entry(zxid));
        let of_entry = |entry: &Entry| (Matter::of(&entry.transaction), self.asker(entry));
        let (matter, client) = match message {
            ServerMessage::Forward { connection, call } => (Matter::of_call(call), self.owner(*connection)),
            ServerMessage::Synced { connection, .. } => (Matter::Sync, self.owner(*connection)),
            ServerMessage::Validate { connection, .. } | ServerMessage::Validated { connection, .. } => {
                (Matter::Other, self.owner(*connection))
            }
            ServerMessage::Propose(entry) => of_entry(entry),
            ServerMessage::Ack(zxid) | ServerMessage::Commit(zxid) => {
                logged(*zxid).map_or((Matter::Other, None), of_entry)
            }
            ServerMessage::Ping | ServerMessage::Touched(_) => (Matter::Other, None),
        };
        ServerFact::Sent { from, to, what, matter, client }
    }

    fn owner(&self, connection: ConnectionId) -> Option<ClientId> {
        self.servers.wires().owners.get(&connection).copied()
    }

    /// The client whose request an entry is, or whose session it ends.
    fn asker(&self, entry: &Entry) -> Option<ClientId> {
        self.owner(entry.origin?.connection)
    }

    /// The action that the servers take by themselves.
    pub(super) fn servers_act(&mut self, action: Action, events: &mut Vec<Event>) {
        match action {
            Action::Server(action @ ServerAction::Deliver { from, to }) => {
                let link = |ensemble: &Ensemble| {
                    let link = ensemble.links().find(|(a, b, _)| (*a, *b) == (from, to));
                    link.and_then(|(_, _, messages)| messages.first().map(ServerWord::of))
                };
                let what = self.ensemble().and_then(link);
                events
                    .extend(what.map(|what| Event::Server { fact: ServerFact::Arrived { from, to, what } }));
                self.act(&EnsembleAction::Progress(action), None, events);
            }
            Action::Server(action) => self.act(&EnsembleAction::Progress(action), None, events),
            Action::Beat(to) => self.act(&EnsembleAction::Ping { to }, None, events),
            Action::ServerFault(fault) => self.inject_in_servers(fault, events),
            _ => {}
        }
    }
}
