//! What happened: the facts that a step returns.
//!
//! Narration, pictures, measures and properties are folds over these. An event says what is so; it
//! does not say whether that is good.

use serde::Serialize;

use super::{ClientId, Link, Timer};
use crate::recipe::{ResourceReply, ResourceRequest};
use crate::zookeeper::{ErrorCode, Path, Request, WatchTable, WatchedEvent, Zxid};

/// One fact, in the past tense. As JSON, its name stands in `event`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The outside asked the client to take the lock.
    Arrived { client: ClientId },
    /// A request left the client for the server.
    RequestSent { client: ClientId, request: Request },
    /// The server took a request; its reply is on the way to the client.
    RequestTaken {
        client: ClientId,
        request: Request,
        error: Option<ErrorCode>,
        /// The last zxid the server has applied.
        zxid: Zxid,
        /// How many children the reply carries.
        children: Option<u32>,
    },
    /// A node was created by a request of `client`.
    NodeCreated { client: ClientId, path: Path, czxid: Zxid },
    /// A node was deleted by a request of `client`, whoever had created it.
    NodeDeleted { client: ClientId, path: Path, czxid: Zxid },
    /// The server holds a watch for the client's connection. `on_missing` where the node is not there.
    WatchSet { client: ClientId, kind: WatchTable, path: Path, on_missing: bool },
    /// The server used up a watch and sent its event to the client.
    WatchFired {
        client: ClientId,
        #[serde(rename = "watched")]
        event: WatchedEvent,
    },
    /// The reply reached the client.
    ReplyHeard { client: ClientId, request: Request, error: Option<ErrorCode>, children: Option<u32> },
    /// A watch event reached the client.
    EventHeard {
        client: ClientId,
        #[serde(rename = "watched")]
        event: WatchedEvent,
    },
    /// The client has a list to sort.
    WillSort { client: ClientId },
    /// The client sorted the list: `place` nodes stand before its own.
    Sorted { client: ClientId, place: u32, of: u32, ahead: Option<Path> },
    /// The client waits for an event about `on`.
    Slept { client: ClientId, on: Path },
    /// The client heard an event while it waited for one.
    Woke { client: ClientId },
    /// From here on the client believes that it holds the lock. `looked` is false where it took an
    /// event's word for it. `node` is the path of its own node as it knows it.
    Acquired { client: ClientId, looked: bool, node: Option<Path> },
    /// The client believes no longer that it holds the lock.
    Released { client: ClientId },
    /// The client gave up its place in the queue.
    GaveUpPlace { client: ClientId },
    /// The client is through.
    Finished { client: ClientId },
    /// A request failed in a way the recipe has no answer to.
    Failed { client: ClientId, error: ErrorCode },
    /// A request left the client for the resource.
    ResourceAsked { client: ClientId, request: ResourceRequest },
    /// The resource took a request. `before` is its stock before, `after` its stock now.
    ResourceTaken { client: ClientId, request: ResourceRequest, before: i64, after: i64 },
    /// The resource's answer reached the client.
    ResourceHeard { client: ClientId, reply: ResourceReply },
    /// A timer was armed.
    TimerSet { timer: Timer },
}

impl Event {
    /// The client it concerns.
    pub fn client(&self) -> ClientId {
        match self {
            Event::Arrived { client }
            | Event::RequestSent { client, .. }
            | Event::RequestTaken { client, .. }
            | Event::NodeCreated { client, .. }
            | Event::NodeDeleted { client, .. }
            | Event::WatchSet { client, .. }
            | Event::WatchFired { client, .. }
            | Event::ReplyHeard { client, .. }
            | Event::EventHeard { client, .. }
            | Event::WillSort { client }
            | Event::Sorted { client, .. }
            | Event::Slept { client, .. }
            | Event::Woke { client }
            | Event::Acquired { client, .. }
            | Event::Released { client }
            | Event::GaveUpPlace { client }
            | Event::Finished { client }
            | Event::Failed { client, .. }
            | Event::ResourceAsked { client, .. }
            | Event::ResourceTaken { client, .. }
            | Event::ResourceHeard { client, .. } => *client,
            Event::TimerSet { timer } => match timer {
                Timer::Arrive(client) | Timer::Work(client) | Timer::Poll(client) => *client,
            },
        }
    }

    /// The link on which this event put a message.
    pub fn message_on(&self) -> Option<Link> {
        match self {
            Event::RequestSent { client, .. } => Some(Link::ToServer(*client)),
            Event::RequestTaken { client, .. } | Event::WatchFired { client, .. } => {
                Some(Link::ToClient(*client))
            }
            Event::ResourceAsked { client, .. } => Some(Link::ToResource(*client)),
            Event::ResourceTaken { client, .. } => Some(Link::FromResource(*client)),
            Event::Arrived { .. }
            | Event::NodeCreated { .. }
            | Event::NodeDeleted { .. }
            | Event::WatchSet { .. }
            | Event::ReplyHeard { .. }
            | Event::EventHeard { .. }
            | Event::WillSort { .. }
            | Event::Sorted { .. }
            | Event::Slept { .. }
            | Event::Woke { .. }
            | Event::Acquired { .. }
            | Event::Released { .. }
            | Event::GaveUpPlace { .. }
            | Event::Finished { .. }
            | Event::Failed { .. }
            | Event::ResourceHeard { .. }
            | Event::TimerSet { .. } => None,
        }
    }
}
