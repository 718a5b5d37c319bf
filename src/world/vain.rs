//! Attempts that cannot succeed: a client without a connection tries for ever, and a run must end.
//!
//! As with a poll that changes nothing, the answer is found by going on in a copy of the world.

use super::servers::Servers;
use super::{Action, Actor, Class, ClientId, Contact, Event, Link, ServerFact, World};
use crate::zookeeper::ServerId;

/// Steps in which a client that tries in vain has come round: a connection to each server, a request on each,
/// and what servers say to each other meanwhile.
const ROUND: u32 = 500;

impl World {
    /// Whether what a client wants can be decided as things stand: of several servers, a quorum follows a leader, and
    /// they hear each other.
    pub fn decides(&self) -> bool {
        match &self.servers {
            Servers::One(_) => true,
            Servers::Many(many) => many.decides(),
        }
    }

    /// With several servers: the clients that run and want the lock, but get no decision. Either there is no quorum, or
    /// their link carries nothing, or their server is cut off from the others.
    pub fn out_of_reach(&self) -> impl Iterator<Item = ClientId> {
        let several = self.ensemble().is_some();
        let wants = |actor: &Actor| actor.runs() && actor.client.step().waits();
        let undecided = !self.decides();
        let lost = move |c: ClientId, actor: &Actor| undecided || actor.stalled || !self.is_heard(c);
        self.actors().filter(move |(c, actor)| several && wants(actor) && lost(*c, actor)).map(|(c, _)| c)
    }

    /// Whether [`is_idle`](World::is_idle) takes long to say of this action: a poll and an attempt are carried through
    /// in a copy of the world.
    pub fn is_slow_to_judge(&self, action: Action) -> bool {
        matches!(action, Action::Poll(_)) || self.is_attempt(action)
    }

    /// Whether this action is part of a client's attempt to get an answer: of several servers, it may go on trying
    /// one after the other.
    pub(super) fn is_attempt(&self, action: Action) -> bool {
        if self.ensemble().is_none() {
            return false;
        }
        match action {
            Action::Reconnect(_) | Action::Suspend(_) => true,
            Action::Deliver(Link::ToServer(c) | Link::ToClient(c)) => {
                let contact = self.actor(c).map(|actor| actor.contact);
                matches!(contact, Some(Contact::Disconnected | Contact::Connecting))
            }
            _ => false,
        }
    }

    /// Whether this is the end of a session whose client has no connection or will give it up: what it tries may
    /// keep the session alive, or not.
    pub(super) fn ends_unheard(&self, action: Action) -> bool {
        let Action::Expire(c) = action else { return false };
        let connected = |actor: &Actor| actor.contact == Contact::Connected;
        let stays = self.actor(c).is_some_and(connected) && !self.asks_in_vain(c);
        self.ensemble().is_some() && !stays
    }

    /// Whether this poll, carried through to its end, leads back to the same world, or gets no answer, nor will the
    /// next.
    pub(super) fn poll_is_idle(&self, poll: Action) -> bool {
        let Some(client) = poll.client() else { return false };
        let before = self.fingerprint();
        let mut world = self.clone();
        let mut next = Some(poll);
        let mut lasts = false;
        while let Some(action) = next {
            if world.is_attempt(action) {
                return !lasts && world.tries_in_vain(client);
            }
            let Ok(events) = world.step(action) else { return false };
            lasts |= events.iter().any(Event::lasts);
            next = world.next_of(client);
        }
        world.fingerprint() == before
    }

    /// Whether what this client still tries comes to nothing, however often it tries.
    ///
    /// It goes on alone, and everything that can arrive does so before its library gives up: no other order would
    /// serve it better. If it comes to stand where it has stood before, and meanwhile no server has carried
    /// anything out or changed sides, no session has come or gone and the resource was not asked, then it goes
    /// round for ever. What its attempts leave among the servers (messages that do not arrive, proposals that
    /// nobody acknowledges) waits for a repair, and can only stand in the way of the next attempt. Others who
    /// try in vain leave no more than that.
    pub(super) fn tries_in_vain(&self, c: ClientId) -> bool {
        let mut world = self.clone();
        let mut stood = Vec::new();
        for _ in 0..ROUND {
            // It has come to an end, which is something if it is another than where it stands now: it may have heard
            // that its session is over.
            let Some(action) = world.next_of(c) else { return world.actor(c) == self.actor(c) };
            let events = world.step(action).unwrap_or_default();
            if events.iter().any(Event::lasts) {
                return false;
            }
            if matches!(action, Action::Reconnect(_)) {
                let now: (_, Option<ServerId>) = (world.actors[c.0 as usize].clone(), world.server_of(c));
                if stood.contains(&now) {
                    return true;
                }
                stood.push(now);
            }
        }
        false
    }

    /// What comes next if this client goes on alone: what is under way first, its library's patience last.
    fn next_of(&self, c: ClientId) -> Option<Action> {
        let patience = [Action::Suspend(c), Action::Reconnect(c)];
        let moves = |action: &Action| {
            let its = action.client() == Some(c) || matches!(action, Action::Server(_));
            let expires = matches!(action, Action::Expire(_) | Action::ExpireOld(_));
            its && !expires && self.class(*action) == Class::Progress
        };
        let mut own = self.enabled().into_iter().filter(moves);
        let patient = own.find(|action| !patience.contains(action));
        patient.or_else(|| patience.into_iter().find(|action| self.is_enabled(*action) && moves(action)))
    }
}

impl Event {
    /// Whether it leaves something behind that another than its client could come to see: a server has carried
    /// something out, given up on a session, or changed sides; the resource was asked; somebody has meddled.
    pub fn lasts(&self) -> bool {
        match self {
            Event::FaultInjected { .. }
            | Event::OperatorActed { .. }
            | Event::NodeCreated { .. }
            | Event::NodeDeleted { .. }
            | Event::SessionClosed { .. }
            | Event::SessionExpired { .. }
            | Event::ResourceTaken { .. } => true,
            Event::Server { fact } => matches!(
                fact,
                ServerFact::FaultInjected { .. }
                    | ServerFact::Committed { .. }
                    | ServerFact::Applied { .. }
                    | ServerFact::Truncated { .. }
                    | ServerFact::Untracked { .. }
                    | ServerFact::Elected { .. }
                    | ServerFact::Joined { .. }
                    | ServerFact::GaveUp { .. }
            ),
            _ => false,
        }
    }
}
