//! What happened: the facts that a step returns.
//!
//! Narration, pictures, measures and properties are folds over these. An event says what is so; it
//! does not say whether that is good.

use serde::Serialize;

use super::{ClientId, Fault, Link, Operator, ServerFact, Timer};
use crate::recipe::{Loss, ResourceReply, ResourceRequest};
use crate::zookeeper::{ErrorCode, Path, Request, ServerId, WatchTable, WatchedEvent, Zxid};

/// Why a node was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deletion {
    /// The client asked for it.
    Request,
    /// The client's session expired.
    Expired,
    /// The client closed its session.
    Closed,
    /// An operator deleted it.
    Operator,
}

/// Why a client's library has no connection any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// The connection broke, and it was told.
    Reset,
    /// It has heard nothing for two thirds of its session timeout.
    Quiet,
    /// It asked for a connection, and no server has answered for too long.
    NoAnswer,
    /// The server closed the connection.
    EndOfFile,
    /// The server restarted.
    ServerRestart,
}

/// What the server answered to a request for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handshake {
    /// A new session.
    New,
    /// The session that was asked for goes on.
    Same,
    /// The session that was asked for is over.
    Expired,
}

/// One fact, in the past tense. As JSON, its name stands in `event`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The outside asked the client to take the lock.
    Arrived { client: ClientId },
    /// A fault happened to the client, or was put right.
    FaultInjected { client: ClientId, fault: Fault },
    /// Somebody with a shell did something.
    OperatorActed { operator: Operator },
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
        /// The server that answers, where there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<ServerId>,
    },
    /// A node was created by a request of `client`. `ephemeral`: it goes with its session, which is that of an
    /// earlier process of the client if `old`.
    NodeCreated { client: ClientId, path: Path, czxid: Zxid, ephemeral: bool, old: bool },
    /// A node was deleted by transaction `zxid`: by a request of `client`, whoever had created it, or, for
    /// another reason, as a node that `client` had created.
    NodeDeleted { client: ClientId, path: Path, czxid: Zxid, zxid: Zxid, why: Deletion },
    /// The server holds a watch for the client's connection. `on_missing` where the node is not there.
    WatchSet { client: ClientId, kind: WatchTable, path: Path, on_missing: bool },
    /// The server used up a watch and sent its event to the client. `lost`: to a connection that the
    /// client has given up. `zxid` is the transaction that set it off, which each of several servers carries
    /// out in its own time; `None` where setWatches tells of what was missed.
    WatchFired {
        client: ClientId,
        #[serde(rename = "watched")]
        event: WatchedEvent,
        lost: bool,
        zxid: Option<Zxid>,
    },
    /// The reply reached the client.
    ReplyHeard { client: ClientId, request: Request, error: Option<ErrorCode>, children: Option<u32> },
    /// A watch event reached the client.
    EventHeard {
        client: ClientId,
        #[serde(rename = "watched")]
        event: WatchedEvent,
    },
    /// A heartbeat left the client.
    PingSent { client: ClientId },
    /// The server took a heartbeat; its answer is on the way.
    PingTaken {
        client: ClientId,
        /// The server that answers, where there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<ServerId>,
    },
    /// The answer to a heartbeat reached the client.
    PongHeard { client: ClientId },
    /// The client's library asked the server for a connection, in its session or (`new`) in a new one. Of
    /// several servers it asked `server`.
    ConnectSent {
        client: ClientId,
        new: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<ServerId>,
    },
    /// The server answered a request for a connection. `timeout_ms` is the negotiated session timeout.
    ConnectTaken {
        client: ClientId,
        handshake: Handshake,
        timeout_ms: u32,
        /// The server that answers, where there are several.
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<ServerId>,
    },
    /// The client is connected: in a `new` session or in the same one.
    Connected { client: ClientId, new: bool, timeout_ms: u32 },
    /// The client's library takes the connection for lost, and tells the client.
    Disconnected { client: ClientId, why: Cut },
    /// What was on this link is lost.
    LinkLost { link: Link, messages: u32 },
    /// The server closed the client's connection; the news is on its way.
    ConnectionClosed { client: ClientId },
    /// The client sent the end of its session.
    CloseSent { client: ClientId },
    /// The server ended the session on the client's request.
    SessionClosed { client: ClientId },
    /// The server ended the session: it had heard nothing of it for too long. `old`: that of an earlier
    /// process of the client.
    SessionExpired { client: ClientId, old: bool },
    /// The news of a new session was lost on its way. The client does not know of it and will ask for another; the
    /// session lives on until its time is up.
    SessionUnheard { client: ClientId },
    /// The client learnt that its session is over.
    ExpiredHeard { client: ClientId },
    /// The client has a list to sort.
    WillSort { client: ClientId },
    /// The client sorted the list: `place` nodes stand before its own that it must wait for,
    /// `target` is the one that it will aim its watch at. Its own is among them if it is `listed`.
    Sorted { client: ClientId, place: u32, of: u32, target: Option<Path>, listed: bool },
    /// The client waits for an event about `on`.
    Slept { client: ClientId, on: Path },
    /// The client heard an event while it waited for one.
    Woke { client: ClientId },
    /// After a lost reply, the client found its own node, or saw that it has none.
    Found { client: ClientId, node: Option<Path> },
    /// From here on the client believes that it holds the lock. `looked` is false where it took an
    /// event's word for it. `node` is the path of its own node as it knows it, `token` what it will show.
    Acquired { client: ClientId, looked: bool, node: Option<Path>, token: Option<i64> },
    /// The client let the lock go, and believes no longer that it holds it.
    Released { client: ClientId },
    /// The client learnt that the lock is not its own any more.
    LostLock { client: ClientId, why: Loss },
    /// A request of the client, or its wait for an event, failed with this error, and it does not try again. With
    /// `ConnectionLoss` the request may have been carried out or not.
    RequestFailed { client: ClientId, error: ErrorCode },
    /// The client is to do something, has no connection, and waits until it knows what has become of its session.
    HeldBack { client: ClientId },
    /// The client gave up its place in the queue.
    GaveUpPlace { client: ClientId },
    /// The client stopped waiting for the lock; it `leaves` its node where it is.
    GaveUp { client: ClientId, leaves: bool },
    /// The client is through; what it came for is committed if it `worked`.
    Finished { client: ClientId, worked: bool },
    /// A request failed in a way the recipe has no answer to.
    Failed { client: ClientId, error: ErrorCode },
    /// A request left the client for the resource.
    ResourceAsked { client: ClientId, request: ResourceRequest },
    /// The resource took a request. `before` is its stock before, `after` its stock now.
    /// `in_zookeeper`: the stock is a znode, and the request was one of ZooKeeper.
    ResourceTaken {
        client: ClientId,
        request: ResourceRequest,
        reply: ResourceReply,
        before: i64,
        after: i64,
        in_zookeeper: bool,
    },
    /// The resource's answer reached the client.
    ResourceHeard { client: ClientId, reply: ResourceReply },
    /// A timer was armed; if it was armed before, that is forgotten.
    TimerSet { timer: Timer },
    /// An armed timer was cleared.
    TimerCleared { timer: Timer },
    /// Something happened among servers. Only where there are several.
    Server {
        #[serde(flatten)]
        fact: ServerFact,
    },
}

impl Event {
    /// The client it concerns, if it concerns one.
    pub fn client(&self) -> Option<ClientId> {
        match self {
            Event::Arrived { client }
            | Event::FaultInjected { client, .. }
            | Event::RequestSent { client, .. }
            | Event::RequestTaken { client, .. }
            | Event::NodeCreated { client, .. }
            | Event::NodeDeleted { client, .. }
            | Event::WatchSet { client, .. }
            | Event::WatchFired { client, .. }
            | Event::ReplyHeard { client, .. }
            | Event::EventHeard { client, .. }
            | Event::PingSent { client }
            | Event::PingTaken { client, .. }
            | Event::PongHeard { client }
            | Event::ConnectSent { client, .. }
            | Event::ConnectTaken { client, .. }
            | Event::Connected { client, .. }
            | Event::Disconnected { client, .. }
            | Event::ConnectionClosed { client }
            | Event::CloseSent { client }
            | Event::SessionClosed { client }
            | Event::SessionExpired { client, .. }
            | Event::SessionUnheard { client }
            | Event::ExpiredHeard { client }
            | Event::WillSort { client }
            | Event::Sorted { client, .. }
            | Event::Slept { client, .. }
            | Event::Woke { client }
            | Event::Found { client, .. }
            | Event::Acquired { client, .. }
            | Event::Released { client }
            | Event::LostLock { client, .. }
            | Event::RequestFailed { client, .. }
            | Event::HeldBack { client }
            | Event::GaveUpPlace { client }
            | Event::GaveUp { client, .. }
            | Event::Finished { client, .. }
            | Event::Failed { client, .. }
            | Event::ResourceAsked { client, .. }
            | Event::ResourceTaken { client, .. }
            | Event::ResourceHeard { client, .. } => Some(*client),
            Event::LinkLost { link, .. } => Some(link.client()),
            Event::OperatorActed { .. } => None,
            Event::Server { fact } => fact.client(),
            Event::TimerSet { timer } | Event::TimerCleared { timer } => match timer {
                Timer::Arrive(client)
                | Timer::Work(client)
                | Timer::Poll(client)
                | Timer::Reconnect(client) => Some(*client),
            },
        }
    }

    /// The link on which this event put a message.
    pub fn message_on(&self) -> Option<Link> {
        match self {
            Event::RequestSent { client, .. }
            | Event::PingSent { client }
            | Event::ConnectSent { client, .. }
            | Event::CloseSent { client } => Some(Link::ToServer(*client)),
            Event::RequestTaken { client, .. }
            | Event::PingTaken { client, .. }
            | Event::ConnectTaken { client, .. }
            | Event::ConnectionClosed { client }
            | Event::WatchFired { client, lost: false, .. } => Some(Link::ToClient(*client)),
            Event::ResourceAsked { client, .. } => Some(Link::ToResource(*client)),
            Event::ResourceTaken { client, in_zookeeper: false, .. } => Some(Link::FromResource(*client)),
            Event::Server { fact } => fact.message_on(),
            // The reply of ZooKeeper, which `RequestTaken` puts on its link, is the answer.
            Event::ResourceTaken { in_zookeeper: true, .. }
            // A connection that its client has given up carries nothing.
            | Event::WatchFired { lost: true, .. }
            // Something arrived, or changed, or is only thought.
            | Event::Arrived { .. }
            | Event::FaultInjected { .. }
            | Event::OperatorActed { .. }
            | Event::NodeCreated { .. }
            | Event::NodeDeleted { .. }
            | Event::WatchSet { .. }
            | Event::ReplyHeard { .. }
            | Event::EventHeard { .. }
            | Event::PongHeard { .. }
            | Event::Connected { .. }
            | Event::Disconnected { .. }
            | Event::LinkLost { .. }
            | Event::SessionClosed { .. }
            | Event::SessionExpired { .. }
            | Event::SessionUnheard { .. }
            | Event::ExpiredHeard { .. }
            | Event::WillSort { .. }
            | Event::Sorted { .. }
            | Event::Slept { .. }
            | Event::Woke { .. }
            | Event::Found { .. }
            | Event::Acquired { .. }
            | Event::Released { .. }
            | Event::LostLock { .. }
            | Event::RequestFailed { .. }
            | Event::HeldBack { .. }
            | Event::GaveUpPlace { .. }
            | Event::GaveUp { .. }
            | Event::Finished { .. }
            | Event::Failed { .. }
            | Event::ResourceHeard { .. }
            | Event::TimerSet { .. }
            | Event::TimerCleared { .. } => None,
        }
    }
}
