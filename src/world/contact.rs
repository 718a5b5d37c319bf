//! Connections, sessions and faults: how contact is lost and found again.

use super::{Action, Actor, ClientId, Contact, Cut, Event, Fault, Packet, Process, Sent, Timer, World};
use crate::recipe::{Input, join};
use crate::zookeeper::{EnsembleAction, Path, ServerId, SessionId};

impl World {
    /// Whether a timer of a connection or a session may go off.
    pub(super) fn contact_can(&self, actor: &Actor, action: Action) -> bool {
        let lives = |session: SessionId| self.lives(session);
        match action {
            Action::Ping(_) => actor.runs() && actor.contact == Contact::Connected,
            // A library reads what is there before it looks at the clock (`ClientCnxnSocketNIO.doTransport`).
            Action::Suspend(_) => {
                let hears = !actor.stalled && !actor.to_client.is_empty();
                let counts = actor.contact == Contact::Connected || self.gives_up_connecting(actor);
                actor.runs() && counts && !hears
            }
            Action::Reconnect(_) => {
                actor.runs() && actor.contact == Contact::Disconnected && actor.to_server.is_empty()
            }
            Action::Expire(c) => self.session_of(c).is_some_and(lives),
            Action::ExpireOld(_) => actor.old_sessions.iter().any(|session| lives(*session)),
            _ => false,
        }
    }

    /// Whether the client's library believes in a connection that the server does not have: it was told of no
    /// end, since the link carried nothing when the server restarted. TCP tells the side that sends next.
    pub(super) fn is_half_open(&self, client: ClientId, actor: &Actor) -> bool {
        let gone = actor.session.is_some() && !self.has_connection(client);
        gone && actor.contact == Contact::Connected && !actor.is_cut_off()
    }

    pub(super) fn ping(&mut self, c: ClientId, events: &mut Vec<Event>) {
        self.actor_mut(c).to_server.push_back(Sent::Ping);
        events.push(Event::PingSent { client: c });
    }

    pub(super) fn suspend(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let was_connected = self.actor_mut(c).contact == Contact::Connected;
        self.cut(c, if was_connected { Cut::Quiet } else { Cut::NoAnswer }, events);
    }

    pub(super) fn reconnect(&mut self, c: ClientId, events: &mut Vec<Event>) {
        self.turn_to_next(c);
        let actor = self.actor_mut(c);
        // Through a link that carries nothing it waits: TCP sends its first packet again and again.
        actor.contact = Contact::Connecting;
        actor.to_server.push_back(Sent::Connect(actor.session));
        let new = actor.session.is_none();
        events.push(Event::ConnectSent { client: c, new, server: self.server_of(c) });
    }

    /// The client hears that its connection stands.
    pub(super) fn connected(
        &mut self,
        c: ClientId,
        session: SessionId,
        timeout_ms: u32,
        new: bool,
        events: &mut Vec<Event>,
    ) {
        let actor = self.actor_mut(c);
        actor.contact = Contact::Connected;
        actor.session = Some(session);
        events.push(Event::Connected { client: c, new, timeout_ms });
        if new {
            self.feed(c, Input::NewSession(session), events);
            return;
        }
        // The library sets its watches again before it sends anything else.
        if let Some(request) = actor.set_watches() {
            actor.to_server.push_back(Sent::Request(request.clone()));
            events.push(Event::RequestSent { client: c, request });
        }
        self.feed(c, Input::Reconnected, events);
    }

    /// The client hears that its session is over. Its library opens a new one, if there is any use.
    pub(super) fn hear_expired(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        actor.contact = Contact::Expired;
        let session = actor.session.take();
        // A leader says so before it is committed. If it loses its quorum first, the session lives on at the next one,
        // and nobody uses it any more.
        let undecided = session.filter(|session| self.server().timeout_ms(*session).is_some());
        let actor = self.actor_mut(c);
        actor.old_sessions.extend(undecided);
        actor.watches = Default::default();
        events.push(Event::ExpiredHeard { client: c });
        self.forget_history(c);
        self.feed(c, Input::Expired, events);
        if !self.actor_mut(c).client.step().is_over() {
            self.open_session(c, events);
        }
    }

    /// The client's library has no connection any more, and knows it. The server is told, unless the link
    /// carries nothing.
    pub(super) fn cut(&mut self, c: ClientId, why: Cut, events: &mut Vec<Event>) {
        self.hang_up(c, events);
        self.lose_messages(c, events);
        self.actor_mut(c).contact = Contact::Disconnected;
        events.push(Event::Disconnected { client: c, why });
        self.feed(c, Input::Disconnected, events);
        events.push(Event::TimerSet { timer: Timer::Reconnect(c) });
    }

    /// The client's end of the connection is gone. The server is told, unless the link carries nothing.
    fn hang_up(&mut self, c: ClientId, events: &mut Vec<Event>) {
        if self.actor_mut(c).stalled {
            self.leave_connection(c, events)
        } else {
            self.drop_connection(c, events)
        }
    }

    /// The time of the client's session is up.
    pub(super) fn expire(&mut self, c: ClientId, events: &mut Vec<Event>) {
        if let Some(session) = self.session_of(c) {
            self.end_session(session, events);
        }
    }

    /// The time of a session that an earlier process of the client has left behind is up.
    pub(super) fn expire_old(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let old = self.actor_mut(c).old_sessions.clone();
        if let Some(session) = old.into_iter().find(|session| self.lives(*session)) {
            self.end_session(session, events);
        }
    }

    /// The session that the servers keep for the client: the one that its library has, or a new one of which it has
    /// not heard yet.
    pub fn session_of(&self, client: ClientId) -> Option<SessionId> {
        let actor = self.actor(client)?;
        let made = || self.servers.wires().of(client).and_then(|(_, wire)| wire.session);
        actor.session.or_else(|| actor.coming_session()).or_else(made)
    }

    /// The news of a new session does not reach the client, which will ask for another. This one lives on until its
    /// time is up.
    pub(super) fn leave_unheard(&mut self, c: ClientId, session: SessionId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        if actor.session != Some(session) && !actor.old_sessions.contains(&session) && self.lives(session) {
            self.actor_mut(c).old_sessions.push(session);
            events.push(Event::SessionUnheard { client: c });
        }
    }

    fn end_session(&mut self, session: SessionId, events: &mut Vec<Event>) {
        self.act(&EnsembleAction::Expire { session, order: Vec::new() }, None, events);
    }

    /// The path of the lock node that the client's session owns or that the client knows as its own.
    pub fn node_of(&self, actor: &Actor) -> Option<Path> {
        let owned = actor.session.and_then(|session| self.server().ephemerals(session).first().cloned());
        owned.or_else(|| {
            let known = actor.client.me().map(|name| join(super::LOCK_DIR, name));
            known.filter(|path| self.server().node(path).is_some())
        })
    }

    /// Whether this fault can happen to the client now.
    pub(super) fn can_inject(&self, client: ClientId, actor: &Actor, fault: Fault) -> bool {
        let runs = actor.runs();
        let carries = !actor.stalled && actor.contact == Contact::Connected && !actor.is_gone();
        match fault {
            Fault::Pause => runs,
            Fault::Resume => actor.process == Process::Paused,
            Fault::Crash => !actor.is_gone(),
            Fault::Restart => actor.process == Process::Crashed,
            Fault::Close => runs,
            Fault::Reset => carries,
            Fault::Stall => !actor.stalled && !actor.is_gone(),
            Fault::Heal => actor.stalled,
            Fault::LostRequest => {
                carries && runs && actor.to_server.iter().any(|sent| matches!(sent, Sent::Request(_)))
            }
            Fault::LostReply => {
                let is_reply = |packet: &Packet| matches!(packet, Packet::Reply { .. });
                carries && runs && actor.to_client.iter().any(is_reply)
            }
            Fault::GiveUp => runs && actor.client.step().waits() && !actor.client.is_quitting(),
            Fault::Hang => !actor.hung && !actor.is_gone(),
            Fault::Unhang => actor.hung,
            Fault::Expire => self.contact_can(actor, Action::Expire(client)),
            Fault::LeaveSession => runs && actor.session.is_some() && !actor.client.step().is_over(),
            Fault::ClockAhead => runs && actor.contact == Contact::Connected,
        }
    }

    pub(super) fn inject(&mut self, c: ClientId, fault: Fault, events: &mut Vec<Event>) {
        match fault {
            Fault::Pause => self.actor_mut(c).process = Process::Paused,
            Fault::Resume => self.actor_mut(c).process = Process::Running,
            Fault::Stall => self.actor_mut(c).stalled = true,
            Fault::Heal => self.actor_mut(c).stalled = false,
            Fault::Hang => self.actor_mut(c).hung = true,
            Fault::Unhang => self.actor_mut(c).hung = false,
            Fault::Reset | Fault::LostRequest | Fault::LostReply => {
                self.break_connection(c, Cut::Reset, events)
            }
            Fault::GiveUp => self.feed(c, Input::GiveUp, events),
            Fault::Expire => self.expire(c, events),
            Fault::LeaveSession => self.leave_session(c, events),
            Fault::ClockAhead => self.cut(c, Cut::Quiet, events),
            Fault::Crash => {
                self.hang_up(c, events);
                self.lose_messages(c, events);
                self.end_process(c, Process::Crashed, events);
                self.actor_mut(c).contact = Contact::Disconnected;
            }
            Fault::Restart => self.restart(c, events),
            Fault::Close => {
                let connected = self.actor_mut(c).contact == Contact::Connected;
                self.lose_messages(c, events);
                self.end_process(c, Process::Closed, events);
                let actor = self.actor_mut(c);
                actor.contact = Contact::Closed;
                if connected {
                    actor.to_server.push_back(Sent::Close);
                    events.push(Event::CloseSent { client: c });
                }
            }
        }
    }

    /// The library closes its connection, forgets a session that may live, and asks for a new one. To its client it
    /// is as if the session had expired.
    fn leave_session(&mut self, c: ClientId, events: &mut Vec<Event>) {
        if self.actor_mut(c).contact == Contact::Connected {
            self.cut(c, Cut::Reset, events);
        } else {
            self.hang_up(c, events);
            self.lose_messages(c, events);
        }
        events.push(Event::TimerCleared { timer: Timer::Reconnect(c) });
        let actor = self.actor_mut(c);
        actor.old_sessions.extend(actor.session.take());
        actor.watches = Default::default();
        self.forget_history(c);
        self.feed(c, Input::Expired, events);
        self.open_session(c, events);
    }

    /// The library asks for a new session.
    fn open_session(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        actor.contact = Contact::Connecting;
        actor.to_server.push_back(Sent::Connect(None));
        events.push(Event::ConnectSent { client: c, new: true, server: self.server_of(c) });
    }

    /// Both ends of a connection are told that it is gone. A process that stands still reads what it has
    /// been sent first.
    fn break_connection(&mut self, c: ClientId, why: Cut, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        if actor.runs() {
            self.cut(c, why, events);
            return;
        }
        let unsent = actor.to_server.len() as u32;
        actor.to_server.clear();
        let told = matches!(actor.to_client.back(), Some(Packet::EndOfFile));
        if !told {
            actor.to_client.push_back(Packet::EndOfFile);
        }
        if unsent > 0 {
            events.push(Event::LinkLost { link: super::Link::ToServer(c), messages: unsent });
        }
        if !told {
            events.push(Event::ConnectionClosed { client: c });
        }
        self.drop_connection(c, events);
    }

    /// A new process starts in place of one that has crashed, and wants the lock if that had not had it.
    fn restart(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        actor.process = Process::Running;
        actor.hung = false;
        actor.old_sessions.extend(actor.session.take());
        self.forget_history(c);
        let actor = self.actor_mut(c);
        let was_asked = !actor.will_arrive;
        events.push(Event::TimerSet { timer: Timer::Reconnect(c) });
        if was_asked && !actor.through {
            events.push(Event::Arrived { client: c });
            self.feed(c, Input::Start, events);
        }
    }

    /// The server ends and starts again on its log: every connection is gone, sessions and nodes stay.
    pub(super) fn restart_server(&mut self, events: &mut Vec<Event>) {
        self.act(&EnsembleAction::Restart(ServerId(0)), None, events);
        for c in (0..self.actors.len() as u32).map(ClientId) {
            let actor = self.actor_mut(c);
            let has_connection = matches!(actor.contact, Contact::Connected | Contact::Connecting);
            // Through a link that carries nothing, nobody is told.
            if has_connection && !actor.stalled && !actor.is_gone() {
                self.break_connection(c, Cut::ServerRestart, events);
            }
        }
    }
}
