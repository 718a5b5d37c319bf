//! The storm: random faults, by seed, over one lane of a scenario.
//!
//! A seed gives a script: which faults happen to whom and when. What was broken is put right again
//! before long (a paused process goes on, a stalled link carries again), so that whoever waits for ever at
//! the end does so by a wrong decision. The scenario's own script is kept. Nothing here is part of the page.
//!
//! ```
//! use lockstep::play::{Scenario, Storm};
//! let storm = Storm::new(Scenario { clients: 3, ..Scenario::default() }, 0);
//! assert_eq!(storm.first_failure(0..20), None);
//! ```

use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::{End, Scenario, Scripted, Timeline};
use crate::judge::Violation;
use crate::world::{Action, ClientId, Fault, Operator, ServerFault, StableHasher};
use crate::zookeeper::ServerId;

/// Steps after which a run counts as one that does not end.
const STEP_LIMIT: u32 = 20_000;
/// The latest time at which a fault begins, in virtual ms.
const LATEST_MS: u64 = 4_000;
/// How long something stays broken at most, in virtual ms.
const LONGEST_MS: u64 = 30_000;

/// A storm over one lane.
#[derive(Clone, Debug)]
pub struct Storm {
    scenario: Scenario,
}

/// A seed whose run broke a property or did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub seed: u64,
    /// What broke; `None` where the run did not end.
    pub violation: Option<Violation>,
    /// The lane with a script that is as short as it can be and breaks the same property.
    pub scenario: Scenario,
}

impl Storm {
    /// A storm over lane `lane` of a scenario.
    pub fn new(scenario: Scenario, lane: usize) -> Storm {
        let lanes = scenario.lanes.get(lane).cloned().into_iter().collect();
        Storm { scenario: Scenario { lanes, ..scenario } }
    }

    /// The scenario of one seed: its luck and its script.
    pub fn scenario(&self, seed: u64) -> Scenario {
        let mut dice = Dice { seed, thrown: 0 };
        let clients = self.scenario.clients_in(0);
        let mut script = self.scenario.script.clone();
        for _ in 0..=dice.below(4) {
            let client = ClientId(dice.below(clients.into()) as u32);
            let at_ms = dice.below(LATEST_MS);
            let lasts_ms = 1 + dice.below(LONGEST_MS);
            let servers = self.scenario.servers.servers();
            let a = ServerId(dice_server(&mut dice, servers));
            let b = ServerId((a.0 + 1 + dice_server(&mut dice, servers.saturating_sub(1))) % servers);
            let mut add = |at_ms, action| script.push(Scripted { at_ms, action });
            let mut add_for = |lasts_ms, action: Action| {
                add(at_ms, action);
                action.repair().into_iter().for_each(|repair| add(at_ms + lasts_ms, repair));
            };
            match dice.below(if servers > 1 { 24 } else { 16 }) {
                16..=18 => add_for(lasts_ms, Action::ServerFault(ServerFault::Crash(a))),
                19..=21 => add_for(lasts_ms, Action::ServerFault(ServerFault::Stall(a))),
                22.. => add_for(lasts_ms, Action::ServerFault(ServerFault::Cut(a.min(b), a.max(b)))),
                0 => add_for(lasts_ms, Action::Fault(Fault::Pause, client)),
                1 => add_for(lasts_ms, Action::Fault(Fault::Stall, client)),
                2 => add_for(lasts_ms, Action::Fault(Fault::Crash, client)),
                3 => add_for(lasts_ms, Action::Fault(Fault::Hang, client)),
                // Pause and crash once more: they are what the lock is about.
                4 => add_for(LONGEST_MS, Action::Fault(Fault::Pause, client)),
                5 => add(at_ms, Action::Fault(Fault::Crash, client)),
                6 => add(at_ms, Action::Fault(Fault::Close, client)),
                7 => add(at_ms, Action::Fault(Fault::Reset, client)),
                8 => add(at_ms, Action::Fault(Fault::LostRequest, client)),
                9 => add(at_ms, Action::Fault(Fault::LostReply, client)),
                10 => add(at_ms, Action::Fault(Fault::GiveUp, client)),
                11 => add(at_ms, Action::Fault(Fault::Expire, client)),
                12 => add(at_ms, Action::Operator(Operator::RestartServer)),
                13 => add(at_ms, Action::Operator(Operator::RestartResource)),
                14 => add(at_ms, Action::Operator(Operator::DeleteDir)),
                _ => add(at_ms, Action::Operator(Operator::DeleteNode(client))),
            }
        }
        script.sort_by_key(|scripted| scripted.at_ms);
        Scenario { seed, script, ..self.scenario.clone() }
    }

    /// Runs the seeds in order until one fails.
    pub fn first_failure(&self, seeds: Range<u64>) -> Option<Failure> {
        seeds.into_iter().find_map(|seed| self.failure(seed))
    }

    /// What the run of one seed breaks, with its script shortened.
    pub fn failure(&self, seed: u64) -> Option<Failure> {
        let mut scenario = self.scenario(seed);
        let violation = broken(&scenario)?;
        let property = violation.as_ref().map(Violation::property);
        let same = |scenario: &Scenario| {
            broken(scenario).is_some_and(|found| found.as_ref().map(Violation::property) == property)
        };
        let mut at = 0;
        while at < scenario.script.len() {
            match without(&scenario, at).filter(same) {
                Some(shorter) => scenario = shorter,
                None => at += 1,
            }
        }
        let violation = broken(&scenario).unwrap_or(violation);
        Some(Failure { seed, violation, scenario })
    }
}

/// A server by its number. With one server no number is drawn: the seeds' scripts stay as they are.
fn dice_server(dice: &mut Dice, servers: u8) -> u8 {
    if servers > 1 { dice.below(servers.into()) as u8 } else { 0 }
}

/// The scenario without one fault of its script and without what puts that right again; `None` for a repair,
/// which has to stay as long as there is something to repair.
pub fn without(scenario: &Scenario, at: usize) -> Option<Scenario> {
    let mut shorter = scenario.clone();
    let removed = shorter.script.remove(at).action;
    if is_repair(removed) {
        return None;
    }
    let repair = removed.repair();
    let later = shorter.script.iter().skip(at).position(|s| Some(s.action) == repair);
    if let Some(later) = later {
        shorter.script.remove(at + later);
    }
    Some(shorter)
}

/// Whether it puts something right. Here a process that starts again does, too.
fn is_repair(action: Action) -> bool {
    match action {
        Action::Fault(fault, _) => fault.is_repair() || fault == Fault::Restart,
        Action::ServerFault(fault) => fault.is_repair(),
        _ => false,
    }
}

/// What a run breaks; `Some(None)` if it does not end.
fn broken(scenario: &Scenario) -> Option<Option<Violation>> {
    let run = Timeline::run_to(scenario, 0, STEP_LIMIT);
    let found = run.findings().first().map(|finding| finding.violation.clone());
    if found.is_some() {
        return Some(found);
    }
    if run.end() != End::AtRest {
        return Some(None);
    }
    // Orders and stock agree, whatever happened.
    (run.measures().oversold != 0).then_some(None)
}

/// Numbers by seed, the same on every machine.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    /// A number from 0 to `end`, `end` excluded.
    fn below(&mut self, end: u64) -> u64 {
        let mut hasher = StableHasher::default();
        ("storm", self.seed, self.thrown).hash(&mut hasher);
        self.thrown += 1;
        hasher.finish() % end.max(1)
    }
}
