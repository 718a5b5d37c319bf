//! The lock as it truly is: a fold over events that knows whose node is whose, which have stood first,
//! who acts for which node, and which of them others have overtaken at the resource.
//!
//! Properties, measures and detectors all ask here. Grants are ordered by the czxid of the lock node,
//! whatever token is in use; a client is known by the node that it acts for, by its path.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use litemap::LiteMap;

use crate::recipe::{ResourceReply, ResourceRequest, is_reader, last_part, sequence};
use crate::world::{ClientId, Event, Fault};
use crate::zookeeper::{Path, Zxid};

/// A lock node: there, or gone and still acted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LockNode {
    pub path: Path,
    /// Who made it.
    pub client: ClientId,
    /// Its client only reads.
    pub reads: bool,
    pub exists: bool,
    /// It had stood first when it went.
    was_first: bool,
    /// Its client has done with it: it let the lock go, lost it, gave up, or died.
    pub over: bool,
    /// The resource has processed a request of a later grant that it cannot share with.
    overtaken: bool,
    /// It outlives its session.
    persistent: bool,
    /// Its session is not that of its client any more, and will take it along.
    dying: bool,
}

/// What a client does with the lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Acting {
    /// The node it acts for; `None` where it never had one of its own.
    pub grant: Option<Zxid>,
    pub believes: bool,
    /// It has been told that the session of that node is over, and goes on.
    expired: bool,
}

/// One client as far as the lock goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Own {
    /// Its nodes, oldest first.
    nodes: Vec<Zxid>,
    acting: Option<Acting>,
    /// The grants of its requests that are on their way to the resource.
    asked: VecDeque<Option<Zxid>>,
    /// Since it read the stock: who has changed it.
    base: Option<Option<ClientId>>,
}

/// What an event meant for the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// The client took the lock.
    Took {
        client: ClientId,
        /// The node it acts for, if it ever had it.
        node: Option<Path>,
        /// Whether that node still exists.
        exists: bool,
        /// Whether that node has ever stood first.
        rightly: bool,
        /// Whether that node belongs to an earlier session of the client, which will end.
        dying: bool,
        /// Somebody else who believes, and whose node exists and has stood first.
        beside: Option<ClientId>,
        /// Whose node stands first, if it is not its own.
        first: Option<ClientId>,
        /// Somebody whose node is older, and who still waits.
        passed: Option<ClientId>,
    },
    /// The client still believes, and its node goes.
    WentUnder { client: ClientId, node: Path },
    /// The client sends the resource a request for a grant whose session it knows to be over.
    ActsExpired { client: ClientId },
    /// The resource took a request.
    Used {
        client: ClientId,
        /// The node for which it was asked.
        grant: Option<Zxid>,
        refused: bool,
        /// A request of a later grant had been processed before.
        stale: bool,
        /// As with [`Fact::ActsExpired`], where the resource is ZooKeeper itself.
        expired: bool,
        /// A commit that was stored: the last to change the stock since its writer read it.
        over: Option<ClientId>,
    },
}

/// A request that the resource took, as the judges see it: for the picture, which marks the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// The czxid of the node for which it was asked.
    pub grant: Option<Zxid>,
    pub refused: bool,
    /// A request of a later grant had been processed before.
    pub stale: bool,
    /// It stored a value computed from one that somebody had changed meanwhile.
    pub lost_update: bool,
}

/// The lock nodes for pictures: those that exist, those that hold the lock, and what became of each request
/// that was made under one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockNodes {
    lock: Lock,
}

/// A lock node that exists, and who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingNode<'a> {
    pub czxid: Zxid,
    pub path: &'a Path,
    pub client: ClientId,
}

impl LockNodes {
    /// Takes one event; if the resource took a request in it, what became of that.
    pub fn see(&mut self, event: &Event) -> Option<Used> {
        match self.lock.see(event)? {
            Fact::Used { grant, refused, stale, over, .. } => {
                Some(Used { grant, refused, stale, lost_update: over.is_some() })
            }
            Fact::Took { .. } | Fact::WentUnder { .. } | Fact::ActsExpired { .. } => None,
        }
    }

    /// The nodes that exist, oldest first.
    pub fn standing(&self) -> impl Iterator<Item = StandingNode<'_>> {
        let standing = self.lock.standing();
        standing.map(|(czxid, node)| StandingNode { czxid, path: &node.path, client: node.client })
    }

    /// The nodes that hold the lock: the first, or readers up to the first writer.
    pub fn holding(&self) -> impl Iterator<Item = StandingNode<'_>> {
        let reads = |node: &StandingNode<'_>| is_reader(last_part(node.path));
        let alone = self.standing().next().is_some_and(|first| !reads(&first));
        let most = if alone { 1 } else { usize::MAX };
        self.standing().take_while(move |node| alone || reads(node)).take(most)
    }

    /// The node with this czxid, if it exists.
    pub fn node(&self, czxid: Zxid) -> Option<StandingNode<'_>> {
        let node = self.lock.node(czxid).filter(|node| node.exists)?;
        Some(StandingNode { czxid, path: &node.path, client: node.client })
    }
}

/// The lock nodes and who acts for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lock {
    nodes: LiteMap<Zxid, LockNode>,
    clients: LiteMap<ClientId, Own>,
}

impl Lock {
    pub fn see(&mut self, event: &Event) -> Option<Fact> {
        match event {
            Event::NodeCreated { client, path, czxid, ephemeral, old } => {
                self.created(*client, path, *czxid, *ephemeral, *old);
            }
            Event::NodeDeleted { czxid, .. } => return self.deleted(*czxid),
            Event::Acquired { client, node, .. } => return Some(self.acquired(*client, node.as_ref())),
            Event::Released { client } => {
                let acting = self.acting_mut(*client);
                let grant = acting.and_then(|acting| {
                    acting.believes = false;
                    acting.grant
                });
                self.done_with(grant);
            }
            Event::LostLock { client, .. } => {
                let own = self.clients.get_mut(client);
                let acting = own.and_then(|own| own.acting.take());
                self.done_with(acting.and_then(|acting| acting.grant));
                self.tidy(*client);
            }
            Event::GaveUpPlace { client } | Event::GaveUp { client, .. } => self.done_with_all(*client),
            Event::Finished { client, .. }
            | Event::Failed { client, .. }
            | Event::FaultInjected { client, fault: Fault::Crash | Fault::Close } => {
                self.clients.get_mut(client).into_iter().for_each(|own| own.acting = None);
                self.done_with_all(*client);
            }
            Event::Found { client, node: Some(name) } => self.found(*client, name),
            Event::Connected { client, new: true, .. } => {
                for czxid in self.nodes_of(*client) {
                    self.nodes.get_mut(&czxid).into_iter().for_each(|node| node.dying = !node.persistent);
                }
            }
            Event::ExpiredHeard { client } => {
                if let Some(acting) = self.acting_mut(*client) {
                    acting.expired = acting.believes;
                }
            }
            Event::ResourceAsked { client, .. } => {
                let own = self.clients.entry(*client).or_default();
                let grant = own.acting.as_ref().and_then(|acting| acting.grant);
                own.asked.push_back(grant);
                return self.acts_expired(*client).then_some(Fact::ActsExpired { client: *client });
            }
            Event::ResourceTaken { client, request, reply, in_zookeeper, .. } => {
                return Some(self.used(*client, *request, *reply, *in_zookeeper));
            }
            Event::Arrived { .. }
            | Event::FaultInjected { .. }
            | Event::RequestFailed { .. }
            | Event::OperatorActed { .. }
            | Event::RequestSent { .. }
            | Event::RequestTaken { .. }
            | Event::WatchSet { .. }
            | Event::WatchFired { .. }
            | Event::ReplyHeard { .. }
            | Event::EventHeard { .. }
            | Event::PingSent { .. }
            | Event::PingTaken { .. }
            | Event::PongHeard { .. }
            | Event::ConnectSent { .. }
            | Event::ConnectTaken { .. }
            | Event::Connected { .. }
            | Event::Disconnected { .. }
            | Event::LinkLost { .. }
            | Event::ConnectionClosed { .. }
            | Event::CloseSent { .. }
            | Event::SessionClosed { .. }
            | Event::SessionExpired { .. }
            | Event::SessionUnheard { .. }
            | Event::WillSort { .. }
            | Event::Sorted { .. }
            | Event::Slept { .. }
            | Event::Woke { .. }
            | Event::Found { node: None, .. }
            | Event::ResourceHeard { .. }
            | Event::TimerSet { .. }
            | Event::TimerCleared { .. }
            | Event::HeldBack { .. }
            | Event::Server { .. } => {}
        }
        None
    }

    /// The node that stands first.
    pub fn first(&self) -> Option<(Zxid, &LockNode)> {
        self.standing().next()
    }

    /// What the client does with the lock.
    pub fn acting(&self, client: ClientId) -> Option<&Acting> {
        self.clients.get(&client)?.acting.as_ref()
    }

    fn acting_mut(&mut self, client: ClientId) -> Option<&mut Acting> {
        self.clients.get_mut(&client)?.acting.as_mut()
    }

    /// The newest of the client's nodes that are known.
    pub fn newest(&self, client: ClientId) -> Option<Zxid> {
        self.clients.get(&client)?.nodes.last().copied()
    }

    fn nodes_of(&self, client: ClientId) -> Vec<Zxid> {
        self.clients.get(&client).map(|own| own.nodes.clone()).unwrap_or_default()
    }

    /// Whether the node at this path exists and the client has made it.
    pub fn has_made(&self, client: ClientId, path: &str) -> bool {
        let nodes = self.clients.get(&client).map_or(&[] as &[Zxid], |own| &own.nodes);
        let mut nodes = nodes.iter().filter_map(|czxid| self.nodes.get(czxid));
        nodes.any(|node| node.exists && &*node.path == path)
    }

    pub fn node(&self, czxid: Zxid) -> Option<&LockNode> {
        self.nodes.get(&czxid)
    }

    /// The nodes that exist, in the order in which they were made.
    fn standing(&self) -> impl Iterator<Item = (Zxid, &LockNode)> {
        self.nodes.iter().filter(|(_, node)| node.exists).map(|(czxid, node)| (*czxid, node))
    }

    /// The nodes that stand before this one and cannot share with it.
    fn before(&self, czxid: Zxid, reads: bool) -> impl Iterator<Item = (Zxid, &LockNode)> {
        let older = self.standing().take_while(move |(other, _)| *other < czxid);
        older.filter(move |(_, node)| !(reads && node.reads))
    }

    fn created(&mut self, client: ClientId, path: &Path, czxid: Zxid, ephemeral: bool, old: bool) {
        // It will not come back to one that is gone.
        self.done_with_gone(client);
        let reads = is_reader(last_part(path));
        let node = LockNode {
            path: path.clone(),
            client,
            reads,
            exists: true,
            was_first: false,
            over: false,
            overtaken: false,
            persistent: !ephemeral,
            dying: old,
        };
        self.nodes.insert(czxid, node);
        self.clients.entry(client).or_default().nodes.push(czxid);
    }

    fn deleted(&mut self, czxid: Zxid) -> Option<Fact> {
        let was_first = self.has_been_first(czxid);
        let node = self.nodes.get_mut(&czxid)?;
        node.exists = false;
        node.was_first = was_first;
        let (client, path) = (node.client, node.path.clone());
        self.tidy(client);
        let acting = self.clients.get(&client)?.acting.as_ref()?;
        let under = acting.believes && acting.grant == Some(czxid);
        under.then_some(Fact::WentUnder { client, node: path })
    }

    /// Whether a node stands first or has. Nodes come behind it alone, so that once is for good.
    pub fn has_been_first(&self, czxid: Zxid) -> bool {
        self.nodes.get(&czxid).is_some_and(|node| match node.exists {
            true => self.before(czxid, node.reads).next().is_none(),
            false => node.was_first,
        })
    }

    fn acquired(&mut self, client: ClientId, path: Option<&Path>) -> Fact {
        let named = |czxid: &Zxid| self.nodes.get(czxid).is_some_and(|node| Some(&node.path) == path);
        let grant = self.nodes_of(client).into_iter().rev().find(named);
        let node = grant.and_then(|czxid| self.nodes.get(&czxid));
        let reads = node.is_some_and(|node| node.reads);
        let rival = |(by, own): (&ClientId, &Own)| {
            let acting = own.acting.as_ref().filter(|acting| acting.believes && *by != client)?;
            let node = self.nodes.get(&acting.grant?).filter(|node| node.exists && !(reads && node.reads))?;
            self.has_been_first(acting.grant?).then_some(node.client)
        };
        // Without a number there is no queue, and nobody has a place in it.
        let queues = node.is_some_and(|node| sequence(&node.path).is_some());
        let waits = |(czxid, node): &(Zxid, &LockNode)| {
            let acts = self.acting(node.client).is_some_and(|acting| acting.grant == Some(*czxid));
            node.client != client && !node.over && !acts
        };
        let passed = grant.filter(|_| queues).and_then(|czxid| self.before(czxid, reads).find(waits));
        let fact = Fact::Took {
            client,
            node: node.map(|node| node.path.clone()),
            exists: node.is_some_and(|node| node.exists),
            dying: node.is_some_and(|node| node.dying),
            rightly: grant.is_some_and(|czxid| self.has_been_first(czxid)),
            beside: self.clients.iter().find_map(rival),
            first: self.first().map(|(_, node)| node.client).filter(|owner| *owner != client),
            passed: passed.map(|(_, node)| node.client),
        };
        self.clients.entry(client).or_default().acting =
            Some(Acting { grant, believes: true, expired: false });
        fact
    }

    /// Whether the client acts for a session that it knows to be over. It is said once.
    fn acts_expired(&mut self, client: ClientId) -> bool {
        self.acting_mut(client).is_some_and(|acting| std::mem::take(&mut acting.expired))
    }

    fn used(
        &mut self,
        client: ClientId,
        request: ResourceRequest,
        reply: ResourceReply,
        in_zookeeper: bool,
    ) -> Fact {
        let own = self.clients.entry(client).or_default();
        let grant = if in_zookeeper {
            own.acting.as_ref().and_then(|acting| acting.grant)
        } else {
            own.asked.pop_front().flatten()
        };
        let refused = matches!(reply, ResourceReply::Refused { .. });
        let mut over = None;
        match request {
            ResourceRequest::Read { .. } if !refused => own.base = Some(None),
            ResourceRequest::Commit { .. } if !refused => {
                over = own.base.take().flatten();
                for base in self.clients.iter_mut().filter_map(|(_, own)| own.base.as_mut()) {
                    base.get_or_insert(client);
                }
            }
            ResourceRequest::Read { .. } | ResourceRequest::Write { .. } | ResourceRequest::Commit { .. } => {
            }
        }
        let late = grant.is_some_and(|grant| self.overtake(grant));
        // With the stock in a znode anybody may read it; what is guarded is the transaction.
        let stale = late && !(in_zookeeper && matches!(request, ResourceRequest::Read { .. }));
        self.tidy(client);
        let expired = in_zookeeper && self.acts_expired(client);
        Fact::Used { client, grant, refused, stale, expired, over }
    }

    /// The resource has processed a request of this grant. Whether a later one was before it.
    fn overtake(&mut self, grant: Zxid) -> bool {
        let Some(node) = self.nodes.get(&grant) else { return false };
        let (reads, stale) = (node.reads, node.overtaken);
        let older = self.nodes.iter_mut().take_while(|(czxid, _)| **czxid < grant);
        for (_, node) in older {
            node.overtaken |= !(reads && node.reads);
        }
        stale
    }

    fn found(&mut self, client: ClientId, name: &str) {
        for czxid in self.nodes_of(client) {
            if let Some(node) = self.nodes.get_mut(&czxid).filter(|node| last_part(&node.path) == name) {
                node.over = false;
            }
        }
    }

    fn done_with(&mut self, grant: Option<Zxid>) {
        if let Some(node) = grant.and_then(|czxid| self.nodes.get_mut(&czxid)) {
            node.over = true;
            let client = node.client;
            self.tidy(client);
        }
    }

    fn done_with_all(&mut self, client: ClientId) {
        for czxid in self.nodes_of(client) {
            self.nodes.get_mut(&czxid).into_iter().for_each(|node| node.over = true);
        }
        self.tidy(client);
    }

    fn done_with_gone(&mut self, client: ClientId) {
        for czxid in self.nodes_of(client) {
            self.nodes.get_mut(&czxid).into_iter().for_each(|node| node.over |= !node.exists);
        }
        self.tidy(client);
    }

    /// Forgets of a client what nothing can come of any more.
    fn tidy(&mut self, client: ClientId) {
        let Some(own) = self.clients.get_mut(&client) else { return };
        let grant = own.acting.as_ref().and_then(|acting| acting.grant);
        let nodes = &mut self.nodes;
        own.nodes.retain(|czxid| {
            let used = grant == Some(*czxid) || own.asked.contains(&Some(*czxid));
            // It may have read of its node before that went, and will act on it.
            let may_act = |node: &LockNode| node.exists || (node.was_first && !node.over);
            let keeps = used || nodes.get(czxid).is_some_and(may_act);
            if !keeps {
                nodes.remove(czxid);
            }
            keeps
        });
        if own.acting.is_none() && own.asked.is_empty() {
            own.base = None;
            if own.nodes.is_empty() {
                self.clients.remove(&client);
            }
        }
    }

    /// What is remembered that the world does not say. Nodes count by their order: their zxids would make
    /// equal worlds look different.
    pub fn memory(&self, state: &mut impl Hasher) {
        let rank = |czxid: Option<Zxid>| {
            czxid.map(|czxid| self.nodes.find_index(&czxid).unwrap_or_else(|place| place) as u32)
        };
        for node in self.nodes.values() {
            let flags = [node.exists, node.was_first, node.over, node.overtaken, node.dying];
            (node.client, flags).hash(state);
        }
        for (client, own) in self.clients.iter() {
            let acting = own.acting.as_ref();
            let acting = acting.map(|acting| (rank(acting.grant), acting.believes, acting.expired));
            (client, acting, own.asked.iter().map(|grant| rank(*grant)).collect::<Vec<_>>(), own.base)
                .hash(state);
        }
    }
}
