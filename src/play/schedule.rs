//! The scheduler: when each message arrives and each timer goes off, and which is next.
//!
//! It sees events, not the world: a message that was sent gets a due time, never before one sent
//! earlier on the same link; an armed timer gets one too. The earliest is next; ties go to what
//! was scheduled first. What a hand holds back waits until the hand takes it or lets it go.

use std::collections::VecDeque;

use super::luck::{self, Hop, Key, RecipeStep};
use super::{Chosen, Timings};
use crate::recipe::ResourceRequest;
use crate::sorted::{SortedMap, SortedSet};
use crate::world::{Action, ClientId, Event, Link, Timer};
use crate::zookeeper::Request;

/// How long a client thinks about a list, in virtual ms.
const SORT_MS: u64 = 2;

/// One occurrence of an action to come.
#[derive(Clone, Copy, Debug)]
struct Entry {
    since_ms: u64,
    due_ms: u64,
    number: u64,
}

/// A schedule of what is to come.
#[derive(Clone, Debug)]
pub struct Scheduler {
    seed: u64,
    timings: Timings,
    now_ms: u64,
    next_number: u64,
    /// By due time, then in the order of scheduling.
    due: SortedSet<(u64, u64, Action)>,
    /// For each action its occurrences, oldest first: a link has one for each message.
    entries: SortedMap<Action, VecDeque<Entry>>,
    held: SortedSet<Action>,
    repetitions: SortedMap<(ClientId, RecipeStep, Hop), u32>,
}

impl Scheduler {
    /// An empty schedule at time 0.
    pub fn new(seed: u64, timings: Timings) -> Scheduler {
        Scheduler {
            seed,
            timings,
            now_ms: 0,
            next_number: 0,
            due: SortedSet::new(),
            entries: SortedMap::new(),
            held: SortedSet::new(),
            repetitions: SortedMap::new(),
        }
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
        Some(self.entries.get(&action)?.front()?.due_ms)
    }

    /// The occurrences of `action` to come, oldest first, each as when it was scheduled and when it
    /// is due, in virtual ms. A link has one for each message on it.
    pub fn occurrences(&self, action: Action) -> impl Iterator<Item = (u64, u64)> {
        self.entries.get(&action).into_iter().flatten().map(|entry| (entry.since_ms, entry.due_ms))
    }

    /// What is scheduled next, unless all that is scheduled is held back.
    pub fn next(&self) -> Option<Action> {
        self.due.iter().map(|(_, _, action)| *action).find(|action| !self.held.contains(action))
    }

    /// Whether polls are all that is scheduled.
    pub fn only_polls(&self) -> bool {
        self.entries.keys().all(|action| matches!(action, Action::Poll(_)))
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
        let Some(Entry { due_ms, number, .. }) = queue.pop_front() else { return };
        if queue.is_empty() {
            self.entries.remove(&action);
        }
        self.due.remove(&(due_ms, number, action));
        if !by_hand {
            self.now_ms = self.now_ms.max(due_ms);
        }
    }

    /// Schedules what the events of a step set off.
    pub fn see(&mut self, events: &[Event]) {
        for event in events {
            match event {
                Event::TimerSet { timer } => self.set_timer(*timer),
                Event::WillSort { client } => self.schedule(Action::Sort(*client), self.now_ms + SORT_MS),
                other => {
                    if let Some(link) = other.message_on() {
                        self.send(link, step_of(other));
                    }
                }
            }
        }
    }

    fn set_timer(&mut self, timer: Timer) {
        let Timings { arrival_gap_ms, hold_ms, poll_ms, .. } = self.timings;
        let delay_ms = match timer {
            Timer::Arrive(client) => u64::from(client.0) * arrival_gap_ms,
            Timer::Work(client) => hold_ms + self.luck(client, RecipeStep::Work, Hop::Local, hold_ms / 8),
            Timer::Poll(client) => poll_ms + self.luck(client, RecipeStep::Poll, Hop::Local, poll_ms / 8),
        };
        self.schedule(Action::fire(timer), self.now_ms + delay_ms);
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
        self.due.insert((due_ms, number, action));
        self.entries.or_default(action).push_back(Entry { since_ms: self.now_ms, due_ms, number });
    }

    fn luck(&mut self, client: ClientId, step: RecipeStep, hop: Hop, spread: u64) -> u64 {
        let count = self.repetitions.or_default((client, step, hop));
        let key = Key { client, round: 0, step, repetition: *count, hop };
        *count += 1;
        luck::draw(self.seed, &key, spread)
    }
}

/// The step of the recipe that an event's message belongs to.
fn step_of(event: &Event) -> RecipeStep {
    match event {
        Event::RequestSent { request, .. } | Event::RequestTaken { request, .. } => match request {
            Request::GetChildren { .. } => RecipeStep::List,
            Request::Exists { watch: false, .. } => RecipeStep::Check,
            Request::GetData { .. } | Request::Exists { .. } => RecipeStep::Watch,
            Request::Delete { .. } => RecipeStep::Delete,
            // The recipe sends nothing else.
            _ => RecipeStep::Create,
        },
        Event::ResourceAsked { request, .. } | Event::ResourceTaken { request, .. } => match request {
            ResourceRequest::Read => RecipeStep::Read,
            ResourceRequest::Write { .. } => RecipeStep::Write,
        },
        _ => RecipeStep::Event,
    }
}
