//! What a run cost: a fold over its events.

use serde::Serialize;

use crate::sorted::{Listed, SortedMap, SortedSet};
use crate::world::{ClientId, Event};
use crate::zookeeper::{ErrorCode, Path, Request};

/// One release of the lock and what it set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Release {
    /// The client that let the lock go.
    pub by: String,
    /// When the server deleted its node, in virtual ms.
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
    /// At the end of a run: who waits for ever.
    pub waits_for_ever: Vec<String>,
}

/// The fold that makes [`Measures`].
#[derive(Clone, Debug, Default)]
pub struct Meter {
    measures: Measures,
    releasing: SortedSet<ClientId>,
    /// The release whose event is on its way to the client.
    told_by: SortedMap<ClientId, Option<u32>>,
    clients: SortedMap<ClientId, Way>,
    /// Watches on missing nodes, by client.
    left_over: SortedSet<(ClientId, Path)>,
    /// The newest release that nobody has followed yet.
    open: Option<u32>,
    /// The release that happened in the step being seen.
    released_now: Option<u32>,
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
        self.released_now = None;
        events.iter().for_each(|event| self.see(at_ms, event));
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
                let lost = matches!(request, Request::Create { .. }) && *error == Some(ErrorCode::NodeExists);
                m.fights_lost += u32::from(lost);
            }
            Event::NodeDeleted { client, .. } if self.releasing.remove(client) => {
                self.open = Some(m.releases.len() as u32);
                self.released_now = self.open;
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
            Event::WatchFired { client, event, .. } => {
                self.left_over.remove(&(*client, event.path.clone()));
                m.left_over_watches = self.left_over.len() as u32;
                self.fired(*client);
            }
            Event::EventHeard { .. } => m.events += 1,
            Event::Woke { client } => {
                let cause = self.told_by.remove(client).flatten();
                let way = self.clients.or_default(*client);
                way.wake_ups += 1;
                way.stirring = Some(Stirring::Event(cause));
            }
            Event::Slept { client, .. } => self.settled(*client),
            Event::TimerSet { timer: crate::world::Timer::Poll(client) } => {
                self.settled(*client);
                self.clients.or_default(*client).stirring = Some(Stirring::Poll);
            }
            Event::Acquired { client, .. } => self.acquired(*client, at_ms),
            Event::Released { client } => {
                self.releasing.insert(*client);
            }
            Event::GaveUpPlace { .. } => m.places_given_up += 1,
            Event::ResourceTaken { request, after, .. } => {
                m.stock = Some(*after);
                m.writes += u32::from(matches!(request, crate::recipe::ResourceRequest::Write { .. }));
            }
            _ => {}
        }
    }

    /// The measures so far.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The measures of a run that has come to rest.
    pub fn at_rest(mut self) -> Measures {
        let waits = self.clients.iter().filter(|(_, way)| way.waits);
        self.measures.waits_for_ever = waits.map(|(client, _)| client.to_string()).listed();
        self.measures
    }

    fn sent(&mut self, client: ClientId, request: &Request) {
        let reads = u32::from(matches!(
            request,
            Request::GetData { .. } | Request::Exists { .. } | Request::GetChildren { .. }
        ));
        self.measures.requests += 1;
        self.measures.reads += reads;
        let way = self.clients.or_default(client);
        if way.waits {
            way.requests += 1;
            way.reads += reads;
        }
        if let Some(Stirring::Event(Some(release))) = way.stirring {
            self.measures.releases[release as usize].requests += 1;
            self.measures.releases[release as usize].reads += reads;
        }
    }

    /// The server sent an event. It belongs to the release of this step, if there is one.
    fn fired(&mut self, client: ClientId) {
        let waits = self.clients.get(&client).is_some_and(|way| way.waits);
        let release = self.released_now.filter(|_| waits);
        if let Some(at) = release {
            self.measures.releases[at as usize].events += 1;
        }
        self.told_by.insert(client, release);
    }

    /// The client waits again without the lock.
    fn settled(&mut self, client: ClientId) {
        let way = self.clients.or_default(client);
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
        let way = self.clients.or_default(client);
        way.waits = false;
        way.stirring = None;
        let waited_ms = at_ms.saturating_sub(way.since_ms);
        let (requests, reads, wake_ups) = (way.requests, way.reads, way.wake_ups);
        let client = client.to_string();
        self.measures.acquisitions.push(Acquisition { client, waited_ms, requests, reads, wake_ups });
    }
}

impl Measures {
    /// Orders stored beyond what the stock says.
    pub fn oversold(&self) -> i64 {
        0
    }
}
