//! Who sent what to whom, and when it arrived or was lost: the messages of a run, paired over its steps.
//!
//! Links are first in, first out: what arrives is the oldest that is on its way.

use litemap::LiteMap;

use super::TimelineStep;
use crate::world::{ClientId, Cut, Event, Link, ServerFact, ServerWord, World};
use crate::zookeeper::{Request, ServerId, WatchedEvent};

/// What a message between a client and its server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Request(Request),
    Reply(Request),
    Event(WatchedEvent),
    /// A request for a connection, and the answer to one.
    Connect,
    Answer,
    /// The end of a connection or of a session.
    Bye,
}

impl Said {
    /// Whether it goes from the client to the server.
    pub fn goes_up(&self) -> bool {
        matches!(self, Said::Request(_) | Said::Connect)
    }
}

/// A message between a client and its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub client: ClientId,
    /// Which of several servers it goes to, or comes from.
    pub server: Option<ServerId>,
    pub said: Said,
    /// Virtual time in ms, here and below.
    pub sent_ms: u64,
    pub arrived_ms: Option<u64>,
    /// It is lost, since then.
    pub lost_ms: Option<u64>,
}

/// A message between two servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerMessage {
    pub from: ServerId,
    pub to: ServerId,
    pub what: ServerWord,
    /// Whose request it is about.
    pub client: Option<ClientId>,
    pub sent_ms: u64,
    pub arrived_ms: Option<u64>,
    /// It is lost, since then.
    pub lost_ms: Option<u64>,
}

impl Message {
    fn is_on_way(&self) -> bool {
        self.arrived_ms.is_none() && self.lost_ms.is_none()
    }
}

impl PeerMessage {
    fn is_on_way(&self) -> bool {
        self.arrived_ms.is_none() && self.lost_ms.is_none()
    }
}

/// The messages of a run, oldest first: a fold over its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Of clients and of servers, as many are kept; all if there is no limit.
    most: Option<(usize, usize)>,
    /// Which server each client's library turned to last.
    at: LiteMap<ClientId, ServerId>,
    /// How many messages of a client its server has taken and not answered.
    taken: LiteMap<ClientId, u32>,
    of_clients: Vec<Message>,
    between: Vec<PeerMessage>,
}

impl Messages {
    /// Before anything has happened.
    pub fn before(world: &World) -> Messages {
        let clients = world.actors().map(|(client, _)| client);
        let at = clients.filter_map(|client| Some((client, world.server_of(client)?))).collect();
        Messages { at, ..Messages::default() }
    }

    /// The same, of which the latest `clients` and `servers` messages are kept.
    pub fn keeping(self, clients: usize, servers: usize) -> Messages {
        Messages { most: Some((clients, servers)), ..self }
    }

    /// Messages between clients and servers.
    pub fn of_clients(&self) -> &[Message] {
        &self.of_clients
    }

    /// Messages between servers.
    pub fn between(&self) -> &[PeerMessage] {
        &self.between
    }

    /// The latest message of a client that was lost at `at_ms`, on its way up (to the server) or down.
    pub fn lost_at(&self, client: ClientId, at_ms: u64, up: bool) -> Option<&Message> {
        let lost = |m: &&Message| m.client == client && m.lost_ms == Some(at_ms) && m.said.goes_up() == up;
        self.of_clients.iter().rev().find(lost)
    }

    /// Takes one step.
    pub fn see(&mut self, step: &TimelineStep) {
        for event in &step.events {
            self.see_event(step.at_ms, event);
            // It comes from the server that acts: the client has turned to another.
            if let (Event::WatchFired { lost: true, .. }, Some(server), Some(message)) =
                (event, acting(step), self.of_clients.last_mut())
            {
                message.server = Some(server);
            }
        }
    }

    fn see_event(&mut self, at_ms: u64, event: &Event) {
        match event {
            Event::RequestSent { client, request } => {
                self.say(*client, Said::Request(request.clone()), at_ms);
            }
            Event::RequestTaken { client, request, .. } => {
                self.take(*client, at_ms);
                self.say(*client, Said::Reply(request.clone()), at_ms);
            }
            Event::WatchFired { client, event, lost, .. } => {
                self.say(*client, Said::Event(event.clone()), at_ms);
                if let (true, Some(message)) = (*lost, self.of_clients.last_mut()) {
                    message.lost_ms = Some(at_ms);
                }
            }
            Event::ReplyHeard { client, .. }
            | Event::EventHeard { client, .. }
            | Event::Connected { client, .. }
            | Event::ExpiredHeard { client } => self.arrive(*client, at_ms, false),
            Event::ConnectSent { client, server, .. } => {
                if let Some(server) = server {
                    self.at.insert(*client, *server);
                }
                self.say(*client, Said::Connect, at_ms);
            }
            Event::ConnectTaken { client, .. } => {
                self.take(*client, at_ms);
                self.say(*client, Said::Answer, at_ms);
            }
            Event::PingTaken { client, .. } => self.answer(*client),
            Event::ConnectionClosed { client } => {
                self.taken.remove(client);
                self.say(*client, Said::Bye, at_ms);
            }
            Event::LinkLost { link: Link::ToServer(client), .. } => self.lose(*client, at_ms, true),
            Event::LinkLost { link: Link::ToClient(client), .. } => self.lose(*client, at_ms, false),
            Event::Disconnected { client, why } => {
                self.taken.remove(client);
                if *why == Cut::EndOfFile {
                    self.arrive(*client, at_ms, false);
                }
                self.lose(*client, at_ms, true);
                self.lose(*client, at_ms, false);
            }
            Event::Server { fact } => self.see_fact(at_ms, fact),
            _ => {}
        }
    }

    fn see_fact(&mut self, at_ms: u64, fact: &ServerFact) {
        match fact {
            ServerFact::Refused { client, .. } => {
                self.arrive(*client, at_ms, true);
                self.say(*client, Said::Bye, at_ms);
            }
            // The answer comes later: others have to be asked first.
            ServerFact::Taken { client, .. } | ServerFact::Accepted { client, .. } => {
                *self.taken.entry(*client).or_default() += 1;
                self.arrive(*client, at_ms, true);
            }
            ServerFact::Sent { from, to, what, client, .. } => {
                let (from, to, what, client) = (*from, *to, *what, *client);
                self.send(PeerMessage {
                    from,
                    to,
                    what,
                    client,
                    sent_ms: at_ms,
                    arrived_ms: None,
                    lost_ms: None,
                });
            }
            ServerFact::Arrived { from, to, .. } => {
                let on_way = |m: &&mut PeerMessage| (m.from, m.to) == (*from, *to) && m.is_on_way();
                if let Some(message) = self.between.iter_mut().find(on_way) {
                    message.arrived_ms = Some(at_ms);
                }
            }
            ServerFact::Parted { follower, leader } => {
                let ends = [(*follower, *leader), (*leader, *follower)];
                let lost = |m: &&mut PeerMessage| ends.contains(&(m.from, m.to)) && m.is_on_way();
                self.between.iter_mut().filter(lost).for_each(|message| message.lost_ms = Some(at_ms));
            }
            _ => {}
        }
    }

    // Between a client and its server.

    fn say(&mut self, client: ClientId, said: Said, sent_ms: u64) {
        let server = self.at.get(&client).copied();
        self.of_clients.push(Message { client, server, said, sent_ms, arrived_ms: None, lost_ms: None });
        if self.most.is_some_and(|(most, _)| self.of_clients.len() > most) {
            self.of_clients.remove(0);
        }
    }

    /// The server answers the oldest message: one that has just arrived, or one that it took before.
    fn take(&mut self, client: ClientId, at_ms: u64) {
        if self.taken.get(&client).is_some_and(|taken| *taken > 0) {
            self.answer(client);
        } else {
            self.arrive(client, at_ms, true);
        }
    }

    /// The server answers the oldest that it has taken.
    fn answer(&mut self, client: ClientId) {
        if let Some(taken) = self.taken.get_mut(&client) {
            *taken = taken.saturating_sub(1);
        }
    }

    /// The oldest message on that way has arrived.
    fn arrive(&mut self, client: ClientId, at_ms: u64, at_server: bool) {
        let on_way = |m: &&mut Message| m.client == client && m.is_on_way() && m.said.goes_up() == at_server;
        if let Some(message) = self.of_clients.iter_mut().find(on_way) {
            message.arrived_ms = Some(at_ms);
        }
    }

    /// All that is on that way is lost.
    fn lose(&mut self, client: ClientId, at_ms: u64, to_server: bool) {
        let lost = |m: &&mut Message| m.client == client && m.is_on_way() && m.said.goes_up() == to_server;
        self.of_clients.iter_mut().filter(lost).for_each(|message| message.lost_ms = Some(at_ms));
    }

    // Between servers.

    /// Of those that have ended the oldest is forgotten first.
    fn send(&mut self, message: PeerMessage) {
        self.between.push(message);
        if self.most.is_some_and(|(_, most)| self.between.len() > most) {
            let ended = self.between.iter().position(|one| !one.is_on_way());
            self.between.remove(ended.unwrap_or(0));
        }
    }
}

/// Which of several servers carries something out in this step.
fn acting(step: &TimelineStep) -> Option<ServerId> {
    step.events.iter().find_map(|event| match event {
        Event::Server { fact: ServerFact::Applied { server, .. } } => Some(*server),
        _ => None,
    })
}
