//! Who leads, who follows, and what breaks.
//!
//! `QuorumPeer`, `FastLeaderElection`, `LearnerHandler.syncFollower`; what is simplified is said in
//! [`ensemble`](super).

use std::cmp::Reverse;
use std::sync::Arc;

use litemap::LiteMap;

use super::Ensemble;
use super::server::{Leading, Role};
use super::words::{Entry, ServerAction, ServerEvent, ServerId, ServerMessage};
use crate::zookeeper::protocol::Zxid;

impl Ensemble {
    /// An ensemble that has just been started: `leader` leads all others, in the epoch they have.
    pub(super) fn begin(&mut self, leader: ServerId) {
        for follower in self.ids().filter(|id| *id != leader) {
            self.follow(follower, leader);
        }
        let followers = self.ids().filter(|id| *id != leader);
        let server = self.at(leader);
        server.role = Role::Leading(Leading::new(&server.member, followers));
    }

    /// What could change next in who follows whom.
    pub(super) fn membership(&self) -> Vec<ServerAction> {
        let mut actions = Vec::new();
        actions.extend(self.ids().filter(|id| self.is_lost(*id)).map(ServerAction::GiveUp));
        let is_candidate = |id: &ServerId| self.is_looking(*id) && self.is_quorum(self.voters(*id).len());
        let mut candidates: Vec<ServerId> = self.ids().filter(is_candidate).collect();
        candidates.sort_by_key(|id| Reverse(self.standing(*id)));
        actions.extend(candidates.into_iter().map(ServerAction::Elect));
        if let Some(leader) = self.leader().filter(|leader| !self.stalled.contains(leader)) {
            let joins = self.ids().filter(|id| self.is_looking(*id) && !self.is_cut(*id, leader));
            actions.extend(joins.map(|server| ServerAction::Join { server, leader }));
        }
        actions
    }

    /// A server that has lost its leader or its quorum notices (`Follower.followLeader`, `Leader.lead`).
    pub(super) fn give_up(&mut self, id: ServerId, out: &mut Vec<ServerEvent>) {
        if self.is_lost(id) || self.hears_nothing(id) {
            self.leave(id, out);
            self.end_all_connections(id, out);
            out.push(ServerEvent::GaveUp { server: id });
        }
    }

    /// `leader` leads from now on all who look for a leader, can talk to it and have no better log; they
    /// must be a quorum. Its whole log is committed, also what was not before.
    pub(super) fn elect(&mut self, leader: ServerId, out: &mut Vec<ServerEvent>) {
        let voters = self.voters(leader);
        if !self.is_looking(leader) || !self.is_quorum(voters.len()) {
            return;
        }
        let epoch = voters.iter().map(|id| self.server(*id).epoch()).max().unwrap_or(0).saturating_add(1);
        let history = self.server(leader).log.clone();
        let last = self.server(leader).last_zxid();
        for entry in self.server(leader).uncommitted() {
            out.push(ServerEvent::Committed { server: leader, zxid: entry.zxid });
        }
        for id in &voters {
            self.take_over(*id, &history, last, out);
            let server = self.at(*id);
            // The number of the new epoch itself (`Leader.startZkServer`). Real followers take it over
            // with the first transaction.
            server.member_mut().set_zxid(Zxid::start_of(epoch));
            if *id != leader {
                self.follow(*id, leader);
            }
        }
        let server = self.at(leader);
        let followers = voters.iter().copied().filter(|id| *id != leader);
        let leading = Leading::new(&server.member, followers);
        out.push(ServerEvent::Elected { leader, epoch, voters: voters.clone() });
        let touched = |(session, timeout_ms)| ServerEvent::Touched { leader, session, timeout_ms };
        out.extend(leading.sessions().map(touched));
        server.role = Role::Leading(leading);
    }

    /// A server that looks for a leader follows one that has a quorum: it takes over what was committed,
    /// and what was proposed is sent to it (`LearnerHandler.syncFollower`, `Leader.startForwarding`).
    pub(super) fn join(&mut self, id: ServerId, leader: ServerId, out: &mut Vec<ServerEvent>) {
        let stalled = self.stalled.contains(&leader);
        if !self.is_looking(id) || !self.has_quorum(leader) || self.is_cut(id, leader) || stalled {
            return;
        }
        let server = self.server(leader);
        let committed = server.member.zxid();
        let (history, open): (Vec<_>, Vec<_>) =
            server.log.iter().cloned().partition(|entry| entry.zxid <= committed);
        self.take_over(id, &history, committed, out);
        let server = self.at(id);
        server.member_mut().set_zxid(committed);
        self.follow(id, leader);
        for entry in open {
            self.send(leader, id, ServerMessage::Propose(entry), out);
        }
        if let Some(leading) = self.at(leader).leading_mut() {
            leading.followers.insert(id, committed);
        }
        out.push(ServerEvent::Joined { server: id, leader });
    }

    pub(super) fn crash(&mut self, id: ServerId, out: &mut Vec<ServerEvent>) {
        self.leave(id, out);
        self.end_all_connections(id, out);
        self.at(id).up = false;
    }

    pub(super) fn cut(&mut self, a: ServerId, b: ServerId, out: &mut Vec<ServerEvent>) {
        if a != b {
            self.cuts.insert((a.min(b), a.max(b)));
            self.detach(a, b, out);
            self.detach(b, a, out);
        }
    }

    // Helpers.

    fn follow(&mut self, id: ServerId, leader: ServerId) {
        self.at(id).role = Role::Following { leader, attached: true, touched: LiteMap::new() };
    }

    /// A server leads and follows nobody any more; those it was connected to may notice later.
    fn leave(&mut self, id: ServerId, out: &mut Vec<ServerEvent>) {
        for other in self.ids().filter(|other| *other != id) {
            self.detach(id, other, out);
            self.detach(other, id, out);
        }
        let before = std::mem::replace(&mut self.at(id).role, Role::Looking);
        if let Role::Leading(leading) = before {
            let sessions = leading.sessions();
            out.extend(sessions.map(|(session, _)| ServerEvent::Untracked { leader: id, session }));
        }
    }

    /// If `follower` follows `leader`, their connection ends, with what is under way on it.
    fn detach(&mut self, follower: ServerId, leader: ServerId, out: &mut Vec<ServerEvent>) {
        if self.server(follower).attached_to() != Some(leader) {
            return;
        }
        if let Role::Following { attached, .. } = &mut self.at(follower).role {
            *attached = false;
        }
        if let Some(leading) = self.at(leader).leading_mut() {
            leading.followers.remove(&follower);
            leading.syncs.retain(|sync| sync.follower != follower);
        }
        self.links.remove(&(follower, leader));
        self.links.remove(&(leader, follower));
        out.push(ServerEvent::Parted { follower, leader });
    }

    /// Makes `history`, which ends with `last`, a server's log: what it has beyond is cut off, what it has
    /// not carried out is.
    fn take_over(&mut self, id: ServerId, history: &[Arc<Entry>], last: Zxid, out: &mut Vec<ServerEvent>) {
        let server = self.at(id);
        let applied = server.member.zxid();
        let common = |entry: &&Arc<Entry>| history.iter().any(|other| other.zxid == entry.zxid);
        let shared = server.log.iter().take_while(common).last().map_or(applied, |entry| entry.zxid);
        if server.log.iter().any(|entry| entry.zxid > shared.max(applied)) {
            out.push(ServerEvent::Truncated { server: id, after: shared.max(applied) });
        }
        server.log = history.to_vec();
        self.carry_out_up_to(id, last, out);
    }

    /// Whether a server has lost its leader, or its quorum, and not noticed.
    fn is_lost(&self, id: ServerId) -> bool {
        match self.server(id).role {
            Role::Looking => false,
            Role::Following { attached, .. } => !attached,
            Role::Leading(_) => !self.has_quorum(id),
        }
    }

    /// Whether a server leads or follows, and nothing of the others arrives.
    pub(super) fn hears_nothing(&self, id: ServerId) -> bool {
        self.stalled.contains(&id) && self.server(id).role != Role::Looking && !self.is_lost(id)
    }

    /// Whether it looks for a leader, and others could hear it.
    fn is_looking(&self, id: ServerId) -> bool {
        let server = self.server(id);
        server.up && server.role == Role::Looking && !self.stalled.contains(&id)
    }

    /// Who would vote for a server, itself included.
    fn voters(&self, candidate: ServerId) -> Vec<ServerId> {
        let votes = |id: &ServerId| {
            let can_talk = self.is_looking(*id) && !self.is_cut(*id, candidate);
            *id == candidate || (can_talk && self.standing(candidate) > self.standing(*id))
        };
        self.ids().filter(votes).collect()
    }

    /// Whose log is more complete, the greater number's among equals
    /// (`FastLeaderElection.totalOrderPredicate`).
    fn standing(&self, id: ServerId) -> (Zxid, ServerId) {
        (self.server(id).last_zxid(), id)
    }
}
