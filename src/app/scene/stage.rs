//! The stage of one lane: the queue of nodes, the clients under them, watches, messages, the ledger.

use super::past::{Past, PastClient, Woken, open_since};
use super::table::{Row, row};
use super::words;
use crate::play::{Scheduler, Step};
use crate::recipe::{Order, Step as At, last_part};
use crate::sorted::{Listed, SortedSet};
use crate::teach::{call_name, node_label};
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Event, LOCK_DIR, Link, Packet, World};

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

/// A node of the queue, or the hollow place of one that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    pub path: String,
    pub label: String,
    pub owner: ClientId,
    pub column: u32,
    pub deleted: bool,
    /// It stands first: the key is on it.
    pub first: bool,
}

/// A client and its bubble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientView {
    pub client: ClientId,
    pub column: u32,
    pub tone: Tone,
    /// The step's word, for tests and scripts.
    pub step: &'static str,
    pub line1: Text,
    pub line2: Text,
    /// Both lines as one sentence.
    pub whole: Text,
    /// How long its belief has differed from the truth, in ms.
    pub wrong_ms: Option<u64>,
    /// It acted in the last step.
    pub acted: bool,
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

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    ToServer,
    ToClient,
    ToLedger,
    FromLedger,
}

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Request,
    Reply,
    Event,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageView {
    /// Stays the same while the message is on its way.
    pub key: String,
    pub client: ClientId,
    pub column: u32,
    pub way: Way,
    pub kind: Kind,
    pub label: Text,
    /// How much of its way it has gone, in percent.
    pub percent: u32,
    /// How many messages of this link are ahead of it.
    pub behind: u32,
    /// The action that delivers it.
    pub action: Action,
    pub held: bool,
    pub due_in_ms: u64,
}

/// The guarded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerView {
    pub stock: i64,
    pub entries: Vec<LedgerEntry>,
}

/// A write that the ledger took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    pub client: ClientId,
    pub text: Text,
    pub harm: bool,
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
    /// The picture in sentences.
    pub sentence: Text,
}

/// What the builders below look at.
pub struct Look<'a> {
    pub world: &'a World,
    pub scheduler: &'a Scheduler,
    pub past: &'a Past,
    /// The last step, if one has been taken.
    pub last: Option<&'a Step>,
    pub now_ms: u64,
    /// Clients that wait for ever, once the run has come to rest.
    pub stuck: &'a [ClientId],
}

impl Look<'_> {
    pub fn past_of(&self, client: ClientId) -> Option<&PastClient> {
        self.past.clients.get(&client)
    }

    fn deleted(&self, client: ClientId) -> bool {
        self.past_of(client).and_then(|past| past.node.as_ref()).is_none_or(|node| node.deleted)
    }
}

/// Builds the stage.
pub fn stage(look: &Look<'_>) -> Stage {
    let order = order(look);
    let drawn = drawn(look, &order);
    let column = |client: ClientId| drawn.iter().position(|c| *c == client).map(|at| at as u32);
    let nodes = nodes(look, &drawn);
    // Of several nodes that had the same name, the one that is there, or else the newest.
    let column_of = |path: &str| {
        let named = nodes.iter().rev().filter(|node| node.path == path);
        named.min_by_key(|node| node.deleted).map(|node| node.column)
    };
    let watches = watches(look, &column, &column_of);
    let messages =
        drawn.iter().zip(0..).flat_map(|(client, at)| messages(look, *client, at)).collect::<Vec<_>>();
    let clients: Vec<ClientView> =
        drawn.iter().zip(0..).map(|(client, at)| client_view(look, *client, at)).listed();
    let many = order.len() > DRAWN_CLIENTS;
    let dots =
        if many { look.world.actors().map(|(client, _)| dot(look, client)).listed() } else { Vec::new() };
    let ledger = ledger(look);
    let rows: Vec<Row> = drawn.iter().map(|client| row(look, *client, &messages)).listed();
    let sentence = words::sentence(&nodes, &clients, &watches, &messages, &ledger, order.len());
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
        sentence,
    }
}

/// The clients from left to right: by their newest node, those without one after them.
fn order(look: &Look<'_>) -> Vec<ClientId> {
    let placed = |client: ClientId| {
        let node = look.past_of(client).and_then(|past| past.node.as_ref());
        let czxid = node.map(|node| node.czxid);
        (czxid.is_none(), czxid, client)
    };
    let order: SortedSet<_> = look.world.actors().map(|(client, _)| placed(client)).collect();
    order.iter().map(|(_, _, client)| *client).collect()
}

/// Those that are drawn in full: all, or the front of the queue with the last one that left it.
fn drawn(look: &Look<'_>, order: &[ClientId]) -> Vec<ClientId> {
    if order.len() <= DRAWN_CLIENTS {
        return order.to_vec();
    }
    let through = |client: &ClientId| {
        look.world.actor(*client).is_some_and(|actor| actor.client.step() == At::Done)
            && look.deleted(*client)
    };
    let gone = order.iter().take_while(|client| through(client)).count();
    let start = gone.saturating_sub(1).min(order.len() - DRAWN_CLIENTS);
    order[start..start + DRAWN_CLIENTS].to_vec()
}

fn nodes(look: &Look<'_>, drawn: &[ClientId]) -> Vec<NodeView> {
    let first = look.past.nodes.values().next().map(|(path, _)| path.clone());
    let mut nodes = Vec::new();
    for (client, column) in drawn.iter().zip(0..) {
        let Some(node) = look.past_of(*client).and_then(|past| past.node.as_ref()) else { continue };
        nodes.push(NodeView {
            path: node.path.to_string(),
            label: queue_label(look, &node.path),
            owner: *client,
            column,
            deleted: node.deleted,
            first: !node.deleted && first.as_deref() == Some(&*node.path),
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
    for watch in look.world.server().watchers() {
        if let Some(client) = look.world.client_of(watch.session) {
            add(client, &watch.path, false);
        }
    }
    for event in look.last.into_iter().flat_map(|step| &step.events) {
        if let Event::WatchFired { client, event } = event {
            add(*client, &event.path, true);
        }
    }
    views
}

fn messages(look: &Look<'_>, client: ClientId, column: u32) -> Vec<MessageView> {
    let Some(actor) = look.world.actor(client) else { return Vec::new() };
    let mut all = Vec::new();
    let mut link = |link: Link, way: Way, items: Vec<(Kind, Text)>| {
        let action = Action::Deliver(link);
        let held = look.scheduler.held().any(|held| held == action);
        let times = look.scheduler.occurrences(action);
        for (behind, ((kind, label), (since_ms, due_ms))) in (0u32..).zip(items.into_iter().zip(times)) {
            let gone = look.now_ms.saturating_sub(since_ms);
            let percent =
                (gone * 100).checked_div(due_ms.saturating_sub(since_ms)).unwrap_or(100).min(100) as u32;
            all.push(MessageView {
                key: format!("{action}.{since_ms}.{}", label.en),
                client,
                column,
                way,
                kind,
                label,
                percent,
                behind,
                action,
                held,
                due_in_ms: due_ms.saturating_sub(look.now_ms),
            });
        }
    };
    let requests = actor.to_server.iter().map(|request| (Kind::Request, Text::same(call_name(request))));
    link(Link::ToServer(client), Way::ToServer, requests.listed());
    let packets = actor.to_client.iter().map(|packet| match packet {
        Packet::Event(event) => (Kind::Event, Text::same(event.kind.name())),
        Packet::Reply { request, result } => (Kind::Reply, reply_label(call_name(request), result)),
    });
    link(Link::ToClient(client), Way::ToClient, packets.listed());
    let asked = actor.to_resource.iter().map(|request| (Kind::Request, words::resource_request(*request)));
    link(Link::ToResource(client), Way::ToLedger, asked.listed());
    let answers = actor.from_resource.iter().map(|reply| (Kind::Reply, words::resource_reply(*reply)));
    link(Link::FromResource(client), Way::FromLedger, answers.listed());
    all
}

fn reply_label(call: &str, result: &Result<crate::zookeeper::Reply, crate::zookeeper::ErrorCode>) -> Text {
    use crate::zookeeper::Reply;
    match result {
        Ok(Reply::Created { path }) => Text::same(node_label(path)),
        Ok(Reply::Children { children }) if children.len() == 1 => text("1 node", "1 个节点"),
        Ok(Reply::Children { children }) => {
            let n = children.len();
            say(format!("{n} nodes"), format!("{n} 个节点"))
        }
        Ok(_) => Text::same(format!("{call} ✓")),
        Err(error) => Text::same(error.name()),
    }
}

fn client_view(look: &Look<'_>, client: ClientId, column: u32) -> ClientView {
    let step = look.world.actor(client).map_or(At::Idle, |actor| actor.client.step());
    let past = look.past_of(client).cloned().unwrap_or_default();
    let tone = tone(look, client);
    let words::Bubble { line1, line2, whole } = words::bubble(step, &past, tone, look.now_ms);
    let believes_since = open_since(&past.belief);
    let owns_since = open_since(&past.truth);
    let wrong_ms = match (believes_since, owns_since) {
        (Some(from), None) => {
            Some(past.truth.last().and_then(|span| span.to_ms).map_or(from, |lost| lost.max(from)))
        }
        _ => None,
    };
    let acted = look.last.is_some_and(|last| last.action.client() == client);
    ClientView {
        client,
        column,
        tone,
        step: step.word(),
        line1,
        line2,
        whole,
        wrong_ms: wrong_ms.map(|from| look.now_ms.saturating_sub(from)),
        acted,
    }
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

fn ledger(look: &Look<'_>) -> LedgerView {
    let entries = look.past.writes.iter().map(|write| LedgerEntry {
        client: write.client,
        text: if write.lost_update {
            say(format!("stock {}: overwrote", write.value), format!("库存 {}：覆盖了别人", write.value))
        } else {
            say(format!("stock {} ✓", write.value), format!("库存 {} ✓", write.value))
        },
        harm: write.lost_update,
    });
    LedgerView { stock: look.world.resource().stock, entries: entries.listed() }
}
