//! The stage of one lane: the queue of nodes, the clients under them, watches, messages, the ledger.

use std::collections::BTreeSet;

use super::client::{ClientView, Fuse, client_view, node_fuse};
use super::ensemble::{EnsembleView, ensemble_view};
use super::gate::{LedgerView, ledger};
use super::message::{MessageView, messages};
use super::past::{Past, PastClient, PastNode, Woken, open_since};
use super::pick::Pick;
use super::table::{Row, row};
use super::words;
use crate::play::{Scheduler, TimelineStep};
use crate::recipe::{Order, Step as At, last_part, node_label};
use crate::text::{Text, say};
use crate::world::{ClientId, Event, LOCK_DIR, World};
use crate::zookeeper::{ServerId, Zxid};

/// How many clients are drawn in full. The others are dots.
pub const DRAWN_CLIENTS: usize = 8;

/// A colour for a client: three strong ones, grey for the rest. Never red or green.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hue {
    Blue,
    Magenta,
    Teal,
    Grey,
}

impl Hue {
    /// The hue of a client.
    pub fn of(client: ClientId) -> Hue {
        match client.0 {
            0 => Hue::Blue,
            1 => Hue::Magenta,
            2 => Hue::Teal,
            _ => Hue::Grey,
        }
    }

    /// The class that the style sheet gives a colour.
    pub fn class(self) -> &'static str {
        match self {
            Hue::Blue => "hue-a",
            Hue::Magenta => "hue-b",
            Hue::Teal => "hue-c",
            Hue::Grey => "hue-x",
        }
    }
}

/// What a client's bubble is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    Plain,
    /// It believes that it holds, and the server agrees.
    Holds,
    /// It believes that it holds, and the server does not agree.
    Wrong,
    /// It was woken for nothing.
    Vain,
    /// It waits and nothing will wake it.
    Stuck,
    /// It is through, or not there yet.
    Away,
}

/// How a lagging server has a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lag {
    /// It is gone, and this server still shows it.
    StillOn(ServerId),
    /// It is there, and this server does not show it yet.
    NotYetOn(ServerId),
}

/// A node of the queue, or the hollow place of one that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    pub path: String,
    pub label: String,
    pub owner: ClientId,
    pub column: u32,
    pub deleted: bool,
    /// It went with its session.
    pub expired: bool,
    /// It holds the lock, as the server has it: the key is on it.
    pub first: bool,
    /// Its owner has a newer one, or is another process by now.
    pub left_over: bool,
    /// Where several servers keep the queue: it is not on the one that is shown as it is on the others.
    pub lag: Option<Lag>,
    /// How long its session still lives if nothing more is heard of it, where that matters.
    pub fuse: Option<Fuse>,
}

/// How a watch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WatchState {
    Armed,
    /// It fired in the last step; this is its ghost.
    Fired,
    /// It hangs on a node that does not exist.
    OnMissing,
}

/// An arc from a watcher to what it watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchView {
    pub client: ClientId,
    pub from: u32,
    /// The column of the watched node; `None` for the directory itself.
    pub to: Option<u32>,
    pub state: WatchState,
    pub on: String,
}

/// A client as a dot, where there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    pub client: ClientId,
    pub tone: Tone,
    pub woken: bool,
}

/// One lane's picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub dir: &'static str,
    pub columns: u32,
    pub nodes: Vec<NodeView>,
    pub clients: Vec<ClientView>,
    pub watches: Vec<WatchView>,
    pub messages: Vec<MessageView>,
    pub ledger: LedgerView,
    /// All clients, where there are more than can be drawn.
    pub dots: Vec<Dot>,
    pub rows: Vec<Row>,
    /// The servers, where there are several.
    pub ensemble: Option<EnsembleView>,
    /// The picture in sentences.
    pub sentence: Text,
}

/// What the builders below look at.
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

/// What stands in a column: a client under its newest node, or a node alone that was left over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    no_node: bool,
    czxid: Option<Zxid>,
    owner: ClientId,
    alone: bool,
}

/// Builds the stage.
pub fn stage(look: &Look<'_>, picked: Option<&Pick>) -> Stage {
    let order = order(look);
    let drawn = drawn(look, &order);
    let column =
        |client: ClientId| drawn.iter().position(|at| !at.alone && at.owner == client).map(|at| at as u32);
    let ensemble = ensemble_view(look, picked);
    let mut nodes = nodes(look, &drawn);
    if let Some(view) = &ensemble {
        nodes.iter_mut().for_each(|node| node.lag = lag(view, node));
    }
    // Of several nodes that had the same name, the one that is there, or else the newest.
    let column_of = |path: &str| {
        let named = nodes.iter().rev().filter(|node| node.path == path);
        named.min_by_key(|node| node.deleted).map(|node| node.column)
    };
    let watches = watches(look, &column, &column_of);
    let places: Vec<(ClientId, u32)> =
        (0..).zip(&drawn).filter(|(_, at)| !at.alone).map(|(column, at)| (at.owner, column)).collect();
    let messages = places.iter().flat_map(|(client, at)| messages(look, *client, *at)).collect::<Vec<_>>();
    let clients: Vec<ClientView> =
        places.iter().map(|(client, at)| client_view(look, *client, *at)).collect();
    let many = order.len() > DRAWN_CLIENTS;
    let dots =
        if many { look.world.actors().map(|(client, _)| dot(look, client)).collect() } else { Vec::new() };
    let ledger = ledger(look);
    let rows: Vec<Row> = places.iter().map(|(client, _)| row(look, *client, &messages)).collect();
    let of = look.world.actors().count();
    let mut sentence = words::sentence(&nodes, &clients, &watches, &messages, &ledger, of);
    if let Some(view) = &ensemble {
        let (more, told) = (&view.sentence, &sentence);
        sentence = say(format!("{} {}", more.en, told.en), format!("{}{}", more.zh, told.zh));
    }
    Stage {
        dir: LOCK_DIR,
        columns: drawn.len() as u32,
        nodes,
        clients,
        watches,
        messages,
        ledger,
        dots,
        rows,
        ensemble,
        sentence,
    }
}

/// How the server that is shown has a node, where it has it otherwise.
fn lag(view: &EnsembleView, node: &NodeView) -> Option<Lag> {
    let among = |list: &[String]| list.contains(&node_label(&node.path));
    match node.deleted {
        true => among(&view.still).then_some(Lag::StillOn(view.seen_by)),
        false => among(&view.not_yet).then_some(Lag::NotYetOn(view.seen_by)),
    }
}

/// The columns from left to right: by their node, those without one after them.
fn order(look: &Look<'_>) -> Vec<Column> {
    let newest = |client: ClientId| look.past_of(client).and_then(|past| past.node.as_ref());
    let clients = look.world.actors().map(|(owner, _)| {
        let czxid = newest(owner).map(|node| node.czxid);
        Column { no_node: czxid.is_none(), czxid, owner, alone: false }
    });
    let mut order: BTreeSet<Column> = clients.collect();
    for (czxid, (_, owner)) in look.past.nodes.iter() {
        if newest(*owner).is_none_or(|node| node.czxid != *czxid) {
            order.insert(Column { no_node: false, czxid: Some(*czxid), owner: *owner, alone: true });
        }
    }
    order.iter().copied().collect()
}

/// Those that are drawn in full: all, or the front of the queue with the last one that left it.
fn drawn(look: &Look<'_>, order: &[Column]) -> Vec<Column> {
    if order.len() <= DRAWN_CLIENTS {
        return order.to_vec();
    }
    let through = |at: &Column| {
        !at.alone
            && look.world.actor(at.owner).is_some_and(|actor| actor.client.step() == At::Done)
            && look.deleted(at.owner)
    };
    let gone = order.iter().take_while(|at| through(at)).count();
    let start = gone.saturating_sub(1).min(order.len() - DRAWN_CLIENTS);
    order[start..start + DRAWN_CLIENTS].to_vec()
}

fn nodes(look: &Look<'_>, drawn: &[Column]) -> Vec<NodeView> {
    let holders = look.past.holding();
    let mut nodes = Vec::new();
    for (at, column) in drawn.iter().zip(0..) {
        let newest = look.past_of(at.owner).and_then(|past| past.node.clone());
        let node = match at.czxid.filter(|_| at.alone) {
            None => newest,
            Some(czxid) => look.past.nodes.get(&czxid).map(|(path, _)| PastNode {
                path: path.clone(),
                czxid,
                deleted: false,
                expired: false,
            }),
        };
        let Some(node) = node else { continue };
        nodes.push(NodeView {
            path: node.path.to_string(),
            label: queue_label(look, &node.path),
            owner: at.owner,
            column,
            deleted: node.deleted,
            expired: node.expired,
            first: !node.deleted && holders.contains(&node.czxid),
            left_over: at.alone,
            lag: None,
            fuse: if node.deleted { None } else { node_fuse(look, &node.path) },
        });
    }
    nodes
}

/// A node's name in the picture. Where the whole name is what is sorted by, its beginning is shown too.
fn queue_label(look: &Look<'_>, path: &str) -> String {
    let by_name =
        look.world.actors().next().is_some_and(|(_, actor)| actor.client.decisions().order == Order::Name);
    match last_part(path).get(..2) {
        Some(start) if by_name => format!("{start}…{}", node_label(path)),
        Some(_) | None => node_label(path),
    }
}

fn watches(
    look: &Look<'_>,
    column: &impl Fn(ClientId) -> Option<u32>,
    column_of: &impl Fn(&str) -> Option<u32>,
) -> Vec<WatchView> {
    let mut views = Vec::new();
    let mut add = |client: ClientId, path: &str, fired: bool| {
        let Some(from) = column(client) else { return };
        let on_dir = path == LOCK_DIR;
        let missing = !on_dir && look.world.server().node(path).is_none();
        let to = if on_dir { None } else { column_of(path) };
        if to.is_none() && !on_dir {
            return;
        }
        let state = match (fired, missing) {
            (true, _) => WatchState::Fired,
            (false, true) => WatchState::OnMissing,
            (false, false) => WatchState::Armed,
        };
        views.push(WatchView { client, from, to, state, on: last_part(path).to_string() });
    };
    for watch in look.world.watchers() {
        if let Some(client) = look.world.client_of(watch.session) {
            add(client, &watch.path, false);
        }
    }
    for event in look.last.into_iter().flat_map(|step| &step.events) {
        if let Event::WatchFired { client, event, .. } = event {
            add(*client, &event.path, true);
        }
    }
    views
}

pub fn tone(look: &Look<'_>, client: ClientId) -> Tone {
    let step = look.world.actor(client).map_or(At::Idle, |actor| actor.client.step());
    let past = look.past_of(client);
    let owns = past.is_some_and(|past| open_since(&past.truth).is_some());
    if step.believes() {
        return if owns { Tone::Holds } else { Tone::Wrong };
    }
    if look.stuck.contains(&client) {
        return Tone::Stuck;
    }
    match step {
        At::Idle | At::Done | At::Failed(_) => Tone::Away,
        _ if past.is_some_and(|past| past.woken == Woken::InVain) => Tone::Vain,
        _ => Tone::Plain,
    }
}

fn dot(look: &Look<'_>, client: ClientId) -> Dot {
    let woken = look.last.is_some_and(|last| {
        let fired = |event: &Event| matches!(event, Event::WatchFired { client: c, .. } if *c == client);
        last.events.iter().any(fired)
    });
    let woken = woken || look.past_of(client).is_some_and(|past| past.woken == Woken::Looking);
    Dot { client, tone: tone(look, client), woken }
}
