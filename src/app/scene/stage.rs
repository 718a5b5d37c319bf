//! The stage of one lane: the queue of nodes, the clients under them, watches, messages, the ledger.

use super::client::{ClientView, client_view};
use super::ensemble::{EnsembleView, ensemble_view};
use super::gate::{LedgerView, ledger};
use super::look::Look;
use super::message::{MessageView, messages};
use super::nodes::{DRAWN_CLIENTS, Lag, NodeView, drawn, nodes, order};
use super::past::Woken;
use super::pick::Pick;
use super::sentence::sentence;
use super::table::{Row, row};
use super::tone::{Tone, tone};
use super::watches::{WatchView, watches};
use crate::recipe::node_label;
use crate::text::{Text, say};
use crate::world::{ClientId, Event, LOCK_DIR};

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
    let mut sentence = sentence(&nodes, &clients, &watches, &messages, &ledger, of);
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

fn dot(look: &Look<'_>, client: ClientId) -> Dot {
    let woken = look.last.is_some_and(|last| {
        let fired = |event: &Event| matches!(event, Event::WatchFired { client: c, .. } if *c == client);
        last.events.iter().any(fired)
    });
    let woken = woken || look.past_of(client).is_some_and(|past| past.woken == Woken::Looking);
    Dot { client, tone: tone(look, client), woken }
}
