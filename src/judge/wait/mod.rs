//! Why a client waits: the chain from it to what holds it up, followed in the world.
//!
//! A client waits for a node; the node has an owner; the owner may wait itself. [`why_waits`] goes from one to the
//! next until somebody does not wait: a holder that works or cannot, a node that nobody will delete, a watch that
//! is not there, a ring. The end is a [`Reason`], as data; `teach` has the sentences.
//!
//! A world alone forgets how a watch was lost and how a node came to be left: [`WaitLog`] is the small automaton
//! over events that remembers. With an empty one the chain is the same, and those two reasons are less exact.

mod log;
mod reason;

pub use log::WaitLog;
pub use reason::{Behind, Left, Life, NoWatch, OwnerState, Reason, Wait};

use crate::recipe::{SINGLE_NAME, Step, is_reader, join, last_part};
use crate::world::{Action, Actor, ClientId, Contact, LOCK_DIR, Packet, Process, World};
use crate::zookeeper::{Path, SessionId, WatchTable, Zxid};

/// Why `client` waits as things stand, or `None` if it does not wait.
pub fn why_waits(world: &World, log: &WaitLog, client: ClientId) -> Option<Wait> {
    let waits = world.actor(client)?.client.step().waits();
    let mut walk = Walk { world, log, chain: Vec::new() };
    let end = waits.then(|| walk.client(client))?;
    Some(Wait { client, chain: walk.chain, end })
}

/// The walk along the chain.
struct Walk<'a> {
    world: &'a World,
    log: &'a WaitLog,
    chain: Vec<Behind>,
}

impl Walk<'_> {
    /// What keeps a client waiting.
    fn client(&mut self, client: ClientId) -> Reason {
        if let Some(from) = self.chain.iter().position(|behind| behind.client == client) {
            return Reason::Ring { members: self.chain[from..].iter().map(|behind| behind.client).collect() };
        }
        let Some(actor) = self.world.actor(client) else { return Reason::Nobody { client } };
        if !self.world.decides() {
            return Reason::NoQuorum;
        }
        if let Some(state) = cannot(self.world, client, actor) {
            return self.by_its_place(client, actor, state);
        }
        if actor.client.step() == Step::Asleep && actor.to_client.iter().any(is_event) {
            return Reason::EventComing { client };
        }
        if self.world.is_asking(client) || actor.will_sort || !actor.to_client.is_empty() {
            return Reason::Asks { client };
        }
        match actor.client.step() {
            Step::Asleep => self.asleep(client, actor),
            Step::Napping => self.napping(client, actor),
            _ => Reason::Asks { client },
        }
    }

    /// A client that can do nothing now stands where its node stands.
    fn by_its_place(&mut self, client: ClientId, actor: &Actor, state: OwnerState) -> Reason {
        let itself = Reason::Itself { client, state };
        let Some(own) = self.own_node(actor) else { return itself };
        match self.ahead_of(&own) {
            Some(node) => self.behind(client, node),
            None => itself,
        }
    }

    fn asleep(&mut self, client: ClientId, actor: &Actor) -> Reason {
        let (path, table) = watched(actor);
        let here = self.world.member_of(client);
        let mut watches = here.watchers().filter(|watch| Some(watch.session) == actor.session);
        if !watches.any(|watch| watch.table == table && watch.path == path) {
            // Whoever aims at nothing for want of its own node has set no watch at all (`absent=wait`).
            let aimless =
                actor.client.target().is_none().then(|| self.own_node_gone(client, actor)).flatten();
            let why = self.log.why_no_watch(client, actor, &path);
            return aimless.unwrap_or(Reason::NoWatch { client, node: path, why });
        }
        let node = match (table, actor.client.target()) {
            (WatchTable::Data, _) | (WatchTable::Children, None) => path,
            (WatchTable::Children, Some(name)) => join(LOCK_DIR, name),
        };
        let (there, decided) = (here.node(&node).is_some(), self.world.server().node(&node).is_some());
        match (there, decided, self.world.server_of(client)) {
            (false, false, _) if table == WatchTable::Data => {
                Reason::NoWatch { client, node, why: NoWatch::OnMissing }
            }
            (false, false, _) => Reason::Nobody { client },
            (true, false, Some(server)) | (false, true, Some(server)) => {
                Reason::ServerLags { client, server, node }
            }
            (true, _, _) | (_, true, _) => {
                self.own_node_gone(client, actor).unwrap_or_else(|| self.behind(client, node))
            }
        }
    }

    fn napping(&mut self, client: ClientId, actor: &Actor) -> Reason {
        if let Some(gone) = self.own_node_gone(client, actor) {
            return gone;
        }
        let aimed = actor.client.target().map(|name| join(LOCK_DIR, name));
        let single = actor.client.decisions().single().then(|| join(LOCK_DIR, SINGLE_NAME));
        let known = aimed.or(single).filter(|path| self.world.server().node(path).is_some());
        let node = known.or_else(|| self.own_node(actor).and_then(|own| self.ahead_of(&own)));
        match node {
            Some(node) => self.behind(client, node),
            None => Reason::Polls { client },
        }
    }

    /// It knows its own node by name, and the node is not there.
    fn own_node_gone(&self, client: ClientId, actor: &Actor) -> Option<Reason> {
        let node = join(LOCK_DIR, actor.client.me().filter(|_| !actor.client.decisions().single())?);
        self.world.server().node(&node).is_none().then_some(Reason::OwnNodeGone { client, node })
    }

    fn behind(&mut self, client: ClientId, node: Path) -> Reason {
        self.chain.push(Behind { client, node: node.clone() });
        self.node(node)
    }

    /// Whose node it is, and what becomes of it.
    fn node(&mut self, node: Path) -> Reason {
        let session = self.world.server().stat(&node).and_then(|stat| stat.ephemeral_owner);
        let maker = self.world.maker(&node, session);
        let Some((owner, actor)) = maker.and_then(|maker| Some((maker, self.world.actor(maker)?))) else {
            return Reason::LeftOver { node, maker: None, how: Left::Unknown, life: Life::Persistent };
        };
        let life = self.life(owner, actor, session);
        let left = |how| Reason::LeftOver { node: node.clone(), maker: Some(owner), how, life };
        let first = self.is_first(&node);
        let stands = |state| Reason::Node { node: node.clone(), owner, first, state, life };
        let step = actor.client.step();
        if session.is_some_and(|session| actor.session != Some(session)) {
            return left(Left::OldSession);
        }
        match (actor.process, session) {
            (Process::Crashed | Process::Closed, None) => return left(Left::Died),
            (Process::Crashed, Some(_)) => return stands(OwnerState::Crashed),
            (Process::Closed, Some(_)) => return stands(OwnerState::Closed),
            (Process::Running | Process::Paused, _) => {}
        }
        if actor.client.me().is_none_or(|me| **me != *last_part(&node)) {
            let seeks = matches!(step, Step::Creating | Step::Syncing | Step::Finding | Step::Verifying);
            let how = self.log.how_left(&node);
            let given_up = matches!(how, Left::TakenForLost | Left::WalkedAway);
            return if seeks && !given_up { self.seeks(owner, actor) } else { left(how) };
        }
        if step.waits() && step != Step::Requeuing {
            return self.client(owner);
        }
        if step.is_over() {
            return left(self.log.how_left(&node));
        }
        let leaves = if step.believes() { OwnerState::Works } else { OwnerState::Leaves };
        stands(cannot(self.world, owner, actor).unwrap_or(leaves))
    }

    /// The owner of a node does not know of it yet, and is about to hear.
    fn seeks(&self, client: ClientId, actor: &Actor) -> Reason {
        match cannot(self.world, client, actor) {
            Some(state) => Reason::Itself { client, state },
            None => Reason::Asks { client },
        }
    }

    /// How long a node lives that belongs to this session of `owner`.
    fn life(&self, owner: ClientId, actor: &Actor, session: Option<SessionId>) -> Life {
        let Some(session) = session else { return Life::Persistent };
        let current = actor.session == Some(session);
        let beats = current && beats(self.world, owner, actor);
        let end = if current { Action::Expire(owner) } else { Action::ExpireOld(owner) };
        match (beats, self.world.is_enabled(end)) {
            (true, _) => Life::Kept,
            (false, true) => Life::Ends(end),
            (false, false) => Life::Ending,
        }
    }

    // The queue, as the servers have decided it.

    /// The lock nodes by age, oldest first.
    fn standing(&self) -> Vec<(Zxid, Path)> {
        let server = self.world.server();
        let paths = server.children(LOCK_DIR).map(|name| join(LOCK_DIR, name));
        let mut standing: Vec<_> = paths.filter_map(|path| Some((server.stat(&path)?.czxid, path))).collect();
        standing.sort();
        standing
    }

    /// The nearest node before `own` that it cannot share the lock with.
    fn ahead_of(&self, own: &Path) -> Option<Path> {
        let reads = is_reader(last_part(own));
        let standing = self.standing();
        let before = standing.iter().take_while(|(_, path)| path != own);
        let apart = before.filter(|(_, path)| !(reads && is_reader(last_part(path))));
        apart.last().map(|(_, path)| path.clone())
    }

    /// Whether no node stands before this one that it cannot share the lock with.
    fn is_first(&self, node: &Path) -> bool {
        self.ahead_of(node).is_none()
    }

    /// The node that the client knows as its own, or else the one that its session owns.
    fn own_node(&self, actor: &Actor) -> Option<Path> {
        let known = actor.client.me().map(|name| join(LOCK_DIR, name));
        let known = known.filter(|path| self.world.server().node(path).is_some());
        known.or_else(|| self.world.node_of(actor))
    }
}

/// What a client that sleeps has asked to be told of: the node that it aims at, or the children of the directory.
fn watched(actor: &Actor) -> (Path, WatchTable) {
    let aims = actor.client.decisions().watch.aims_at_one_node();
    match actor.client.target() {
        Some(name) if aims => (join(LOCK_DIR, name), WatchTable::Data),
        _ => (LOCK_DIR.into(), WatchTable::Children),
    }
}

/// What keeps a client from doing anything, if something does.
fn cannot(world: &World, client: ClientId, actor: &Actor) -> Option<OwnerState> {
    let connected = actor.contact == Contact::Connected && world.has_connection(client);
    match actor.process {
        Process::Crashed => Some(OwnerState::Crashed),
        Process::Closed => Some(OwnerState::Closed),
        Process::Paused => Some(OwnerState::Paused),
        Process::Running if actor.hung && actor.client.step() == Step::Working => Some(OwnerState::Hangs),
        Process::Running if actor.stalled => Some(OwnerState::CutOff),
        Process::Running if !connected => Some(OwnerState::Disconnected),
        Process::Running if !world.is_heard(client) => Some(OwnerState::ServerCutOff),
        Process::Running => None,
    }
}

/// Whether the client's heartbeats keep its session alive.
fn beats(world: &World, client: ClientId, actor: &Actor) -> bool {
    matches!(cannot(world, client, actor), None | Some(OwnerState::Hangs))
        && !actor.stalled
        && world.is_heard(client)
}

fn is_event(packet: &Packet) -> bool {
    matches!(packet, Packet::Event(_))
}
