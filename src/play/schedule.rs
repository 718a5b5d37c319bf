//! The scheduler: when each message arrives and each timer goes off, and which is next.
//!
//! It sees events, not the world: a message that was sent gets a due time, never before one sent
//! earlier on the same link; an armed timer gets one too. The earliest is next; ties go to what
//! was scheduled first. What the learner holds back waits until they take it or let it go; what
//! cannot happen (a process that stands still hears nothing) waits until it can, and is due then.
//!
//! The times of sessions are those of ZooKeeper's Java client and server:
//! - a library that has sent nothing for a third of the session timeout, at most 10 s, pings, and takes the
//!   connection for lost when it has heard nothing for two thirds (`ClientCnxn`, lines 434-435, 1184, 1239-1259);
//! - the server ends a session at the next whole tick after its timeout has passed since it last heard of it
//!   (`ExpiryQueue.roundToNextInterval`);
//! - a library waits less than a second before it tries to connect again (`ClientCnxn`, lines 1134-1136).
//!
//! What servers say to each other, where there are several, is in `servers`.

mod servers;

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use litemap::LiteMap;

use super::luck::{self, Hop, LuckKey, RecipeStep};
use super::{Chosen, Scripted, Timings};
use crate::recipe::{ResourceRequest, STOCK_PATH};
use crate::world::{Action, ClientId, Event, Fault, FaultEffect, Handshake, Link, Operator, Timer, World};
use crate::zookeeper::Request;

/// How long a client thinks about a list, in virtual ms.
const SORT_MS: u64 = 2;
/// A library pings at least this often, in ms (`ClientCnxn.MAX_SEND_PING_INTERVAL`).
const MAX_PING_MS: u64 = 10_000;
/// The most that luck adds before a library tries to connect again, in ms.
const RECONNECT_MS: u64 = 999;

/// One occurrence of an action to come.
#[derive(Clone, Copy, Debug)]
struct Entry {
    since_ms: u64,
    due_ms: u64,
    number: u64,
}

/// When a client's library and the server last had a sign of life, in virtual ms.
#[derive(Clone, Copy, Debug, Default)]
struct Beat {
    timeout_ms: u64,
    /// The library last sent something.
    sent_ms: u64,
    /// The library last heard something.
    heard_ms: u64,
    /// The server last heard something; of several, the leader.
    touched_ms: u64,
    /// It has asked for a connection and has no answer.
    connects: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Take(Action),
    /// The script asks for this now, and it cannot happen. It is off the schedule.
    Missed(Action),
    /// All that could happen is held back by hand.
    Held,
    /// Nothing is left but heartbeats, and polls and attempts that change nothing.
    AtRest,
}

/// A schedule of what is to come.
#[derive(Clone, Debug)]
pub struct Scheduler {
    seed: u64,
    timings: Timings,
    now_ms: u64,
    next_number: u64,
    /// By due time, then in the order of scheduling; what is due first stands last, where taking it out
    /// moves nothing. Behind it wait three timers for each client.
    due: BTreeSet<Reverse<(u64, u64, Action)>>,
    /// For each action its occurrences, oldest first: a link has one for each message. An action that comes
    /// again and again keeps its place while it has none: taking it out and putting it in moves all behind it.
    entries: LiteMap<Action, VecDeque<Entry>>,
    /// What was last found to keep the schedule from being quiet. It mostly does so still.
    stirs: Option<Action>,
    held: BTreeSet<Action>,
    repetitions: LiteMap<(ClientId, RecipeStep, Hop), u32>,
    beats: LiteMap<ClientId, Beat>,
    /// How many servers there are.
    servers: u8,
}

impl Scheduler {
    /// A schedule at time 0 with nothing on it but the script.
    pub fn new(seed: u64, timings: Timings, script: &[Scripted]) -> Scheduler {
        let mut scheduler = Scheduler {
            seed,
            timings,
            now_ms: 0,
            next_number: 0,
            due: BTreeSet::new(),
            entries: LiteMap::new(),
            stirs: None,
            held: BTreeSet::new(),
            repetitions: LiteMap::new(),
            beats: LiteMap::new(),
            servers: 1,
        };
        for scripted in script {
            scheduler.schedule(scripted.action, scripted.at_ms);
        }
        scheduler
    }

    /// The same schedule for this many servers.
    pub fn with_servers(self, servers: u8) -> Scheduler {
        Scheduler { servers, ..self }
    }

    /// The virtual time of the last step, in ms.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// What a hand holds back, in the order of actions.
    pub fn held(&self) -> impl Iterator<Item = Action> {
        self.held.iter().copied()
    }

    /// When the next occurrence of `action` is due, in virtual ms; `None` if it is not scheduled.
    pub fn due_ms(&self, action: Action) -> Option<u64> {
        let entry = self.entries.get(&action)?.front()?;
        Some(self.real_due_ms(action, entry))
    }

    /// The occurrences of `action` to come, oldest first, each as when it was scheduled and when it
    /// is due, in virtual ms. A link has one for each message on it.
    pub fn occurrences(&self, action: Action) -> impl Iterator<Item = (u64, u64)> {
        let entries = self.entries.get(&action).into_iter().flatten();
        entries.map(move |entry| (entry.since_ms, self.real_due_ms(action, entry)))
    }

    /// When the client's library last heard something, and when the server last heard of its session, in
    /// virtual ms, with the session timeout; `None` before it has had a session.
    pub fn signs_of_life(&self, client: ClientId) -> Option<(u64, u64, u64)> {
        self.beats.get(&client).map(|beat| (beat.heard_ms, beat.touched_ms, beat.timeout_ms))
    }

    /// A sign of life puts off what its lack would bring: such an entry is due later than it says.
    fn real_due_ms(&self, action: Action, entry: &Entry) -> u64 {
        let beat = |c: ClientId| self.beats.get(&c).copied().unwrap_or_default();
        let put_off = match action {
            Action::Ping(c) => beat(c).sent_ms + (beat(c).timeout_ms / 3).min(MAX_PING_MS),
            // A connection that does not come about is given up sooner (`ClientCnxn.connectTimeout`).
            Action::Suspend(c) if beat(c).connects => {
                beat(c).sent_ms + beat(c).timeout_ms / u64::from(self.servers)
            }
            Action::Suspend(c) => beat(c).heard_ms + beat(c).timeout_ms * 2 / 3,
            Action::Expire(c) => self.expiry_ms(beat(c)),
            _ => 0,
        };
        put_off.max(entry.due_ms)
    }

    /// The end of a session of which nothing more is heard.
    fn expiry_ms(&self, beat: Beat) -> u64 {
        let tick = self.timings.tick_ms.max(1);
        ((beat.touched_ms + beat.timeout_ms) / tick + 1) * tick
    }

    /// What comes next in this world.
    pub fn next(&mut self, world: &World) -> Next {
        if self.is_quiet(world) {
            let waits = |action: &Action| world.is_enabled(*action) && !world.is_idle(*action);
            return if self.held.iter().any(waits) { Next::Held } else { Next::AtRest };
        }
        let mut at = 0;
        while let Some(Reverse((due_ms, number, action))) = self.due.iter().nth_back(at).copied() {
            if self.held.contains(&action) {
                at += 1;
            } else if !world.is_enabled(action) {
                if action.is_from_outside() {
                    self.take(action, false);
                    return Next::Missed(action);
                }
                at += 1;
            } else {
                let entry = self.entries.get(&action).and_then(|queue| queue.front()).copied();
                let real_ms = entry.map_or(due_ms, |entry| self.real_due_ms(action, &entry));
                if real_ms <= due_ms {
                    return Next::Take(action);
                }
                self.due.remove(&Reverse((due_ms, number, action)));
                self.due.insert(Reverse((real_ms, number, action)));
                if let Some(entry) = self.entries.get_mut(&action).and_then(|queue| queue.front_mut()) {
                    entry.due_ms = real_ms;
                }
            }
        }
        Next::Held
    }

    /// Whether all that is scheduled is held, cannot happen, or would change nothing.
    fn is_quiet(&mut self, world: &World) -> bool {
        let stirs = |action: &Action| {
            if self.held.contains(action) {
                return false;
            }
            if action.is_from_outside() {
                return true;
            }
            // A client that cannot send its heartbeats will lose its session.
            let starved = matches!(action, Action::Expire(c) if self.held.contains(&Action::Ping(*c)));
            world.is_enabled(*action) && (starved || !world.is_idle(*action))
        };
        let is_slow = |action: &Action| world.is_slow_to_judge(*action);
        let is_quick = |action: &Action| self.is_scheduled(*action) && !is_slow(action);
        let still = self.stirs.filter(|action| is_quick(action) && stirs(action));
        let found = still
            .or_else(|| self.scheduled().filter(|action| !is_slow(action)).find(&stirs))
            .or_else(|| self.scheduled().filter(is_slow).find(&stirs));
        self.stirs = found;
        found.is_none()
    }

    /// What is scheduled, in the order of actions.
    fn scheduled(&self) -> impl Iterator<Item = Action> {
        self.entries.iter().filter(|(_, queue)| !queue.is_empty()).map(|(action, _)| *action)
    }

    fn is_scheduled(&self, action: Action) -> bool {
        self.entries.get(&action).is_some_and(|queue| !queue.is_empty())
    }

    /// Holds an action back, or lets it go.
    pub fn hold(&mut self, chosen: Chosen) {
        match chosen {
            Chosen::Hold(action) => {
                self.held.insert(action);
            }
            Chosen::Take(action) | Chosen::LetGo(action) => {
                self.held.remove(&action);
            }
        }
    }

    /// Takes `action` off the schedule and moves the clock: to its due time, or, where a hand takes
    /// it early, not at all. What is overdue then is due now.
    pub fn take(&mut self, action: Action, by_hand: bool) {
        let Some(queue) = self.entries.get_mut(&action) else { return };
        let Some(entry) = queue.pop_front() else { return };
        if queue.is_empty() && !comes_again(action) {
            self.entries.remove(&action);
        }
        self.due.remove(&Reverse((entry.due_ms, entry.number, action)));
        if !by_hand {
            self.now_ms = self.now_ms.max(self.real_due_ms(action, &entry));
        }
    }

    /// Schedules what the events of a step set off.
    pub fn see(&mut self, events: &[Event]) {
        for event in events {
            self.see_signs_of_life(event);
            if self.servers > 1 {
                self.see_servers(event, events);
            }
            match event {
                Event::TimerSet { timer } => self.set_timer(*timer),
                Event::TimerCleared { timer } => self.forget(Action::fire(*timer)),
                Event::LinkLost { link, .. } => self.forget(Action::Deliver(*link)),
                Event::WillSort { client } => self.schedule(Action::Sort(*client), self.now_ms + SORT_MS),
                Event::FaultInjected { client, fault } => self.fault_injected(*client, *fault),
                Event::OperatorActed { operator: Operator::RestartServer } => {
                    // A server that starts again gives every session its full timeout (`SessionTrackerImpl`).
                    let now_ms = self.now_ms;
                    self.beats.iter_mut().for_each(|(_, beat)| beat.touched_ms = now_ms);
                }
                other => {
                    if let Some(link) = other.message_on() {
                        self.send(link, step_of(other));
                    }
                }
            }
        }
    }

    fn see_signs_of_life(&mut self, event: &Event) {
        let now_ms = self.now_ms;
        match event {
            Event::RequestSent { client, .. } | Event::ConnectSent { client, .. } => {
                self.beats.entry(*client).or_default().sent_ms = now_ms;
            }
            Event::PingSent { client } => {
                self.beats.entry(*client).or_default().sent_ms = now_ms;
                self.schedule(Action::Ping(*client), now_ms);
            }
            // With several servers, the leader says which sessions it has heard of.
            Event::RequestTaken { client, .. } | Event::PingTaken { client, .. } if self.servers == 1 => {
                self.beats.entry(*client).or_default().touched_ms = now_ms;
            }
            Event::ConnectTaken {
                client, handshake: Handshake::New | Handshake::Same, timeout_ms, ..
            } if self.servers == 1 => {
                self.touch(*client, *timeout_ms);
            }
            Event::ReplyHeard { client, .. }
            | Event::EventHeard { client, .. }
            | Event::PongHeard { client } => {
                self.beats.entry(*client).or_default().heard_ms = now_ms;
            }
            Event::Connected { client, timeout_ms, .. } => {
                let known = self.beats.get(client).is_some();
                let beat = self.beats.entry(*client).or_default();
                beat.sent_ms = now_ms;
                beat.heard_ms = now_ms;
                if !known {
                    self.touch(*client, *timeout_ms);
                }
                self.schedule(Action::Ping(*client), now_ms);
                self.schedule(Action::Suspend(*client), now_ms);
            }
            Event::Disconnected { client, .. } => {
                self.forget(Action::Ping(*client));
                self.forget(Action::Suspend(*client));
            }
            Event::SessionExpired { client, old: false } | Event::SessionClosed { client } => {
                self.forget(Action::Expire(*client));
            }
            Event::SessionUnheard { client } => self.leave_session(*client),
            _ => {}
        }
    }

    /// The server has heard of a session; it may be a new one.
    fn touch(&mut self, client: ClientId, timeout_ms: u32) {
        let now_ms = self.now_ms;
        let beat = self.beats.entry(client).or_default();
        beat.touched_ms = now_ms;
        beat.timeout_ms = timeout_ms.into();
        if !self.is_scheduled(Action::Expire(client)) {
            self.schedule(Action::Expire(client), now_ms);
        }
    }

    /// The client's session goes its own way: its process is another, or has never heard of it.
    fn leave_session(&mut self, client: ClientId) {
        if let Some(due_ms) = self.due_ms(Action::Expire(client)) {
            self.forget(Action::Expire(client));
            self.schedule(Action::ExpireOld(client), due_ms);
        }
    }

    fn fault_injected(&mut self, client: ClientId, fault: Fault) {
        match fault.definition().effect {
            FaultEffect::Ends => {
                let own = [
                    Action::Sort(client),
                    Action::Work(client),
                    Action::Poll(client),
                    Action::Ping(client),
                    Action::Suspend(client),
                    Action::Reconnect(client),
                    Action::Deliver(Link::FromResource(client)),
                ];
                own.into_iter().for_each(|action| self.forget(action));
            }
            FaultEffect::Starts | FaultEffect::NewSession => self.leave_session(client),
            FaultEffect::GoesOn => {
                // What it has been sent meanwhile is read before it looks at the clock.
                let now_ms = self.now_ms;
                let beat = self.beats.entry(client).or_default();
                beat.heard_ms = beat.heard_ms.max((now_ms + 1).saturating_sub(beat.timeout_ms * 2 / 3));
            }
            FaultEffect::Nothing | FaultEffect::StandsStill | FaultEffect::CutOff | FaultEffect::Reached => {}
        }
    }

    fn set_timer(&mut self, timer: Timer) {
        let Timings { arrival_gap_ms, hold_ms, poll_ms, .. } = self.timings;
        let delay_ms = match timer {
            Timer::Arrive(client) => u64::from(client.0) * arrival_gap_ms,
            Timer::Work(client) => hold_ms + self.luck(client, RecipeStep::Work, Hop::Local, hold_ms / 8),
            Timer::Poll(client) => poll_ms + self.luck(client, RecipeStep::Poll, Hop::Local, poll_ms / 8),
            Timer::Reconnect(client) => 1 + self.luck(client, RecipeStep::Connect, Hop::Local, RECONNECT_MS),
        };
        let action = Action::fire(timer);
        self.forget(action);
        self.schedule(action, self.now_ms + delay_ms);
    }

    /// Takes every occurrence of `action` off the schedule.
    fn forget(&mut self, action: Action) {
        for entry in self.entries.remove(&action).into_iter().flatten() {
            self.due.remove(&Reverse((entry.due_ms, entry.number, action)));
        }
    }

    fn send(&mut self, link: Link, step: RecipeStep) {
        let spread = self.timings.hop_spread_ms;
        let delay_ms = self.timings.hop_ms + self.luck(link.client(), step, Hop::of(link), spread);
        let action = Action::Deliver(link);
        let sent_earlier =
            self.entries.get(&action).and_then(|queue| queue.back()).map_or(0, |entry| entry.due_ms);
        self.schedule(action, (self.now_ms + delay_ms).max(sent_earlier));
    }

    fn schedule(&mut self, action: Action, due_ms: u64) {
        let number = self.next_number;
        self.next_number += 1;
        self.due.insert(Reverse((due_ms, number, action)));
        self.entries.entry(action).or_default().push_back(Entry { since_ms: self.now_ms, due_ms, number });
    }

    fn luck(&mut self, client: ClientId, step: RecipeStep, hop: Hop, spread: u64) -> u64 {
        let count = self.repetitions.entry((client, step, hop)).or_default();
        let key = LuckKey { client, round: 0, step, repetition: *count, hop };
        *count += 1;
        luck::draw(self.seed, &key, spread)
    }
}

/// Whether an action that has been taken will mostly be scheduled again: a heartbeat, or something a link carries.
fn comes_again(action: Action) -> bool {
    matches!(action, Action::Ping(_) | Action::Deliver(_))
}

/// The step of the recipe that an event's message belongs to.
fn step_of(event: &Event) -> RecipeStep {
    match event {
        Event::RequestSent { request, .. } | Event::RequestTaken { request, .. } => match request {
            Request::GetChildren { .. } => RecipeStep::List,
            Request::GetData { path, .. } if &**path == STOCK_PATH => RecipeStep::Read,
            Request::Multi { .. } => RecipeStep::Write,
            Request::GetData { watch: false, .. } | Request::Sync { .. } | Request::SetWatches { .. } => {
                RecipeStep::Recover
            }
            Request::Exists { watch: false, .. } => RecipeStep::Check,
            Request::GetData { .. } | Request::Exists { .. } => RecipeStep::Watch,
            Request::Delete { .. } => RecipeStep::Delete,
            // The recipe sends nothing else.
            _ => RecipeStep::Create,
        },
        Event::ResourceAsked { request, .. } | Event::ResourceTaken { request, .. } => match request {
            ResourceRequest::Read { .. } => RecipeStep::Read,
            ResourceRequest::Write { .. } => RecipeStep::Write,
            ResourceRequest::Commit { .. } => RecipeStep::Commit,
        },
        Event::PingSent { .. } | Event::PingTaken { .. } => RecipeStep::Ping,
        Event::ConnectSent { .. } | Event::ConnectTaken { .. } | Event::ConnectionClosed { .. } => {
            RecipeStep::Connect
        }
        _ => RecipeStep::Event,
    }
}
