//! What a world alone forgets of watches and of nodes: a small automaton over events.

use std::collections::BTreeSet;

use litemap::LiteMap;

use super::{Left, NoWatch};
use crate::recipe::{Loss, join};
use crate::world::{Actor, ClientId, Event, LOCK_DIR, Link};
use crate::zookeeper::{Path, Request};

/// What became of clients' watch events, and how nodes came to be left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitLog {
    /// Clients to whom a watch event is on its way.
    told: BTreeSet<ClientId>,
    /// Clients whose last watch event was lost.
    event_lost: BTreeSet<ClientId>,
    /// The nodes that exist, by who made them, oldest first.
    made: LiteMap<ClientId, Vec<Path>>,
    /// Nodes that exist and whose makers have not heard of them.
    unheard: BTreeSet<Path>,
    left: LiteMap<Path, Left>,
}

impl WaitLog {
    /// Takes one event.
    pub fn see(&mut self, event: &Event) {
        match event {
            Event::WatchSet { client, .. } => {
                self.event_lost.remove(client);
            }
            Event::WatchFired { client, lost: true, .. } => {
                self.event_lost.insert(*client);
            }
            Event::WatchFired { client, lost: false, .. } => {
                self.told.insert(*client);
            }
            Event::EventHeard { client, .. } => {
                self.told.remove(client);
            }
            Event::LinkLost { link: Link::ToClient(client), .. } if self.told.remove(client) => {
                self.event_lost.insert(*client);
            }
            Event::NodeCreated { client, path, .. } => {
                self.made.entry(*client).or_default().push(path.clone());
                self.unheard.insert(path.clone());
            }
            Event::NodeDeleted { path, .. } => self.forget(path),
            Event::ReplyHeard { client, request, error: None, .. } if is_create(request) => {
                if let Some(path) = self.newest(*client) {
                    self.unheard.remove(&path);
                }
            }
            Event::Found { node: Some(name), .. } => {
                self.unheard.remove(&join(LOCK_DIR, name));
            }
            Event::LostLock { client, why: Loss::Disconnected } => self.leave(*client, Left::TakenForLost),
            Event::GaveUp { client, leaves: true } => self.leave(*client, Left::WalkedAway),
            _ => {}
        }
    }

    /// How a node came to be left that nobody counts as their own.
    pub(super) fn how_left(&self, node: &Path) -> Left {
        let known = self.left.get(node).copied();
        let unheard = self.unheard.contains(node).then_some(Left::ReplyLost);
        known.or(unheard).unwrap_or(Left::Unknown)
    }

    /// Why the client's server has no watch of it at `path`. What its library believes to have set tells whether there
    /// ever was one.
    pub(super) fn why_no_watch(&self, client: ClientId, actor: &Actor, path: &Path) -> NoWatch {
        let was_set = actor.watches.iter().any(|(_, watched)| watched == path);
        match (was_set, self.event_lost.contains(&client)) {
            (false, _) => NoWatch::NeverSet,
            (true, true) => NoWatch::EventLost,
            (true, false) => NoWatch::DiedWithConnection,
        }
    }

    fn newest(&self, client: ClientId) -> Option<Path> {
        self.made.get(&client)?.last().cloned()
    }

    fn leave(&mut self, client: ClientId, how: Left) {
        if let Some(path) = self.newest(client) {
            self.left.insert(path, how);
        }
    }

    fn forget(&mut self, path: &Path) {
        self.made.iter_mut().for_each(|(_, paths)| paths.retain(|made| made != path));
        self.unheard.remove(path);
        self.left.remove(path);
    }
}

fn is_create(request: &Request) -> bool {
    matches!(request, Request::Create { .. } | Request::Create2 { .. })
}
