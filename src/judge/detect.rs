//! Detectors: what went wrong, by its name and at its step, in one sentence.
//!
//! Not all of it breaks a property: a stale owner that the resource refuses has done no harm, and is
//! worth seeing.

use litemap::LiteMap;
use std::collections::BTreeSet;

use super::availability::{Availability, Block};
use super::lock::Fact;
use super::verdict::LONG_MS;
use super::{Reason, Violation, Wait, WaitLog, seconds, why_waits};
use crate::recipe::node_label;
use crate::recipe::{ResourceRequest, join};
use crate::text::{Fixed, Text, fixed, say};
use crate::world::{ClientId, Event, Fault, LOCK_DIR, World};
use crate::zookeeper::{Path, Zxid};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detector {
    /// A client believes that it holds, and its node is gone.
    StaleOwner,
    /// A client took the lock, and its node has never stood first.
    FalseOwner,
    /// A client sleeps, and nothing can wake it.
    LostWakeUp,
    /// One change woke three clients or more, and not all of them hold after it.
    Herd,
    /// A node is left that nobody counts as their own.
    Orphan,
    /// A node is left because its client walked away, or because nothing deletes it.
    Leak,
    /// A client waits for a node that it has made itself.
    WaitingForOneself,
    /// More than three who came later have had the lock before.
    Starvation,
    /// A client let the lock go before its write was committed.
    EarlyRelease,
    /// The lock was blocked for ten seconds or longer.
    SlowTakeOver,
}

impl Detector {
    /// Every detector, in the order of lists.
    pub const ALL: [Detector; 10] = [
        Detector::StaleOwner,
        Detector::FalseOwner,
        Detector::LostWakeUp,
        Detector::Herd,
        Detector::Orphan,
        Detector::Leak,
        Detector::WaitingForOneself,
        Detector::Starvation,
        Detector::EarlyRelease,
        Detector::SlowTakeOver,
    ];

    const WORDS: [(&'static str, Fixed); 10] = [
        ("stale-owner", fixed("stale owner", "旧持有者")),
        ("false-owner", fixed("false owner", "误以为持有")),
        ("lost-wake-up", fixed("lost wake-up", "唤醒丢失（丢 Watch 事件）")),
        ("herd", fixed("herd", "羊群效应（惊群）")),
        ("orphan", fixed("orphan", "孤儿节点")),
        ("leak", fixed("leak", "锁泄漏")),
        ("waiting-for-oneself", fixed("waiting for oneself", "等自己")),
        ("starvation", fixed("starvation", "饿死")),
        ("early-release", fixed("early release", "释放过早")),
        ("slow-take-over", fixed("slow take-over", "接管太慢")),
    ];

    /// The word in `--json` and tests.
    pub fn word(self) -> &'static str {
        Detector::WORDS[self as usize].0
    }

    /// Its name as the page writes it.
    pub fn label(self) -> Text {
        Detector::WORDS[self as usize].1.text()
    }
}

/// Something that went wrong, and at which step, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    pub step: u32,
    pub kind: Detector,
    pub sentence: Text,
}

/// Events that one change sends, all servers together, when it is a herd.
const HERD: u32 = 3;
/// Turns of others that a client may wait for, if they came later.
const PATIENCE: u32 = 3;

/// The fold that finds [`Detection`]s.
#[derive(Clone, Debug, Default)]
pub struct Detective {
    found: Vec<Detection>,
    at: u32,
    availability: Availability,
    /// Clients that want the lock, with when they came and how many later ones have had it since.
    waiting: LiteMap<ClientId, (u32, u32)>,
    arrivals: u32,
    /// Who has written and not committed.
    uncommitted: BTreeSet<ClientId>,
    /// Who has been seen to wait for which node of its own.
    for_itself: BTreeSet<(ClientId, Path)>,
    /// Nodes whose clients have walked away from them.
    left: BTreeSet<Path>,
    /// What changed nodes, by transaction: servers send the events of one each in its own time.
    changes: LiteMap<Zxid, Change>,
    log: WaitLog,
    waits: Vec<Wait>,
}

/// A transaction that made or deleted nodes.
#[derive(Clone, Debug)]
struct Change {
    /// The first of them.
    path: Path,
    /// Whether it came or went.
    came: bool,
    /// Events it has sent so far to clients that want the lock.
    sent: u32,
    /// Those of them whose client has not come to hold by it.
    in_vain: u32,
    /// Where it stands in what was found, if it is a herd.
    found: Option<u32>,
}

impl Detective {
    /// Takes the events of step `at`, at `at_ms` of virtual time.
    pub fn see_step(&mut self, at: u32, at_ms: u64, events: &[Event]) {
        self.at = at;
        self.availability.pass(at_ms);
        for event in events {
            // Whose node it is has to be asked before it is gone.
            let fact = self.availability.see(event);
            self.see(event);
            self.log.see(event);
            fact.into_iter().for_each(|fact| self.weigh(fact));
        }
        if let Some(block) = self.availability.settle() {
            self.slow(&block);
        }
    }

    /// Looks at the world in which the run has come to rest.
    pub fn at_rest(&mut self, world: &World) {
        if let Some(block) = self.availability.block().cloned() {
            self.slow(&block);
        }
        self.waits = world.waiting().filter_map(|client| why_waits(world, &self.log, client)).collect();
        for wait in self.waits.clone() {
            if let Reason::NoWatch { client, node, why } = &wait.end
                && *client == wait.client
            {
                self.add(Detector::LostWakeUp, why.sentence(*client, node));
            }
        }
        for (path, client) in world.orphans() {
            let persistent = world.server().stat(&path).is_some_and(|stat| stat.ephemeral_owner.is_none());
            let left = self.left.contains(&path);
            let (kind, sentence) = left_behind(&path, client, persistent, left);
            self.add(kind, sentence);
        }
    }

    /// Why each of those waits that wait for ever, once the run has come to rest.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// What was found, in the order of the steps.
    pub fn detections(&self) -> &[Detection] {
        &self.found
    }

    fn add(&mut self, kind: Detector, sentence: Text) {
        self.found.push(Detection { step: self.at, kind, sentence });
    }

    fn see(&mut self, event: &Event) {
        match event {
            Event::Arrived { client } => {
                self.waiting.insert(*client, (self.arrivals, 0));
                self.arrivals += 1;
            }
            Event::NodeCreated { path, czxid, .. } => self.changed(*czxid, path, true),
            Event::NodeDeleted { path, zxid, .. } => {
                self.left.remove(path);
                self.changed(*zxid, path, false);
            }
            Event::WatchFired { client, lost: false, zxid: Some(zxid), .. } => self.fired(*client, *zxid),
            Event::Sorted { client, target: Some(name), place, .. } if *place > 0 => {
                self.aims(*client, &join(LOCK_DIR, name));
            }
            Event::Slept { client, on } => self.aims(*client, on),
            Event::Acquired { client, .. } => self.passes(*client),
            Event::ResourceAsked { client, request: ResourceRequest::Write { .. } } => {
                self.uncommitted.insert(*client);
            }
            Event::ResourceTaken { client, request: ResourceRequest::Commit { .. }, .. } => {
                self.uncommitted.remove(client);
            }
            Event::Released { client } if self.uncommitted.contains(client) => {
                self.add(
                    Detector::EarlyRelease,
                    say(
                        format!("{client} lets the lock go before its write is committed."),
                        format!("{client} 还没提交写入就释放了锁。"),
                    ),
                );
            }
            Event::GaveUp { client, leaves: true } => {
                let own = self.availability.lock.newest(*client);
                let node = own.and_then(|czxid| self.availability.lock.node(czxid));
                self.left.extend(node.map(|node| node.path.clone()));
                self.waiting.remove(client);
            }
            Event::GaveUp { client, .. }
            | Event::Finished { client, .. }
            | Event::Failed { client, .. }
            | Event::FaultInjected { client, fault: Fault::Crash | Fault::Close } => {
                self.waiting.remove(client);
                self.uncommitted.remove(client);
            }
            Event::LostLock { client, .. } => {
                self.uncommitted.remove(client);
            }
            _ => {}
        }
    }

    fn weigh(&mut self, fact: Fact) {
        match fact {
            Fact::WentUnder { client, node } => {
                let node = node_label(&node);
                self.add(
                    Detector::StaleOwner,
                    say(
                        format!("{client} still believes that it holds: its node {node} is gone."),
                        format!("{client} 还以为自己持有锁：它的节点 {node} 已经没了。"),
                    ),
                );
            }
            Fact::Took { client, rightly: true, exists: false, node: Some(node), .. } => {
                let node = node_label(&node);
                self.add(
                    Detector::StaleOwner,
                    say(
                        format!("{client} takes the lock, but its node {node} is gone already."),
                        format!("{client} 以为拿到了锁，但它的节点 {node} 已经没了。"),
                    ),
                );
            }
            Fact::Took { client, rightly: false, first, node, .. } => {
                let front = self.availability.lock.first().map(|(_, node)| node_label(&node.path));
                let (own_en, own_zh) = match node {
                    Some(node) => {
                        let node = node_label(&node);
                        (
                            format!("its node {node} has never stood first"),
                            format!("它的节点 {node} 从未排到第一"),
                        )
                    }
                    None => ("it has no node".to_string(), "它并没有节点".to_string()),
                };
                let (en, zh) = match (first, front) {
                    (Some(owner), Some(front)) => (
                        format!("; {owner}'s node {front} does"),
                        format!("，排在第一的是 {owner} 的节点 {front}"),
                    ),
                    _ => (String::new(), String::new()),
                };
                self.add(
                    Detector::FalseOwner,
                    say(
                        format!("{client} takes the lock, but {own_en}{en}."),
                        format!("{client} 以为拿到了锁，但{own_zh}{zh}。"),
                    ),
                );
            }
            Fact::Took { client, dying: true, node: Some(node), .. } => {
                let node = node_label(&node);
                self.add(
                    Detector::FalseOwner,
                    say(
                        format!(
                            "{client} takes the lock for node {node} of its old session, which is dying."
                        ),
                        format!("{client} 凭旧会话的节点 {node} 拿了锁，而那个会话即将过期。"),
                    ),
                );
            }
            Fact::ActsExpired { client } | Fact::Used { client, expired: true, .. } => {
                self.add(Detector::FalseOwner, Violation::ActsAfterExpiry { client }.sentence());
            }
            Fact::Took { .. } | Fact::Used { .. } => {}
        }
    }

    /// A node came or went. A session that takes several nodes with it is one change.
    fn changed(&mut self, zxid: Zxid, path: &Path, came: bool) {
        self.changes.entry(zxid).or_insert(Change {
            path: path.clone(),
            came,
            sent: 0,
            in_vain: 0,
            found: None,
        });
    }

    /// A change has sent an event. It is a herd from the third on, and each one more makes it a greater one. Readers who
    /// hold together after it are none: all of them can proceed (ZooKeeper's recipe page, note on "Shared Locks").
    fn fired(&mut self, client: ClientId, zxid: Zxid) {
        if !self.availability.wants(client) {
            return;
        }
        let lock = &self.availability.lock;
        let holds = lock.newest(client).is_some_and(|czxid| lock.has_been_first(czxid));
        let Some(change) = self.changes.get_mut(&zxid) else { return };
        change.sent += 1;
        change.in_vain += u32::from(!holds);
        if change.sent < HERD || change.in_vain == 0 {
            return;
        }
        let sentence = herd(change);
        match change.found.and_then(|at| self.found.get_mut(at as usize)) {
            Some(known) => known.sentence = sentence,
            None => {
                change.found = Some(self.found.len() as u32);
                self.add(Detector::Herd, sentence);
            }
        }
    }

    fn aims(&mut self, client: ClientId, path: &Path) {
        let own = self.availability.lock.has_made(client, path);
        if own && self.for_itself.insert((client, path.clone())) {
            let node = node_label(path);
            self.add(
                Detector::WaitingForOneself,
                say(
                    format!("{client} waits for node {node}, which it has made itself."),
                    format!("{client} 在等节点 {node}，而那是它自己创建的。"),
                ),
            );
        }
    }

    /// The client has the lock; each earlier client that still waits has been passed once more.
    fn passes(&mut self, client: ClientId) {
        let Some((came, _)) = self.waiting.remove(&client) else { return };
        let mut starved = Vec::new();
        for (waiting, (since, passed)) in self.waiting.iter_mut() {
            if *since < came {
                *passed += 1;
                if *passed == PATIENCE + 1 {
                    starved.push(*waiting);
                }
            }
        }
        for waiting in starved {
            let turns = PATIENCE + 1;
            self.add(
                Detector::Starvation,
                say(
                    format!("{waiting} still waits: {turns} who came later have had the lock."),
                    format!("{waiting} 还在等：后来的已有 {turns} 个拿到过锁。"),
                ),
            );
        }
    }

    fn slow(&mut self, block: &Block) {
        let ms = self.availability.now_ms() - block.since_ms;
        if ms < LONG_MS {
            return;
        }
        let (s, node, client) = (seconds(ms), node_label(&block.node), block.client);
        self.add(Detector::SlowTakeOver, say(
            format!("The lock was blocked for {s} s: {client}'s node {node} stood first, and nothing came of it."),
            format!("锁被占住 {s} 秒：{client} 的节点 {node} 排在第一，却一直没有进展。"),
        ));
    }
}

/// A change that woke many.
fn herd(change: &Change) -> Text {
    let (node, sent) = (node_label(&change.path), change.sent);
    match change.came {
        true => say(
            format!("Node {node} comes, and {sent} clients are woken at once."),
            format!("节点 {node} 一创建，就同时唤醒了 {sent} 个客户端。"),
        ),
        false => say(
            format!("Node {node} goes, and {sent} clients are woken at once."),
            format!("节点 {node} 一删除，就同时唤醒了 {sent} 个客户端。"),
        ),
    }
}

/// A node that nobody counts as their own: a leak where it is known why, an orphan else.
fn left_behind(path: &Path, client: Option<ClientId>, persistent: bool, left: bool) -> (Detector, Text) {
    let node = node_label(path);
    let (en, zh) = match client {
        Some(client) => (format!("Node {node} of {client}"), format!("{client} 的节点 {node} ")),
        None => (format!("Node {node}"), format!("节点 {node} ")),
    };
    match client {
        Some(client) if left => (
            Detector::Leak,
            say(
                format!("{client} walked away from node {node}: it stays, and blocks the queue."),
                format!("{client} 丢下节点 {node} 走了：它一直留着，堵住队列。"),
            ),
        ),
        _ if persistent => (
            Detector::Leak,
            say(
                format!("{en} is persistent: it stays, and blocks the queue."),
                format!("{zh}是持久节点：它一直留着，堵住队列。"),
            ),
        ),
        _ => (Detector::Orphan, Violation::Orphan { path: path.clone(), client }.sentence()),
    }
}
