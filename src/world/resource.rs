//! What the lock protects: a stock that holders read and write.
//!
//! The resource takes whatever comes: nothing here looks at who asks. What it took, and in which
//! order, is in the events.

use crate::recipe::{ResourceReply, ResourceRequest};

/// The guarded resource as it stands now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// Items left. Each holder reads it, works, and writes it back less one.
    pub stock: i64,
}

impl Resource {
    /// Takes one request and answers it.
    pub fn take(&mut self, request: ResourceRequest) -> ResourceReply {
        match request {
            ResourceRequest::Read => ResourceReply::Value(self.stock),
            ResourceRequest::Write { value, .. } => {
                self.stock = value;
                ResourceReply::Stored
            }
        }
    }
}
