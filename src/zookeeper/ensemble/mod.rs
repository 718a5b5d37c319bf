//! One, three or five servers that keep one history.
//!
//! An [`Ensemble`] is a value like [`Member`]: no clock, no luck, no input or output. Everything that can
//! happen to it is an [`EnsembleAction`]; [`step`](Ensemble::step) takes one and returns what followed.
//! What it does by itself, message by message, is listed by [`enabled`](Ensemble::enabled); in which
//! order, and how long it takes, is the caller's business. [`settle`](Ensemble::settle) does it all in a
//! fixed order until nothing is left: that is how the recordings are replayed.
//!
//! A write goes from the client's server to the leader, which validates it and proposes it; each follower
//! writes it down and acknowledges it; when a quorum has, the leader commits it and says so; each server
//! carries it out when it hears that, and the client's own server answers. Reads are answered by the
//! client's server from what it has carried out (`Leader.java`, `Learner.java`, `CommitProcessor.java` of
//! ZooKeeper 3.8.0; recordings `e_*`).
//!
//! ```
//! use lockstep::zookeeper::{Ensemble, EnsembleAction, EnsembleSize, Hello, Member, ServerEvent, ServerId, Zxid};
//! let mut ensemble = Ensemble::new(EnsembleSize::Three, Member::new());
//! assert_eq!(ensemble.leader(), Some(ServerId(2)));
//! let hello = Hello { session: None, last_zxid: Zxid(0), timeout_ms: 10_000 };
//! ensemble.step(&EnsembleAction::Connect { server: ServerId(0), hello });
//! let events = ensemble.settle();
//! assert!(events.iter().any(|event| matches!(event, ServerEvent::Opened { timeout_ms: 10_000, .. })));
//! ```
//!
//! # How to drive it
//!
//! - Each `Sent` is one message under way: give it a due time and deliver it then. Those between two servers
//!   arrive in order; `Parted` ends them all.
//! - Each `Touched` starts a session's timer anew and each `Untracked` stops it, unless another leader
//!   has started it since; when it goes off, the action is `Expire`. Every half tick of the leader's, the
//!   actions of [`pings`](Ensemble::pings).
//! - A connection begins with `Accepted`, may be used from `Opened` on, and ends with `Closed`, or when
//!   its client hangs up. An answer that never comes is the client's to notice.
//!
//! # What is simplified
//!
//! - An election is one step, and with it discovery and synchronization: those who look for a leader and
//!   can talk to it vote for the most complete log among them, take over its history at once and commit
//!   all of it. The rounds of notifications in between are not modelled. (`FastLeaderElection`, `Leader.lead`)
//! - A server that comes later takes over the committed history in one step, whether ZooKeeper would send
//!   it a difference or a snapshot, and gets the open proposals as messages (`LearnerHandler`).
//! - What arrives is on disk at once; a server that dies loses messages, not what it has written down.
//! - A broken connection between two servers takes along what was under way in both directions. Both
//!   sides notice in their own time ([`ServerAction::GiveUp`]), and until then a server that is cut off
//!   still answers reads: so does the real one, until its `syncLimit`.
//! - The leader numbers new sessions; in reality the server does to which the client came.
//! - A read waits for its session's writes: at the leader for all, elsewhere for those of its own connection
//!   (in reality for those of earlier connections to the same server too).
//! - Of the session check the leader makes for its own clients' reads only "moved" is modelled.
//! - There are no observers, no local sessions, no reconfiguration.

mod broadcast;
mod clients;
mod election;
mod server;
mod words;

pub use server::{Leading, Role, Server};
pub use words::*;

use std::collections::BTreeSet;
use std::sync::Arc;

use litemap::LiteMap;

use super::member::Member;
use super::protocol::{ErrorCode, SessionId, Zxid};
use super::transaction::Transaction;

/// Servers, what is under way between them, and what is broken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ensemble {
    servers: Vec<Server>,
    /// By sender and receiver, oldest first; never an empty list.
    links: LiteMap<(ServerId, ServerId), Vec<ServerMessage>>,
    /// Pairs that cannot talk to each other, the smaller number first.
    cuts: BTreeSet<(ServerId, ServerId)>,
    /// Servers to whom nothing of the others arrives.
    stalled: BTreeSet<ServerId>,
}

impl Ensemble {
    /// Servers that all have carried out what `member` has, the greatest number leading the others. Its
    /// epoch is that of the member's zxid.
    pub fn new(size: EnsembleSize, member: Member) -> Ensemble {
        let mut member = member;
        member.restart();
        let member = Arc::new(member);
        let servers = (0..size.servers()).map(|_| Server::new(member.clone())).collect();
        let mut ensemble =
            Ensemble { servers, links: LiteMap::new(), cuts: BTreeSet::new(), stalled: BTreeSet::new() };
        ensemble.begin(ServerId(size.servers() - 1));
        ensemble
    }

    // What can be seen from outside.

    /// The servers, by number.
    pub fn servers(&self) -> impl Iterator<Item = (ServerId, &Server)> {
        self.ids().zip(&self.servers)
    }

    /// # Panics
    /// If there is no such server.
    pub fn server(&self, id: ServerId) -> &Server {
        &self.servers[usize::from(id.0)]
    }

    /// The server that leads a quorum, if one does. A server that has lost its quorum and not noticed is
    /// not meant.
    pub fn leader(&self) -> Option<ServerId> {
        self.ids().find(|id| self.has_quorum(*id))
    }

    /// The server that has applied most: all that is decided, whoever has heard of it.
    pub fn furthest(&self) -> ServerId {
        self.ids().max_by_key(|id| self.server(*id).member.zxid()).unwrap_or(ServerId(0))
    }

    /// What some server has carried out and this one has not, oldest first. The numbers of two epochs do not say
    /// how many lie between them; the log of whoever has carried out most has them all, since nobody drops what
    /// somebody lacks.
    pub fn missing(&self, id: ServerId) -> impl Iterator<Item = &Entry> {
        let own = self.server(id).member.zxid();
        let most = self.server(self.furthest());
        let all = most.member.zxid();
        most.log.iter().map(|entry| &**entry).filter(move |entry| entry.zxid > own && entry.zxid <= all)
    }

    /// The server and the session of a connection; no session while it is being made or validated.
    pub fn connection(&self, id: ConnectionId) -> Option<(ServerId, Option<SessionId>)> {
        self.servers().find_map(|(server, state)| Some((server, state.connections.get(&id)?.open())))
    }

    /// What is under way, by sender and receiver, oldest first.
    pub fn links(&self) -> impl Iterator<Item = (ServerId, ServerId, &[ServerMessage])> {
        self.links.iter().map(|((from, to), messages)| (*from, *to, messages.as_slice()))
    }

    /// An entry by its number, unless every server has carried it out.
    pub fn entry(&self, zxid: Zxid) -> Option<&Entry> {
        self.servers
            .iter()
            .flat_map(|server| &server.log)
            .find(|entry| entry.zxid == zxid)
            .map(|entry| &**entry)
    }

    pub fn is_cut(&self, a: ServerId, b: ServerId) -> bool {
        self.cuts.contains(&(a.min(b), a.max(b)))
    }

    pub fn is_stalled(&self, id: ServerId) -> bool {
        self.stalled.contains(&id)
    }

    /// Whether nothing is broken and nobody is moving: one server leads all others, they hear each other, every
    /// connection is open, and nothing but writes of theirs is under way.
    pub fn is_calm(&self) -> bool {
        let whole = self.leader().and_then(|leader| self.server(leader).leading());
        let all_follow = whole.is_some_and(|leading| leading.followers().count() + 1 == self.servers.len());
        let is_write = |message: &ServerMessage| match message {
            ServerMessage::Forward { call, .. } => matches!(call, Call::Write { .. }),
            ServerMessage::Propose(entry) => !entry.transaction.is_of_session(),
            ServerMessage::Ack(_)
            | ServerMessage::Commit(_)
            | ServerMessage::Ping
            | ServerMessage::Touched(_) => true,
            ServerMessage::Synced { .. }
            | ServerMessage::Validate { .. }
            | ServerMessage::Validated { .. } => false,
        };
        let mut open = self.servers.iter().flat_map(Server::uncommitted);
        all_follow
            && self.stalled.is_empty()
            && self.cuts.is_empty()
            && !open.any(|entry| entry.transaction.is_of_session())
            && self.links.values().flatten().all(is_write)
            && self.servers.iter().all(|server| server.connections.values().all(|one| one.open().is_some()))
    }

    /// A message that changes nothing but what one server has written down, or what the leader knows of that: it
    /// commits nothing, so that no client can tell when it arrived.
    pub fn hidden(&self) -> Option<ServerAction> {
        let mut links = self.links.iter();
        let hidden = links.find(|((_, to), messages)| match messages.first() {
            Some(ServerMessage::Propose(_)) => true,
            Some(ServerMessage::Ack(zxid)) => *zxid <= self.server(*to).member.zxid(),
            _ => false,
        });
        hidden.map(|((from, to), _)| ServerAction::Deliver { from: *from, to: *to })
    }

    // What happens.

    /// What the ensemble could do next by itself, in a fixed order: noticing a loss, elections (the most
    /// complete log first), joining, then messages. Heartbeats are not among it: see [`pings`](Self::pings).
    pub fn enabled(&self) -> Vec<ServerAction> {
        let mut actions = self.membership();
        for (from, to) in self.links.keys() {
            if !self.stalled.contains(to) {
                actions.push(ServerAction::Deliver { from: *from, to: *to });
            }
        }
        actions
    }

    /// What it could do if time passes: all that is [`enabled`](Self::enabled), and a server that hears nothing of the
    /// others gives up, after `syncLimit` ticks (`Learner`'s socket timeout, `Leader.lead`).
    pub fn enabled_in_time(&self) -> Vec<ServerAction> {
        let mut actions = self.enabled();
        actions.extend(self.ids().filter(|id| self.hears_nothing(*id)).map(ServerAction::GiveUp));
        actions
    }

    /// The followers that the leader can ask for the sessions they have heard of.
    pub fn pings(&self) -> impl Iterator<Item = EnsembleAction> {
        let leading = self.leader().and_then(|leader| self.server(leader).leading());
        leading.into_iter().flat_map(Leading::followers).map(|to| EnsembleAction::Ping { to })
    }

    /// Takes one action and returns what followed, in order. An action that makes no sense where it
    /// stands (a connection that is gone, a message that is not there) does nothing.
    pub fn step(&mut self, action: &EnsembleAction) -> Vec<ServerEvent> {
        let mut out = Vec::new();
        match action {
            EnsembleAction::Connect { server, hello } => self.connect(*server, *hello, &mut out),
            EnsembleAction::Ask { connection, request } => self.ask(*connection, request, &mut out),
            EnsembleAction::Close { connection, order } => self.close(*connection, order, &mut out),
            EnsembleAction::HangUp { connection } => self.hang_up(*connection),
            EnsembleAction::Expire { session, order } => self.expire(*session, order, &mut out),
            EnsembleAction::Administer { session, request } => self.administer(*session, request, &mut out),
            EnsembleAction::Ping { to } => self.ping(*to, &mut out),
            EnsembleAction::Progress(action) => self.progress(*action, &mut out),
            EnsembleAction::Crash(server) => self.crash(*server, &mut out),
            EnsembleAction::Restart(server) => self.servers[usize::from(server.0)].up = true,
            EnsembleAction::Cut(a, b) => self.cut(*a, *b, &mut out),
            EnsembleAction::Heal(a, b) => {
                self.cuts.remove(&(*a.min(b), *a.max(b)));
            }
            EnsembleAction::Stall(server) => {
                self.stalled.insert(*server);
            }
            EnsembleAction::Resume(server) => {
                self.stalled.remove(server);
            }
        }
        self.forget_the_common_past();
        out
    }

    /// Does what is enabled, the first of it each time, until nothing is.
    pub fn settle(&mut self) -> Vec<ServerEvent> {
        let mut out = Vec::new();
        while let Some(next) = self.enabled().first() {
            out.append(&mut self.step(&EnsembleAction::Progress(*next)));
        }
        out
    }

    /// For recordings, whose ensemble did more than they show: goes on at `zxid`, as if what came before
    /// had been committed and had changed nothing (and as if there had been the elections). Does nothing if nobody leads or it is in the past.
    pub fn skip_to(&mut self, zxid: Zxid) -> Vec<ServerEvent> {
        let mut out = Vec::new();
        let Some(leader) = self.leader() else { return out };
        if zxid <= self.server(leader).last_zxid() {
            return out;
        }
        let transaction = Transaction::Error(ErrorCode::RuntimeInconsistency);
        self.propose_as(leader, Entry { zxid, origin: None, transaction }, &mut out);
        self.forget_the_common_past();
        out
    }

    fn progress(&mut self, action: ServerAction, out: &mut Vec<ServerEvent>) {
        match action {
            ServerAction::Deliver { from, to } => self.deliver(from, to, out),
            ServerAction::GiveUp(server) => self.give_up(server, out),
            ServerAction::Elect(leader) => self.elect(leader, out),
            ServerAction::Join { server, leader } => self.join(server, leader, out),
        }
    }

    // Helpers.

    fn ids(&self) -> impl Iterator<Item = ServerId> + use<> {
        (0..self.servers.len() as u8).map(ServerId)
    }

    fn at(&mut self, id: ServerId) -> &mut Server {
        &mut self.servers[usize::from(id.0)]
    }

    fn is_quorum(&self, servers: usize) -> bool {
        servers * 2 > self.servers.len()
    }

    fn has_quorum(&self, id: ServerId) -> bool {
        let leading = self.server(id).leading();
        leading.is_some_and(|leading| self.is_quorum(1 + leading.followers.len()))
    }

    fn send(&mut self, from: ServerId, to: ServerId, message: ServerMessage, out: &mut Vec<ServerEvent>) {
        out.push(ServerEvent::Sent { from, to, message: message.clone() });
        self.links.entry((from, to)).or_default().push(message);
    }

    /// Drops from every log what every server has carried out: nobody will ask for it again.
    fn forget_the_common_past(&mut self) {
        let past = self.servers.iter().map(|server| server.member.zxid()).min();
        for server in &mut self.servers {
            server.log.retain(|entry| Some(entry.zxid) > past);
        }
    }
}
