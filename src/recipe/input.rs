//! What happens to a client, and what it does.

use serde::Serialize;

use crate::zookeeper::{ErrorCode, Path, Reply, Request, SessionId, WatchedEvent};

/// A request to the guarded resource: stock that a holder reads, and writes back less one. `token` is the
/// writer's fencing token, where the resource looks at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub enum ResourceRequest {
    /// Reads the stock as last committed. `shared`: under a lock that others who only read may hold too.
    Read { token: Option<i64>, shared: bool },
    /// Writes `value` into the writer's transaction; `base` is the value it had read, which the resource
    /// does not check.
    Write { token: Option<i64>, base: i64, value: i64 },
    /// Commits the writer's transaction.
    Commit { token: Option<i64> },
}

impl ResourceRequest {
    /// The token it shows.
    pub fn token(self) -> Option<i64> {
        match self {
            ResourceRequest::Read { token, .. }
            | ResourceRequest::Write { token, .. }
            | ResourceRequest::Commit { token } => token,
        }
    }
}

/// The resource's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceReply {
    Value(i64),
    /// Written into the transaction, not committed.
    Written,
    Committed,
    /// The token is smaller than `highest`, or the lock node that the request named is gone.
    Refused {
        highest: Option<i64>,
    },
}

/// A timer of the client's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientTimer {
    /// The end of the work under the lock; with `commit=after-release`, also the end of what follows it.
    Work,
    /// The next question of a client that polls.
    Poll,
}

/// One thing that happens to a client.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// It is asked to take the lock, work, and let it go.
    Start,
    /// It is asked to stop waiting for the lock.
    GiveUp,
    /// The answer to its last ZooKeeper request.
    Reply(&'a Result<Reply, ErrorCode>),
    /// A watch event.
    Event(&'a WatchedEvent),
    /// It gets to think about the list it has heard.
    Sort,
    /// The answer of the resource.
    Resource(ResourceReply),
    /// One of its timers went off.
    Timer(ClientTimer),
    /// Its library has lost the connection. A request under way is without an answer: it may have been
    /// carried out or not.
    Disconnected,
    /// Its library is connected again, in the same session.
    Reconnected,
    /// The server said that the session is over.
    Expired,
    /// Its library has opened a new session.
    NewSession(SessionId),
}

/// How a client learns that it does not hold the lock any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// It heard that its session has expired.
    Expired,
    /// The resource refused its token.
    Refused,
    /// It looked, and its node was not the first.
    Looked,
    /// `disconnect=requeue`: it takes a lost connection for a lost lock.
    Disconnected,
    /// Its process ended.
    Died,
}

/// What a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Sends a request to ZooKeeper. It never has two under way.
    Send(Request),
    /// Sends a request to the resource.
    Ask(ResourceRequest),
    SetTimer(ClientTimer),
    /// Will think: the world must give it an [`Input::Sort`].
    WillSort,
    /// Has sorted the list: `place` nodes stand before its own that it must wait for (0: it holds), `of` is
    /// how many there are, `target` is the node it will aim its watch at,
    /// `listed` is whether its own is among them.
    Sorted {
        place: u32,
        of: u32,
        target: Option<Path>,
        listed: bool,
    },
    /// Heard an event while it waited for one.
    Woke,
    /// Waits for an event about `on`.
    Slept {
        on: Path,
    },
    /// Found its own node again after a reply was lost, or did not (`None`).
    Found {
        node: Option<Path>,
    },
    /// Believes from here on that it holds the lock. `looked` is false where it took an event's word for it.
    Acquired {
        looked: bool,
        token: Option<i64>,
    },
    /// Lets the lock go: it believes no longer that it holds it.
    Released,
    /// Learns that the lock is gone: it believes no longer that it holds it.
    LostLock {
        why: Loss,
    },
    /// A request of its own, or its wait for an event, failed with this error, and it does not try again. With `ConnectionLoss`
    /// the request may have been carried out or not.
    RequestFailed(ErrorCode),
    /// Is to do something, has no connection, and waits until it knows what has become of its session.
    HeldBack,
    /// Gives up its place in the queue, to start at the back.
    GaveUpPlace,
    /// Stops waiting for the lock, as it was asked to. `leaves` the node that it had.
    GaveUp {
        leaves: bool,
    },
    /// Is through. `worked`: what it came for is committed.
    Finished {
        worked: bool,
    },
    /// Stops for good: the recipe has no answer to this error.
    Failed(ErrorCode),
}
