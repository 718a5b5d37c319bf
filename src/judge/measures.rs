//! What a run cost: a fold over its events.

use litemap::LiteMap;
use serde::Serialize;
use std::collections::BTreeSet;

use super::availability::Availability;
use super::lock::Fact;
use crate::recipe::{Loss, ResourceReply, ResourceRequest, SINGLE_NAME, is_reader, last_part};
use crate::world::{ClientId, Event, Fault, Timer, World};
use crate::zookeeper::{ErrorCode, Path, Request, Zxid};

/// One release of the lock and what it set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Release {
    /// The client that let the lock go.
    pub by: String,
    /// When the first server deleted its node, in virtual ms.
    pub at_ms: u64,
    /// Watch events that this deletion sent to clients that wait.
    pub events: u32,
    /// Of the clients it woke, those that went back to waiting without the lock.
    pub in_vain: u32,
    /// Requests that clients sent because this deletion woke them, until they waited again or held.
    pub requests: u32,
    /// Those of them that only read.
    pub reads: u32,
    /// Who took the lock next.
    pub next: Option<String>,
    /// From the deletion until the next client knew that it held, in virtual ms.
    pub hand_over_ms: Option<u64>,
}

/// One client's way to the lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Acquisition {
    pub client: String,
    /// From the wish for the lock until the client believed it held, in virtual ms.
    pub waited_ms: u64,
    /// Requests to ZooKeeper on the way.
    pub requests: u32,
    /// Those of them that only read.
    pub reads: u32,
    /// How often it was woken on the way.
    pub wake_ups: u32,
}

/// What a run cost so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Measures {
    pub releases: Vec<Release>,
    pub acquisitions: Vec<Acquisition>,
    /// Requests that the clients sent to ZooKeeper.
    pub requests: u32,
    /// Those of them that only read.
    pub reads: u32,
    /// Watch events that reached clients.
    pub events: u32,
    /// Children that replies carried.
    pub children: u64,
    /// Wake-ups after which the client waited again without the lock.
    pub wake_ups_in_vain: u32,
    /// Polls after which the client waited again without the lock.
    pub polls_in_vain: u32,
    /// Creates of the single name that found it taken.
    pub fights_lost: u32,
    /// Times a client gave up its place in the queue.
    pub places_given_up: u32,
    /// Watches that the server holds on nodes that do not exist.
    pub left_over_watches: u32,
    /// Items in stock, once something has read or written it.
    pub stock: Option<i64>,
    /// Writes that the resource took.
    pub writes: u32,
    /// Commits that the resource took: orders stored.
    pub orders: u32,
    /// How many of those orders the stock does not show: more was sold than it went down by.
    pub oversold: i64,
    /// Requests that came to the resource after one of a later grant.
    pub stale_tried: u32,
    /// Those of them that it took.
    pub stale_taken: u32,
    /// Those of them that it refused.
    pub stale_refused: u32,
    /// Requests that it refused for their token.
    pub tokens_refused: u32,
    /// The longest time from when a holder's node was gone, or the holder could not act, until somebody else
    /// took the lock, in virtual ms.
    pub take_over_ms: Option<u64>,
    /// How long the lock stood free while somebody waited, in virtual ms.
    pub free_ms: u64,
    /// How long somebody waited for one that could do nothing, in virtual ms.
    pub blocked_ms: u64,
    /// At the end of a run: the lock is blocked, and it stays so since servers decide nothing any more.
    pub blocked_for_ever: bool,
    /// Times a reader waited for another reader.
    pub readers_in_file: u32,
    /// Heartbeats that clients sent.
    pub heartbeats: u32,
    /// Times a client found its connection again, in the same session.
    pub reconnects: u32,
    /// Sessions that the server ended.
    pub sessions_expired: u32,
    /// At the end of a run: who waits for ever.
    pub waits_for_ever: Vec<String>,
    /// At the end of a run: lock nodes that nobody counts as their own.
    pub orphans: Vec<String>,
}

/// The fold that makes [`Measures`].
#[derive(Clone, Debug, Default)]
pub struct Meter {
    measures: Measures,
    releasing: BTreeSet<ClientId>,
    /// The release whose event is on its way to the client.
    told_by: LiteMap<ClientId, Option<u32>>,
    clients: LiteMap<ClientId, Way>,
    /// Watches on missing nodes, by client.
    left_over: BTreeSet<(ClientId, Path)>,
    /// The newest release that nobody has followed yet.
    open: Option<u32>,
    /// The releases by the transactions that were them: servers send a deletion's events each in its own time.
    released: LiteMap<Zxid, u32>,
    availability: Availability,
    /// The stock before anything was taken from it.
    first_stock: Option<i64>,
}

/// One client between wish and lock.
#[derive(Clone, Debug, Default)]
struct Way {
    waits: bool,
    since_ms: u64,
    requests: u32,
    reads: u32,
    wake_ups: u32,
    stirring: Option<Stirring>,
}

/// Why a client that waited is moving again.
#[derive(Clone, Copy, Debug)]
enum Stirring {
    Event(Option<u32>),
    Poll,
}

impl Meter {
    /// Takes the events of one step, at `at_ms` of virtual time.
    pub fn see_step(&mut self, at_ms: u64, events: &[Event]) {
        self.availability.pass(at_ms);
        for event in events {
            let fact = self.availability.see(event);
            self.see(at_ms, event);
            if let Some(Fact::Used { refused, stale: true, .. }) = fact {
                self.measures.stale_tried += 1;
                self.measures.stale_taken += u32::from(!refused);
                self.measures.stale_refused += u32::from(refused);
            }
        }
        self.availability.settle();
        let a = &self.availability;
        let m = &mut self.measures;
        (m.free_ms, m.blocked_ms, m.take_over_ms) = (a.free_ms, a.blocked_ms, a.take_over_ms);
    }

    fn see(&mut self, at_ms: u64, event: &Event) {
        let m = &mut self.measures;
        match event {
            Event::Arrived { client } => {
                self.clients.insert(*client, Way { waits: true, since_ms: at_ms, ..Way::default() });
            }
            Event::RequestSent { client, request } => self.sent(*client, request),
            Event::RequestTaken { request, error, children, .. } => {
                m.children += u64::from(children.unwrap_or(0));
                // The directory may be there already, and that is no fight.
                let fights = match request {
                    Request::Create { path, .. } | Request::Create2 { path, .. } => {
                        last_part(path) == SINGLE_NAME
                    }
                    _ => false,
                };
                m.fights_lost += u32::from(fights && *error == Some(ErrorCode::NodeExists));
            }
            Event::NodeDeleted { client, zxid, .. } if self.releasing.remove(client) => {
                let release = m.releases.len() as u32;
                self.open = Some(release);
                self.released.insert(*zxid, release);
                m.releases.push(Release {
                    by: client.to_string(),
                    at_ms,
                    events: 0,
                    in_vain: 0,
                    requests: 0,
                    reads: 0,
                    next: None,
                    hand_over_ms: None,
                });
            }
            Event::WatchSet { client, path, on_missing: true, .. } => {
                self.left_over.insert((*client, path.clone()));
                m.left_over_watches = self.left_over.len() as u32;
            }
            Event::WatchFired { client, event, lost, zxid } => {
                self.left_over.remove(&(*client, event.path.clone()));
                m.left_over_watches = self.left_over.len() as u32;
                if !lost {
                    self.fired(*client, *zxid);
                }
            }
            Event::EventHeard { .. } => m.events += 1,
            Event::Woke { client } => {
                let cause = self.told_by.remove(client).flatten();
                let way = self.clients.entry(*client).or_default();
                way.wake_ups += 1;
                way.stirring = Some(Stirring::Event(cause));
            }
            Event::Slept { client, on } => {
                let own = self.availability.lock.newest(*client);
                let reads = own.and_then(|czxid| self.availability.lock.node(czxid));
                let in_file = reads.is_some_and(|node| node.reads) && is_reader(last_part(on));
                m.readers_in_file += u32::from(in_file);
                self.settled(*client);
            }
            Event::TimerSet { timer: Timer::Poll(client) } => {
                self.settled(*client);
                self.clients.entry(*client).or_default().stirring = Some(Stirring::Poll);
            }
            Event::Acquired { client, .. } => self.acquired(*client, at_ms),
            Event::Released { client } => {
                self.releasing.insert(*client);
            }
            Event::GaveUpPlace { .. } => m.places_given_up += 1,
            Event::ResourceTaken { request, reply, before, after, .. } => {
                let first = *self.first_stock.get_or_insert(*before);
                self.used(*request, *reply);
                self.measures.stock = Some(*after);
                self.measures.oversold = i64::from(self.measures.orders) - (first - *after);
            }
            Event::LostLock { client, why: Loss::Expired | Loss::Disconnected } => {
                // It queues again, and its way begins anew.
                self.clients.insert(*client, Way { waits: true, since_ms: at_ms, ..Way::default() });
            }
            Event::GaveUp { client, .. }
            | Event::Finished { client, .. }
            | Event::Failed { client, .. }
            | Event::FaultInjected { client, fault: Fault::Crash | Fault::Close } => {
                self.clients.entry(*client).or_default().waits = false;
                self.releasing.remove(client);
            }
            Event::PingSent { .. } => m.heartbeats += 1,
            Event::Connected { new: false, .. } => m.reconnects += 1,
            Event::SessionExpired { .. } => m.sessions_expired += 1,
            Event::NodeCreated { .. }
            | Event::NodeDeleted { .. }
            | Event::FaultInjected { .. }
            | Event::RequestFailed { .. }
            | Event::OperatorActed { .. }
            | Event::WatchSet { .. }
            | Event::ReplyHeard { .. }
            | Event::PingTaken { .. }
            | Event::PongHeard { .. }
            | Event::ConnectSent { .. }
            | Event::ConnectTaken { .. }
            | Event::Connected { .. }
            | Event::Disconnected { .. }
            | Event::LinkLost { .. }
            | Event::ConnectionClosed { .. }
            | Event::CloseSent { .. }
            | Event::SessionClosed { .. }
            | Event::SessionUnheard { .. }
            | Event::ExpiredHeard { .. }
            | Event::WillSort { .. }
            | Event::Sorted { .. }
            | Event::Found { .. }
            | Event::LostLock { .. }
            | Event::ResourceAsked { .. }
            | Event::ResourceHeard { .. }
            | Event::TimerSet { .. }
            | Event::TimerCleared { .. }
            | Event::HeldBack { .. }
            | Event::Server { .. } => {}
        }
    }

    fn used(&mut self, request: ResourceRequest, reply: ResourceReply) {
        let m = &mut self.measures;
        match (request, reply) {
            (_, ResourceReply::Refused { highest }) => {
                m.tokens_refused += u32::from(highest > request.token());
            }
            (ResourceRequest::Write { .. }, _) => m.writes += 1,
            (ResourceRequest::Commit { .. }, _) => m.orders += 1,
            (ResourceRequest::Read { .. }, _) => {}
        }
    }

    /// The measures so far.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The measures of a run that has come to rest.
    pub fn at_rest(mut self, world: &World) -> Measures {
        self.measures.blocked_for_ever = self.availability.block().is_some() && !world.decides();
        self.measures.waits_for_ever = world.waiting().map(|client| client.to_string()).collect();
        let orphans = world.orphans().into_iter();
        self.measures.orphans = orphans.map(|(path, _)| last_part(&path).to_string()).collect();
        self.measures
    }

    fn sent(&mut self, client: ClientId, request: &Request) {
        let reads = u32::from(matches!(
            request,
            Request::GetData { .. } | Request::Exists { .. } | Request::GetChildren { .. }
        ));
        self.measures.requests += 1;
        self.measures.reads += reads;
        let way = self.clients.entry(client).or_default();
        if way.waits {
            way.requests += 1;
            way.reads += reads;
        }
        if let Some(Stirring::Event(Some(release))) = way.stirring {
            self.measures.releases[release as usize].requests += 1;
            self.measures.releases[release as usize].reads += reads;
        }
    }

    /// A server sent an event. It belongs to the release that transaction `zxid` was, if it was one.
    fn fired(&mut self, client: ClientId, zxid: Option<Zxid>) {
        let waits = self.clients.get(&client).is_some_and(|way| way.waits);
        let release = zxid.and_then(|zxid| self.released.get(&zxid)).copied().filter(|_| waits);
        if let Some(at) = release {
            self.measures.releases[at as usize].events += 1;
        }
        self.told_by.insert(client, release);
    }

    /// The client waits again without the lock.
    fn settled(&mut self, client: ClientId) {
        let way = self.clients.entry(client).or_default();
        match way.stirring.take() {
            Some(Stirring::Event(cause)) => {
                self.measures.wake_ups_in_vain += 1;
                if let Some(release) = cause {
                    self.measures.releases[release as usize].in_vain += 1;
                }
            }
            Some(Stirring::Poll) => self.measures.polls_in_vain += 1,
            None => {}
        }
    }

    fn acquired(&mut self, client: ClientId, at_ms: u64) {
        if let Some(open) = self.open.take() {
            let release = &mut self.measures.releases[open as usize];
            release.next = Some(client.to_string());
            release.hand_over_ms = Some(at_ms - release.at_ms);
        }
        let way = self.clients.entry(client).or_default();
        way.waits = false;
        way.stirring = None;
        let waited_ms = at_ms.saturating_sub(way.since_ms);
        let (requests, reads, wake_ups) = (way.requests, way.reads, way.wake_ups);
        let client = client.to_string();
        self.measures.acquisitions.push(Acquisition { client, waited_ms, requests, reads, wake_ups });
    }
}
