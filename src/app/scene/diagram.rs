//! The space-time diagram of one lane: a line for each client and for each server, messages between.

use std::collections::BTreeSet;

use super::ensemble::between_word;
use super::message::Kind;
use super::past::Past;
use super::past_servers::{PastMark, ServerPhase};
use crate::play::{Said, open_since};
use crate::teach::call_name;
use crate::text::Text;
use crate::world::{ClientId, ServerWord};
use crate::zookeeper::ServerId;

/// A message between a client and its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slant {
    pub client: ClientId,
    pub row: u32,
    /// The server's line, from 0.
    pub server: u32,
    pub up: bool,
    pub kind: Kind,
    pub label: String,
    pub from_ms: u64,
    /// `None` while it is on its way.
    pub to_ms: Option<u64>,
    /// It was lost then.
    pub lost: bool,
}

/// A message from one server's line to another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    pub from: u32,
    pub to: u32,
    pub what: ServerWord,
    /// Whose request it is about.
    pub client: Option<ClientId>,
    /// What it is called; nothing where one that left with it says so.
    pub label: Option<Text>,
    pub from_ms: u64,
    /// `None` while it is on its way.
    pub to_ms: Option<u64>,
    /// It was lost then.
    pub lost: bool,
}

/// A piece of a server's line: as long as it does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    pub row: u32,
    pub phase: ServerPhase,
    pub from_ms: u64,
    pub to_ms: u64,
}

/// A stretch in which a client believed that it held the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub row: u32,
    pub from_ms: u64,
    pub to_ms: u64,
}

/// A piece of the axis of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from_ms: u64,
    pub to_ms: u64,
    /// As long as this it is drawn; less than it lasts where nothing happens in it.
    pub shown_ms: u64,
}

impl Stretch {
    /// Whether it is drawn shorter than it lasts.
    pub fn is_cut(&self) -> bool {
        self.shown_ms < self.to_ms - self.from_ms
    }
}

/// The diagram: the newest part of a lane's story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The axis of time, from left to right, without gaps.
    pub stretches: Vec<Stretch>,
    pub clients: Vec<ClientId>,
    /// The servers, where there are several.
    pub servers: Vec<ServerId>,
    pub phases: Vec<Stay>,
    pub slants: Vec<Slant>,
    pub between: Vec<Between>,
    pub held: Vec<Held>,
    /// What happened to servers.
    pub marks: Vec<PastMark>,
}

impl Diagram {
    /// Where it begins, in virtual ms.
    pub fn from_ms(&self) -> u64 {
        self.stretches.first().map_or(0, |stretch| stretch.from_ms)
    }

    /// Where it ends, in virtual ms.
    pub fn to_ms(&self) -> u64 {
        self.stretches.last().map_or(0, |stretch| stretch.to_ms)
    }
}

/// How much of the past the diagram shows, in virtual ms as they are drawn.
const WINDOW_MS: u64 = 160;
/// Where there are several servers, whole seconds pass between what matters: a longer silence is drawn
/// as short as [`CUT_MS`].
const SILENCE_MS: u64 = 40;
const CUT_MS: u64 = 12;

/// Builds the diagram for the clients that are drawn; with heartbeats between servers if `beats`.
pub fn diagram(past: &Past, drawn: &[ClientId], now_ms: u64, beats: bool) -> Diagram {
    let servers = past.servers.servers.clone();
    let stretches = match servers.is_empty() {
        true => {
            let (from_ms, to_ms) = (now_ms.saturating_sub(WINDOW_MS), now_ms.max(WINDOW_MS));
            vec![Stretch { from_ms, to_ms, shown_ms: to_ms - from_ms }]
        }
        false => stretches(&instants(past, drawn, beats), now_ms),
    };
    let mut diagram = Diagram {
        stretches,
        clients: drawn.to_vec(),
        servers,
        phases: Vec::new(),
        slants: Vec::new(),
        between: Vec::new(),
        held: Vec::new(),
        marks: Vec::new(),
    };
    let from_ms = diagram.from_ms();
    diagram.slants = slants(past, &diagram, from_ms);
    diagram.between = between(past, from_ms, beats);
    diagram.held = held(past, drawn, from_ms, now_ms);
    diagram.phases = phases(past, from_ms, now_ms);
    diagram.marks = past.servers.marks.iter().filter(|mark| mark.at_ms >= from_ms).copied().collect();
    diagram
}

/// A row of the clients or of the servers.
fn row_of<T: PartialEq>(list: &[T], one: &T) -> Option<u32> {
    list.iter().position(|other| other == one).map(|at| at as u32)
}

fn slants(past: &Past, diagram: &Diagram, from_ms: u64) -> Vec<Slant> {
    let mut slants = Vec::new();
    for message in past.messages.of_clients() {
        let Some(row) = row_of(&diagram.clients, &message.client) else { continue };
        let server = message.server.and_then(|server| row_of(&diagram.servers, &server)).unwrap_or(0);
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
        let (client, from_ms, lost) = (message.client, message.sent_ms, message.lost_ms.is_some());
        slants.push(Slant { client, row, server, up, kind, label, from_ms, to_ms: end_ms, lost });
    }
    slants
}

fn between(past: &Past, from_ms: u64, beats: bool) -> Vec<Between> {
    let mut all: Vec<Between> = Vec::new();
    for message in past.messages.between().iter().filter(|one| beats || !one.what.is_beat()) {
        let to_ms = message.arrived_ms.or(message.lost_ms);
        let rows = (row_of(&past.servers.servers, &message.from), row_of(&past.servers.servers, &message.to));
        let (Some(from), Some(to)) = rows else { continue };
        if to_ms.is_some_and(|at| at < from_ms) {
            continue;
        }
        let (what, client, sent_ms) = (message.what, message.client, message.sent_ms);
        let said = all
            .iter()
            .rev()
            .take_while(|one| one.from_ms == sent_ms)
            .any(|one| (one.from, one.what, one.client) == (from, what, client));
        let label = (!said).then(|| between_word(what));
        let lost = message.lost_ms.is_some();
        all.push(Between { from, to, what, client, label, from_ms: sent_ms, to_ms, lost });
    }
    all
}

fn held(past: &Past, drawn: &[ClientId], from_ms: u64, now_ms: u64) -> Vec<Held> {
    let mut held = Vec::new();
    for (client, row) in drawn.iter().zip(0..) {
        let belief = past.holders.of(*client).belief;
        for span in &belief {
            let end = span.to_ms.unwrap_or(now_ms);
            if end >= from_ms {
                held.push(Held { row, from_ms: span.from_ms.max(from_ms), to_ms: end });
            }
        }
        debug_assert!(open_since(&belief).is_none_or(|since| since <= now_ms));
    }
    held
}

fn phases(past: &Past, from_ms: u64, now_ms: u64) -> Vec<Stay> {
    let mut phases = Vec::new();
    for (server, row) in past.servers.servers.iter().zip(0..) {
        let mut own = past.servers.phases.iter().filter(|phase| phase.server == *server).peekable();
        while let Some(phase) = own.next() {
            let to_ms = own.peek().map_or(now_ms, |next| next.from_ms);
            if to_ms >= from_ms {
                let from_ms = phase.from_ms.max(from_ms);
                phases.push(Stay { row, phase: phase.phase, from_ms, to_ms });
            }
        }
    }
    phases
}

/// When something happens that the diagram shows.
fn instants(past: &Past, drawn: &[ClientId], beats: bool) -> BTreeSet<u64> {
    let mut instants = BTreeSet::new();
    for message in past.messages.of_clients().iter().filter(|message| drawn.contains(&message.client)) {
        instants.insert(message.sent_ms);
        instants.extend(message.arrived_ms.or(message.lost_ms));
    }
    for message in past.messages.between().iter().filter(|message| beats || !message.what.is_beat()) {
        instants.insert(message.sent_ms);
        instants.extend(message.arrived_ms.or(message.lost_ms));
    }
    instants.extend(past.servers.marks.iter().map(|mark| mark.at_ms));
    for span in drawn.iter().flat_map(|client| past.holders.of(*client).belief) {
        instants.insert(span.from_ms);
        instants.extend(span.to_ms);
    }
    instants
}

/// The axis: from now back as far as there is room, long silences cut.
fn stretches(instants: &BTreeSet<u64>, now_ms: u64) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut room, mut to_ms) = (WINDOW_MS, now_ms);
    let before = instants.iter().rev().copied().filter(|at| *at < now_ms).chain([0]);
    for from_ms in before {
        let lasts = to_ms - from_ms;
        let silent = lasts > SILENCE_MS;
        if lasts == 0 {
            continue;
        }
        if silent && CUT_MS > room {
            room = 0;
            break;
        }
        let shown_ms = if silent { CUT_MS } else { lasts.min(room) };
        let from_ms = if silent { from_ms } else { to_ms - shown_ms };
        match stretches.last_mut() {
            Some(later) if !later.is_cut() && !silent => {
                later.from_ms = from_ms;
                later.shown_ms += shown_ms;
            }
            _ => stretches.push(Stretch { from_ms, to_ms, shown_ms }),
        }
        (room, to_ms) = (room - shown_ms, from_ms);
        if room == 0 {
            break;
        }
    }
    stretches.reverse();
    // At the start of a run the rest of the axis is still to come.
    match stretches.last_mut() {
        Some(last) if !last.is_cut() => {
            last.to_ms += room;
            last.shown_ms += room;
        }
        _ if room > 0 => stretches.push(Stretch { from_ms: now_ms, to_ms: now_ms + room, shown_ms: room }),
        _ => {}
    }
    stretches
}
