//! The queue of nodes: which columns there are, and what stands in each.

use std::collections::BTreeSet;

use super::client::{Fuse, node_fuse};
use super::look::Look;
use super::past::PastNode;
use crate::judge::StandingNode;
use crate::recipe::{Order, Step as At, last_part, node_label};
use crate::world::ClientId;
use crate::zookeeper::{ServerId, Zxid};

/// How many clients are drawn in full. The others are dots.
pub const DRAWN_CLIENTS: usize = 8;

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

/// What stands in a column: a client under its newest node, or a node alone that was left over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column {
    no_node: bool,
    czxid: Option<Zxid>,
    pub owner: ClientId,
    pub alone: bool,
}

/// The columns from left to right: by their node, those without one after them.
pub(super) fn order(look: &Look<'_>) -> Vec<Column> {
    let newest = |client: ClientId| look.past_of(client).and_then(|past| past.node.as_ref());
    let clients = look.world.actors().map(|(owner, _)| {
        let czxid = newest(owner).map(|node| node.czxid);
        Column { no_node: czxid.is_none(), czxid, owner, alone: false }
    });
    let mut order: BTreeSet<Column> = clients.collect();
    for StandingNode { czxid, client: owner, .. } in look.past.holders.nodes().standing() {
        if newest(owner).is_none_or(|node| node.czxid != czxid) {
            order.insert(Column { no_node: false, czxid: Some(czxid), owner, alone: true });
        }
    }
    order.iter().copied().collect()
}

/// Those that are drawn in full: all, or the front of the queue with the last one that left it.
pub(super) fn drawn(look: &Look<'_>, order: &[Column]) -> Vec<Column> {
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

/// The nodes in these columns.
pub(super) fn nodes(look: &Look<'_>, drawn: &[Column]) -> Vec<NodeView> {
    let standing = look.past.holders.nodes();
    let holders: Vec<Zxid> = standing.holding().map(|node| node.czxid).collect();
    let mut nodes = Vec::new();
    for (at, column) in drawn.iter().zip(0..) {
        let newest = look.past_of(at.owner).and_then(|past| past.node.clone());
        let node = match at.czxid.filter(|_| at.alone) {
            None => newest,
            Some(czxid) => standing.node(czxid).map(|node| PastNode {
                path: node.path.clone(),
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
