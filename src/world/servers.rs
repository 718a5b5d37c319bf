//! The servers under the world: one that answers at once, or an ensemble whose messages take their time.
//!
//! Both say what they do in the same words ([`ServerEvent`]), which `translate` turns into this room's events.
//! Everything else asks through the few methods here.

use std::collections::VecDeque;
use std::sync::Arc;

use litemap::LiteMap;

use super::{Action, Actor, ClientId, Contact, Event, Notice, Packet, Sent, ServerFact, ServerFault, World};
use crate::zookeeper::{
    ConnectionId, Ensemble, EnsembleAction, EnsembleSize, Hello, Member, Role, ServerAction, ServerEvent,
    ServerId, ServerMessage, SessionId, StandaloneServer, Watch, Zxid,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Servers {
    One(Arc<One>),
    Many(Arc<Many>),
}

/// A server by itself and the clients' connections to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct One {
    pub server: StandaloneServer,
    pub wires: Wires,
}

/// An ensemble and the clients' connections to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Many {
    pub ensemble: Ensemble,
    /// The server that each client's library talks to, or talked to last.
    pub at: Vec<ServerId>,
    pub wires: Wires,
}

/// The connections that the servers know, and whose they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wires {
    pub known: LiteMap<ConnectionId, Wire>,
    /// The last owner of each number: a message under way may still name it.
    pub owners: LiteMap<ConnectionId, ClientId>,
}

/// A connection as the servers know it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wire {
    pub client: ClientId,
    /// The session that was asked for; none for a new one.
    pub wanted: Option<SessionId>,
    /// The session that it is for; of a new one, as soon as it is made.
    pub session: Option<SessionId>,
    /// The session may be used.
    pub open: bool,
    /// The client has given it up, and the server does not know.
    pub left: bool,
    /// What has come in and has no reply, oldest first.
    pub asked: VecDeque<Sent>,
}

impl Wires {
    /// A client's connection is taken; whether its session is good is said later.
    pub fn accept(&mut self, connection: ConnectionId, client: ClientId, wanted: Option<SessionId>) {
        let wire = Wire { client, wanted, session: wanted, open: false, left: false, asked: VecDeque::new() };
        self.known.insert(connection, wire);
        self.owners.insert(connection, client);
    }

    /// The client's connection, as far as it has not given it up.
    pub fn of(&self, client: ClientId) -> Option<(ConnectionId, &Wire)> {
        let mut own = self.known.iter().filter(|(_, wire)| wire.client == client && !wire.left);
        own.next().map(|(id, wire)| (*id, wire))
    }
}

impl Servers {
    /// Servers that have carried out what `member` has. Client n has session n of `sessions` and is connected to
    /// server n mod `size`; the leader has the greatest number, and is taken last.
    pub fn new(size: EnsembleSize, member: Member, sessions: &[SessionId], timeout_ms: u32) -> Servers {
        let last_zxid = member.zxid();
        let mut servers = match size {
            EnsembleSize::One => {
                let server = StandaloneServer::new(member);
                Servers::One(One { server, wires: Wires::default() }.into())
            }
            EnsembleSize::Three | EnsembleSize::Five => {
                let ensemble = Ensemble::new(size, member);
                Servers::Many(Many { ensemble, at: Vec::new(), wires: Wires::default() }.into())
            }
        };
        for (n, session) in (0u32..).zip(sessions) {
            let server = ServerId((n % u32::from(size.servers())) as u8);
            if let Servers::Many(many) = &mut servers {
                Arc::make_mut(many).at.push(server);
            }
            let hello = Hello { session: Some(*session), last_zxid, timeout_ms };
            for event in servers.step(&EnsembleAction::Connect { server, hello }) {
                if let ServerEvent::Accepted { connection, .. } = event {
                    servers.wires_mut().accept(connection, ClientId(n), Some(*session));
                    if let Some(wire) = servers.wires_mut().known.get_mut(&connection) {
                        wire.open = true;
                    }
                }
            }
            if let Servers::Many(many) = &mut servers {
                Arc::make_mut(many).ensemble.settle();
            }
        }
        servers
    }

    /// Something happens to the servers; what they say of it, in order.
    pub fn step(&mut self, action: &EnsembleAction) -> Vec<ServerEvent> {
        match self {
            Servers::One(one) => Arc::make_mut(one).server.step(action),
            Servers::Many(many) => Arc::make_mut(many).ensemble.step(action),
        }
    }

    pub fn wires(&self) -> &Wires {
        match self {
            Servers::One(one) => &one.wires,
            Servers::Many(many) => &many.wires,
        }
    }

    pub fn wires_mut(&mut self) -> &mut Wires {
        match self {
            Servers::One(one) => &mut Arc::make_mut(one).wires,
            Servers::Many(many) => &mut Arc::make_mut(many).wires,
        }
    }

    /// The server; of several, the one that has carried out most: what is decided, whoever knows it.
    pub fn furthest(&self) -> &Member {
        match self {
            Servers::One(one) => one.server.member(),
            Servers::Many(many) => many.furthest(),
        }
    }

    /// The server that the client's library talks to, or talked to last.
    fn at(&self, client: ClientId) -> ServerId {
        match self {
            Servers::One(_) => ServerId(0),
            Servers::Many(many) => many.at[client.0 as usize],
        }
    }

    /// What several servers could do next by themselves, but for messages.
    pub fn moves(&self) -> Vec<Action> {
        match self {
            Servers::One(_) => Vec::new(),
            Servers::Many(many) => many.moves(),
        }
    }
}

impl Many {
    /// The one that has carried out most.
    fn furthest(&self) -> &Member {
        self.ensemble.server(self.ensemble.furthest()).member()
    }

    /// What servers could do next by themselves, but for messages.
    pub fn moves(&self) -> Vec<Action> {
        let own = self.ensemble.enabled_in_time().into_iter();
        let own = own.filter(|action| !matches!(action, ServerAction::Deliver { .. })).map(Action::Server);
        own.chain(self.beats()).collect()
    }

    /// The heartbeats that the leader could send.
    fn beats(&self) -> impl Iterator<Item = Action> {
        self.ensemble.pings().filter_map(|ping| match ping {
            EnsembleAction::Ping { to } => Some(Action::Beat(to)),
            _ => None,
        })
    }

    /// How a server learns of a loss. Where the link is cut and the other side goes on, or nothing arrives, nothing
    /// tells it.
    pub fn notice(&self, action: Action) -> Notice {
        let Action::Server(ServerAction::GiveUp(id)) = action else { return Notice::AtOnce };
        let ensemble = &self.ensemble;
        let leads = |id: ServerId| matches!(ensemble.server(id).role(), Role::Leading(_));
        let is_cut_from = |other: ServerId| ensemble.is_cut(id, other) && ensemble.server(other).is_up();
        match ensemble.server(id).role() {
            _ if ensemble.is_stalled(id) => Notice::SyncLimit,
            Role::Following { leader, .. } if is_cut_from(*leader) && leads(*leader) => Notice::SyncLimit,
            Role::Leading(_) if ensemble.servers().any(|(other, _)| is_cut_from(other)) => Notice::SyncLimit,
            Role::Leading(_) => Notice::HalfTick,
            Role::Following { .. } | Role::Looking => Notice::AtOnce,
        }
    }

    fn tracks(&self, session: SessionId) -> bool {
        let leader = self.ensemble.leader().map(|leader| self.ensemble.server(leader).role());
        matches!(leader, Some(Role::Leading(leading)) if leading.sessions().any(|(id, _)| id == session))
    }

    /// Whether a server is kept from hearing the others, or the others from hearing their leader.
    fn is_deaf(&self, server: ServerId) -> bool {
        let leader = self.ensemble.leader();
        self.ensemble.is_stalled(server) || leader.is_none_or(|leader| self.ensemble.is_stalled(leader))
    }

    /// Whether a write can come to be committed as things stand: a quorum follows a leader, and they hear each
    /// other.
    pub fn decides(&self) -> bool {
        let Some(leader) = self.ensemble.leader() else { return false };
        let Role::Leading(leading) = self.ensemble.server(leader).role() else { return false };
        let hears = |id: &ServerId| !self.ensemble.is_stalled(*id);
        let hearing = leading.followers().filter(hears).count();
        hears(&leader) && (1 + hearing) * 2 > self.ensemble.servers().count()
    }

    fn is_heartbeat(&self, from: ServerId, to: ServerId) -> bool {
        let link = self.ensemble.links().find(|(a, b, _)| (*a, *b) == (from, to));
        let beats =
            |message: &ServerMessage| matches!(message, ServerMessage::Ping | ServerMessage::Touched(_));
        link.is_none_or(|(_, _, messages)| messages.iter().all(beats))
    }

    fn can(&self, action: Action) -> bool {
        let ensemble = &self.ensemble;
        let exists = |id: ServerId| usize::from(id.0) < ensemble.servers().count();
        match action {
            Action::Server(ServerAction::Deliver { from, to }) => {
                ensemble.links().any(|(a, b, _)| (a, b) == (from, to)) && !ensemble.is_stalled(to)
            }
            Action::Server(action) => ensemble.enabled_in_time().contains(&action),
            Action::Beat(_) => self.beats().any(|beat| beat == action),
            Action::ServerFault(fault) => {
                let (a, b) = fault.servers();
                exists(a)
                    && b.is_none_or(exists)
                    && match fault {
                        ServerFault::Crash(a) => ensemble.server(a).is_up(),
                        ServerFault::Restart(a) => !ensemble.server(a).is_up(),
                        ServerFault::Stall(a) => !ensemble.is_stalled(a),
                        ServerFault::Resume(a) => ensemble.is_stalled(a),
                        ServerFault::Cut(a, b) => a != b && !ensemble.is_cut(a, b),
                        ServerFault::Heal(a, b) => ensemble.is_cut(a, b),
                    }
            }
            _ => false,
        }
    }
}

/// What the page and the judges ask.
impl World {
    /// The server; of several, the one that has carried out most: what is decided, whoever knows it.
    pub fn server(&self) -> &Member {
        self.servers.furthest()
    }

    /// The servers, where there are several.
    pub fn ensemble(&self) -> Option<&Ensemble> {
        match &self.servers {
            Servers::One(_) => None,
            Servers::Many(many) => Some(&many.ensemble),
        }
    }

    /// The server that the client's library talks to, or talked to last, where there are several.
    pub fn server_of(&self, client: ClientId) -> Option<ServerId> {
        match &self.servers {
            Servers::One(_) => None,
            Servers::Many(many) => many.at.get(client.0 as usize).copied(),
        }
    }

    /// What the client would read: what its own server has carried out.
    pub fn member_of(&self, client: ClientId) -> &Member {
        match &self.servers {
            Servers::One(one) => one.server.member(),
            Servers::Many(many) => match many.at.get(client.0 as usize) {
                Some(server) => many.ensemble.server(*server).member(),
                None => self.server(),
            },
        }
    }

    /// The watches of all servers.
    pub fn watchers(&self) -> impl Iterator<Item = Watch> {
        let members: Vec<&Member> = match &self.servers {
            Servers::One(one) => vec![one.server.member()],
            Servers::Many(many) => many.ensemble.servers().map(|(_, server)| server.member()).collect(),
        };
        members.into_iter().flat_map(Member::watchers)
    }
}

/// What the rest of this room asks.
impl World {
    /// Whether a session may still come to its end by the clock.
    pub(super) fn lives(&self, session: SessionId) -> bool {
        match &self.servers {
            Servers::One(one) => one.server.member().timeout_ms(session).is_some(),
            Servers::Many(many) => many.tracks(session),
        }
    }

    /// Whether the servers know of the client's connection.
    pub fn has_connection(&self, client: ClientId) -> bool {
        self.servers.wires().of(client).is_some()
    }

    /// Whether somebody with a shell would be heard.
    pub(super) fn takes_orders(&self) -> bool {
        match &self.servers {
            Servers::One(_) => true,
            Servers::Many(many) => many.ensemble.leader().is_some(),
        }
    }

    /// Whether this client's words can come to be decided: its server and the leader hear each other.
    pub fn is_heard(&self, client: ClientId) -> bool {
        match &self.servers {
            Servers::One(_) => true,
            Servers::Many(many) => many.at.get(client.0 as usize).is_none_or(|at| !many.is_deaf(*at)),
        }
    }

    /// Whether the client has asked something that nobody will answer.
    pub(super) fn asks_in_vain(&self, client: ClientId) -> bool {
        let Servers::Many(many) = &self.servers else { return false };
        let asks = many.wires.of(client).is_some_and(|(_, wire)| !wire.open || !wire.asked.is_empty());
        asks && !many.ensemble.enabled_in_time().iter().any(|action| match action {
            ServerAction::Deliver { from, to } => !many.is_heartbeat(*from, *to),
            ServerAction::GiveUp(_) | ServerAction::Elect(_) | ServerAction::Join { .. } => true,
        })
    }

    /// A step among servers that no client can tell from a later one, if there is one. Where nothing is broken, nobody
    /// is moving and nothing more will go wrong, a search may take it first and leave out all orders in which it
    /// comes later.
    ///
    /// It is a proposal that a follower writes down, or an acknowledgement of what is committed already. Neither
    /// changes what any server has carried out, and neither can be kept from happening. A proposal that is written
    /// down later puts its acknowledgement behind what clients have asked of that follower meanwhile; then the
    /// leader decides those requests before it commits. The same comes out where it decides them right afterwards:
    /// they are committed later anyway, in the order in which they are decided, and a decision shows in nothing
    /// before. Sessions that begin or end would show, and elections: hence the conditions.
    pub fn hidden_step(&self) -> Option<Action> {
        let Servers::Many(many) = &self.servers else { return None };
        let stays = |(c, actor): (ClientId, &Actor)| {
            let ends = |packet: &Packet| matches!(packet, Packet::EndOfFile | Packet::Expired);
            let moves = |sent: &Sent| matches!(sent, Sent::Connect(_) | Sent::Close);
            let settled =
                actor.contact == Contact::Connected && many.wires.of(c).is_some_and(|(_, wire)| wire.open);
            settled
                && !actor.is_cut_off()
                && actor.old_sessions.is_empty()
                && !actor.to_client.iter().any(ends)
                && !actor.to_server.iter().any(moves)
        };
        let calm = many.ensemble.is_calm() && self.actors().all(stays);
        many.ensemble.hidden().filter(|_| calm).map(Action::Server)
    }

    pub(super) fn servers_can(&self, action: Action) -> bool {
        match &self.servers {
            Servers::One(_) => false,
            Servers::Many(many) => many.can(action),
        }
    }

    /// Whether nothing but heartbeats is under way from one server to another.
    pub(super) fn is_heartbeat_between(&self, from: ServerId, to: ServerId) -> bool {
        matches!(&self.servers, Servers::Many(many) if many.is_heartbeat(from, to))
    }

    /// What servers could do next, and every fault of theirs, whether it could happen or not.
    pub(super) fn server_actions(&self) -> (Vec<Action>, Vec<Action>) {
        let Servers::Many(many) = &self.servers else { return (Vec::new(), Vec::new()) };
        let own =
            many.ensemble.enabled_in_time().into_iter().map(Action::Server).chain(many.beats()).collect();
        let servers = many.ensemble.servers().count() as u8;
        (own, ServerFault::all(servers).into_iter().map(Action::ServerFault).collect())
    }

    /// The client's server takes the oldest of its messages.
    pub(super) fn serve(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let actor = self.actor_mut(c);
        let last_zxid = actor.last_zxid;
        let Some(message) = actor.to_server.pop_front() else { return };
        let (server, timeout_ms) = (self.servers.at(c), self.timeout_ms);
        if let Sent::Connect(session) = message {
            let hello = Hello { session, last_zxid, timeout_ms };
            return self.act(&EnsembleAction::Connect { server, hello }, Some(c), events);
        }
        // The server has closed this connection: what comes on it is not looked at.
        let Some((connection, _)) = self.servers.wires().of(c) else {
            return self.refuse_connection(c, events);
        };
        self.ask(c, connection, message, events);
    }

    /// The client's connection is gone, and its server knows.
    pub(super) fn drop_connection(&mut self, c: ClientId, events: &mut Vec<Event>) {
        if let Some((connection, _)) = self.servers.wires().of(c) {
            let wire = self.servers.wires_mut().known.remove(&connection);
            self.leave_unopened(wire.as_ref(), events);
            self.act(&EnsembleAction::HangUp { connection }, Some(c), events);
        }
    }

    /// The client has given its connection up, and no server knows.
    pub(super) fn leave_connection(&mut self, c: ClientId, events: &mut Vec<Event>) {
        let own = self.servers.wires().of(c).map(|(connection, _)| connection);
        if let Some(wire) = own.and_then(|connection| self.servers.wires_mut().known.get_mut(&connection)) {
            wire.left = true;
            let left = wire.clone();
            self.leave_unopened(Some(&left), events);
        }
    }

    /// A connection is gone: a new session that was made for it and not opened yet is nobody's.
    pub(super) fn leave_unopened(&mut self, wire: Option<&Wire>, events: &mut Vec<Event>) {
        if let Some(wire) = wire.filter(|wire| !wire.open && wire.wanted.is_none())
            && let Some(session) = wire.session
        {
            self.leave_unheard(wire.client, session, events);
        }
    }

    /// The client's library turns to the next server in its list (`StaticHostProvider.next`).
    pub(super) fn turn_to_next(&mut self, c: ClientId) {
        if let Servers::Many(many) = &mut self.servers {
            let many = Arc::make_mut(many);
            let servers = many.ensemble.servers().count() as u8;
            let at = &mut many.at[c.0 as usize];
            *at = ServerId((at.0 + 1) % servers);
        }
    }

    /// Something happens to servers.
    pub(super) fn inject_in_servers(&mut self, fault: ServerFault, events: &mut Vec<Event>) {
        events.push(Event::Server { fact: ServerFact::FaultInjected { fault } });
        let action = match fault {
            ServerFault::Crash(server) => EnsembleAction::Crash(server),
            ServerFault::Restart(server) => EnsembleAction::Restart(server),
            ServerFault::Stall(server) => EnsembleAction::Stall(server),
            ServerFault::Resume(server) => EnsembleAction::Resume(server),
            ServerFault::Cut(a, b) => EnsembleAction::Cut(a, b),
            ServerFault::Heal(a, b) => EnsembleAction::Heal(a, b),
        };
        self.act(&action, None, events);
    }

    /// A session that is wanted anew begins without a history (`ClientCnxn`: a new handle has seen nothing).
    pub(super) fn forget_history(&mut self, c: ClientId) {
        self.actor_mut(c).last_zxid = Zxid(0);
    }

    /// Whether a library that has asked for a connection gives it up when nothing comes.
    pub(super) fn gives_up_connecting(&self, actor: &Actor) -> bool {
        matches!(self.servers, Servers::Many(_)) && actor.contact == Contact::Connecting
    }
}
