//! What a picture needs of the past: a fold over the steps of one lane.

use litemap::LiteMap;

use super::past_servers::PastServers;
use super::taken::PastLedger;
use crate::judge::WaitLog;
use crate::play::{Holders, Messages, Said, TimelineStep};
use crate::teach::call_name;
use crate::world::{ClientId, Deletion, Event, World};
use crate::zookeeper::{Path, Request, Zxid};

/// The newest node of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastNode {
    pub path: Path,
    pub czxid: Zxid,
    pub deleted: bool,
    /// It went with its session.
    pub expired: bool,
}

/// How the client's last wake-up went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Woken {
    #[default]
    Never,
    /// It is up and looks.
    Looking,
    /// It looked, and waits again without the lock.
    InVain,
}

/// One client's past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastClient {
    pub node: Option<PastNode>,
    /// When a message from ZooKeeper last reached it.
    pub heard_ms: Option<u64>,
    pub woken: Woken,
    /// How many stood before it when it last sorted.
    pub place: Option<u32>,
    /// The request it has under way or last had.
    pub request: Option<Request>,
    /// It ended without having done its work.
    pub in_vain: bool,
}

/// The picture goes back this many messages of clients, and this many between servers.
const MESSAGES: (usize, usize) = (160, 240);

/// Everything above, for one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub clients: LiteMap<ClientId, PastClient>,
    /// The lock nodes, and who held when.
    pub holders: Holders,
    /// What the resource took.
    pub ledger: PastLedger,
    /// The latest messages.
    pub messages: Messages,
    /// Where there are several servers.
    pub servers: PastServers,
    /// What a world forgets of watches and of nodes that were left.
    pub waits: WaitLog,
}

impl Past {
    /// Before anything has happened.
    pub fn before(world: &World) -> Past {
        let messages = Messages::before(world).keeping(MESSAGES.0, MESSAGES.1);
        Past { servers: PastServers::before(world), messages, ..Past::default() }
    }

    /// Takes one step.
    pub fn see(&mut self, step: &TimelineStep) {
        self.messages.see(step);
        for event in &step.events {
            self.servers.see(step.at_ms, event);
            self.see_event(step.at_ms, event);
            let used = self.holders.see(step.at_ms, event);
            self.ledger.see(step.at_ms, event, used);
            self.waits.see(event);
        }
    }

    fn client(&mut self, client: ClientId) -> &mut PastClient {
        self.clients.entry(client).or_default()
    }

    fn see_event(&mut self, at_ms: u64, event: &Event) {
        match event {
            Event::Arrived { client } => {
                self.client(*client);
            }
            Event::RequestSent { client, request } => {
                self.client(*client).request = Some(request.clone());
            }
            Event::ReplyHeard { client, .. }
            | Event::EventHeard { client, .. }
            | Event::Connected { client, .. }
            | Event::ExpiredHeard { client }
            | Event::PongHeard { client } => self.client(*client).heard_ms = Some(at_ms),
            Event::NodeCreated { client, path, czxid, .. } => {
                let node = PastNode { path: path.clone(), czxid: *czxid, deleted: false, expired: false };
                self.client(*client).node = Some(node);
            }
            Event::NodeDeleted { czxid, why, .. } => {
                if let Some(owner) = self.holders.nodes().node(*czxid).map(|node| node.client) {
                    let node = &mut self.client(owner).node;
                    if let Some(node) = node.as_mut().filter(|node| node.czxid == *czxid) {
                        node.deleted = true;
                        node.expired = *why == Deletion::Expired;
                    }
                }
            }
            Event::Sorted { client, place, listed, .. } => {
                self.client(*client).place = listed.then_some(*place);
            }
            Event::Woke { client } => self.client(*client).woken = Woken::Looking,
            Event::Slept { client, .. } => {
                let client = self.client(*client);
                if client.woken == Woken::Looking {
                    client.woken = Woken::InVain;
                }
            }
            Event::Acquired { client, .. } => self.client(*client).woken = Woken::Never,
            Event::Finished { client, worked } => self.client(*client).in_vain = !worked,
            _ => {}
        }
    }

    /// The name of what was lost just now on one way of a client, if it has one.
    pub fn lost_now(&self, client: ClientId, to_server: bool, now_ms: u64) -> Option<&'static str> {
        self.messages.lost_at(client, now_ms, to_server).and_then(|message| match &message.said {
            Said::Request(request) | Said::Reply(request) => Some(call_name(request)),
            Said::Event(event) => Some(event.kind.name()),
            Said::Connect => Some("connect"),
            Said::Answer | Said::Bye => None,
        })
    }
}
