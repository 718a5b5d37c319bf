//! What servers say to each other, and what happened among them.

use serde::Serialize;

use super::{Action, ClientId, Link, ServerFault};

use crate::zookeeper::{
    Call, ConnectRefusal, ConnectionLoss, ErrorCode, Request, ServerId, ServerMessage, Transaction, Zxid,
};

/// The kind of a message between two servers, by ZooKeeper's names for them (`Leader.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServerWord {
    /// REQUEST: a follower hands a client's request on.
    Forward,
    /// PROPOSAL.
    Propose,
    /// ACK.
    Ack,
    /// COMMIT.
    Commit,
    /// SYNC: all that was committed when the sync came in has been sent.
    Synced,
    /// REVALIDATE, as a question.
    Validate,
    /// REVALIDATE, as the answer.
    Validated,
    /// PING, from the leader.
    Ping,
    /// PING, from a follower: the sessions it has heard of.
    Touched,
}

impl ServerWord {
    /// What a message is.
    pub fn of(message: &ServerMessage) -> ServerWord {
        match message {
            ServerMessage::Forward { .. } => ServerWord::Forward,
            ServerMessage::Propose(_) => ServerWord::Propose,
            ServerMessage::Ack(_) => ServerWord::Ack,
            ServerMessage::Commit(_) => ServerWord::Commit,
            ServerMessage::Synced { .. } => ServerWord::Synced,
            ServerMessage::Validate { .. } => ServerWord::Validate,
            ServerMessage::Validated { .. } => ServerWord::Validated,
            ServerMessage::Ping => ServerWord::Ping,
            ServerMessage::Touched(_) => ServerWord::Touched,
        }
    }

    /// Whether it is a heartbeat, or the answer to one.
    pub fn is_beat(self) -> bool {
        matches!(self, ServerWord::Ping | ServerWord::Touched)
    }

    /// Whether the leader sends it to a follower.
    pub fn is_to_follower(self) -> bool {
        match self {
            ServerWord::Propose
            | ServerWord::Commit
            | ServerWord::Synced
            | ServerWord::Validated
            | ServerWord::Ping => true,
            ServerWord::Forward | ServerWord::Ack | ServerWord::Validate | ServerWord::Touched => false,
        }
    }
}

/// What a message between servers, or an entry of their log, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matter {
    Create,
    Delete,
    SetData,
    Multi,
    Sync,
    NewSession,
    EndOfSession,
    /// A write that was refused.
    Refused,
    /// A write that came through a server which its session has left: refused.
    Moved,
    /// Nothing of one client.
    Other,
}

impl Matter {
    pub(super) fn of_call(call: &Call) -> Matter {
        match call {
            Call::Open { .. } => Matter::NewSession,
            Call::Sync { .. } => Matter::Sync,
            Call::Close { .. } => Matter::EndOfSession,
            Call::Write { request, .. } => match request {
                Request::Create { .. } | Request::Create2 { .. } => Matter::Create,
                Request::Delete { .. } => Matter::Delete,
                Request::Multi { .. } => Matter::Multi,
                Request::SetData { .. } | Request::SetAclOpen { .. } => Matter::SetData,
                // Reads are no writes: the server that has the client answers them.
                Request::GetData { .. }
                | Request::Exists { .. }
                | Request::GetChildren { .. }
                | Request::GetChildren2 { .. }
                | Request::Sync { .. }
                | Request::Ping
                | Request::GetEphemerals { .. }
                | Request::AddWatch { .. }
                | Request::RemoveWatches { .. }
                | Request::CheckWatches { .. }
                | Request::SetWatches { .. } => Matter::Other,
            },
        }
    }

    pub(super) fn of(transaction: &Transaction) -> Matter {
        use crate::zookeeper::Operation;
        match transaction {
            Transaction::CreateSession { .. } => Matter::NewSession,
            Transaction::CloseSession { .. } => Matter::EndOfSession,
            Transaction::Operation(Operation::Create { .. }) => Matter::Create,
            Transaction::Operation(Operation::Delete { .. }) => Matter::Delete,
            Transaction::Operation(_) => Matter::SetData,
            Transaction::Multi(_) => Matter::Multi,
            Transaction::Error(ErrorCode::SessionMoved) => Matter::Moved,
            Transaction::Error(_) | Transaction::MultiError { .. } => Matter::Refused,
        }
    }
}

/// How a server learns that it has lost its leader, or its quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notice {
    /// The other end closed the connection.
    AtOnce,
    /// A leader counts its followers every half tick (`Leader.lead`).
    HalfTick,
    /// Nothing tells it but that nothing comes for `syncLimit` ticks.
    SyncLimit,
}

/// One fact about servers, in the past tense. As JSON, its name stands in `fact`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum ServerFact {
    /// A fault happened, or was put right.
    FaultInjected {
        #[serde(serialize_with = "as_action")]
        fault: ServerFault,
    },

    // Between a client and its server.
    /// The server listens to the client; whether the session is good, it says later.
    Accepted { client: ClientId, server: ServerId },
    /// The server does not take the client's connection; the news is on its way.
    Refused { client: ClientId, server: ServerId, refusal: ConnectRefusal },
    /// The server took a request that it cannot answer yet: others have to be asked, or it waits behind one
    /// of which they have been.
    Taken { client: ClientId, server: ServerId, matter: Matter },
    /// The server ended the client's connection.
    Dropped { client: ClientId, server: Option<ServerId>, why: ConnectionLoss },

    // Among servers.
    /// A message is under way between two servers.
    Sent { from: ServerId, to: ServerId, what: ServerWord, matter: Matter, client: Option<ClientId> },
    /// The oldest message from one server to another arrived.
    Arrived { from: ServerId, to: ServerId, what: ServerWord },
    /// A follower and its leader have no connection any more, and what was under way on it is gone.
    Parted { follower: ServerId, leader: ServerId },
    /// The leader gave a transaction its number and wrote it down.
    Proposed { server: ServerId, zxid: Zxid },
    /// The leader heard that a follower has written down all up to this.
    Acknowledged { server: ServerId, zxid: Zxid },
    /// A quorum has written it down: it will not be lost.
    Committed { server: ServerId, zxid: Zxid },
    /// A server carried it out: from now on its clients see it. `first`: no other had before.
    Applied { server: ServerId, zxid: Zxid, matter: Matter, client: Option<ClientId>, first: bool },
    /// What a server had written down and nobody has committed is gone.
    Truncated { server: ServerId, after: Zxid },
    /// The leader heard of the client's session: its timeout starts anew. `old`: that of an earlier process.
    Touched { client: ClientId, old: bool, timeout_ms: u32 },
    /// The leader waits no longer for the client's session: it is about to end.
    Untracked { client: ClientId, old: bool },
    /// A server leads all who voted for it.
    Elected { leader: ServerId, epoch: u32, voters: Vec<ServerId> },
    /// A server found the leader, and has its history.
    Joined { server: ServerId, leader: ServerId },
    /// A server noticed that it has lost its leader, or its quorum.
    GaveUp { server: ServerId },
    /// Servers could do this from now on. `notice` is how they learn of a loss, if it is one.
    Armed { action: Action, notice: Notice },
    /// They could do it no longer.
    Disarmed { action: Action },
}

impl ServerFact {
    /// The link between a client and a server on which this fact put a message.
    pub(super) fn message_on(&self) -> Option<Link> {
        match self {
            ServerFact::Refused { client, .. } => Some(Link::ToClient(*client)),
            // The answer of the server follows as an event of its own.
            ServerFact::Accepted { .. }
            | ServerFact::Taken { .. }
            | ServerFact::Dropped { .. }
            // Between servers, where messages have links of their own.
            | ServerFact::FaultInjected { .. }
            | ServerFact::Sent { .. }
            | ServerFact::Arrived { .. }
            | ServerFact::Parted { .. }
            | ServerFact::Proposed { .. }
            | ServerFact::Acknowledged { .. }
            | ServerFact::Committed { .. }
            | ServerFact::Applied { .. }
            | ServerFact::Truncated { .. }
            | ServerFact::Touched { .. }
            | ServerFact::Untracked { .. }
            | ServerFact::Elected { .. }
            | ServerFact::Joined { .. }
            | ServerFact::GaveUp { .. }
            | ServerFact::Armed { .. }
            | ServerFact::Disarmed { .. } => None,
        }
    }

    /// The client it concerns, if it concerns one.
    pub fn client(&self) -> Option<ClientId> {
        match self {
            ServerFact::Accepted { client, .. }
            | ServerFact::Refused { client, .. }
            | ServerFact::Taken { client, .. }
            | ServerFact::Dropped { client, .. }
            | ServerFact::Touched { client, .. }
            | ServerFact::Untracked { client, .. } => Some(*client),
            ServerFact::Sent { client, .. } | ServerFact::Applied { client, .. } => *client,
            ServerFact::FaultInjected { .. }
            | ServerFact::Arrived { .. }
            | ServerFact::Parted { .. }
            | ServerFact::Proposed { .. }
            | ServerFact::Acknowledged { .. }
            | ServerFact::Committed { .. }
            | ServerFact::Truncated { .. }
            | ServerFact::Elected { .. }
            | ServerFact::Joined { .. }
            | ServerFact::GaveUp { .. }
            | ServerFact::Armed { .. }
            | ServerFact::Disarmed { .. } => None,
        }
    }
}

fn as_action<S: serde::Serializer>(fault: &ServerFault, serializer: S) -> Result<S::Ok, S::Error> {
    Action::ServerFault(*fault).serialize(serializer)
}
