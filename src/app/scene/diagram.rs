//! The space-time diagram of one lane: a line for each client and one for the server, messages between.

use super::message::Kind;
use super::past::{Past, Said, open_since};
use crate::teach::call_name;
use crate::world::ClientId;

/// A message from one line to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slant {
    pub client: ClientId,
    pub row: u32,
    pub up: bool,
    pub kind: Kind,
    pub label: String,
    pub from_ms: u64,
    /// `None` while it is on its way.
    pub to_ms: Option<u64>,
    /// It was lost then.
    pub lost: bool,
}

/// A stretch in which a client believed that it held the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub row: u32,
    pub from_ms: u64,
    pub to_ms: u64,
}

/// The diagram: the newest part of a lane's story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub from_ms: u64,
    pub to_ms: u64,
    pub clients: Vec<ClientId>,
    pub slants: Vec<Slant>,
    pub held: Vec<Held>,
}

/// How much of the past the diagram shows, in virtual ms.
const WINDOW_MS: u64 = 160;

/// Builds the diagram for the clients that are drawn.
pub fn diagram(past: &Past, drawn: &[ClientId], now_ms: u64) -> Diagram {
    let (from_ms, to_ms) = (now_ms.saturating_sub(WINDOW_MS), now_ms.max(WINDOW_MS));
    let row = |client: ClientId| drawn.iter().position(|c| *c == client).map(|at| at as u32);
    let mut slants = Vec::new();
    for message in &past.messages {
        let Some(row) = row(message.client) else { continue };
        let end_ms = message.arrived_ms.or(message.lost_ms);
        if end_ms.is_some_and(|at| at < from_ms) {
            continue;
        }
        let (up, kind, label) = match &message.said {
            Said::Request(request) => (true, Kind::Request, call_name(request).to_string()),
            Said::Reply(request) => (false, Kind::Reply, call_name(request).to_string()),
            Said::Event(event) => (false, Kind::Event, event.kind.name().to_string()),
            Said::Connect => (true, Kind::Request, "connect".to_string()),
            Said::Answer | Said::Bye => (false, Kind::Reply, String::new()),
        };
        let (from_ms, lost) = (message.sent_ms, message.lost_ms.is_some());
        slants.push(Slant { client: message.client, row, up, kind, label, from_ms, to_ms: end_ms, lost });
    }
    let mut held = Vec::new();
    for (client, row) in drawn.iter().zip(0..) {
        let Some(past) = past.clients.get(client) else { continue };
        for span in &past.belief {
            let end = span.to_ms.unwrap_or(now_ms);
            if end >= from_ms {
                held.push(Held { row, from_ms: span.from_ms.max(from_ms), to_ms: end });
            }
        }
        debug_assert!(open_since(&past.belief).is_none_or(|since| since <= now_ms));
    }
    Diagram { from_ms, to_ms, clients: drawn.to_vec(), slants, held }
}
