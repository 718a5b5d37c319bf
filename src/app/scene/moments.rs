//! Moments: the six to eight stops of a story that a person would point at.

use super::fault::{fault_moments, first_of};
use crate::play::{Comparison, TimelineStep};
use crate::recipe::Verdict;
use crate::teach::{Consequence, Harm, Prediction, consequences, predictions};
use crate::text::{Text, say, text};
use crate::world::{ClientId, Deletion, Event, Timer};

/// A story has this many moments at most.
pub const MAX_MOMENTS: usize = 8;

/// A stop worth pointing at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    pub stop: u32,
    pub label: Text,
    /// Where two lanes part, or where it breaks, sticks or costs.
    pub mark: Option<Mark>,
}

/// What a marked moment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The lanes part here.
    Cause,
    /// The first consequence: this verdict.
    Consequence(Verdict),
    /// The first consequence, while the reader is still to predict it.
    Hidden,
}

/// What is worth pointing at in a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landmarks {
    pub moments: Vec<Moment>,
    /// The stop where the lanes part.
    pub cause: Option<u32>,
    /// The stop of the first consequence, and its verdict.
    pub consequence: Option<(u32, Verdict)>,
    /// The lane in which it is seen, from 0.
    pub consequence_lane: usize,
    /// For each lane the step from which on those who wait for ever are lost.
    pub lost_from: Vec<u32>,
    /// What is asked on the way, by the stops.
    pub predictions: Vec<Prediction>,
}

impl Landmarks {
    /// Finds the landmarks of a comparison.
    pub fn of(comparison: &Comparison) -> Landmarks {
        let cause = comparison.first_difference().map(|difference| difference.stop);
        let consequences = consequences(comparison);
        let stop = |c: &Consequence| comparison.stop_of(c.lane, c.step + 1);
        let first = consequences.iter().min_by_key(|c| (stop(c), c.lane));
        let predictions = predictions(comparison, &consequences);
        let consequence = first.map(|c| (stop(c), c.verdict));
        let calm = first.and_then(|c| asleep_again(comparison, c));
        let moments = moments(comparison, cause, consequence, calm);
        let consequence_lane = first.map_or(0, |c| c.lane);
        let lost_from = (0..comparison.lanes().len())
            .map(|lane| consequences.iter().find(|c| c.lane == lane).map_or(0, |c| c.step))
            .collect();
        Landmarks { moments, cause, consequence, consequence_lane, lost_from, predictions }
    }
}

/// The stop at which all that a herd woke in vain sleep again.
fn asleep_again(comparison: &Comparison, c: &Consequence) -> Option<u32> {
    let Harm::Herd { in_vain, .. } = c.what else { return None };
    let steps = comparison.lanes()[c.lane].steps();
    let in_vain = in_vain as usize;
    let slept = |s: &TimelineStep| s.events.iter().any(|e| matches!(e, Event::Slept { .. }));
    let after = (c.step..).zip(&steps[c.step as usize..]).filter(|(_, s)| slept(s));
    let (step, _) = after.take(in_vain).last()?;
    Some(comparison.stop_of(c.lane, step + 1))
}

/// Collects candidates, most important first, and keeps the best in the order of time.
fn moments(
    comparison: &Comparison,
    cause: Option<u32>,
    consequence: Option<(u32, Verdict)>,
    calm: Option<u32>,
) -> Vec<Moment> {
    let mut candidates: Vec<Moment> = Vec::new();
    // What is marked always shows; the others keep a little away from what is there.
    let least = (comparison.last_stop() / 40 + 1).min(8);
    let mut add = |stop: u32, label: Text, mark: Option<Mark>| {
        let apart = if mark.is_some() { 1 } else { least };
        if stop > 0 && candidates.iter().all(|moment| moment.stop.abs_diff(stop) >= apart) {
            candidates.push(Moment { stop, label, mark });
        }
    };
    if let Some((stop, verdict)) = consequence {
        let label = match verdict {
            Verdict::Right => text("right", "正确"),
            Verdict::Costs => text("here it costs", "代价在此"),
            Verdict::Sticks => text("here it sticks", "卡死在此"),
            Verdict::Breaks => text("here it breaks", "出错在此"),
        };
        add(stop, label, Some(Mark::Consequence(verdict)));
    }
    if let Some(stop) = cause {
        add(stop, text("cause", "起因"), Some(Mark::Cause));
    }
    if let Some(stop) = calm {
        add(stop, text("the others sleep again", "其余又都睡下"), None);
    }
    add(comparison.last_stop(), text("the end", "结束"), None);
    for (stop, label) in fault_moments(comparison) {
        add(stop, label, None);
    }
    let mut point = |found: Option<(u32, ClientId)>, en: &str, zh: &str| {
        if let Some((stop, client)) = found {
            add(stop, say(format!("{client} {en}"), format!("{client} {zh}")), None);
        }
    };
    let first = |want: &dyn Fn(&Event) -> bool, nth: usize| first_of(comparison, want, nth);
    let acquired = |e: &Event| matches!(e, Event::Acquired { .. });
    point(first(&acquired, 0), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::NodeDeleted { why: Deletion::Request, .. }), 0), "lets go", "释放");
    point(first(&acquired, 1), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::Woke { .. }), 0), "wakes", "醒来");
    point(first(&|e| matches!(e, Event::Slept { .. }), 0), "sleeps", "睡下");
    point(first(&|e| matches!(e, Event::NodeCreated { .. }), 0), "has a node", "有了节点");
    point(first(&acquired, 2), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::TimerSet { timer: Timer::Work(_) }), 0), "works", "开始工作");
    point(first(&|e| matches!(e, Event::NodeCreated { .. }), 1), "has a node", "有了节点");
    point(first(&|e| matches!(e, Event::WatchSet { .. }), 0), "has a watch", "有了 Watch");
    candidates.truncate(MAX_MOMENTS);
    candidates.sort_by_key(|candidate| candidate.stop);
    candidates
}
