//! What the builders of a lane's picture look at.

use super::past::{Past, PastClient};
use crate::play::{Scheduler, TimelineStep};
use crate::world::{ClientId, World};

/// A lane at a stop.
pub struct Look<'a> {
    pub world: &'a World,
    pub scheduler: &'a Scheduler,
    pub past: &'a Past,
    /// The last step, if one has been taken.
    pub last: Option<&'a TimelineStep>,
    pub now_ms: u64,
    /// Clients that wait for ever, once the run has come to rest.
    pub stuck: &'a [ClientId],
    /// Heartbeats are drawn.
    pub beats: bool,
}

impl Look<'_> {
    pub fn past_of(&self, client: ClientId) -> Option<&PastClient> {
        self.past.clients.get(&client)
    }

    pub fn deleted(&self, client: ClientId) -> bool {
        self.past_of(client).and_then(|past| past.node.as_ref()).is_none_or(|node| node.deleted)
    }
}
