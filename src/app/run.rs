//! A scenario that has been run, with what the pictures need of it.

use std::sync::{Arc, OnceLock};

use super::scene::{Landmarks, Past};
use crate::judge::{Measures, Meter};
use crate::play::{Comparison, Fold, Scenario, Timeline, TimelineStep};
use crate::recipe::Key;

use crate::teach::{Story, last_sleeps, story_of};
use crate::world::{ClientId, Event, Operator, ServerFact};

/// How many steps a lane may have on the page. Two hundred clients that all watch the holder need
/// 115 000; a run that would be longer is cut off, and says so.
pub const PAGE_STEP_LIMIT: u32 = 130_000;

/// One lane, run, with the folds over it.
#[derive(Debug)]
struct LaneRun {
    timeline: Arc<Timeline>,
    past: Arc<Fold<Past>>,
    meter: Arc<OnceLock<Fold<Meter>>>,
}

/// The lanes of a scenario, run, and the folds over them. What only the lab asks is worked out when it asks.
#[derive(Debug)]
pub struct Run {
    scenario: Scenario,
    pub comparison: Comparison,
    pub pasts: Vec<Arc<Fold<Past>>>,
    meters: Vec<Arc<OnceLock<Fold<Meter>>>>,
    /// For each lane, who waits for ever, and the step in which it lay down.
    stuck: Vec<Vec<(ClientId, u32)>>,
    landmarks: OnceLock<Landmarks>,
    used: OnceLock<Vec<Key>>,
    story: OnceLock<Option<&'static Story>>,
}

impl Run {
    /// Runs every lane of a scenario. A lane that `before` has run already is taken from there.
    pub fn of(scenario: &Scenario, before: Option<&Run>) -> Arc<Run> {
        let lanes: Vec<LaneRun> = (0..scenario.lanes.len())
            .map(|lane| {
                before
                    .and_then(|run| run.again(scenario, lane))
                    .unwrap_or_else(|| LaneRun::of(scenario, lane))
            })
            .collect();
        let comparison = Comparison::of(lanes.iter().map(|lane| lane.timeline.clone()).collect());
        let stuck = comparison.lanes().iter().map(|lane| last_sleeps(lane)).collect();
        let pasts = lanes.iter().map(|lane| lane.past.clone()).collect();
        let meters = lanes.iter().map(|lane| lane.meter.clone()).collect();
        Arc::new(Run {
            scenario: scenario.clone(),
            comparison,
            pasts,
            meters,
            stuck,
            landmarks: OnceLock::new(),
            used: OnceLock::new(),
            story: OnceLock::new(),
        })
    }

    /// What is worth pointing at.
    pub fn landmarks(&self) -> &Landmarks {
        self.landmarks.get_or_init(|| Landmarks::of(&self.comparison))
    }

    /// The decisions about faults that some client has come to in some lane.
    pub fn used(&self) -> &[Key] {
        self.used.get_or_init(|| used(&self.comparison))
    }

    /// The ready story that it tells, if it tells one.
    pub fn story(&self) -> Option<&'static Story> {
        *self.story.get_or_init(|| story_of(&self.scenario))
    }

    /// What a lane has cost after its first `steps` steps.
    pub fn measures(&self, lane: usize, steps: u32) -> Measures {
        let timeline = &self.comparison.lanes()[lane];
        if steps >= timeline.len() {
            return timeline.measures().clone();
        }
        let see: fn(&mut Meter, &TimelineStep) = |meter, step| meter.see_step(step.at_ms, &step.events);
        let fold = self.meters[lane].get_or_init(|| Fold::over(timeline, Meter::default(), see));
        fold.at(timeline, steps).measures().clone()
    }

    /// Who has lain down for ever in the first `steps` steps of a lane.
    pub fn stuck_after(&self, lane: usize, steps: u32) -> Vec<ClientId> {
        let stuck = &self.stuck[lane];
        if stuck.is_empty() {
            return Vec::new();
        }
        let from = self.landmarks().lost_from[lane];
        stuck.iter().filter(|(_, step)| (*step).max(from) < steps).map(|(client, _)| *client).collect()
    }

    /// Whether what the lanes do on their way to this stop are heartbeats alone.
    pub fn is_beat(&self, stop: u32) -> bool {
        let moved = self.comparison.moved_to(stop);
        let steps = self.comparison.steps_at(stop);
        let lanes = self.comparison.lanes().iter().zip(steps).enumerate();
        let mut moved = lanes.filter(|(lane, _)| moved & (1 << lane) != 0);
        stop > 0
            && moved.all(|(_, (timeline, steps))| {
                let step = steps.checked_sub(1).and_then(|at| timeline.steps().get(at as usize));
                step.is_some_and(is_beat)
            })
    }

    /// How long nothing had happened in a lane before its step `at` but, unless `beats`, heartbeats.
    pub fn waited_ms(&self, lane: usize, at: u32, beats: bool) -> u64 {
        let steps = self.comparison.lanes()[lane].steps();
        let before = steps[..at as usize].iter().rev().find(|step| beats || !is_beat(step));
        steps[at as usize].at_ms - before.map_or(0, |step| step.at_ms)
    }

    /// The stop that many steps away, heartbeats not counted unless `beats`.
    pub fn walk(&self, from: u32, by: i32, beats: bool) -> u32 {
        let last = self.comparison.last_stop();
        let mut stop = from.saturating_add_signed(by).min(last);
        while !beats && stop > 0 && stop < last && self.is_beat(stop) {
            stop = stop.saturating_add_signed(by.signum());
        }
        stop
    }

    /// The lane of this run that would go just as lane `lane` of `scenario` does.
    fn again(&self, scenario: &Scenario, lane: usize) -> Option<LaneRun> {
        let (had, wanted) = (&self.scenario, scenario);
        let alike = had.seed == wanted.seed && had.timings == wanted.timings && had.script == wanted.script;
        let wanted = &scenario.lanes[lane];
        let same = |at: &usize| {
            let had = &self.scenario.lanes[*at];
            self.scenario.cast(*at) == scenario.cast(lane) && had.choices == wanted.choices
        };
        let at = (0..self.scenario.lanes.len()).filter(|_| alike).find(same)?;
        Some(LaneRun {
            timeline: self.comparison.lanes()[at].clone(),
            past: self.pasts[at].clone(),
            meter: self.meters[at].clone(),
        })
    }
}

impl LaneRun {
    fn of(scenario: &Scenario, lane: usize) -> LaneRun {
        let timeline = Arc::new(Timeline::run_to(scenario, lane, PAGE_STEP_LIMIT));
        let past = Arc::new(Fold::over(&timeline, Past::before(&timeline.world_at(0)), Past::see));
        LaneRun { timeline, past, meter: Arc::default() }
    }
}

fn is_beat(step: &TimelineStep) -> bool {
    let beat = |event: &Event| match event {
        Event::PingSent { .. } | Event::PingTaken { .. } | Event::PongHeard { .. } => true,
        Event::Server { fact } => is_beat_of_servers(fact),
        _ => false,
    };
    !step.events.is_empty() && step.events.iter().all(beat)
}

fn is_beat_of_servers(fact: &ServerFact) -> bool {
    match fact {
        ServerFact::Sent { what, .. } => what.is_beat(),
        ServerFact::Touched { .. } | ServerFact::Armed { .. } | ServerFact::Disarmed { .. } => true,
        _ => false,
    }
}

/// The decisions about faults that come up in some lane.
fn used(comparison: &Comparison) -> Vec<Key> {
    let mut used = Vec::new();
    let steps = comparison.lanes().iter().flat_map(|lane| lane.steps());
    for event in steps.flat_map(|step| &step.events) {
        let keys: &[Key] = match event {
            Event::Disconnected { .. } => &[Key::Disconnect, Key::Reconnect],
            Event::ExpiredHeard { .. } => &[Key::Expired],
            Event::GaveUp { .. } => &[Key::GiveUp],
            Event::Found { .. } => &[Key::LostReply, Key::Guid],
            Event::RequestFailed { .. } => &[Key::Error, Key::Delete],
            Event::OperatorActed { operator: Operator::DeleteNode(_) } => &[Key::Absent],
            Event::OperatorActed { operator: Operator::DeleteDir } => &[Key::DirGone],
            _ => &[],
        };
        for key in keys {
            if !used.contains(key) {
                used.push(*key);
            }
        }
    }
    used
}
