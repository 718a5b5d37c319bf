//! A scenario that has been run, with what the pictures need of it.

use std::sync::Arc;

use super::scene::{Landmarks, Past, last_sleeps};
use crate::judge::Meter;
use crate::play::{Comparison, Fold, Scenario, Step, Timeline};
use crate::sorted::Listed;
use crate::world::ClientId;

/// How many steps a lane may have on the page. Two hundred clients that all watch the holder need
/// 115 000; a run that would be longer is cut off, and says so.
pub const PAGE_STEP_LIMIT: u32 = 130_000;

/// One lane, run, with the folds over it.
#[derive(Debug)]
struct LaneRun {
    timeline: Arc<Timeline>,
    past: Arc<Fold<Past>>,
    meter: Arc<Fold<Meter>>,
}

/// The lanes of a scenario, run, and the folds over them.
#[derive(Debug)]
pub struct Run {
    scenario: Scenario,
    pub comparison: Comparison,
    pub pasts: Vec<Arc<Fold<Past>>>,
    pub meters: Vec<Arc<Fold<Meter>>>,
    /// For each lane, who waits for ever, and the step in which it lay down.
    stuck: Vec<Vec<(ClientId, u32)>>,
    pub landmarks: Landmarks,
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
            .listed();
        let comparison = Comparison::of(lanes.iter().map(|lane| lane.timeline.clone()).listed());
        let stuck = comparison.lanes().iter().map(|lane| last_sleeps(lane)).listed();
        let landmarks = Landmarks::of(&comparison);
        let pasts = lanes.iter().map(|lane| lane.past.clone()).listed();
        let meters = lanes.iter().map(|lane| lane.meter.clone()).listed();
        Arc::new(Run { scenario: scenario.clone(), comparison, pasts, meters, stuck, landmarks })
    }

    /// Who has lain down for ever in the first `steps` steps of a lane.
    pub fn stuck_after(&self, lane: usize, steps: u32) -> Vec<ClientId> {
        self.stuck[lane].iter().filter(|(_, step)| *step < steps).map(|(client, _)| *client).listed()
    }

    /// The lane of this run that would go just as lane `lane` of `scenario` does.
    fn again(&self, scenario: &Scenario, lane: usize) -> Option<LaneRun> {
        let (had, wanted) = (&self.scenario, scenario);
        let alike = had.seed == wanted.seed
            && had.timings == wanted.timings
            && had.counter == wanted.counter
            && had.readers == wanted.readers
            && had.script == wanted.script;
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
        let see: fn(&mut Meter, &Step) = |meter, step| meter.see_step(step.at_ms, &step.events);
        let past = Arc::new(Fold::over(&timeline, Past::default(), Past::see));
        let meter = Arc::new(Fold::over(&timeline, Meter::default(), see));
        LaneRun { timeline, past, meter }
    }
}
