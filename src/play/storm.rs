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
use crate::world::{
    Action, ClientId, Fault, FaultDefinition, FaultEffect, Operator, ServerFault, StableHasher, StormWeight,
};
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
pub struct StormFailure {
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
            let faces = faces(client, (servers > 1).then_some((a, b)));
            let Some((action, lasts)) = faces.get(dice.below(faces.len() as u64) as usize) else { continue };
            let repair_ms = match lasts {
                Lasts::AWhile => Some(at_ms + lasts_ms),
                Lasts::Long => Some(at_ms + LONGEST_MS),
                Lasts::ForGood => None,
            };
            script.push(Scripted { at_ms, action: *action });
            let repair = action.repair().zip(repair_ms);
            script.extend(repair.map(|(action, at_ms)| Scripted { at_ms, action }));
        }
        script.sort_by_key(|scripted| scripted.at_ms);
        Scenario { seed, script, ..self.scenario.clone() }
    }

    /// Runs the seeds in order until one fails.
    pub fn first_failure(&self, seeds: Range<u64>) -> Option<StormFailure> {
        seeds.into_iter().find_map(|seed| self.failure(seed))
    }

    /// What the run of one seed breaks, with its script shortened.
    pub fn failure(&self, seed: u64) -> Option<StormFailure> {
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
        Some(StormFailure { seed, violation, scenario })
    }
}

/// How long what a fault breaks stays broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lasts {
    AWhile,
    Long,
    ForGood,
}

/// The faces of the dice: each fault as often as its weight in the table says. Those of servers come last, so that
/// the others have the same numbers with one server.
fn faces(client: ClientId, servers: Option<(ServerId, ServerId)>) -> Vec<(Action, Lasts)> {
    let faults = Fault::ALL.map(|fault| Action::Fault(fault, client)).into_iter();
    let by_hand = Operator::ONCE.into_iter().chain(Operator::on(client)).map(Action::Operator);
    let of_servers = servers.into_iter().flat_map(|(a, b)| {
        let one = ServerFault::of(a).into_iter();
        one.chain(ServerFault::between(a, b)).map(Action::ServerFault)
    });
    let mut faces = Vec::new();
    for faults in [faults.chain(by_hand).collect::<Vec<_>>(), of_servers.collect()] {
        for lasts in [Lasts::AWhile, Lasts::Long, Lasts::ForGood] {
            for action in &faults {
                let weight = action.fault().map_or(0, |fault| lasts.weight(&fault.storm));
                faces.extend((0..weight).map(|_| (*action, lasts)));
            }
        }
    }
    faces
}

impl Lasts {
    fn weight(self, storm: &StormWeight) -> u8 {
        match self {
            Lasts::AWhile => storm.for_a_while,
            Lasts::Long => storm.for_long,
            Lasts::ForGood => storm.for_good,
        }
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
    let starts =
        matches!(action, Action::Fault(fault, _) if fault.definition().effect == FaultEffect::Starts);
    starts || action.fault().is_some_and(FaultDefinition::is_repair)
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
