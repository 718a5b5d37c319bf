//! What a picture needs of the past: a fold over the steps of one lane.

use litemap::LiteMap;

use super::past_servers::PastServers;
use super::taken::PastLedger;
use crate::play::TimelineStep;
use crate::recipe::{is_reader, last_part};
use crate::world::{ClientId, Cut, Deletion, Event, Link, ServerFact, World};
use crate::zookeeper::{Path, Request, ServerId, WatchedEvent, Zxid};

/// A stretch of virtual time; open at the end while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from_ms: u64,
    pub to_ms: Option<u64>,
}

/// The newest node of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastNode {
    pub path: Path,
    pub czxid: Zxid,
    pub deleted: bool,
    /// It went with its session.
    pub expired: bool,
}

/// How the client's last wake-up went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Woken {
    #[default]
    Never,
    /// It is up and looks.
    Looking,
    /// It looked, and waits again without the lock.
    InVain,
}

/// One client's past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastClient {
    pub node: Option<PastNode>,
    /// When a message from ZooKeeper last reached it.
    pub heard_ms: Option<u64>,
    /// When it believed that it held the lock.
    pub belief: Vec<Span>,
    /// When its node stood first at the server.
    pub truth: Vec<Span>,
    pub woken: Woken,
    /// How many stood before it when it last sorted.
    pub place: Option<u32>,
    /// The request it has under way or last had.
    pub request: Option<Request>,
    /// It ended without having done its work.
    pub in_vain: bool,
}

/// What a message on the diagram is.
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
    fn goes_up(&self) -> bool {
        matches!(self, Said::Request(_) | Said::Connect)
    }
}

/// A message between a client and the server, for the space-time diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastMessage {
    pub client: ClientId,
    /// Which of several servers it goes to, or comes from.
    pub server: Option<ServerId>,
    pub said: Said,
    pub sent_ms: u64,
    pub arrived_ms: Option<u64>,
    /// It is lost, since then.
    pub lost_ms: Option<u64>,
}

/// The diagram goes back this many messages.
const MESSAGES: usize = 160;

/// Everything above, for one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub clients: LiteMap<ClientId, PastClient>,
    /// Lock nodes that exist, oldest first.
    pub nodes: LiteMap<Zxid, (Path, ClientId)>,
    /// What the resource took.
    pub ledger: PastLedger,
    /// The latest messages, oldest first.
    pub messages: Vec<PastMessage>,
    /// Of several servers.
    pub servers: PastServers,
}

impl Past {
    /// Before anything has happened.
    pub fn before(world: &World) -> Past {
        Past { servers: PastServers::before(world), ..Past::default() }
    }

    /// Takes one step.
    pub fn see(&mut self, step: &TimelineStep) {
        for event in &step.events {
            self.servers.see(step.at_ms, event);
            self.see_event(step.at_ms, event);
            // It comes from the server that acts: the client has turned to another.
            if let (Event::WatchFired { lost: true, .. }, Some(server), Some(message)) =
                (event, acting(step), self.messages.last_mut())
            {
                message.server = Some(server);
            }
            self.ledger.see(step.at_ms, event);
        }
    }

    fn client(&mut self, client: ClientId) -> &mut PastClient {
        self.clients.entry(client).or_default()
    }

    fn see_event(&mut self, at_ms: u64, event: &Event) {
        match event {
            Event::Arrived { client } => {
                self.client(*client);
            }
            Event::RequestSent { client, request } => {
                self.client(*client).request = Some(request.clone());
                self.say(*client, Said::Request(request.clone()), at_ms);
            }
            Event::RequestTaken { client, request, .. } => {
                self.take(*client, at_ms);
                self.say(*client, Said::Reply(request.clone()), at_ms);
            }
            Event::WatchFired { client, event, lost, .. } => {
                self.say(*client, Said::Event(event.clone()), at_ms);
                if let (true, Some(message)) = (*lost, self.messages.last_mut()) {
                    message.lost_ms = Some(at_ms);
                }
            }
            Event::ReplyHeard { client, .. } | Event::EventHeard { client, .. } => {
                self.arrive(*client, at_ms, false);
                self.client(*client).heard_ms = Some(at_ms);
            }
            Event::ConnectSent { client, .. } => self.say(*client, Said::Connect, at_ms),
            Event::ConnectTaken { client, .. } => {
                self.take(*client, at_ms);
                self.say(*client, Said::Answer, at_ms);
            }
            Event::PingTaken { client, .. } => self.servers.answer(*client),
            Event::ConnectionClosed { client } => self.say(*client, Said::Bye, at_ms),
            Event::Server { fact: ServerFact::Refused { client, .. } } => {
                self.arrive(*client, at_ms, true);
                self.say(*client, Said::Bye, at_ms);
            }
            // The answer comes later: others have to be asked first.
            Event::Server {
                fact: ServerFact::Taken { client, .. } | ServerFact::Accepted { client, .. },
            } => {
                self.arrive(*client, at_ms, true);
            }
            Event::Connected { client, .. } | Event::ExpiredHeard { client } => {
                self.arrive(*client, at_ms, false);
                self.client(*client).heard_ms = Some(at_ms);
            }
            Event::PongHeard { client } => self.client(*client).heard_ms = Some(at_ms),
            Event::LinkLost { link: Link::ToServer(client), .. } => self.lose(*client, at_ms, true),
            Event::LinkLost { link: Link::ToClient(client), .. } => self.lose(*client, at_ms, false),
            Event::Disconnected { client, why } => {
                if *why == Cut::EndOfFile {
                    self.arrive(*client, at_ms, false);
                }
                self.lose(*client, at_ms, true);
                self.lose(*client, at_ms, false);
            }
            Event::NodeCreated { client, path, czxid, .. } => {
                self.nodes.insert(*czxid, (path.clone(), *client));
                let node = PastNode { path: path.clone(), czxid: *czxid, deleted: false, expired: false };
                self.client(*client).node = Some(node);
                self.crown(at_ms);
            }
            Event::NodeDeleted { czxid, why, .. } => {
                if let Some((_, owner)) = self.nodes.remove(czxid) {
                    let node = &mut self.client(owner).node;
                    if let Some(node) = node.as_mut().filter(|node| node.czxid == *czxid) {
                        node.deleted = true;
                        node.expired = *why == Deletion::Expired;
                    }
                }
                self.crown(at_ms);
            }
            Event::Sorted { client, place, listed, .. } => {
                self.client(*client).place = listed.then_some(*place);
            }
            Event::Woke { client } => self.client(*client).woken = Woken::Looking,
            Event::Slept { client, .. } => {
                let client = self.client(*client);
                if client.woken == Woken::Looking {
                    client.woken = Woken::InVain;
                }
            }
            Event::Acquired { client, .. } => {
                let client = self.client(*client);
                client.woken = Woken::Never;
                client.belief.push(Span { from_ms: at_ms, to_ms: None });
            }
            Event::Released { client } | Event::LostLock { client, .. } => {
                close(&mut self.client(*client).belief, at_ms);
            }
            Event::Finished { client, worked } => self.client(*client).in_vain = !worked,
            _ => {}
        }
    }

    fn say(&mut self, client: ClientId, said: Said, sent_ms: u64) {
        let server = self.servers.at.get(&client).copied();
        self.messages.push(PastMessage { client, server, said, sent_ms, arrived_ms: None, lost_ms: None });
        if self.messages.len() > MESSAGES {
            self.messages.remove(0);
        }
    }

    /// The server answers the oldest message: one that has just arrived, or one that it took before.
    fn take(&mut self, client: ClientId, at_ms: u64) {
        if self.servers.has_taken(client) {
            self.servers.answer(client);
        } else {
            self.arrive(client, at_ms, true);
        }
    }

    /// The oldest message on that way has arrived: links are first in, first out.
    fn arrive(&mut self, client: ClientId, at_ms: u64, at_server: bool) {
        let on_way =
            |m: &&mut PastMessage| m.client == client && m.is_on_way() && m.said.goes_up() == at_server;
        if let Some(message) = self.messages.iter_mut().find(on_way) {
            message.arrived_ms = Some(at_ms);
        }
    }

    /// All that is on that way is lost.
    fn lose(&mut self, client: ClientId, at_ms: u64, to_server: bool) {
        let lost =
            |m: &&mut PastMessage| m.client == client && m.is_on_way() && m.said.goes_up() == to_server;
        self.messages.iter_mut().filter(lost).for_each(|message| message.lost_ms = Some(at_ms));
    }

    /// Gives the truth to whoever's node stands first now; readers share it with those behind them up to
    /// the first writer.
    fn crown(&mut self, at_ms: u64) {
        let holders = self.holders();
        for client in self.clients.keys().copied().collect::<Vec<_>>() {
            let past = self.client(client);
            let (holds, held) = (holders.contains(&client), open_since(&past.truth).is_some());
            match (holds, held) {
                (true, false) => past.truth.push(Span { from_ms: at_ms, to_ms: None }),
                (false, true) => close(&mut past.truth, at_ms),
                (true, true) | (false, false) => {}
            }
        }
    }

    /// The name of what was lost just now on one way of a client, if it has one.
    pub fn lost_now(&self, client: ClientId, to_server: bool, now_ms: u64) -> Option<&'static str> {
        let lost = |m: &&PastMessage| {
            m.client == client && m.lost_ms == Some(now_ms) && m.said.goes_up() == to_server
        };
        self.messages.iter().rev().find(lost).and_then(|message| match &message.said {
            Said::Request(request) | Said::Reply(request) => Some(crate::teach::call_name(request)),
            Said::Event(event) => Some(event.kind.name()),
            Said::Connect => Some("connect"),
            Said::Answer | Said::Bye => None,
        })
    }

    /// Whose nodes hold the lock, as the server has it.
    pub fn holders(&self) -> Vec<ClientId> {
        self.nodes.iter().take(self.holding().len()).map(|(_, (_, owner))| *owner).collect()
    }

    /// The nodes that hold the lock: the first, or readers up to the first writer.
    pub fn holding(&self) -> Vec<Zxid> {
        let reader = |path: &Path| is_reader(last_part(path));
        let mut holding = Vec::new();
        for (czxid, (path, _)) in self.nodes.iter() {
            if holding.is_empty() || reader(path) {
                holding.push(*czxid);
            }
            if !reader(path) {
                break;
            }
        }
        holding
    }
}

impl PastMessage {
    fn is_on_way(&self) -> bool {
        self.arrived_ms.is_none() && self.lost_ms.is_none()
    }
}

/// Which of several servers carries something out in this step.
fn acting(step: &TimelineStep) -> Option<ServerId> {
    step.events.iter().find_map(|event| match event {
        Event::Server { fact: ServerFact::Applied { server, .. } } => Some(*server),
        _ => None,
    })
}

fn close(spans: &mut [Span], at_ms: u64) {
    if let Some(span) = spans.last_mut() {
        span.to_ms.get_or_insert(at_ms);
    }
}

/// Since when the last span has lasted, if it is still open.
pub fn open_since(spans: &[Span]) -> Option<u64> {
    spans.last().filter(|span| span.to_ms.is_none()).map(|span| span.from_ms)
}
