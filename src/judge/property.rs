//! Properties: small automata over events.

use crate::recipe::{ResourceRequest, Verdict};
use crate::sorted::{Listed, SortedMap, SortedSet};
use crate::text::{Text, say, text};
use crate::world::{ClientId, Event};
use crate::zookeeper::{Path, Zxid};

/// What must hold in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Whoever believes that it holds the lock owns the lowest node, and nobody else believes it.
    NoFalseOwner,
    /// No write overwrites one that its writer had not read.
    NoLostUpdate,
    /// Nobody waits for ever.
    NeverStuck,
}

impl Property {
    /// Every property, in the order of reports.
    pub const ALL: [Property; 3] = [Property::NoFalseOwner, Property::NoLostUpdate, Property::NeverStuck];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Property::NoFalseOwner => "no-false-owner",
            Property::NoLostUpdate => "no-lost-update",
            Property::NeverStuck => "never-stuck",
        }
    }

    /// The property with this word.
    pub fn from_word(word: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.word() == word)
    }
}

/// What broke a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// `client` took the lock while `owner`'s node stood before its own, or while it had no node.
    FalseOwner { client: ClientId, owner: Option<ClientId> },
    /// `client` took the lock while `other` believed that it held it.
    TwoHold { client: ClientId, other: ClientId },
    /// `client` stored a value computed from one that `over` had changed meanwhile.
    LostUpdate { client: ClientId, over: ClientId },
    /// These clients wait, and nothing is left that could wake them.
    Stuck { clients: Vec<ClientId> },
}

impl Violation {
    /// The property it breaks.
    pub fn property(&self) -> Property {
        match self {
            Violation::FalseOwner { .. } | Violation::TwoHold { .. } => Property::NoFalseOwner,
            Violation::LostUpdate { .. } => Property::NoLostUpdate,
            Violation::Stuck { .. } => Property::NeverStuck,
        }
    }

    /// The word of the design for it.
    pub fn verdict(&self) -> Verdict {
        match self {
            Violation::FalseOwner { .. } | Violation::TwoHold { .. } | Violation::LostUpdate { .. } => {
                Verdict::Breaks
            }
            Violation::Stuck { .. } => Verdict::Sticks,
        }
    }

    /// One sentence.
    pub fn sentence(&self) -> Text {
        match self {
            Violation::FalseOwner { client, owner: Some(owner) } => say(
                format!("{client} takes the lock, but {owner}'s node stands first."),
                format!("{client} 以为拿到了锁，但排在第一的是 {owner} 的节点。"),
            ),
            Violation::FalseOwner { client, owner: None } => say(
                format!("{client} takes the lock, but its node does not stand first."),
                format!("{client} 以为拿到了锁，但它的节点并不在第一位。"),
            ),
            Violation::TwoHold { client, other } => say(
                format!("{client} takes the lock while {other} still holds it: two act at once."),
                format!("{other} 还持有锁，{client} 又拿了锁：两个客户端同时操作。"),
            ),
            Violation::LostUpdate { client, over } => say(
                format!("{client} writes a value it computed before {over} wrote: {over}'s update is lost."),
                format!("{client} 写入的值是在 {over} 写入之前算出的：{over} 的更新丢失了。"),
            ),
            Violation::Stuck { clients } => {
                let (en, zh) = (list(clients, " and ", ", "), list(clients, "、", "、"));
                let verb = if clients.len() == 1 { "waits" } else { "wait" };
                say(
                    format!("{en} {verb} for ever: nothing is left that could wake them."),
                    format!("{zh} 永远等下去：再没有什么能唤醒它们。"),
                )
            }
        }
    }
}

/// The clients as people list them; beyond eight, the first seven and how many more.
fn list(clients: &[ClientId], last: &str, between: &str) -> String {
    let shown = if clients.len() > 8 { 7 } else { clients.len() };
    let mut names: Vec<String> = clients[..shown].iter().map(ClientId::to_string).listed();
    if shown < clients.len() {
        names.push(format!("+{}", clients.len() - shown));
    }
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(between)),
        None => String::new(),
    }
}

/// The label of a property.
impl Property {
    pub fn label(self) -> Text {
        match self {
            Property::NoFalseOwner => text("no false owner", "没有误以为持有锁的客户端"),
            Property::NoLostUpdate => text("no lost update", "没有丢失的更新"),
            Property::NeverStuck => text("nobody waits for ever", "没有谁永远等待"),
        }
    }
}

/// The automata of some properties, run together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monitor {
    ownership: Option<Ownership>,
    updates: Option<Updates>,
    waiting: Option<SortedSet<ClientId>>,
}

impl Monitor {
    /// A monitor of these properties, before anything has happened.
    pub fn of(properties: &[Property]) -> Monitor {
        let wants = |property| properties.contains(&property);
        Monitor {
            ownership: wants(Property::NoFalseOwner).then(Ownership::default),
            updates: wants(Property::NoLostUpdate).then(Updates::default),
            waiting: wants(Property::NeverStuck).then(SortedSet::new),
        }
    }

    /// Takes one event and returns what it breaks.
    pub fn see(&mut self, event: &Event) -> Vec<Violation> {
        let mut found = Vec::new();
        found.extend(self.ownership.as_mut().and_then(|a| a.see(event)));
        found.extend(self.updates.as_mut().and_then(|a| a.see(event)));
        if let Some(waiting) = &mut self.waiting {
            match event {
                Event::Arrived { client } => {
                    waiting.insert(*client);
                }
                Event::Acquired { client, .. } | Event::Failed { client, .. } => {
                    waiting.remove(client);
                }
                _ => {}
            }
        }
        found
    }

    /// Judges a run that has come to rest: only polls that change nothing are left.
    pub fn at_rest(&self, _: &crate::world::World) -> Option<Violation> {
        let clients: Vec<ClientId> = self.waiting.as_ref()?.iter().copied().listed();
        (!clients.is_empty()).then_some(Violation::Stuck { clients })
    }

    /// What the monitor remembers that the world does not. The lock nodes are left out: they are
    /// in the world, and their zxids would make equal worlds look different.
    pub fn memory(&self) -> impl std::hash::Hash + '_ {
        (self.ownership.as_ref().map(|a| &a.holders), &self.updates, &self.waiting)
    }
}

/// [`Property::NoFalseOwner`]. Grants are ordered by the czxid of the lock node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Ownership {
    /// The lock nodes that exist, with who made them.
    nodes: SortedMap<Zxid, (Path, ClientId)>,
    holders: SortedSet<ClientId>,
}

impl Ownership {
    fn see(&mut self, event: &Event) -> Option<Violation> {
        match event {
            Event::NodeCreated { client, path, czxid } => {
                self.nodes.insert(*czxid, (path.clone(), *client));
            }
            Event::NodeDeleted { czxid, .. } => {
                self.nodes.remove(czxid);
            }
            Event::Released { client } => {
                self.holders.remove(client);
            }
            Event::Acquired { client, node, .. } => return self.acquired(*client, node.as_ref()),
            _ => {}
        }
        None
    }

    fn acquired(&mut self, client: ClientId, node: Option<&Path>) -> Option<Violation> {
        let other = self.holders.iter().next().copied();
        self.holders.insert(client);
        if let Some(other) = other {
            return Some(Violation::TwoHold { client, other });
        }
        match self.nodes.values().next() {
            Some((path, owner)) if *owner == client && Some(path) == node => None,
            first => Some(Violation::FalseOwner { client, owner: first.map(|(_, owner)| *owner) }),
        }
    }
}

/// [`Property::NoLostUpdate`]: for each client between its read and its write, who has written since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Updates {
    overtaken: SortedMap<ClientId, Option<ClientId>>,
}

impl Updates {
    fn see(&mut self, event: &Event) -> Option<Violation> {
        let Event::ResourceTaken { client, request, .. } = event else { return None };
        match request {
            ResourceRequest::Read { .. } => {
                self.overtaken.insert(*client, None);
                None
            }
            ResourceRequest::Write { .. } => None,
            ResourceRequest::Commit { .. } => {
                let over = self.overtaken.remove(client).flatten();
                for by in self.overtaken.values_mut() {
                    by.get_or_insert(*client);
                }
                over.map(|over| Violation::LostUpdate { client: *client, over })
            }
        }
    }
}
