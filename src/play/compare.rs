//! Lanes side by side on one virtual clock, and where they part.

use std::sync::{Arc, OnceLock};

use super::{Scenario, Timeline};

/// The lanes of a scenario, run to their ends.
///
/// A *stop* is one position of the transport: how many steps each lane has taken. From one stop to
/// the next, each lane whose next step is the earliest takes one step; so equal lanes walk in step.
#[derive(Clone, Debug)]
pub struct Comparison {
    lanes: Vec<Arc<Timeline>>,
    /// For each stop after the first, which lanes take a step to get there (bit 0 is lane 1).
    moves: Vec<u8>,
    /// Every so many stops, how many steps each lane has taken.
    marks: Vec<Vec<u32>>,
    /// Found when it is asked for.
    first_difference: OnceLock<Option<FirstDifference>>,
}

const MARK_SPACING: u32 = 256;

/// Where two lanes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The lane that parts from lane 1 first, from 0.
    pub lane: usize,
    /// How many steps the two have in common.
    pub common_steps: u32,
    /// The stop at which the difference can first be seen.
    pub stop: u32,
}

impl Comparison {
    /// Runs every lane of a scenario.
    pub fn run(scenario: &Scenario) -> Comparison {
        Comparison::of(
            (0..scenario.lanes.len()).map(|lane| Arc::new(Timeline::run(scenario, lane))).collect(),
        )
    }

    /// Compares lanes that have been run.
    pub fn of(lanes: Vec<Arc<Timeline>>) -> Comparison {
        let mut at = vec![0u32; lanes.len()];
        let mut moves = Vec::new();
        let mut marks = vec![at.clone()];
        let next_ms =
            |lane: usize, at: &[u32]| lanes[lane].steps().get(at[lane] as usize).map(|step| step.at_ms);
        while let Some(now) = (0..lanes.len()).filter_map(|lane| next_ms(lane, &at)).min() {
            let mut moved = 0u8;
            for lane in 0..lanes.len() {
                if next_ms(lane, &at) == Some(now) {
                    moved |= 1 << lane;
                }
            }
            (0..lanes.len()).filter(|lane| moved & (1 << lane) != 0).for_each(|lane| at[lane] += 1);
            moves.push(moved);
            if (moves.len() as u32).is_multiple_of(MARK_SPACING) {
                marks.push(at.clone());
            }
        }
        Comparison { lanes, moves, marks, first_difference: OnceLock::new() }
    }

    /// The lanes, in order.
    pub fn lanes(&self) -> &[Arc<Timeline>] {
        &self.lanes
    }

    /// The last stop. Stop 0 is before the first step.
    pub fn last_stop(&self) -> u32 {
        self.moves.len() as u32
    }

    /// How many steps each lane has taken at a stop. A number beyond the end means the end.
    pub fn steps_at(&self, stop: u32) -> Vec<u32> {
        let stop = stop.min(self.last_stop());
        let mark = stop / MARK_SPACING;
        let mut at = self.marks[mark as usize].clone();
        for moved in &self.moves[(mark * MARK_SPACING) as usize..stop as usize] {
            (0..at.len()).filter(|lane| moved & (1 << lane) != 0).for_each(|lane| at[lane] += 1);
        }
        at
    }

    /// Which lanes took a step to get to this stop (bit 0 is lane 1).
    pub fn moved_to(&self, stop: u32) -> u8 {
        stop.checked_sub(1).and_then(|at| self.moves.get(at as usize)).copied().unwrap_or(0)
    }

    /// The virtual time of a stop, in ms.
    pub fn at_ms(&self, stop: u32) -> u64 {
        let times = self.steps_at(stop).into_iter().zip(&self.lanes);
        let last = |(at, lane): (u32, &Arc<Timeline>)| {
            at.checked_sub(1).map_or(0, |i| lane.steps()[i as usize].at_ms)
        };
        times.map(last).max().unwrap_or(0)
    }

    /// The last stop at or before virtual time `at_ms`.
    pub fn stop_by(&self, at_ms: u64) -> u32 {
        let (mut low, mut high) = (0, self.last_stop());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.at_ms(middle) <= at_ms { low = middle } else { high = middle - 1 }
        }
        low
    }

    /// The first stop at which lane `lane` has taken `steps` steps.
    pub fn stop_of(&self, lane: usize, steps: u32) -> u32 {
        let mark = self.marks.partition_point(|mark| mark[lane] < steps).saturating_sub(1) as u32;
        let mut taken = self.marks[mark as usize][lane];
        let mut stop = mark * MARK_SPACING;
        while taken < steps && stop < self.last_stop() {
            taken += u32::from(self.moves[stop as usize] & (1 << lane) != 0);
            stop += 1;
        }
        stop
    }

    /// Where the lanes first part, if they do.
    pub fn first_difference(&self) -> Option<FirstDifference> {
        *self.first_difference.get_or_init(|| self.find_difference())
    }

    fn find_difference(&self) -> Option<FirstDifference> {
        let (first, others) = self.lanes.split_first()?;
        let part = |(lane, other): (usize, &Arc<Timeline>)| {
            let common = first.steps().iter().zip(other.steps()).take_while(|(a, b)| a == b).count() as u32;
            if common == first.len() && common == other.len() {
                return None;
            }
            let stops = [(0, first), (lane, other)].map(|(lane, timeline)| {
                if common < timeline.len() { self.stop_of(lane, common + 1) } else { u32::MAX }
            });
            let stop = stops[0].min(stops[1]);
            Some(FirstDifference { lane, common_steps: common, stop })
        };
        (1..).zip(others).filter_map(part).min_by_key(|difference| (difference.stop, difference.lane))
    }
}
