//! When servers do what they do, where there are several.
//!
//! - A message between two servers takes a hop, and to a follower the lag besides.
//! - The leader asks each follower whom it has heard of every half tick (`Leader.lead`); from what it hears it
//!   counts a session's timeout, in whole ticks (recordings: 2.09 to 2.54 s for 2 s at ticks of 0.5 s).
//! - A server whose connection to its leader is closed notices within 25 ms (20 to 30 measured,
//!   `e_leader_killed`); a leader counts its followers every half tick; on a link that carries nothing, either
//!   waits for `syncLimit` ticks, of which ZooKeeper's sample configuration has 5.
//! - An election takes 200 ms of waiting for a better vote (`FastLeaderElection.finalizeWait`), and as much for
//!   the history to be taken over: 0.48 s until the first write were measured.

use super::{Beat, Entry, Hop, RecipeStep, Scheduler};
use crate::world::{Action, ClientId, Event, Notice, ServerFact, ServerWord};
use crate::zookeeper::{ServerAction, ServerId};

/// Until a closed connection is noticed.
const NOTICE_MS: u64 = 25;
/// Ticks after which silence is taken for a loss (`syncLimit`).
const SYNC_LIMIT: u64 = 5;
/// Until those who look for a leader have one whose history they share.
const ELECTION_MS: u64 = 400;
/// Whom a message between servers is for, if it is for no client.
const NOBODY: ClientId = ClientId(u32::MAX);

impl Scheduler {
    /// Schedules what an event of several servers sets off.
    pub(super) fn see_servers(&mut self, event: &Event, step: &[Event]) {
        let now_ms = self.now_ms;
        match event {
            Event::ConnectSent { client, .. } => {
                self.beats.entry(*client).or_default().connects = true;
                self.forget(Action::Suspend(*client));
                self.schedule(Action::Suspend(*client), now_ms);
            }
            Event::Connected { client, .. } => {
                self.beats.entry(*client).or_default().connects = false;
                // It has been scheduled when the connection was asked for, and again now.
                self.forget(Action::Suspend(*client));
                self.schedule(Action::Suspend(*client), now_ms);
            }
            Event::Server { fact } => self.see_fact(fact, step),
            _ => {}
        }
    }

    fn see_fact(&mut self, fact: &ServerFact, step: &[Event]) {
        let now_ms = self.now_ms;
        match fact {
            ServerFact::Sent { from, to, what, client, .. } => self.send_between(*from, *to, *what, *client),
            ServerFact::Parted { follower, leader } => {
                for (from, to) in [(*follower, *leader), (*leader, *follower)] {
                    self.forget(Action::Server(ServerAction::Deliver { from, to }));
                }
            }
            ServerFact::Armed { action, notice } => {
                let due_ms = match action {
                    Action::Beat(_) => now_ms + self.half_tick_ms(),
                    Action::Server(ServerAction::GiveUp(_)) => match notice {
                        Notice::AtOnce => now_ms + NOTICE_MS,
                        Notice::HalfTick => (now_ms / self.half_tick_ms() + 1) * self.half_tick_ms(),
                        Notice::SyncLimit => now_ms + SYNC_LIMIT * self.timings.tick_ms,
                    },
                    _ => now_ms + ELECTION_MS,
                };
                self.forget(*action);
                self.schedule(*action, due_ms);
            }
            ServerFact::Disarmed { action } => self.forget(*action),
            ServerFact::Touched { client, old: false, timeout_ms } => self.touch(*client, *timeout_ms),
            ServerFact::Touched { client, old: true, timeout_ms } => {
                let elected =
                    |event: &Event| matches!(event, Event::Server { fact: ServerFact::Elected { .. } });
                self.touch_old(*client, *timeout_ms, step.iter().any(elected));
            }
            ServerFact::Untracked { client, old: false } => self.forget(Action::Expire(*client)),
            // A new leader says of every session that its time starts anew.
            ServerFact::Elected { .. } => {
                let old = |action: &Action| matches!(action, Action::ExpireOld(_));
                for action in self.scheduled().filter(old).collect::<Vec<_>>() {
                    self.forget(action);
                }
            }
            ServerFact::FaultInjected { .. }
            | ServerFact::Accepted { .. }
            | ServerFact::Refused { .. }
            | ServerFact::Taken { .. }
            | ServerFact::Dropped { .. }
            | ServerFact::Arrived { .. }
            | ServerFact::Proposed { .. }
            | ServerFact::Acknowledged { .. }
            | ServerFact::Committed { .. }
            | ServerFact::Applied { .. }
            | ServerFact::Truncated { .. }
            | ServerFact::Untracked { old: true, .. }
            | ServerFact::Joined { .. }
            | ServerFact::GaveUp { .. } => {}
        }
    }

    fn half_tick_ms(&self) -> u64 {
        (self.timings.tick_ms / 2).max(1)
    }

    fn send_between(&mut self, from: ServerId, to: ServerId, what: ServerWord, client: Option<ClientId>) {
        let step = match what {
            ServerWord::Forward | ServerWord::Validate => RecipeStep::Forward,
            ServerWord::Propose => RecipeStep::Propose,
            ServerWord::Ack => RecipeStep::Ack,
            ServerWord::Commit | ServerWord::Synced | ServerWord::Validated => RecipeStep::Announce,
            ServerWord::Ping | ServerWord::Touched => RecipeStep::Beat,
        };
        let spread_ms = self.timings.hop_spread_ms;
        let hop_ms = self.timings.hop_ms + self.luck(client.unwrap_or(NOBODY), step, Hop::Between, spread_ms);
        let lag_ms = if what.is_to_follower() { self.timings.lag_ms } else { 0 };
        let action = Action::Server(ServerAction::Deliver { from, to });
        let sent_earlier = self.entries.get(&action).and_then(|queue| queue.back());
        let sent_earlier_ms = sent_earlier.map_or(0, |entry: &Entry| entry.due_ms);
        self.schedule(action, (self.now_ms + hop_ms + lag_ms).max(sent_earlier_ms));
        if what == ServerWord::Ping && !self.is_scheduled(Action::Beat(to)) {
            self.schedule(Action::Beat(to), self.now_ms + self.half_tick_ms());
        }
    }

    /// The leader has heard of a session that an earlier process has left behind.
    fn touch_old(&mut self, client: ClientId, timeout_ms: u32, anew: bool) {
        let action = Action::ExpireOld(client);
        if !anew {
            self.take(action, true);
        }
        let beat = Beat { touched_ms: self.now_ms, timeout_ms: timeout_ms.into(), ..Beat::default() };
        self.schedule(action, self.expiry_ms(beat));
    }
}
