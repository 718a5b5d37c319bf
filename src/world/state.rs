//! The world and its one transition.

use std::fmt;
use std::sync::Arc;

use super::{Action, Actor, Class, ClientId, Event, Link, Packet, Resource, Timer};
use crate::recipe::{ClientTimer, Decisions, Input, LockClient, Output, ResourceReply};
use crate::sorted::{Listed, SortedMap};
use crate::zookeeper::{
    Answer, Change, CreateMode, ErrorCode, Member, Path, Reply, Request, SessionId, WatchTable,
};

/// The directory in which every lock node stands.
pub const LOCK_DIR: &str = "/locks/order-123";

/// The session timeout that the clients ask for. Nothing expires yet, so it is never seen.
const SESSION_TIMEOUT_MS: u32 = 20_000;

/// Who plays, and by which rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    pub decisions: Decisions,
    /// One GUID a client, in the order of the clients. Every client makes one round.
    pub guids: Vec<Arc<str>>,
    /// Items in stock at the start.
    pub stock: i64,
}

impl Cast {
    /// A cast of `clients` with the right answers and plain GUIDs, one item in stock for each.
    pub fn of(clients: u32) -> Cast {
        let guids = (0..clients).map(|n| format!("{n:04x}").into()).listed();
        Cast { decisions: Decisions::default(), guids, stock: clients.into() }
    }

    /// The same cast with other decisions.
    pub fn deciding(mut self, decisions: Decisions) -> Cast {
        self.decisions = decisions;
        self
    }
}

/// Everything that exists at one moment. Comparable, hashable, cheap to clone: a clone shares what
/// neither of the two changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    server: Arc<Member>,
    actors: Vec<Arc<Actor>>,
    resource: Resource,
    sessions: Arc<SortedMap<SessionId, ClientId>>,
}

/// An action that cannot happen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotEnabled(pub Action);

impl fmt::Display for NotEnabled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot happen now", self.0)
    }
}

impl World {
    /// A world in which nobody has asked for the lock yet, and the timers that are armed in it.
    /// The lock's directory exists and every client has a session.
    pub fn new(cast: &Cast) -> (World, Vec<Event>) {
        let mut server = Member::new();
        let operator = server.connect(SESSION_TIMEOUT_MS).session;
        let mut dir = String::new();
        for part in LOCK_DIR.split('/').skip(1) {
            dir = format!("{dir}/{part}");
            let path = dir.as_str().into();
            let made = server
                .request(operator, &Request::Create { path, data: "".into(), mode: CreateMode::Persistent });
            debug_assert!(made.result.is_ok());
        }
        let mut sessions = SortedMap::new();
        let dir: Path = LOCK_DIR.into();
        let actors = (0..).zip(&cast.guids).map(|(n, guid)| {
            let session = server.connect(SESSION_TIMEOUT_MS).session;
            sessions.insert(session, ClientId(n));
            Arc::new(Actor::new(LockClient::new(cast.decisions, dir.clone(), guid.clone()), session))
        });
        let actors: Vec<Arc<Actor>> = actors.listed();
        let arrivals =
            (0..actors.len() as u32).map(|n| Event::TimerSet { timer: Timer::Arrive(ClientId(n)) });
        let events = arrivals.listed();
        (
            World {
                server: server.into(),
                actors,
                resource: Resource { stock: cast.stock },
                sessions: sessions.into(),
            },
            events,
        )
    }

    /// The server.
    pub fn server(&self) -> &Member {
        &self.server
    }

    /// The guarded resource.
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// The clients with their numbers, in order.
    pub fn actors(&self) -> impl Iterator<Item = (ClientId, &Actor)> {
        (0..).map(ClientId).zip(self.actors.iter().map(|actor| &**actor))
    }

    /// One client.
    pub fn actor(&self, client: ClientId) -> Option<&Actor> {
        self.actors.get(client.0 as usize).map(|actor| &**actor)
    }

    /// The client of a session, `None` for the operator's.
    pub fn client_of(&self, session: SessionId) -> Option<ClientId> {
        self.sessions.get(&session).copied()
    }

    /// Every action that could happen next: by client, and for each in the same fixed order.
    pub fn enabled(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        for (c, actor) in self.actors() {
            let all = [
                (actor.will_arrive, Action::Arrive(c)),
                (actor.will_sort, Action::Sort(c)),
                (!actor.to_server.is_empty(), Action::Deliver(Link::ToServer(c))),
                (!actor.to_client.is_empty(), Action::Deliver(Link::ToClient(c))),
                (!actor.to_resource.is_empty(), Action::Deliver(Link::ToResource(c))),
                (!actor.from_resource.is_empty(), Action::Deliver(Link::FromResource(c))),
                (actor.works, Action::Work(c)),
                (actor.polls, Action::Poll(c)),
            ];
            actions.extend(all.into_iter().filter(|(enabled, _)| *enabled).map(|(_, action)| action));
        }
        actions
    }

    /// Whether `action` could happen next.
    pub fn is_enabled(&self, action: Action) -> bool {
        let Some(actor) = self.actor(action.client()) else { return false };
        match action {
            Action::Arrive(_) => actor.will_arrive,
            Action::Sort(_) => actor.will_sort,
            Action::Deliver(Link::ToServer(_)) => !actor.to_server.is_empty(),
            Action::Deliver(Link::ToClient(_)) => !actor.to_client.is_empty(),
            Action::Deliver(Link::ToResource(_)) => !actor.to_resource.is_empty(),
            Action::Deliver(Link::FromResource(_)) => !actor.from_resource.is_empty(),
            Action::Work(_) => actor.works,
            Action::Poll(_) => actor.polls,
        }
    }

    /// Takes one action and returns what followed, in order.
    ///
    /// # Errors
    /// [`NotEnabled`] if the action cannot happen now; the world is unchanged then.
    pub fn step(&mut self, action: Action) -> Result<Vec<Event>, NotEnabled> {
        if !self.is_enabled(action) {
            return Err(NotEnabled(action));
        }
        let mut events = Vec::new();
        match action {
            Action::Arrive(c) => {
                self.actor_mut(c).will_arrive = false;
                events.push(Event::Arrived { client: c });
                self.feed(c, Input::Start, &mut events);
            }
            Action::Sort(c) => {
                self.actor_mut(c).will_sort = false;
                self.feed(c, Input::Sort, &mut events);
            }
            Action::Work(c) => {
                self.actor_mut(c).works = false;
                self.feed(c, Input::Timer(ClientTimer::Work), &mut events);
            }
            Action::Poll(c) => {
                self.actor_mut(c).polls = false;
                self.feed(c, Input::Timer(ClientTimer::Poll), &mut events);
            }
            Action::Deliver(Link::ToServer(c)) => self.serve(c, &mut events),
            Action::Deliver(Link::ToClient(c)) => self.hear(c, &mut events),
            Action::Deliver(Link::ToResource(c)) => self.use_resource(c, &mut events),
            Action::Deliver(Link::FromResource(c)) => {
                if let Some(reply) = self.actor_mut(c).from_resource.pop_front() {
                    events.push(Event::ResourceHeard { client: c, reply });
                    self.feed(c, Input::Resource(reply), &mut events);
                }
            }
        }
        Ok(events)
    }

    /// Whether nothing is left but polls that change nothing: whoever waits now waits for ever.
    pub fn at_rest(&self) -> bool {
        let left = self.enabled();
        left.iter().all(|action| action.class() == Class::Poll && self.poll_is_idle(*action))
    }

    /// Clients that want the lock and have not got it, in order.
    pub fn waiting(&self) -> impl Iterator<Item = ClientId> {
        self.actors().filter(|(_, actor)| actor.client.step().waits()).map(|(c, _)| c)
    }

    /// Whether this poll, carried through to its end, leads back to the same world.
    fn poll_is_idle(&self, poll: Action) -> bool {
        let before = self.fingerprint();
        let mut world = self.clone();
        let c = poll.client();
        let mut next = Some(poll);
        while let Some(action) = next {
            if world.step(action).is_err() {
                return false;
            }
            next = world.enabled().into_iter().find(|a| a.client() == c && a.class() == Class::Progress);
        }
        world.fingerprint() == before
    }

    fn actor_mut(&mut self, client: ClientId) -> &mut Actor {
        Arc::make_mut(&mut self.actors[client.0 as usize])
    }

    /// Gives the client one input and carries out what it does.
    fn feed(&mut self, c: ClientId, input: Input<'_>, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        for output in actor.client.input(input) {
            events.push(match output {
                Output::Send(request) => {
                    actor.to_server.push_back(request.clone());
                    Event::RequestSent { client: c, request }
                }
                Output::Ask(request) => {
                    actor.to_resource.push_back(request);
                    Event::ResourceAsked { client: c, request }
                }
                Output::SetTimer(ClientTimer::Work) => {
                    actor.works = true;
                    Event::TimerSet { timer: Timer::Work(c) }
                }
                Output::SetTimer(ClientTimer::Poll) => {
                    actor.polls = true;
                    Event::TimerSet { timer: Timer::Poll(c) }
                }
                Output::WillSort => {
                    actor.will_sort = true;
                    Event::WillSort { client: c }
                }
                Output::Sorted { place, of, ahead } => Event::Sorted { client: c, place, of, ahead },
                Output::Woke => Event::Woke { client: c },
                Output::Slept { on } => Event::Slept { client: c, on },
                Output::Acquired { looked } => {
                    let node = actor.client.me().map(|name| crate::recipe::join(LOCK_DIR, name));
                    Event::Acquired { client: c, looked, node }
                }
                Output::Released => Event::Released { client: c },
                Output::GaveUpPlace => Event::GaveUpPlace { client: c },
                Output::Finished => Event::Finished { client: c },
                Output::Failed(error) => Event::Failed { client: c, error },
            });
        }
    }

    /// The server takes the oldest request of a client.
    fn serve(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let session = actor.session;
        let Some(request) = actor.to_server.pop_front() else { return };
        let Answer { result, zxid, events: fired, changes } =
            Arc::make_mut(&mut self.server).request(session, &request);
        for change in changes {
            match change {
                Change::Created { path, czxid, .. } => {
                    events.push(Event::NodeCreated { client: c, path, czxid })
                }
                Change::Deleted { path, czxid, .. } => {
                    events.push(Event::NodeDeleted { client: c, path, czxid })
                }
                Change::DataSet { .. } => {}
            }
        }
        events.extend(watch_set(c, &request, &result));
        for (session, event) in fired {
            let Some(client) = self.client_of(session) else { continue };
            self.actor_mut(client).to_client.push_back(Packet::Event(event.clone()));
            events.push(Event::WatchFired { client, event });
        }
        events.push(Event::RequestTaken {
            client: c,
            request: request.clone(),
            error: result.as_ref().err().copied(),
            zxid,
            children: children_in(&result),
        });
        self.actor_mut(c).to_client.push_back(Packet::Reply { request, result });
    }

    /// The client hears the oldest packet from the server.
    fn hear(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let Some(packet) = actor.to_client.pop_front() else { return };
        actor.note_watches(&packet);
        match packet {
            Packet::Event(event) => {
                events.push(Event::EventHeard { client: c, event: event.clone() });
                self.feed(c, Input::Event(&event), events);
            }
            Packet::Reply { request, result } => {
                let error = result.as_ref().err().copied();
                events.push(Event::ReplyHeard { client: c, request, error, children: children_in(&result) });
                self.feed(c, Input::Reply(&result), events);
            }
        }
    }

    fn use_resource(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let Some(request) = self.actor_mut(c).to_resource.pop_front() else { return };
        let before = self.resource.stock;
        let reply: ResourceReply = self.resource.take(request);
        events.push(Event::ResourceTaken { client: c, request, before, after: self.resource.stock });
        self.actor_mut(c).from_resource.push_back(reply);
    }
}

/// How many children a reply carries.
fn children_in(result: &Result<Reply, ErrorCode>) -> Option<u32> {
    match result {
        Ok(Reply::Children { children }) => Some(children.len() as u32),
        _ => None,
    }
}

/// The watch that a request left at the server: `exists` leaves one on a missing node too.
fn watch_set(client: ClientId, request: &Request, result: &Result<Reply, ErrorCode>) -> Option<Event> {
    let (kind, path) = match request {
        Request::GetData { path, watch: true } if result.is_ok() => (WatchTable::Data, path),
        Request::GetChildren { path, watch: true } if result.is_ok() => (WatchTable::Children, path),
        Request::Exists { path, watch: true } => (WatchTable::Data, path),
        _ => return None,
    };
    Some(Event::WatchSet { client, kind, path: path.clone(), on_missing: result.is_err() })
}
