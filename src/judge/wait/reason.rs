//! What keeps a client waiting, as data.

use serde::Serialize;

use crate::recipe::node_label;
use crate::text::{Text, say};
use crate::world::{Action, ClientId};
use crate::zookeeper::{Path, ServerId};

/// Why a client waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wait {
    pub client: ClientId,
    /// Who waits for which node, from the client on. Empty where it waits for no node.
    pub chain: Vec<Behind>,
    /// What the chain ends at.
    pub end: Reason,
}

/// Somebody waits for a node to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Behind {
    pub client: ClientId,
    pub node: Path,
}

/// What a chain of waiting ends at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Reason {
    /// A node whose owner counts it as its own and does not wait: it holds the lock, lets it go, or has died.
    /// `first`: no node stands before it that it cannot share the lock with.
    Node { node: Path, owner: ClientId, first: bool, state: OwnerState, life: Life },
    /// A node that nobody counts as their own. `maker`: who made it, as far as that can be told.
    LeftOver { node: Path, maker: Option<ClientId>, how: Left, life: Life },
    /// These wait for each other, each for the next and the last for the first: a deadlock.
    Ring { members: Vec<ClientId> },
    /// The client sleeps, and its server has no watch that could still fire for what it waits for.
    NoWatch { client: ClientId, node: Path, why: NoWatch },
    /// The event that the client sleeps for is on its way.
    EventComing { client: ClientId },
    /// The client's request, or the answer to it, is on its way; or it is about to read a list.
    Asks { client: ClientId },
    /// Nothing stands in its way: it will see so when it asks next.
    Polls { client: ClientId },
    /// Nothing stands before the client's node, or it has none: it can do nothing itself.
    Itself { client: ClientId, state: OwnerState },
    /// The client's server has not carried out yet what became of the node.
    ServerLags { client: ClientId, server: ServerId, node: Path },
    /// Nothing can be decided: there is no quorum that follows a leader.
    NoQuorum,
    /// The client waits in the queue, and its own node is not there.
    OwnNodeGone { client: ClientId, node: Path },
    /// No node is in its way.
    Nobody { client: ClientId },
}

/// What the owner of a node, or a client itself, does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnerState {
    /// It believes that it holds the lock, and works.
    Works,
    /// It has done with the node: the deletion is on its way.
    Leaves,
    /// Its process stands still.
    Paused,
    /// Its work does not end; its heartbeats go on.
    Hangs,
    Crashed,
    Closed,
    /// Its connection carries nothing, and nobody is told.
    CutOff,
    /// It has no connection.
    Disconnected,
    /// Its server hears nothing of the others.
    ServerCutOff,
}

/// How long a node lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Life {
    /// It outlives its session: it stays until somebody deletes it.
    Persistent,
    /// Heartbeats keep its session alive.
    Kept,
    /// Its session hears nothing: this action ends it, unless contact is found again. The schedule knows when.
    Ends(Action),
    /// Its session is ending.
    Ending,
}

/// How a node came to be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// The reply to its create was lost, and its maker has made another.
    ReplyLost,
    /// Its maker took the lock for lost when it was disconnected, and queued again.
    TakenForLost,
    /// Its maker stopped waiting and walked away.
    WalkedAway,
    /// It belongs to an earlier session of its maker.
    OldSession,
    /// It is persistent, and its maker's process is gone.
    Died,
    Unknown,
}

/// Why no watch will wake a client that sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoWatch {
    /// The request found no node, and left no watch.
    NeverSet,
    /// The watch was left on a node that was gone already.
    OnMissing,
    /// The watch was set, and went with the connection.
    DiedWithConnection,
    /// The watch fired, and its event was lost with the connection.
    EventLost,
}

impl Wait {
    /// The action that would end the wait by ending a session, if that is what it waits for.
    pub fn ends_with(&self) -> Option<Action> {
        match &self.end {
            Reason::Node { life, .. } | Reason::LeftOver { life, .. } => match life {
                Life::Ends(action) => Some(*action),
                Life::Persistent | Life::Kept | Life::Ending => None,
            },
            Reason::Ring { .. }
            | Reason::NoWatch { .. }
            | Reason::EventComing { .. }
            | Reason::Asks { .. }
            | Reason::Polls { .. }
            | Reason::Itself { .. }
            | Reason::ServerLags { .. }
            | Reason::NoQuorum
            | Reason::OwnNodeGone { .. }
            | Reason::Nobody { .. } => None,
        }
    }
}

impl Reason {
    /// Whether it is the same reason, however long the node lives.
    pub fn is_same(&self, other: &Reason) -> bool {
        match (self, other) {
            (
                Reason::Node { node, owner, state, first: _, life: _ },
                Reason::Node { node: node2, owner: owner2, state: state2, first: _, life: _ },
            ) => (node, owner, state) == (node2, owner2, state2),
            (
                Reason::LeftOver { node, maker, how, life: _ },
                Reason::LeftOver { node: node2, maker: maker2, how: how2, life: _ },
            ) => (node, maker, how) == (node2, maker2, how2),
            (one, other) => one == other,
        }
    }
}

impl NoWatch {
    /// Why nothing wakes `client`, which sleeps for `node`, in one sentence.
    pub fn sentence(self, client: ClientId, node: &Path) -> Text {
        let node = node_label(node);
        match self {
            NoWatch::NeverSet => say(
                format!(
                    "{client}'s request found no node {node}, so it left no watch: nothing wakes {client}."
                ),
                format!("{client} 的请求没有找到节点 {node}，也就没有留下 Watch：没有什么会唤醒 {client}。"),
            ),
            NoWatch::OnMissing => say(
                format!(
                    "{client}'s watch was left on node {node}, which was gone already: only a new node of that name would fire it."
                ),
                format!(
                    "{client} 的 Watch 留在了已经删除的节点 {node} 上：除非再创建同名节点，否则不会触发。"
                ),
            ),
            NoWatch::DiedWithConnection => say(
                format!(
                    "{client}'s watch on {node} went with its old connection and was not set again: nobody tells {client} what becomes of it."
                ),
                format!(
                    "{client} 在 {node} 上的 Watch 随旧连接一起失效，没有重新注册：那里有什么变化，{client} 都收不到通知。"
                ),
            ),
            NoWatch::EventLost => say(
                format!("{client}'s watch on {node} has fired, but the event was lost with the connection."),
                format!("{client} 在 {node} 上的 Watch 已经触发，但事件随连接一起丢了。"),
            ),
        }
    }
}
