//! Where the reader is in the lab: stop, lane in focus, branch, and the way back.

use super::model::{Branch, Lab};
use super::predict::asked_at;
use super::run::Run;
use crate::play::Scenario;

/// How far undo goes back.
const MAX_UNDO: usize = 50;

impl Lab {
    /// Shows the lane that a prediction asks about, or in which the consequence is seen.
    pub(super) fn look_where_asked(&mut self, predictions: bool) {
        let landmarks = self.run.landmarks();
        let asked = asked_at(self, predictions, self.stop).map(|prediction| prediction.lane);
        let seen = landmarks.consequence.filter(|(stop, _)| *stop == self.stop);
        if let Some(lane) = asked.or(seen.map(|_| landmarks.consequence_lane)) {
            self.focus_on(lane);
        }
    }

    /// Puts a lane in focus, from 0. A number beyond the last means the last.
    pub(super) fn focus_on(&mut self, lane: usize) {
        self.focus = lane.min(self.scenario.lanes.len() - 1);
    }

    /// Goes to a stop. A number beyond the end means the end.
    pub fn seek(&mut self, stop: u32) {
        self.stop = stop.min(self.run.comparison.last_stop());
    }

    /// Changes the scenario and keeps the reader's place in virtual time where that is possible.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Scenario)) {
        let mut scenario = self.scenario.clone();
        change(&mut scenario);
        if scenario == self.scenario {
            return;
        }
        self.remember_for_undo();
        let at_ms = self.run.comparison.at_ms(self.stop);
        let at_start = self.stop == 0;
        self.branches[self.branch].scenario = scenario;
        self.show_branch(self.branch);
        self.seek(if at_start { 0 } else { self.run.comparison.stop_by(at_ms) });
        self.guesses.clear();
        self.pick = None;
    }

    pub(super) fn keep_place(&mut self) {
        self.branches[self.branch].stop = self.stop;
    }

    pub(super) fn remember_for_undo(&mut self) {
        self.keep_place();
        self.undo.push((self.branches.clone(), self.branch));
        if self.undo.len() > MAX_UNDO {
            self.undo.remove(0);
        }
    }

    /// Shows a branch where the reader left it.
    pub(super) fn show_branch(&mut self, branch: usize) {
        self.branch = branch.min(self.branches.len() - 1);
        let Branch { scenario, stop, .. } = self.branches[self.branch].clone();
        if scenario != self.scenario {
            self.run = Run::of(&scenario, Some(&self.run));
            self.scenario = scenario;
        }
        self.focus_on(self.focus);
        self.seek(stop);
    }
}
