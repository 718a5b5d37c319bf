//! Which clients' words can come to be decided, where there are several servers: a fold over events.
//!
//! A client whose server hears nothing of the others, or has lost its leader, is connected and gets nowhere. What
//! it does by itself (its work, its belief) goes on.

use litemap::LiteMap;
use std::collections::BTreeSet;

use crate::world::{ClientId, ServerFact, ServerFault};
use crate::zookeeper::ServerId;

/// Who is at which server, and which servers are cut off from the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// The server that took the client's last request or connection.
    at: LiteMap<ClientId, ServerId>,
    leader: Option<ServerId>,
    stalled: BTreeSet<ServerId>,
    /// Those who have no connection to their leader.
    parted: BTreeSet<ServerId>,
}

impl Reach {
    pub fn see(&mut self, fact: &ServerFact) {
        match fact {
            ServerFact::Taken { client, server, .. } | ServerFact::Accepted { client, server } => {
                self.at.insert(*client, *server);
            }
            ServerFact::FaultInjected { fault: ServerFault::Stall(server) } => {
                self.stalled.insert(*server);
            }
            ServerFact::FaultInjected { fault: ServerFault::Resume(server) } => {
                self.stalled.remove(server);
            }
            ServerFact::Sent { from, to, what, .. } => {
                self.leader = Some(if what.is_to_follower() { *from } else { *to });
            }
            ServerFact::Parted { follower, .. } => {
                self.parted.insert(*follower);
            }
            ServerFact::Joined { server, .. } => {
                self.parted.remove(server);
            }
            ServerFact::Elected { leader, voters, .. } => {
                self.leader = Some(*leader);
                for voter in voters {
                    self.parted.remove(voter);
                }
            }
            _ => {}
        }
    }

    /// Whether what the client asks for cannot be decided, or it cannot hear of it.
    pub fn is_cut_off(&self, client: ClientId) -> bool {
        let Some(server) = self.at.get(&client) else { return false };
        let stalled = |server: &ServerId| self.stalled.contains(server);
        stalled(server) || self.parted.contains(server) || self.leader.as_ref().is_some_and(stalled)
    }
}
