//! A fold over the steps of a run that can be asked for at any step.

use super::Timeline;
use crate::play::Step;

/// The states of a fold at every so many steps; those between are folded anew when asked for.
#[derive(Clone, Debug)]
pub struct Fold<T> {
    marks: Vec<T>,
    spacing: u32,
    see: fn(&mut T, &Step),
}

impl<T: Clone> Fold<T> {
    /// Folds `see` over a whole run. It keeps about a hundred states, however long the run is.
    pub fn over(timeline: &Timeline, start: T, see: fn(&mut T, &Step)) -> Fold<T> {
        let spacing = (timeline.len() / 100).max(64);
        let mut state = start;
        let mut marks = vec![state.clone()];
        for (at, step) in (1u32..).zip(timeline.steps()) {
            see(&mut state, step);
            if at.is_multiple_of(spacing) {
                marks.push(state.clone());
            }
        }
        Fold { marks, spacing, see }
    }

    /// The state after the first `steps` steps of the run it was made from.
    pub fn at(&self, timeline: &Timeline, steps: u32) -> T {
        let steps = steps.min(timeline.len());
        let mark = (steps / self.spacing).min(self.marks.len() as u32 - 1);
        let mut state = self.marks[mark as usize].clone();
        for step in &timeline.steps()[(mark * self.spacing) as usize..steps as usize] {
            (self.see)(&mut state, step);
        }
        state
    }
}
