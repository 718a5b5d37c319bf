//! A fold over the steps of a run that can be asked for at any step.

use std::sync::Mutex;

use super::Timeline;
use crate::play::TimelineStep;

/// The state that was asked for last. Who goes forward step by step goes on from there, and not from the last copy
/// that was kept. A clone begins without one.
#[derive(Debug)]
pub(super) struct Latest<T>(Mutex<Option<(u32, T)>>);

impl<T> Default for Latest<T> {
    fn default() -> Latest<T> {
        Latest(Mutex::new(None))
    }
}

impl<T> Clone for Latest<T> {
    fn clone(&self) -> Latest<T> {
        Latest::default()
    }
}

impl<T: Clone> Latest<T> {
    /// It, and after how many steps it is, if that is in `after..=to`.
    pub fn within(&self, after: u32, to: u32) -> Option<(u32, T)> {
        let latest = self.0.lock().ok()?;
        latest.as_ref().filter(|(at, _)| (after..=to).contains(at)).cloned()
    }

    pub fn keep(&self, at: u32, state: &T) {
        if let Ok(mut latest) = self.0.lock() {
            *latest = Some((at, state.clone()));
        }
    }
}

/// The states of a fold at every so many steps; those between are folded anew when asked for.
#[derive(Clone, Debug)]
pub struct Fold<T> {
    marks: Vec<T>,
    spacing: u32,
    see: fn(&mut T, &TimelineStep),
    latest: Latest<T>,
}

impl<T: Clone> Fold<T> {
    /// Folds `see` over a whole run. It keeps about a hundred states, however long the run is.
    pub fn over(timeline: &Timeline, start: T, see: fn(&mut T, &TimelineStep)) -> Fold<T> {
        let spacing = (timeline.len() / 100).max(64);
        let mut state = start;
        let mut marks = vec![state.clone()];
        for (at, step) in (1u32..).zip(timeline.steps()) {
            see(&mut state, step);
            if at.is_multiple_of(spacing) {
                marks.push(state.clone());
            }
        }
        Fold { marks, spacing, see, latest: Latest::default() }
    }

    /// The state after the first `steps` steps of the run it was made from.
    pub fn at(&self, timeline: &Timeline, steps: u32) -> T {
        let steps = steps.min(timeline.len());
        let mark = (steps / self.spacing).min(self.marks.len() as u32 - 1);
        let kept = || (mark * self.spacing, self.marks[mark as usize].clone());
        let (from, mut state) = self.latest.within(mark * self.spacing, steps).unwrap_or_else(kept);
        for step in &timeline.steps()[from as usize..steps as usize] {
            (self.see)(&mut state, step);
        }
        self.latest.keep(steps, &state);
        state
    }
}
