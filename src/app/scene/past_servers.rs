//! What a picture needs of the servers' past, where there are several: a fold over the facts about them.

use crate::world::{Event, ServerFact, ServerFault, World};
use crate::zookeeper::ServerId;

/// What a server does, as far as its line shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerPhase {
    Following,
    Leading,
    /// It looks for a leader.
    Looking,
    Down,
}

/// Something that happened to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Befell {
    Crashed,
    Restarted,
    Stalled,
    Resumed,
    /// The link to another is cut.
    Cut(ServerId),
    Healed(ServerId),
    /// It noticed that it has lost its leader, or its quorum.
    GaveUp,
    /// It leads, in this epoch.
    Elected(u32),
    /// It found the leader.
    Joined,
}

/// Since when a server does what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastPhase {
    pub server: ServerId,
    pub from_ms: u64,
    pub phase: ServerPhase,
}

/// What happened to a server, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastMark {
    pub server: ServerId,
    pub at_ms: u64,
    pub what: Befell,
}

/// The picture goes back this many phases, and this many marks.
const MOST: usize = 240;

/// The servers' past; empty where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastServers {
    /// In order.
    pub servers: Vec<ServerId>,
    /// Oldest first; each server has one at 0 ms.
    pub phases: Vec<PastPhase>,
    pub marks: Vec<PastMark>,
}

impl PastServers {
    /// Before anything has happened.
    pub fn before(world: &World) -> PastServers {
        let mut past = PastServers::default();
        let Some(ensemble) = world.ensemble() else { return past };
        for (server, _) in ensemble.servers() {
            let leads = ensemble.leader() == Some(server);
            let phase = if leads { ServerPhase::Leading } else { ServerPhase::Following };
            past.servers.push(server);
            past.phases.push(PastPhase { server, from_ms: 0, phase });
        }
        past
    }

    /// Takes one event.
    pub fn see(&mut self, at_ms: u64, event: &Event) {
        if let Event::Server { fact } = event {
            self.see_fact(at_ms, fact);
        }
    }

    fn see_fact(&mut self, at_ms: u64, fact: &ServerFact) {
        match fact {
            ServerFact::FaultInjected { fault } => self.fault_injected(at_ms, *fault),
            ServerFact::Elected { leader, epoch, voters } => {
                for voter in voters.iter().filter(|voter| *voter != leader) {
                    self.enter(at_ms, *voter, ServerPhase::Following);
                }
                self.enter(at_ms, *leader, ServerPhase::Leading);
                self.mark(at_ms, *leader, Befell::Elected(*epoch));
            }
            ServerFact::Joined { server, .. } => {
                self.enter(at_ms, *server, ServerPhase::Following);
                self.mark(at_ms, *server, Befell::Joined);
            }
            ServerFact::GaveUp { server } => {
                self.enter(at_ms, *server, ServerPhase::Looking);
                self.mark(at_ms, *server, Befell::GaveUp);
            }
            _ => {}
        }
    }

    fn fault_injected(&mut self, at_ms: u64, fault: ServerFault) {
        match fault {
            ServerFault::Crash(server) => {
                self.enter(at_ms, server, ServerPhase::Down);
                self.mark(at_ms, server, Befell::Crashed);
            }
            ServerFault::Restart(server) => {
                self.enter(at_ms, server, ServerPhase::Looking);
                self.mark(at_ms, server, Befell::Restarted);
            }
            ServerFault::Stall(server) => self.mark(at_ms, server, Befell::Stalled),
            ServerFault::Resume(server) => self.mark(at_ms, server, Befell::Resumed),
            ServerFault::Cut(a, b) => {
                self.mark(at_ms, a, Befell::Cut(b));
                self.mark(at_ms, b, Befell::Cut(a));
            }
            ServerFault::Heal(a, b) => {
                self.mark(at_ms, a, Befell::Healed(b));
                self.mark(at_ms, b, Befell::Healed(a));
            }
        }
    }

    fn enter(&mut self, from_ms: u64, server: ServerId, phase: ServerPhase) {
        if self.phase_of(server) == Some(phase) {
            return;
        }
        self.phases.push(PastPhase { server, from_ms, phase });
        // What a server does now is kept, however long ago it began.
        let over =
            |at: usize| self.phases[at + 1..].iter().any(|later| later.server == self.phases[at].server);
        if self.phases.len() > MOST
            && let Some(at) = (0..self.phases.len()).find(|at| over(*at))
        {
            self.phases.remove(at);
        }
    }

    fn mark(&mut self, at_ms: u64, server: ServerId, what: Befell) {
        self.marks.push(PastMark { server, at_ms, what });
        if self.marks.len() > MOST {
            self.marks.remove(0);
        }
    }

    /// What a server does now.
    pub fn phase_of(&self, server: ServerId) -> Option<ServerPhase> {
        self.phases.iter().rev().find(|past| past.server == server).map(|past| past.phase)
    }
}
