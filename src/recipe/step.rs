//! Where a client stands in the recipe.

use crate::zookeeper::ErrorCode;

/// Where a client stands in the recipe. Each step but the first and last has a line of pseudo-code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Nobody has asked it to take the lock yet.
    Idle,
    /// `create` is on its way.
    Creating,
    /// The lock's directory is not there: `create` of the directory is on its way.
    MakingDir,
    /// The reply to `create` was lost: `sync` is on its way.
    Syncing,
    /// The reply to `create` was lost: `getChildren`, to find its own node, is on its way.
    Finding,
    /// The reply to `create` was lost: `getData` of a node with its GUID, to see whose it is, is on its way.
    Verifying,
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
    /// `resource=client-check`: it holds, as it believes, and `getChildren` is on its way to make sure.
    Rechecking,
    /// It holds, as it believes, and writes the resource.
    Writing,
    /// It holds, as it believes, and commits what it wrote.
    Committing,
    /// `delete` of its node is on its way, and the lock is no longer its own in its eyes.
    Releasing,
    /// `commit=after-release`: it has let the lock go, and commits what it wrote under it.
    LateCommitting,
    /// The lock was lost while the resource had a request of it: it waits for that answer.
    Settling,
    /// `missing=requeue`: `delete` of its node is on its way, and a new one will follow.
    Requeuing,
    /// It will queue again, at the back, once it has a connection.
    Rejoining,
    /// It gives up waiting: `delete` of its node is on its way.
    Quitting,
    /// It has had the lock and has let it go, or has given up.
    Done,
    /// A request failed in a way the recipe has no answer to.
    Failed(ErrorCode),
}

impl Step {
    /// Whether a client at this step believes that it holds the lock.
    pub fn believes(self) -> bool {
        matches!(self, Step::Reading | Step::Working | Step::Rechecking | Step::Writing | Step::Committing)
    }

    /// Whether a client at this step wants the lock and has not got it.
    pub fn waits(self) -> bool {
        match self {
            Step::Creating
            | Step::MakingDir
            | Step::Syncing
            | Step::Finding
            | Step::Verifying
            | Step::Listing
            | Step::Sorting
            | Step::Checking
            | Step::Watching
            | Step::Asleep
            | Step::Napping
            | Step::Requeuing
            | Step::Rejoining => true,
            Step::Idle
            | Step::Reading
            | Step::Working
            | Step::Rechecking
            | Step::Writing
            | Step::Committing
            | Step::Releasing
            | Step::LateCommitting
            | Step::Settling
            | Step::Quitting
            | Step::Done
            | Step::Failed(_) => false,
        }
    }

    /// Whether the client has nothing left to do.
    pub fn is_over(self) -> bool {
        matches!(self, Step::Done | Step::Failed(_))
    }

    /// The step's word, stable in `--json` and test output.
    pub fn word(self) -> &'static str {
        match self {
            Step::Idle => "idle",
            Step::Creating => "creating",
            Step::MakingDir => "making-dir",
            Step::Syncing => "syncing",
            Step::Finding => "finding",
            Step::Verifying => "verifying",
            Step::Listing => "listing",
            Step::Sorting => "sorting",
            Step::Checking => "checking",
            Step::Watching => "watching",
            Step::Asleep => "asleep",
            Step::Napping => "napping",
            Step::Reading => "reading",
            Step::Working => "working",
            Step::Rechecking => "rechecking",
            Step::Writing => "writing",
            Step::Committing => "committing",
            Step::Releasing => "releasing",
            Step::LateCommitting => "late-committing",
            Step::Settling => "settling",
            Step::Requeuing => "requeuing",
            Step::Rejoining => "rejoining",
            Step::Quitting => "quitting",
            Step::Done => "done",
            Step::Failed(_) => "failed",
        }
    }
}
