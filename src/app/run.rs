//! A scenario that has been run, with what the pictures need of it.

use std::sync::Arc;

use super::scene::{Landmarks, Past};
use crate::judge::Meter;
use crate::play::{Comparison, Fold, Scenario, Step};
use crate::sorted::Listed;

/// The lanes of a scenario, run, and the folds over them.
#[derive(Debug)]
pub struct Run {
    pub comparison: Comparison,
    pub pasts: Vec<Fold<Past>>,
    pub meters: Vec<Fold<Meter>>,
    pub landmarks: Landmarks,
}

impl Run {
    /// Runs every lane of a scenario.
    pub fn of(scenario: &Scenario) -> Arc<Run> {
        let comparison = Comparison::run(scenario);
        let pasts =
            comparison.lanes().iter().map(|lane| Fold::over(lane, Past::default(), Past::see)).listed();
        let see: fn(&mut Meter, &Step) = |meter, step| meter.see_step(step.at_ms, &step.events);
        let meters = comparison.lanes().iter().map(|lane| Fold::over(lane, Meter::default(), see)).listed();
        let landmarks = Landmarks::of(&comparison);
        Arc::new(Run { comparison, pasts, meters, landmarks })
    }
}
