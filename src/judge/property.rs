//! Properties: small automata over events.

use std::hash::{Hash, Hasher};

use super::Violation;
use super::lock::{Fact, Lock};

use crate::text::{Fixed, Text, fixed};
use crate::world::{Event, World};

/// What must hold in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// A client that takes the lock has a node that stands first or has stood first, made in its own session; and
    /// who hears that its session is over acts no more under the lock of that session. (A client cannot know
    /// that its session ended while it stood still: to go on believing is no violation.)
    NoFalseOwner,
    /// The resource takes no request after it has processed one of a later grant. Grants are ordered by
    /// the czxid of the lock node, whatever token is in use; two that only read are never late.
    NoStaleRequest,
    /// No commit overwrites one that its writer had not read.
    NoLostUpdate,
    /// Nobody takes the lock before somebody who came earlier and still waits.
    Fifo,
    /// Nobody waits for ever.
    NeverStuck,
    /// No lock node is left that nobody counts as their own.
    NoOrphan,
}

impl Property {
    /// Every property, in the order of reports.
    pub const ALL: [Property; 6] = [
        Property::NoFalseOwner,
        Property::NoStaleRequest,
        Property::NoLostUpdate,
        Property::Fifo,
        Property::NeverStuck,
        Property::NoOrphan,
    ];

    const WORDS: [(&'static str, Fixed); 6] = [
        ("no-false-owner", fixed("no false owner", "没有误以为持有锁的客户端")),
        ("no-stale-request", fixed("no stale request is taken", "没有被接受的过时请求")),
        ("no-lost-update", fixed("no lost update", "没有丢失的更新")),
        ("fifo", fixed("first come, first served", "先来先得（公平）")),
        ("never-stuck", fixed("nobody waits for ever", "没有客户端永远等待")),
        ("no-orphan", fixed("no orphan node", "没有孤儿节点")),
    ];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        Property::WORDS[self as usize].0
    }

    /// The property with this word.
    pub fn from_word(word: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.word() == word)
    }

    /// The property in a few words.
    pub fn label(self) -> Text {
        Property::WORDS[self as usize].1.text()
    }
}

/// The automata of some properties, run together: they share what the lock is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    wanted: [bool; 6],
    lock: Lock,
}

impl Monitor {
    /// A monitor of these properties, before anything has happened.
    pub fn of(properties: &[Property]) -> Monitor {
        let wanted = Property::ALL.map(|property| properties.contains(&property));
        Monitor { wanted, lock: Lock::default() }
    }

    /// Takes one event and returns what it breaks.
    pub fn see(&mut self, event: &Event) -> Vec<Violation> {
        let mut found = self.lock.see(event).map(broken_by).unwrap_or_default();
        found.retain(|violation| self.wants(violation.property()));
        found
    }

    /// Judges a run that has come to rest: only faults, heartbeats and polls that change nothing are left.
    pub fn at_rest(&self, world: &World) -> Vec<Violation> {
        let mut found = Vec::new();
        let clients = world.waiting().collect::<Vec<_>>();
        if self.wants(Property::NeverStuck) && !clients.is_empty() {
            found.push(Violation::Stuck { clients });
        }
        if self.wants(Property::NoOrphan) {
            let orphans = world.orphans().into_iter();
            found.extend(orphans.map(|(path, client)| Violation::Orphan { path, client }));
        }
        found
    }

    fn wants(&self, property: Property) -> bool {
        self.wanted[property as usize]
    }

    /// What the monitor remembers that the world does not.
    pub fn memory(&self) -> impl Hash + '_ {
        Memory(&self.lock)
    }
}

struct Memory<'a>(&'a Lock);

impl Hash for Memory<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.memory(state);
    }
}

/// What a fact breaks.
fn broken_by(fact: Fact) -> Vec<Violation> {
    let mut found = Vec::new();
    match fact {
        Fact::Took { client, rightly, dying, beside, first, passed, node: _, exists: _ } => {
            if !rightly {
                found.push(match beside {
                    Some(other) => Violation::TwoHold { client, other },
                    None => Violation::FalseOwner { client, owner: first },
                });
            }
            if dying {
                found.push(Violation::DyingNode { client });
            }
            found.extend(passed.map(|other| Violation::Overtakes { client, other }));
        }
        Fact::ActsExpired { client } => found.push(Violation::ActsAfterExpiry { client }),
        Fact::Used { client, refused, stale, expired, over, grant: _ } => {
            if expired {
                found.push(Violation::ActsAfterExpiry { client });
            }
            if stale && !refused {
                found.push(Violation::StaleRequest { client });
            }
            found.extend(over.map(|over| Violation::LostUpdate { client, over }));
        }
        Fact::WentUnder { .. } => {}
    }
    found
}
