//! Whether somebody holds the lock, or it stands free, or is blocked: a fold over the steps of a run.

use litemap::LiteMap;
use std::collections::BTreeSet;

use super::lock::{Fact, Lock, LockNode};
use super::reach::Reach;
use crate::recipe::Loss;
use crate::world::{ClientId, Event, Fault, FaultEffect};
use crate::zookeeper::{Path, Request};

/// How the lock stands between two steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Standing {
    /// Nobody waits for it.
    #[default]
    Quiet,
    Held,
    /// Somebody waits, and nobody holds it who could not be asked to wait.
    Free,
    /// Somebody waits for one that can do nothing: its process stands still or is gone, it is cut off (of
    /// several servers, its own from the others), or it does not know the node as its own.
    Blocked(Block),
}

/// What has blocked the lock, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub client: ClientId,
    pub node: Path,
    pub since_ms: u64,
}

/// Why a client can do nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Down {
    stands_still: bool,
    gone: bool,
    stalled: bool,
    disconnected: bool,
}

/// The lock, who can act, who waits, and how long it stood free or blocked.
#[derive(Clone, Debug, Default)]
pub(super) struct Availability {
    pub lock: Lock,
    down: LiteMap<ClientId, Down>,
    reach: Reach,
    wanting: BTreeSet<ClientId>,
    /// Nodes whose owner has sent their deletion.
    leaving: BTreeSet<Path>,
    standing: Standing,
    now_ms: u64,
    /// Who took the lock last.
    holder: Option<ClientId>,
    /// Since when that one cannot act, or its node is gone.
    vacant_since_ms: Option<u64>,
    pub free_ms: u64,
    pub blocked_ms: u64,
    /// The longest time from there until somebody else took the lock.
    pub take_over_ms: Option<u64>,
}

impl Availability {
    /// Time goes on to that of the next step.
    pub fn pass(&mut self, at_ms: u64) {
        let passed = at_ms.saturating_sub(self.now_ms);
        match self.standing {
            Standing::Free => self.free_ms += passed,
            Standing::Blocked(_) => self.blocked_ms += passed,
            Standing::Quiet | Standing::Held => {}
        }
        self.now_ms = at_ms;
    }

    /// Takes one event of a step.
    pub fn see(&mut self, event: &Event) -> Option<Fact> {
        let fact = self.lock.see(event);
        match event {
            Event::Arrived { client }
            | Event::LostLock { client, why: Loss::Expired | Loss::Disconnected } => {
                self.wanting.insert(*client);
            }
            Event::GaveUp { client, .. } | Event::Finished { client, .. } | Event::Failed { client, .. } => {
                self.wanting.remove(client);
            }
            Event::Acquired { client, .. } => self.acquired(*client),
            Event::FaultInjected { client, fault } => self.fault_injected(*client, *fault),
            Event::Server { fact } => self.reach.see(fact),
            Event::Disconnected { client, .. } => {
                self.down.entry(*client).or_default().disconnected = true;
                self.holder_may_have_stopped(*client);
            }
            Event::Connected { client, .. } => {
                self.down.entry(*client).or_default().disconnected = false;
                self.holder_may_go_on(*client);
            }
            Event::RequestSent { request: Request::Delete { path, .. }, .. } => {
                self.leaving.insert(path.clone());
            }
            Event::NodeDeleted { client, path, .. } => {
                self.leaving.remove(path);
                if self.holder == Some(*client) {
                    self.vacant_since_ms.get_or_insert(self.now_ms);
                }
            }
            _ => {}
        }
        fact
    }

    /// The step is over. What has blocked the lock, if it blocks it no longer.
    pub fn settle(&mut self) -> Option<Block> {
        let mut now = self.stands();
        let before = std::mem::take(&mut self.standing);
        let ended = match (&before, &mut now) {
            (Standing::Blocked(before), Standing::Blocked(now)) => {
                *now = before.clone();
                None
            }
            (Standing::Blocked(before), _) => Some(before.clone()),
            _ => None,
        };
        self.standing = now;
        ended
    }

    /// What blocks the lock now.
    pub fn block(&self) -> Option<&Block> {
        match &self.standing {
            Standing::Blocked(block) => Some(block),
            Standing::Quiet | Standing::Held | Standing::Free => None,
        }
    }

    /// Whether the client has asked for the lock and has not got it.
    pub fn wants(&self, client: ClientId) -> bool {
        self.wanting.contains(&client)
    }

    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn stands(&self) -> Standing {
        if self.wanting.is_empty() {
            return Standing::Quiet;
        }
        let Some((czxid, node)) = self.lock.first() else { return Standing::Free };
        let acts = |acting: &super::lock::Acting| acting.believes && acting.grant == Some(czxid);
        let others_wait = self.wanting.iter().any(|client| *client != node.client);
        let knows = self.lock.newest(node.client) == Some(czxid);
        let holds = self.lock.acting(node.client).is_some_and(acts);
        let out_of_reach = !holds && self.reach.is_cut_off(node.client);
        if self.cannot_act(node.client) || out_of_reach || !knows || self.has_walked_away(node) {
            let block = Block { client: node.client, node: node.path.clone(), since_ms: self.now_ms };
            return if others_wait { Standing::Blocked(block) } else { Standing::Quiet };
        }
        if holds { Standing::Held } else { Standing::Free }
    }

    fn has_walked_away(&self, node: &LockNode) -> bool {
        node.over && !self.leaving.contains(&node.path)
    }

    fn cannot_act(&self, client: ClientId) -> bool {
        self.down.get(&client).is_some_and(|down| *down != Down::default())
    }

    fn acquired(&mut self, client: ClientId) {
        self.wanting.remove(&client);
        if self.holder != Some(client)
            && let Some(since_ms) = self.vacant_since_ms
        {
            let delay_ms = self.now_ms - since_ms;
            self.take_over_ms = self.take_over_ms.max(Some(delay_ms));
        }
        self.vacant_since_ms = None;
        self.holder = Some(client);
    }

    fn fault_injected(&mut self, client: ClientId, fault: Fault) {
        let down = self.down.entry(client).or_default();
        match fault.definition().effect {
            FaultEffect::StandsStill => down.stands_still = true,
            FaultEffect::GoesOn => down.stands_still = false,
            FaultEffect::CutOff => down.stalled = true,
            FaultEffect::Reached => down.stalled = false,
            FaultEffect::Ends => {
                down.gone = true;
                self.wanting.remove(&client);
            }
            // It has a connection to make first, of which a `Connected` will tell.
            FaultEffect::Starts => {
                *down = Down { disconnected: true, stalled: down.stalled, ..Down::default() }
            }
            // The same, and its process has been there all the time.
            FaultEffect::NewSession => down.disconnected = true,
            FaultEffect::Nothing => {}
        }
        if fault.is_repair() {
            self.holder_may_go_on(client);
        } else {
            self.holder_may_have_stopped(client);
        }
    }

    fn holder_may_have_stopped(&mut self, client: ClientId) {
        let holds = self.lock.acting(client).is_some_and(|acting| acting.believes);
        let gone = self.down.get(&client).is_some_and(|down| down.gone);
        if self.holder == Some(client) && self.cannot_act(client) && (holds || gone) {
            self.vacant_since_ms.get_or_insert(self.now_ms);
        }
    }

    fn holder_may_go_on(&mut self, client: ClientId) {
        let acting = self.lock.acting(client).filter(|acting| acting.believes);
        let node = acting.and_then(|acting| self.lock.node(acting.grant?));
        if self.holder == Some(client) && !self.cannot_act(client) && node.is_some_and(|node| node.exists) {
            self.vacant_since_ms = None;
        }
    }
}
