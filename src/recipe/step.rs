//! Where a client stands in the recipe.

use crate::zookeeper::ErrorCode;

/// Where a client stands in the recipe. Each step but the first and last has a line of pseudo-code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Nobody has asked it to take the lock yet.
    Idle,
    /// `create` is on its way.
    Creating,
    /// `getChildren` is on its way.
    Listing,
    /// It has the list and sorts it.
    Sorting,
    /// `check=separate`: `exists` without a watch is on its way.
    Checking,
    /// The request that watches is on its way.
    Watching,
    /// It waits for an event.
    Asleep,
    /// `watch=poll`: it waits for its poll timer.
    Napping,
    /// It holds, as it believes, and reads the resource.
    Reading,
    /// It holds, as it believes, and works.
    Working,
    /// It holds, as it believes, and writes the resource.
    Writing,
    /// `delete` of its node is on its way, and the lock is no longer its own in its eyes.
    Releasing,
    /// `missing=requeue`: `delete` of its node is on its way, and a new one will follow.
    Requeuing,
    /// It has had the lock and has let it go.
    Done,
    /// A request failed in a way the recipe has no answer to.
    Failed(ErrorCode),
}

impl Step {
    /// Whether a client at this step believes that it holds the lock.
    pub fn believes(self) -> bool {
        matches!(self, Step::Reading | Step::Working | Step::Writing)
    }

    /// Whether a client at this step wants the lock and has not got it.
    pub fn waits(self) -> bool {
        match self {
            Step::Creating
            | Step::Listing
            | Step::Sorting
            | Step::Checking
            | Step::Watching
            | Step::Asleep
            | Step::Napping
            | Step::Requeuing => true,
            Step::Idle
            | Step::Reading
            | Step::Working
            | Step::Writing
            | Step::Releasing
            | Step::Done
            | Step::Failed(_) => false,
        }
    }

    /// The step's word, stable in `--json` and test output.
    pub fn word(self) -> &'static str {
        match self {
            Step::Idle => "idle",
            Step::Creating => "creating",
            Step::Listing => "listing",
            Step::Sorting => "sorting",
            Step::Checking => "checking",
            Step::Watching => "watching",
            Step::Asleep => "asleep",
            Step::Napping => "napping",
            Step::Reading => "reading",
            Step::Working => "working",
            Step::Writing => "writing",
            Step::Releasing => "releasing",
            Step::Requeuing => "requeuing",
            Step::Done => "done",
            Step::Failed(_) => "failed",
        }
    }
}
