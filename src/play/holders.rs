//! Who held the lock when: what each client believed, and what was so at the server.

use litemap::LiteMap;

use crate::judge::{LockNodes, Used};
use crate::world::{ClientId, Event};

/// A stretch of virtual time; open at the end while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from_ms: u64,
    pub to_ms: Option<u64>,
}

/// Since when the last span has lasted, if it is still open.
pub fn open_since(spans: &[Span]) -> Option<u64> {
    spans.last().filter(|span| span.to_ms.is_none()).map(|span| span.from_ms)
}

/// When one client held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldTimes {
    /// When it believed that it held the lock.
    pub belief: Vec<Span>,
    /// When its node stood first at the server. Readers share that up to the first writer.
    pub truth: Vec<Span>,
}

/// Who held the lock when: a fold over the events of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holders {
    nodes: LockNodes,
    clients: LiteMap<ClientId, HeldTimes>,
}

impl Holders {
    /// The lock nodes as they are now.
    pub fn nodes(&self) -> &LockNodes {
        &self.nodes
    }

    /// When a client held.
    pub fn of(&self, client: ClientId) -> HeldTimes {
        self.clients.get(&client).cloned().unwrap_or_default()
    }

    /// Since when a client has believed that it holds.
    pub fn believes_since(&self, client: ClientId) -> Option<u64> {
        open_since(&self.clients.get(&client)?.belief)
    }

    /// Since when a client's node has held the lock at the server.
    pub fn holds_since(&self, client: ClientId) -> Option<u64> {
        open_since(&self.clients.get(&client)?.truth)
    }

    /// Takes one event; if the resource took a request in it, what became of that.
    pub fn see(&mut self, at_ms: u64, event: &Event) -> Option<Used> {
        let used = self.nodes.see(event);
        match event {
            Event::NodeCreated { .. } | Event::NodeDeleted { .. } => self.crown(at_ms),
            Event::Acquired { client, .. } => {
                let belief = &mut self.clients.entry(*client).or_default().belief;
                belief.push(Span { from_ms: at_ms, to_ms: None });
            }
            Event::Released { client } | Event::LostLock { client, .. } => {
                close(&mut self.clients.entry(*client).or_default().belief, at_ms);
            }
            _ => {}
        }
        used
    }

    /// Gives the truth to those whose nodes hold now, and takes it from the others.
    fn crown(&mut self, at_ms: u64) {
        let holders: Vec<ClientId> = self.nodes.holding().map(|node| node.client).collect();
        for client in &holders {
            self.clients.entry(*client).or_default();
        }
        for (client, held) in self.clients.iter_mut() {
            match (holders.contains(client), open_since(&held.truth).is_some()) {
                (true, false) => held.truth.push(Span { from_ms: at_ms, to_ms: None }),
                (false, true) => close(&mut held.truth, at_ms),
                (true, true) | (false, false) => {}
            }
        }
    }
}

fn close(spans: &mut [Span], at_ms: u64) {
    if let Some(span) = spans.last_mut() {
        span.to_ms.get_or_insert(at_ms);
    }
}
