//! What a client hears, what the resource does with a request, and what somebody with a shell does.

use super::{ClientId, Cut, Deletion, Event, LOCK_DIR, Link, Operator, Packet, World};
use crate::recipe::{Input, ResourceReply, ResourceRequest, STOCK_PATH};
use crate::zookeeper::{Change, EnsembleAction, ErrorCode, MultiResult, Reply, Request, WatchTable, Zxid};

impl World {
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
                let error = error_in(&result);
                // The library keeps the answer to its own setWatches to itself.
                let own = matches!(request, Request::SetWatches { .. });
                events.push(Event::ReplyHeard { client: c, request, error, children: children_in(&result) });
                if !own {
                    self.feed(c, Input::Reply(&result), events);
                }
            }
            Packet::Pong => events.push(Event::PongHeard { client: c }),
            Packet::Connected { session, timeout_ms, new } => {
                self.connected(c, session, timeout_ms, new, events);
            }
            Packet::Expired => self.hear_expired(c, events),
            Packet::EndOfFile => self.cut(c, Cut::EndOfFile, events),
        }
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

    /// `owner` is whose node it is, where the node does not say so.
    fn delete_as_operator(&mut self, owner: ClientId, path: crate::zookeeper::Path, events: &mut Vec<Event>) {
        let request = Request::Delete { path, version: -1 };
        let session = self.operator;
        self.act(&EnsembleAction::Administer { session, request }, Some(owner), events);
    }

    /// What is on its way between the client and the server is lost.
    pub(super) fn lose_messages(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let lost = [
            (Link::ToServer(c), actor.to_server.len() as u32),
            (Link::ToClient(c), actor.to_client.len() as u32),
        ];
        let unheard = actor.coming_session();
        actor.to_server.clear();
        actor.to_client.clear();
        for (link, messages) in lost.into_iter().filter(|(_, messages)| *messages > 0) {
            events.push(Event::LinkLost { link, messages });
        }
        if let Some(session) = unheard {
            self.leave_unheard(c, session, events);
        }
    }
}

/// With the stock in a znode: what reading it is to the resource.
pub(super) fn stock_read(client: ClientId, value: i64) -> Event {
    let request = ResourceRequest::Read { token: None, shared: false };
    let reply = ResourceReply::Value(value);
    Event::ResourceTaken { client, request, reply, before: value, after: value, in_zookeeper: true }
}

/// The error that a reply carries. A multi that was refused is a reply with a list of results: the error is that
/// of the operation which failed.
pub(super) fn error_in(result: &Result<Reply, ErrorCode>) -> Option<ErrorCode> {
    match result {
        Err(error) => Some(*error),
        Ok(Reply::Multi { results }) => results
            .iter()
            .find_map(|result| if let MultiResult::Error(error) = result { *error } else { None }),
        Ok(_) => None,
    }
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
