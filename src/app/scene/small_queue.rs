//! A lane that is not in focus: its queue as a row of small boxes, and who watches whom.

use super::stage::Stage;
use super::watches::WatchState;

use crate::world::ClientId;

/// A node of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueBox {
    pub owner: ClientId,
    /// It holds the lock.
    pub first: bool,
}

/// A watch that is set, from a box to what it watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    pub from: u32,
    pub to: Watched,
}

/// What a tie leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    Box(u32),
    /// The directory.
    Dir,
    /// A node that is not there.
    Missing,
}

/// The queue of a lane, small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallQueue {
    pub boxes: Vec<QueueBox>,
    pub ties: Vec<Tie>,
}

/// What a small lane shows of a stage.
pub fn small_queue(stage: &Stage) -> SmallQueue {
    let alive = stage.nodes.iter().filter(|node| !node.deleted).collect::<Vec<_>>();
    let at = |column: u32| alive.iter().position(|node| node.column == column).map(|at| at as u32);
    let set = stage.watches.iter().filter(|watch| watch.state != WatchState::Fired);
    let ties = set.filter_map(|watch| {
        let from = at(watch.from)?;
        let to = match watch.to {
            None => Watched::Dir,
            Some(column) => at(column).map_or(Watched::Missing, Watched::Box),
        };
        Some(Tie { from, to })
    });
    let ties = ties.collect();
    let boxes = alive.iter().map(|node| QueueBox { owner: node.owner, first: node.first }).collect();
    SmallQueue { boxes, ties }
}
