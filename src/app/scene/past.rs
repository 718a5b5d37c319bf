//! What a picture needs of the past: a fold over the steps of one lane.

use crate::play::Step;
use crate::recipe::ResourceRequest;
use crate::sorted::SortedMap;
use crate::world::{ClientId, Event};
use crate::zookeeper::{Path, Request, WatchedEvent, Zxid};

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
}

/// A write that the resource took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastWrite {
    pub at_ms: u64,
    pub client: ClientId,
    pub value: i64,
    /// The writer had read something else than what it overwrote.
    pub lost_update: bool,
}

/// What a message on the diagram is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Request(Request),
    Reply(Request),
    Event(WatchedEvent),
}

/// A message between a client and the server, for the space-time diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastMessage {
    pub client: ClientId,
    pub said: Said,
    pub sent_ms: u64,
    pub arrived_ms: Option<u64>,
}

/// The diagram goes back this many messages.
const MESSAGES: usize = 160;

/// Everything above, for one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub clients: SortedMap<ClientId, PastClient>,
    /// Lock nodes that exist, oldest first.
    pub nodes: SortedMap<Zxid, (Path, ClientId)>,
    /// The latest writes, newest last.
    pub writes: Vec<PastWrite>,
    /// The latest messages, oldest first.
    pub messages: Vec<PastMessage>,
}

impl Past {
    /// Takes one step.
    pub fn see(&mut self, step: &Step) {
        for event in &step.events {
            self.see_event(step.at_ms, event);
        }
    }

    fn client(&mut self, client: ClientId) -> &mut PastClient {
        self.clients.or_default(client)
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
                self.arrive(*client, at_ms, true);
                self.say(*client, Said::Reply(request.clone()), at_ms);
            }
            Event::WatchFired { client, event } => self.say(*client, Said::Event(event.clone()), at_ms),
            Event::ReplyHeard { client, .. } | Event::EventHeard { client, .. } => {
                self.arrive(*client, at_ms, false);
                self.client(*client).heard_ms = Some(at_ms);
            }
            Event::NodeCreated { client, path, czxid } => {
                self.nodes.insert(*czxid, (path.clone(), *client));
                self.client(*client).node =
                    Some(PastNode { path: path.clone(), czxid: *czxid, deleted: false });
                self.crown(at_ms);
            }
            Event::NodeDeleted { czxid, .. } => {
                if let Some((path, owner)) = self.nodes.remove(czxid) {
                    let node = &mut self.client(owner).node;
                    if let Some(node) = node.as_mut().filter(|node| node.path == path) {
                        node.deleted = true;
                    }
                }
                self.crown(at_ms);
            }
            Event::Sorted { client, place, .. } => self.client(*client).place = Some(*place),
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
            Event::Released { client } => close(&mut self.client(*client).belief, at_ms),
            Event::ResourceTaken {
                client, request: ResourceRequest::Write { base, value }, before, ..
            } => {
                let lost_update = base != before;
                self.writes.push(PastWrite { at_ms, client: *client, value: *value, lost_update });
                if self.writes.len() > 3 {
                    self.writes.remove(0);
                }
            }
            Event::ResourceTaken { .. }
            | Event::WatchSet { .. }
            | Event::WillSort { .. }
            | Event::GaveUpPlace { .. }
            | Event::Finished { .. }
            | Event::Failed { .. }
            | Event::ResourceAsked { .. }
            | Event::ResourceHeard { .. }
            | Event::TimerSet { .. } => {}
        }
    }

    fn say(&mut self, client: ClientId, said: Said, sent_ms: u64) {
        self.messages.push(PastMessage { client, said, sent_ms, arrived_ms: None });
        if self.messages.len() > MESSAGES {
            self.messages.remove(0);
        }
    }

    /// The oldest message on that way has arrived: links are first in, first out.
    fn arrive(&mut self, client: ClientId, at_ms: u64, at_server: bool) {
        let on_way = |m: &&mut PastMessage| {
            m.client == client && m.arrived_ms.is_none() && matches!(m.said, Said::Request(_)) == at_server
        };
        if let Some(message) = self.messages.iter_mut().find(on_way) {
            message.arrived_ms = Some(at_ms);
        }
    }

    /// Gives the truth to whoever's node stands first now.
    fn crown(&mut self, at_ms: u64) {
        let first = self.nodes.values().next().map(|(_, owner)| *owner);
        let open = |past: &PastClient| past.truth.last().is_some_and(|span| span.to_ms.is_none());
        let current = self.clients.iter().find(|(_, past)| open(past)).map(|(client, _)| *client);
        if current == first {
            return;
        }
        if let Some(old) = current {
            close(&mut self.client(old).truth, at_ms);
        }
        if let Some(new) = first {
            self.client(new).truth.push(Span { from_ms: at_ms, to_ms: None });
        }
    }
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
