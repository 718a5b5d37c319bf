//! The guarded resource: one number, transactions that are not committed yet, and the highest token.

use litemap::LiteMap;

use super::ClientId;
use crate::recipe::{Guard, ResourceReply, ResourceRequest};

/// The guarded resource as it stands now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// What it checks.
    pub guard: Guard,
    /// Items left, as committed. Each holder reads it, works, and writes it back less one.
    pub stock: i64,
    /// What each writer has written and not committed.
    pub written: LiteMap<ClientId, i64>,
    /// The highest token it has seen and remembers.
    pub highest: Option<i64>,
    /// The highest of those that did not come from holders who only read: readers hold together, and do not
    /// shut each other out.
    pub highest_exclusive: Option<i64>,
}

impl Resource {
    /// A resource that has seen no token.
    pub fn new(guard: Guard, stock: i64) -> Resource {
        Resource { guard, stock, written: LiteMap::new(), highest: None, highest_exclusive: None }
    }

    /// Takes one request of `client` and answers it. Check and change are one step.
    pub fn take(&mut self, client: ClientId, request: ResourceRequest) -> ResourceReply {
        if self.checks(request) {
            let shared = matches!(request, ResourceRequest::Read { shared: true, .. });
            let bar = if shared { self.highest_exclusive } else { self.highest };
            // A request without a token counts as older than any with one.
            if bar > request.token() {
                return ResourceReply::Refused { highest: bar };
            }
            self.highest = self.highest.max(request.token());
            if !shared {
                self.highest_exclusive = request.token();
            }
        }
        match request {
            ResourceRequest::Read { .. } => ResourceReply::Value(self.stock),
            ResourceRequest::Write { value, .. } => {
                self.written.insert(client, value);
                ResourceReply::Written
            }
            ResourceRequest::Commit { .. } => match self.written.remove(&client) {
                Some(value) => {
                    self.stock = value;
                    ResourceReply::Committed
                }
                // A restart has undone the transaction.
                None => ResourceReply::Refused { highest: self.highest },
            },
        }
    }

    /// The process ends and starts again: transactions that were not committed are undone, and a highest
    /// token that was in memory alone is forgotten.
    pub fn restart(&mut self) {
        self.written = LiteMap::new();
        if self.guard == Guard::Forgetful {
            self.highest = None;
            self.highest_exclusive = None;
        }
    }

    fn checks(&self, request: ResourceRequest) -> bool {
        match self.guard {
            Guard::Fenced | Guard::Forgetful => true,
            Guard::WritesOnly => !matches!(request, ResourceRequest::Read { .. }),
            Guard::ClientCheck | Guard::Multi | Guard::Open => false,
        }
    }
}
