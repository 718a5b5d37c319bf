//! The world and its one transition.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use litemap::LiteMap;

use super::servers::Servers;
use super::{
    Action, Actor, Class, ClientId, Event, Fault, Link, Notice, Operator, Packet, Resource, Sent, ServerFact,
    Timer,
};
use crate::recipe::{ClientTimer, Decisions, Guard, Input, LockClient, Loss, Output, STOCK_PATH};
use crate::zookeeper::{
    CounterEnd, CreateMode, EnsembleSize, Member, MemberSettings, Path, Request, ServerAction, SessionId,
};

/// The directory in which every lock node stands.
pub const LOCK_DIR: &str = "/locks/order-123";

/// The session timeout that clients ask for, unless told otherwise, in ms.
pub const TIMEOUT_MS: u32 = 20_000;

/// The server's tick (`tickTime`), unless told otherwise, in ms. Session timeouts are between 2 and 20
/// ticks (`QuorumPeerConfig`, lines 470-471).
pub const TICK_MS: u32 = 2_000;

/// Who plays, and by which rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    pub decisions: Decisions,
    /// One GUID a client, in the order of the clients. Every client makes one round.
    pub guids: Vec<Arc<str>>,
    /// Those that only read.
    pub readers: BTreeSet<ClientId>,
    /// Items in stock at the start.
    pub stock: i64,
    /// The session timeout that every client asks for, in ms.
    pub timeout_ms: u32,
    /// The server's tick, in ms.
    pub tick_ms: u32,
    /// How many children the lock's directory has had before the story begins.
    pub counter: i32,
    /// What the server does at the end of that counter.
    pub counter_end: CounterEnd,
    /// How many servers keep the nodes.
    pub servers: EnsembleSize,
}

impl Cast {
    /// A cast of `clients` with the right answers and plain GUIDs, one item in stock for each.
    pub fn of(clients: u32) -> Cast {
        Cast {
            decisions: Decisions::default(),
            guids: (0..clients).map(|n| format!("{n:04x}").into()).collect(),
            readers: BTreeSet::new(),
            stock: clients.into(),
            timeout_ms: TIMEOUT_MS,
            tick_ms: TICK_MS,
            counter: 0,
            counter_end: CounterEnd::Sticks,
            servers: EnsembleSize::One,
        }
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
    pub(super) servers: Servers,
    pub(super) actors: Vec<Arc<Actor>>,
    pub(super) resource: Resource,
    pub(super) sessions: Arc<LiteMap<SessionId, ClientId>>,
    /// The operator's session.
    pub(super) operator: SessionId,
    /// The session timeout that clients ask for, in ms.
    pub(super) timeout_ms: u32,
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
    /// A world in which nobody has asked for the lock yet, and what happened before: every client has a
    /// session, the lock's directory exists, and the timers of the arrivals are armed.
    pub fn new(cast: &Cast) -> (World, Vec<Event>) {
        let mut server = Member::with_settings(MemberSettings {
            counter_end: cast.counter_end,
            min_session_timeout_ms: cast.tick_ms.saturating_mul(2),
            max_session_timeout_ms: cast.tick_ms.saturating_mul(20),
        });
        let operator = server.connect(cast.timeout_ms).session;
        let mut make = |path: Path, data: &str| {
            let mode = CreateMode::Persistent;
            let made = server.request(operator, &Request::Create { path, data: data.into(), mode });
            debug_assert!(made.result.is_ok());
        };
        let mut dir = String::new();
        for part in LOCK_DIR.split('/').skip(1) {
            dir = format!("{dir}/{part}");
            make(dir.as_str().into(), "");
        }
        if cast.decisions.resource == Guard::Multi {
            make(STOCK_PATH.into(), &cast.stock.to_string());
        }
        if cast.counter != 0
            && let Some(stat) = server.stat(LOCK_DIR)
        {
            let preset = server.preset_node(LOCK_DIR, cast.counter, stat.czxid);
            debug_assert!(preset.is_ok());
        }
        let mut sessions = LiteMap::new();
        let mut events = Vec::new();
        let dir: Path = LOCK_DIR.into();
        let mut actors = Vec::new();
        for (n, guid) in (0..).map(ClientId).zip(&cast.guids) {
            let connected = server.connect(cast.timeout_ms);
            sessions.insert(connected.session, n);
            let client = LockClient::new(cast.decisions, dir.clone(), guid.clone());
            let client = client.reading(cast.readers.contains(&n));
            actors.push(Arc::new(Actor::new(client, connected.session)));
            events.push(Event::Connected { client: n, new: true, timeout_ms: connected.timeout_ms });
            events.push(Event::TimerSet { timer: Timer::Arrive(n) });
        }
        let own: Vec<SessionId> = sessions.keys().copied().collect();
        let servers = Servers::new(cast.servers, server, &own, cast.timeout_ms);
        let armed = |action| ServerFact::Armed { action, notice: Notice::AtOnce };
        events.extend(servers.moves().into_iter().map(|action| Event::Server { fact: armed(action) }));
        let world = World {
            servers,
            actors,
            resource: Resource::new(cast.decisions.resource, cast.stock),
            sessions: sessions.into(),
            operator,
            timeout_ms: cast.timeout_ms,
        };
        (world, events)
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

    /// Every action that could happen next by itself: by client, and for each in the same fixed order.
    /// What comes from outside is in [`from_outside`](World::from_outside).
    pub fn enabled(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        for c in (0..self.actors.len() as u32).map(ClientId) {
            let all = [
                Action::Arrive(c),
                Action::Sort(c),
                Action::Deliver(Link::ToServer(c)),
                Action::Deliver(Link::ToClient(c)),
                Action::Deliver(Link::ToResource(c)),
                Action::Deliver(Link::FromResource(c)),
                Action::Work(c),
                Action::Poll(c),
                Action::Ping(c),
                Action::Suspend(c),
                Action::Reconnect(c),
                Action::Expire(c),
                Action::ExpireOld(c),
            ];
            actions.extend(all.into_iter().filter(|action| self.is_enabled(*action)));
        }
        actions.extend(self.server_actions().0);
        actions
    }

    /// Every fault and operator's action that could happen now.
    pub fn from_outside(&self) -> Vec<Action> {
        let mut all = Vec::new();
        for c in (0..self.actors.len() as u32).map(ClientId) {
            all.extend(Fault::ALL.map(|fault| Action::Fault(fault, c)));
            all.extend(Operator::on(c).map(Action::Operator));
        }
        all.extend(Operator::ONCE.map(Action::Operator));
        all.extend(self.server_actions().1);
        all.retain(|action| self.is_enabled(*action));
        all
    }

    /// Whether `action` could happen next.
    pub fn is_enabled(&self, action: Action) -> bool {
        match action {
            Action::Operator(Operator::DeleteDir) => {
                self.takes_orders() && self.server().node(LOCK_DIR).is_some()
            }
            Action::Operator(Operator::DeleteNode(_)) if !self.takes_orders() => false,
            // One of several is restarted by its name.
            Action::Operator(Operator::RestartServer) => self.ensemble().is_none(),
            Action::Operator(Operator::RestartResource) => true,
            Action::Server(_) | Action::Beat(_) | Action::ServerFault(_) => self.servers_can(action),
            _ => action.client().and_then(|c| self.actor(c)).is_some_and(|actor| self.can(actor, action)),
        }
    }

    fn can(&self, actor: &Actor, action: Action) -> bool {
        let runs = actor.runs();
        match action {
            Action::Arrive(_) => runs && actor.will_arrive,
            Action::Sort(_) => runs && actor.will_sort,
            Action::Deliver(Link::ToServer(_)) => !actor.stalled && !actor.to_server.is_empty(),
            Action::Deliver(Link::ToClient(_)) => runs && !actor.stalled && !actor.to_client.is_empty(),
            Action::Deliver(Link::ToResource(_)) => !actor.to_resource.is_empty(),
            Action::Deliver(Link::FromResource(_)) => runs && !actor.from_resource.is_empty(),
            Action::Work(_) => runs && actor.works && !actor.hung,
            Action::Poll(_) => runs && actor.polls,
            Action::Ping(_)
            | Action::Suspend(_)
            | Action::Reconnect(_)
            | Action::Expire(_)
            | Action::ExpireOld(_) => self.contact_can(actor, action),
            Action::Fault(fault, client) => self.can_inject(client, actor, fault),
            Action::Operator(_) => self.node_of(actor).is_some(),
            Action::Server(_) | Action::Beat(_) | Action::ServerFault(_) => false,
        }
    }

    /// How the search and the detectors count an action as things stand.
    pub fn class(&self, action: Action) -> Class {
        let actor = action.client().and_then(|c| self.actor(c));
        // Whose connection the server has closed will find out by its next message, or by hearing nothing.
        let half_open = action.client().is_some_and(|c| actor.is_some_and(|a| self.is_half_open(c, a)));
        let cut_off = half_open || actor.is_some_and(Actor::is_cut_off);
        match action {
            Action::Poll(_) => Class::Poll,
            Action::Deliver(Link::ToServer(_) | Link::ToClient(_)) if half_open => Class::Progress,
            Action::Ping(_) => Class::Heartbeat,
            // A heartbeat that something else waits behind moves the story on.
            Action::Deliver(Link::ToServer(_)) => {
                let only_pings = |actor: &Actor| actor.to_server.iter().all(|sent| *sent == Sent::Ping);
                if actor.is_some_and(only_pings) { Class::Heartbeat } else { Class::Progress }
            }
            Action::Deliver(Link::ToClient(_)) => {
                let is_pong = |packet: &Packet| matches!(packet, Packet::Pong);
                let only_pongs = |actor: &Actor| actor.to_client.iter().all(is_pong);
                if actor.is_some_and(only_pongs) { Class::Heartbeat } else { Class::Progress }
            }
            Action::Suspend(c) if !cut_off && !self.asks_in_vain(c) => Class::Heartbeat,
            Action::Expire(c) if !cut_off && self.is_heard(c) => Class::Heartbeat,
            Action::Server(ServerAction::Deliver { from, to }) if self.is_heartbeat_between(from, to) => {
                Class::Heartbeat
            }
            Action::Beat(_) => Class::Heartbeat,
            Action::ServerFault(fault) if !fault.is_repair() => Class::Fault,
            Action::Fault(fault, _) if !fault.is_repair() => Class::Fault,
            Action::Operator(_) => Class::Operator,
            Action::Arrive(_)
            | Action::Sort(_)
            | Action::Deliver(Link::ToResource(_) | Link::FromResource(_))
            | Action::Work(_)
            | Action::Suspend(_)
            | Action::Reconnect(_)
            | Action::Expire(_)
            | Action::ExpireOld(_)
            | Action::Server(_)
            | Action::ServerFault(_)
            | Action::Fault(..) => Class::Progress,
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
            Action::Ping(c) => self.ping(c, &mut events),
            Action::Suspend(c) => self.suspend(c, &mut events),
            Action::Reconnect(c) => self.reconnect(c, &mut events),
            Action::Expire(c) => self.expire(c, &mut events),
            Action::ExpireOld(c) => self.expire_old(c, &mut events),
            Action::Fault(fault, c) => {
                events.push(Event::FaultInjected { client: c, fault });
                self.inject(c, fault, &mut events);
            }
            Action::Operator(operator) => {
                events.push(Event::OperatorActed { operator });
                self.operate(operator, &mut events);
            }
            Action::Server(_) | Action::Beat(_) | Action::ServerFault(_) => {
                self.servers_act(action, &mut events);
            }
        }
        Ok(events)
    }

    /// Whether nothing is left but faults, heartbeats, and polls and attempts that change nothing: whoever waits
    /// now waits for ever.
    pub fn at_rest(&self) -> bool {
        let repair = |action: &Action| match action {
            Action::Fault(fault, _) => fault.is_repair(),
            Action::ServerFault(fault) => fault.is_repair(),
            _ => false,
        };
        let slow = |action: &Action| self.is_slow_to_judge(*action);
        let (slow, quick): (Vec<Action>, Vec<Action>) = self.enabled().into_iter().partition(slow);
        quick.into_iter().all(|action| self.is_idle(action))
            && !self.from_outside().iter().any(repair)
            && slow.into_iter().all(|action| self.is_idle(action))
    }

    /// Whether this action, which may come next, is a heartbeat, or a poll or an attempt that changes nothing.
    pub fn is_idle(&self, action: Action) -> bool {
        match self.class(action) {
            Class::Heartbeat => !self.ends_unheard(action),
            Class::Poll => self.poll_is_idle(action),
            Class::Progress if self.is_attempt(action) => {
                action.client().is_some_and(|client| self.tries_in_vain(client))
            }
            Class::Progress | Class::Fault | Class::Operator => false,
        }
    }

    /// Clients that want the lock and have not got it, in order: those whose process runs and can reach
    /// the server. While servers decide nothing, nobody can.
    pub fn waiting(&self) -> impl Iterator<Item = ClientId> {
        let decides = self.decides();
        let waits = move |actor: &Actor| decides && actor.client.step().waits() && !actor.is_cut_off();
        self.actors().filter(move |(c, actor)| waits(actor) && self.is_heard(*c)).map(|(c, _)| c)
    }

    /// Lock nodes that no living process counts as its own, by path, and the client that made each, as
    /// far as that can be told: the owner of its session, or the GUID in its name. While servers decide nothing,
    /// no session ends, and nobody can say which nodes stay.
    pub fn orphans(&self) -> Vec<(Path, Option<ClientId>)> {
        if !self.decides() {
            return Vec::new();
        }
        let known = |name: &str| {
            self.actors().any(|(_, actor)| {
                let here = !actor.is_gone() && actor.client.me().is_some_and(|me| &**me == name);
                // Until it has heard the name, it looks for it.
                here && !actor.client.step().is_over()
            })
        };
        let unknown = self.server().children(LOCK_DIR).filter(|name| !known(name));
        let with_maker = unknown.map(|name| {
            let path = crate::recipe::join(LOCK_DIR, name);
            let owner = self.server().stat(&path).and_then(|stat| stat.ephemeral_owner);
            let maker = self.maker(&path, owner);
            (path, maker)
        });
        with_maker.collect()
    }

    /// Whose lock node it is, as far as that can be told: the owner of its session, or the GUID in its name.
    pub fn maker(&self, path: &str, owner: Option<SessionId>) -> Option<ClientId> {
        let name = crate::recipe::last_part(path);
        let by_name =
            || self.actors().find(|(_, actor)| name.starts_with(actor.client.guid())).map(|(c, _)| c);
        owner.and_then(|session| self.client_of(session)).or_else(by_name)
    }

    pub(super) fn actor_mut(&mut self, client: ClientId) -> &mut Actor {
        Arc::make_mut(&mut self.actors[client.0 as usize])
    }

    /// Gives the client one input and carries out what it does.
    pub(super) fn feed(&mut self, c: ClientId, input: Input<'_>, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        for output in actor.client.input(input) {
            let event = match output {
                Output::Send(request) => {
                    actor.to_server.push_back(Sent::Request(request.clone()));
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
                Output::Sorted { place, of, target, listed } => {
                    Event::Sorted { client: c, place, of, target, listed }
                }
                Output::Woke => Event::Woke { client: c },
                Output::Slept { on } => Event::Slept { client: c, on },
                Output::Found { node } => Event::Found { client: c, node },
                Output::Acquired { looked, token } => {
                    let node = actor.client.me().map(|name| crate::recipe::join(LOCK_DIR, name));
                    Event::Acquired { client: c, looked, node, token }
                }
                Output::Released => Event::Released { client: c },
                Output::LostLock { why } => {
                    stop_work(actor, c, events);
                    Event::LostLock { client: c, why }
                }
                Output::RequestFailed(error) => Event::RequestFailed { client: c, error },
                Output::HeldBack => Event::HeldBack { client: c },
                Output::GaveUpPlace => Event::GaveUpPlace { client: c },
                Output::GaveUp { leaves } => {
                    actor.polls = false;
                    Event::GaveUp { client: c, leaves }
                }
                Output::Finished { worked } => Event::Finished { client: c, worked },
                Output::Failed(error) => Event::Failed { client: c, error },
            };
            events.push(event);
        }
    }

    /// The client's process is gone, and with it the belief that it held the lock.
    pub(super) fn end_process(&mut self, c: ClientId, process: super::Process, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        if actor.client.step().believes() {
            events.push(Event::LostLock { client: c, why: Loss::Died });
        }
        stop_work(actor, c, events);
        actor.end_process(process);
    }
}

fn stop_work(actor: &mut Actor, client: ClientId, events: &mut Vec<Event>) {
    if actor.works {
        actor.works = false;
        events.push(Event::TimerCleared { timer: Timer::Work(client) });
    }
}
