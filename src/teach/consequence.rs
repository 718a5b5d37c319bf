//! The first thing in a lane that breaks, sticks or costs: what a story leads to, and what its
//! questions are about.

use litemap::LiteMap;

use crate::judge::Violation;
use crate::play::{Comparison, Timeline, TimelineStep};
use crate::recipe::Verdict;
use crate::world::{ClientId, Event, Timer};
use crate::zookeeper::{ErrorCode, Zxid};

/// The first thing in a lane that breaks, sticks or costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// The lane, from 0.
    pub lane: usize,
    /// The step in which it happens, from 0.
    pub step: u32,
    pub verdict: Verdict,
    pub what: Harm,
}

/// What breaks, sticks or costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Harm {
    Violation(Violation),
    /// A deletion by this client woke more than one, this many.
    Herd {
        by: ClientId,
        woken: u32,
    },
    /// A poll, a create or a place of this client was in vain.
    Vain(ClientId),
}

/// The first consequence of each lane that has one, in the order of the lanes. What the lanes still have in
/// common is no consequence of what parts them.
pub fn consequences(comparison: &Comparison) -> Vec<Consequence> {
    let from = comparison.first_difference().map_or(0, |difference| difference.common_steps);
    let lanes = comparison.lanes().iter().enumerate();
    lanes.filter_map(|(lane, timeline)| consequence(lane, timeline, from)).collect()
}

fn consequence(lane: usize, timeline: &Timeline, from: u32) -> Option<Consequence> {
    let (step, verdict, what) = violated(timeline, from).or_else(|| cost(timeline, from))?;
    Some(Consequence { lane, step, verdict, what })
}

/// The first violation from step `from` on.
fn violated(timeline: &Timeline, from: u32) -> Option<(u32, Verdict, Harm)> {
    let finding = timeline.findings().iter().find(|finding| finding.step >= from)?;
    let step = match &finding.violation {
        // The harm is done when the first of them lies down for ever, or when a fault comes
        // later; not when the run ends.
        Violation::Stuck { .. } => {
            let asleep = last_sleeps(timeline).into_iter().map(|(_, step)| step);
            let asleep = asleep.filter(|step| *step >= from).min().unwrap_or(finding.step);
            last_fault(timeline).map_or(asleep, |fault| fault.max(asleep))
        }
        _ => finding.step,
    };
    Some((step, finding.violation.verdict(), Harm::Violation(finding.violation.clone())))
}

/// The first herd, or the first thing that was in vain, from step `from` on.
fn cost(timeline: &Timeline, from: u32) -> Option<(u32, Verdict, Harm)> {
    let woken = woken(timeline);
    let herd = |event: &Event| match event {
        Event::NodeDeleted { client, zxid, .. } => {
            let woken = woken.get(zxid).copied().filter(|woken| *woken >= 2)?;
            Some(Harm::Herd { by: *client, woken })
        }
        _ => None,
    };
    let harm = |step: &TimelineStep| {
        let vain = || step.events.iter().find_map(vain).map(Harm::Vain);
        step.events.iter().find_map(herd).or_else(vain)
    };
    let mut steps = (from..).zip(timeline.steps().get(from as usize..)?);
    steps.find_map(|(at, step)| Some((at, Verdict::Costs, harm(step)?)))
}

fn vain(event: &Event) -> Option<ClientId> {
    match event {
        Event::GaveUpPlace { client } => Some(*client),
        Event::RequestTaken { client, error: Some(ErrorCode::NodeExists), .. } => Some(*client),
        Event::TimerSet { timer: Timer::Poll(client) } => Some(*client),
        _ => None,
    }
}

/// Who waits for ever in a run, and the step in which each lay down for the last time.
pub fn last_sleeps(timeline: &Timeline) -> Vec<(ClientId, u32)> {
    let stuck = timeline.findings().iter().find_map(|finding| match &finding.violation {
        Violation::Stuck { clients } => Some(clients),
        _ => None,
    });
    let Some(clients) = stuck else { return Vec::new() };
    let mut last: LiteMap<ClientId, u32> = LiteMap::new();
    for (step, s) in (0..).zip(timeline.steps()) {
        for event in &s.events {
            if let Event::Slept { client, .. } = event
                && clients.contains(client)
            {
                last.insert(*client, step);
            }
        }
    }
    last.iter().map(|(client, step)| (*client, *step)).collect()
}

/// The last step in which something went wrong from outside.
fn last_fault(timeline: &Timeline) -> Option<u32> {
    let strikes = |e: &Event| match e {
        Event::FaultInjected { fault, .. } => !fault.is_repair(),
        Event::OperatorActed { .. } => true,
        _ => false,
    };
    timeline.steps().iter().rposition(|s| s.events.iter().any(strikes)).map(|step| step as u32)
}

/// How many events each transaction has sent, all servers together: each sends its own when it carries it out.
fn woken(timeline: &Timeline) -> LiteMap<Zxid, u32> {
    let mut woken = LiteMap::new();
    for event in timeline.steps().iter().flat_map(|step| &step.events) {
        if let Event::WatchFired { zxid: Some(zxid), .. } = event {
            *woken.entry(*zxid).or_default() += 1;
        }
    }
    woken
}
