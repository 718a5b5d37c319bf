//! What the server does with a message, what a client hears, and what the resource does with a request.

use std::sync::Arc;

use super::servers::Servers;
use super::{
    ClientId, Contact, Cut, Deletion, Event, Handshake, LOCK_DIR, Link, Operator, Packet, Sent, World,
};
use crate::recipe::{Input, ResourceReply, ResourceRequest, STOCK_PATH};
use crate::zookeeper::{
    Answer, Change, EnsembleAction, ErrorCode, MultiOp, MultiResult, Reply, Request, SessionId, WatchTable,
    WatchedEvent, Zxid,
};

impl World {
    /// The server takes the oldest message of a client.
    pub(super) fn serve(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let session = actor.session;
        let Some(message) = actor.to_server.pop_front() else { return };
        let Servers::One(server) = &self.servers else { return self.bring(c, message, events) };
        let open = session.is_some_and(|session| server.is_connected(session));
        match message {
            Sent::Connect(wanted) => self.shake_hands(c, wanted, events),
            // The server has closed this connection: what comes on it is not looked at.
            Sent::Request(_) | Sent::Ping | Sent::Close if !open => self.refuse_connection(c, events),
            Sent::Request(request) => self.answer(c, request, events),
            Sent::Ping => {
                let zxid = server.zxid();
                self.actor_mut(c).to_client.push_back(Packet::Pong(zxid));
                events.push(Event::PingTaken { client: c, server: None });
            }
            Sent::Close => {
                if let Some(session) = session {
                    self.end_session(session, c, Deletion::Closed, events);
                }
                events.push(Event::SessionClosed { client: c });
            }
        }
    }

    fn answer(&mut self, c: ClientId, request: Request, events: &mut Vec<Event>) {
        let Some(session) = self.actor_mut(c).session else { return };
        let before = self.stock();
        let Servers::One(server) = &mut self.servers else { return };
        let answer = Arc::make_mut(server).request(session, &request);
        let zxid = answer.zxid;
        let result = answer.result.clone();
        self.report(c, Deletion::Request, answer, events);
        events.extend(watch_set(c, &request, &result));
        events.extend(self.stock_taken(c, &request, &result, before));
        events.push(Event::RequestTaken {
            client: c,
            request: request.clone(),
            error: result.as_ref().err().copied(),
            zxid,
            children: children_in(&result),
            server: None,
        });
        self.actor_mut(c).to_client.push_back(Packet::Reply { request, result, zxid });
    }

    /// Reports what a transaction changed and sends the watch events that it set off.
    fn report(&mut self, c: ClientId, why: Deletion, answer: Answer, events: &mut Vec<Event>) {
        // What setWatches tells was set off by nothing that happens now.
        let cause = (!answer.changes.is_empty()).then_some(answer.zxid);
        let changes = answer.changes.into_iter();
        events.extend(changes.filter_map(|change| self.lock_change(change, answer.zxid, c, why)));
        for (session, event) in answer.events {
            self.fire(session, event, cause, events);
        }
    }

    fn fire(&mut self, session: SessionId, event: WatchedEvent, zxid: Option<Zxid>, events: &mut Vec<Event>) {
        let Some(client) = self.client_of(session) else { return };
        let actor = self.actor_mut(client);
        let lost = actor.contact != Contact::Connected;
        if !lost {
            actor.to_client.push_back(Packet::Event(event.clone()));
        }
        events.push(Event::WatchFired { client, event, lost, zxid });
    }

    /// Ends a session: its nodes go, in the order in which they were created, and its connection is closed.
    pub(super) fn end_session(
        &mut self,
        session: SessionId,
        c: ClientId,
        why: Deletion,
        events: &mut Vec<Event>,
    ) {
        let Servers::One(server) = &mut self.servers else { return };
        let answer = Arc::make_mut(server).end_session(session, <[_]>::to_vec);
        self.report(c, why, answer, events);
        let actor = self.actor_mut(c);
        if actor.session == Some(session) && actor.contact == Contact::Connected {
            actor.to_client.push_back(Packet::EndOfFile);
            events.push(Event::ConnectionClosed { client: c });
        }
    }

    /// The client hears the oldest packet from the server.
    pub(super) fn hear(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let Some(packet) = actor.to_client.pop_front() else { return };
        actor.note_watches(&packet);
        match packet {
            Packet::Event(event) => {
                events.push(Event::EventHeard { client: c, event: event.clone() });
                self.feed(c, Input::Event(&event), events);
            }
            Packet::Reply { request, result, .. } => {
                let error = result.as_ref().err().copied();
                // The library keeps the answer to its own setWatches to itself.
                let own = matches!(request, Request::SetWatches { .. });
                events.push(Event::ReplyHeard { client: c, request, error, children: children_in(&result) });
                if !own {
                    self.feed(c, Input::Reply(&result), events);
                }
            }
            Packet::Pong(_) => events.push(Event::PongHeard { client: c }),
            Packet::Connected { session, timeout_ms, new } => {
                self.connected(c, session, timeout_ms, new, events);
            }
            Packet::Expired => self.hear_expired(c, events),
            Packet::EndOfFile => self.cut(c, Cut::EndOfFile, events),
        }
    }

    fn shake_hands(&mut self, c: ClientId, wanted: Option<SessionId>, events: &mut Vec<Event>) {
        let timeout_ms = self.timeout_ms;
        let Servers::One(server) = &mut self.servers else { return };
        let server = Arc::make_mut(server);
        let (packet, handshake, timeout_ms) = match wanted {
            None => {
                let opened = server.connect(timeout_ms);
                Arc::make_mut(&mut self.sessions).insert(opened.session, c);
                let (session, timeout_ms) = (opened.session, opened.timeout_ms);
                (Packet::Connected { session, timeout_ms, new: true }, Handshake::New, timeout_ms)
            }
            Some(session) => match server.reconnect(session, timeout_ms) {
                Ok(timeout_ms) => {
                    (Packet::Connected { session, timeout_ms, new: false }, Handshake::Same, timeout_ms)
                }
                Err(_) => (Packet::Expired, Handshake::Expired, 0),
            },
        };
        let actor = self.actor_mut(c);
        if let Packet::Connected { session, .. } = packet {
            actor.session = Some(session);
        }
        actor.to_client.push_back(packet);
        events.push(Event::ConnectTaken { client: c, handshake, timeout_ms, server: None });
    }

    pub(super) fn refuse_connection(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let told = matches!(actor.to_client.back(), Some(Packet::EndOfFile)) || actor.is_gone();
        if !told {
            actor.to_client.push_back(Packet::EndOfFile);
            events.push(Event::ConnectionClosed { client: c });
        }
    }

    pub(super) fn use_resource(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let Some(request) = self.actor_mut(c).to_resource.pop_front() else { return };
        let before = self.resource.stock;
        let reply = self.resource.take(c, request);
        let after = self.resource.stock;
        events.push(Event::ResourceTaken { client: c, request, reply, before, after, in_zookeeper: false });
        self.actor_mut(c).from_resource.push_back(reply);
    }

    /// What a change by transaction `zxid` is to the lock: a node in its directory came or went, for `client`.
    pub(super) fn lock_change(
        &self,
        change: Change,
        zxid: Zxid,
        client: ClientId,
        why: Deletion,
    ) -> Option<Event> {
        match change {
            Change::Created { path, czxid, owner } if path.starts_with(LOCK_DIR) && &*path != LOCK_DIR => {
                let left =
                    |owner| self.actor(client).is_some_and(|actor| actor.old_sessions.contains(&owner));
                let (ephemeral, old) = (owner.is_some(), owner.is_some_and(left));
                Some(Event::NodeCreated { client, path, czxid, ephemeral, old })
            }
            Change::Deleted { path, czxid, .. } if &*path != LOCK_DIR => {
                Some(Event::NodeDeleted { client, path, czxid, zxid, why })
            }
            Change::Created { .. } | Change::Deleted { .. } | Change::DataSet { .. } => None,
        }
    }

    /// The stock: the resource's, or the znode's.
    pub fn stock(&self) -> i64 {
        let node = self.server().node(STOCK_PATH);
        node.map_or(self.resource.stock, |node| node.data().parse().unwrap_or(0))
    }

    /// With the stock in a znode: a read of it, or a transaction that was to set it.
    fn stock_taken(
        &self,
        client: ClientId,
        request: &Request,
        result: &Result<Reply, ErrorCode>,
        before: i64,
    ) -> Option<Event> {
        let reply = match (request, result) {
            (Request::GetData { path, .. }, Ok(_)) if &**path == STOCK_PATH => {
                return Some(stock_read(client, before));
            }
            (Request::Multi { ops }, Ok(Reply::Multi { results })) => {
                let sets = ops.iter().any(|op| matches!(op, MultiOp::SetData { .. }));
                let done = !results.iter().any(|result| matches!(result, MultiResult::Error(_)));
                match (sets, done) {
                    (false, _) => return None,
                    (true, true) => ResourceReply::Committed,
                    (true, false) => ResourceReply::Refused { highest: None },
                }
            }
            _ => return None,
        };
        let request = ResourceRequest::Commit { token: None };
        let after = self.stock();
        Some(Event::ResourceTaken { client, request, reply, before, after, in_zookeeper: true })
    }

    /// Somebody with a shell acts.
    pub(super) fn operate(&mut self, operator: Operator, events: &mut Vec<Event>) {
        match operator {
            Operator::DeleteNode(c) => {
                if let Some(path) = self.actor(c).and_then(|actor| self.node_of(actor)) {
                    self.delete_as_operator(c, path, events);
                }
            }
            Operator::DeleteDir => {
                let owners = self.server().children(LOCK_DIR).map(|name| {
                    let path = crate::recipe::join(LOCK_DIR, name);
                    let owner = self.server().stat(&path).and_then(|stat| stat.ephemeral_owner);
                    (self.maker(&path, owner).unwrap_or(ClientId(0)), path)
                });
                for (owner, path) in owners.collect::<Vec<_>>() {
                    self.delete_as_operator(owner, path, events);
                }
                self.delete_as_operator(ClientId(0), LOCK_DIR.into(), events);
            }
            Operator::RestartServer => self.restart_server(events),
            Operator::RestartResource => self.resource.restart(),
        }
    }

    fn delete_as_operator(&mut self, owner: ClientId, path: crate::zookeeper::Path, events: &mut Vec<Event>) {
        let operator = self.operator;
        let request = Request::Delete { path, version: -1 };
        match &mut self.servers {
            Servers::One(server) => {
                let answer = Arc::make_mut(server).request(operator, &request);
                self.report(owner, Deletion::Operator, answer, events);
            }
            Servers::Many(_) => {
                self.act(&EnsembleAction::Administer { session: operator, request }, None, events);
            }
        }
    }

    /// What is on its way between the client and the server is lost.
    pub(super) fn lose_messages(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let lost = [
            (Link::ToServer(c), actor.to_server.len() as u32),
            (Link::ToClient(c), actor.to_client.len() as u32),
        ];
        actor.to_server.clear();
        actor.to_client.clear();
        for (link, messages) in lost.into_iter().filter(|(_, messages)| *messages > 0) {
            events.push(Event::LinkLost { link, messages });
        }
    }
}

/// With the stock in a znode: what reading it is to the resource.
pub(super) fn stock_read(client: ClientId, value: i64) -> Event {
    let request = ResourceRequest::Read { token: None, shared: false };
    let reply = ResourceReply::Value(value);
    Event::ResourceTaken { client, request, reply, before: value, after: value, in_zookeeper: true }
}

/// How many children a reply carries.
pub(super) fn children_in(result: &Result<Reply, ErrorCode>) -> Option<u32> {
    match result {
        Ok(Reply::Children { children }) => Some(children.len() as u32),
        _ => None,
    }
}

/// The watch that a request left at the server: `exists` leaves one on a missing node too.
pub(super) fn watch_set(
    client: ClientId,
    request: &Request,
    result: &Result<Reply, ErrorCode>,
) -> Option<Event> {
    let (kind, path) = match request {
        Request::GetData { path, watch: true } if result.is_ok() => (WatchTable::Data, path),
        Request::GetChildren { path, watch: true } if result.is_ok() => (WatchTable::Children, path),
        Request::Exists { path, watch: true } => (WatchTable::Data, path),
        _ => return None,
    };
    Some(Event::WatchSet { client, kind, path: path.clone(), on_missing: result.is_err() })
}
