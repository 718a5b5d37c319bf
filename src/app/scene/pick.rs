//! What the reader pointed at.

use crate::world::{Action, ClientId};
use crate::zookeeper::ServerId;

/// Something on the stage that can be inspected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    Client(ClientId),
    /// A node, by its path.
    Node(String),
    /// The messages of a link, by the action that delivers the oldest.
    Link(Action),
    Server,
    /// One server of several.
    Member(ServerId),
    Ledger,
}
