//! The first thing in a lane that breaks, sticks or costs: what a story leads to, and what its
//! questions are about.

use litemap::LiteMap;

use crate::judge::{Violation, Wait, WaitLog, why_waits};
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
    /// Somebody waits for ever, for this reason.
    Stuck(Wait),
    /// A deletion by this client woke so many, so many of them in vain.
    Herd {
        by: ClientId,
        woken: u32,
        in_vain: u32,
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
    let (step, harm) = match &finding.violation {
        // The harm is done when the first of them is lost, not when the run ends.
        Violation::Stuck { .. } => {
            let lost = lost(timeline).into_iter().filter(|(step, _)| *step >= from);
            let first = lost.min_by_key(|(step, wait)| (*step, wait.client));
            let (step, wait) = first.or_else(|| Some((finding.step, timeline.waits().first()?.clone())))?;
            (step, Harm::Stuck(wait))
        }
        violation => (finding.step, Harm::Violation(violation.clone())),
    };
    Some((step, finding.violation.verdict(), harm))
}

/// As many of those who wait for ever are looked at: the step in which the first of them is lost is wanted.
const LOOKED_AT: usize = 4;

/// Those who wait for ever, and the step from which on each waits for the reason for which it waits at the end.
fn lost(timeline: &Timeline) -> Vec<(u32, Wait)> {
    let sleeps = last_sleeps(timeline);
    let since = |client| sleeps.iter().find(|(c, _)| *c == client).map_or(0, |(_, step)| *step);
    let waits = timeline.waits().iter().take(LOOKED_AT);
    let mut lost: Vec<(u32, Wait)> = waits.map(|wait| (since(wait.client), wait.clone())).collect();
    let asleep: Vec<u32> = lost.iter().map(|(step, _)| *step).collect();
    let from = lost.iter().map(|(step, _)| *step).min().unwrap_or(0);
    let mut log = WaitLog::default();
    for (at, step) in (0..).zip(timeline.steps()) {
        step.events.iter().for_each(|event| log.see(event));
        if at < from || is_beat(step) {
            continue;
        }
        let world = timeline.world_at(at + 1);
        for ((since, wait), asleep) in lost.iter_mut().zip(&asleep) {
            let now = why_waits(&world, &log, wait.client);
            if at >= *asleep && !now.is_some_and(|now| now.end.is_same(&wait.end)) {
                *since = at + 1;
            }
        }
    }
    let last = timeline.len().saturating_sub(1);
    lost.into_iter().map(|(step, wait)| (step.min(last), wait)).collect()
}

/// Whether nothing but heartbeats happens.
fn is_beat(step: &TimelineStep) -> bool {
    let beat = |event: &Event| {
        matches!(event, Event::PingSent { .. } | Event::PingTaken { .. } | Event::PongHeard { .. })
    };
    step.events.iter().all(beat)
}

/// The first herd, or the first thing that was in vain, from step `from` on.
fn cost(timeline: &Timeline, from: u32) -> Option<(u32, Verdict, Harm)> {
    let woken = woken(timeline);
    let herd = |event: &Event| match event {
        Event::NodeDeleted { client, zxid, .. } => {
            let (woken, in_vain) = woken.get(zxid).copied()?;
            (woken >= 2 && in_vain >= 1).then_some(Harm::Herd { by: *client, woken, in_vain })
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

/// How many clients each transaction wakes, and how many of them go on waiting without the lock: readers who get it
/// together are no herd. Each of several servers sends its own events when it carries the transaction out.
fn woken(timeline: &Timeline) -> LiteMap<Zxid, (u32, u32)> {
    let mut woken: LiteMap<Zxid, (u32, u32)> = LiteMap::new();
    // By whom each client has been told, and by whom it has been woken, until it holds or waits again.
    let mut told: LiteMap<ClientId, Zxid> = LiteMap::new();
    let mut up: LiteMap<ClientId, Zxid> = LiteMap::new();
    for event in timeline.steps().iter().flat_map(|step| &step.events) {
        match event {
            Event::WatchFired { client, zxid: Some(zxid), .. } => {
                told.insert(*client, *zxid);
            }
            Event::Woke { client } => {
                if let Some(zxid) = told.remove(client) {
                    woken.entry(zxid).or_insert((0, 0)).0 += 1;
                    up.insert(*client, zxid);
                }
            }
            Event::Acquired { client, .. } => {
                up.remove(client);
            }
            Event::Slept { client, .. } => {
                if let Some(zxid) = up.remove(client) {
                    woken.entry(zxid).or_insert((0, 0)).1 += 1;
                }
            }
            _ => {}
        }
    }
    woken
}
