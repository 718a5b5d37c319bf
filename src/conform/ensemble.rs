//! Drives an ensemble through a recording, to quiescence after each step.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::clients::{Clients, Observed};
use super::hash_order::EphemeralSets;
use super::recording::{Lost, RecordedOperation, SERVERS};
use crate::zookeeper::{
    Answer, ConnectRefusal, ConnectionId, ConnectionLoss, Ensemble, EnsembleAction, EnsembleSize, Hello,
    Member, Request, ServerEvent, ServerId, SessionId, WatchedEvent, Zxid,
};

/// Three servers and their clients.
pub(super) struct Quorum {
    ensemble: Ensemble,
    ephemerals: EphemeralSets,
    /// The last transaction whose changes `ephemerals` shows.
    followed: Zxid,
    /// Each name's connection, while it is open.
    connections: BTreeMap<String, ConnectionId>,
    /// Connections that sessions have left open when they moved; none once they are closed.
    old: BTreeMap<String, Option<ConnectionId>>,
    pub(super) clients: Clients,
}

/// What one step brought those who have asked for something.
#[derive(Default)]
struct Heard {
    accepted: Option<ConnectionId>,
    opened: Option<(SessionId, u32)>,
    refused: Option<ConnectRefusal>,
    answers: Vec<(ConnectionId, Answer)>,
    closed: Vec<(ConnectionId, ConnectionLoss)>,
}

impl Quorum {
    pub(super) fn new(member: Member) -> Quorum {
        Quorum {
            ensemble: Ensemble::new(EnsembleSize::Three, member),
            ephemerals: EphemeralSets::default(),
            followed: Zxid(0),
            connections: BTreeMap::new(),
            old: BTreeMap::new(),
            clients: Clients::default(),
        }
    }

    /// # Errors
    /// A sentence if the operation makes no sense where it stands.
    pub(super) fn carry_out(
        &mut self,
        operation: &RecordedOperation,
        recorded: &Value,
    ) -> Result<Observed, String> {
        match operation {
            RecordedOperation::Connect { session, server, timeout_ms } => {
                self.connect(session, *server, *timeout_ms)
            }
            RecordedOperation::Reconnect {
                session,
                server,
                timeout_ms,
                last_zxid,
                bad_password,
                keep_old,
            } => {
                let id = self.clients.session(session);
                // A session that never was has no number; one that is to come will do.
                let unknown = SessionId(u32::MAX);
                let wanted = Some(if *bad_password { unknown } else { id.unwrap_or(unknown) });
                let hello = Hello { session: wanted, last_zxid: *last_zxid, timeout_ms: *timeout_ms };
                self.reconnect(session, *server, hello, *keep_old)
            }
            RecordedOperation::Close { session } => self.close(session),
            RecordedOperation::Drop { session } => {
                if let Some(connection) = self.connections.remove(session) {
                    self.hang_up(session, connection);
                }
                Ok(Observed::default())
            }
            RecordedOperation::Silence { session } => {
                self.clients.fall_silent(session);
                Ok(Observed::default())
            }
            RecordedOperation::Wake { session } => {
                let open = self.connections.get(session).and_then(|id| self.ensemble.connection(*id));
                let zxid = open.map_or(Zxid(0), |(server, _)| self.zxid_of(server));
                Ok(self.clients.wake(session, open.and_then(|(_, id)| id), zxid))
            }
            RecordedOperation::Lapse { sessions } => self.lapse(sessions),
            RecordedOperation::Request { session, request, lost } => self.request(session, request, *lost),
            RecordedOperation::Stall { server } => {
                self.act(EnsembleAction::Stall(*server));
                Ok(Observed::default())
            }
            RecordedOperation::Resume { server } => {
                self.act(EnsembleAction::Resume(*server));
                Ok(Observed::default())
            }
            RecordedOperation::KillServer { servers, zxid } => Ok(self.kill(servers, *zxid)),
            RecordedOperation::RestartServer { servers, zxid } => Ok(self.restart(servers, *zxid, recorded)),
            RecordedOperation::OldConnection { session, request } => self.ask_on_old(session, request),
            RecordedOperation::PresetZxid { zxid } => Ok(self.go_on_at(Some(*zxid))),
            RecordedOperation::PresetNode { .. } => {
                Err("a node can be preset on a single server only".into())
            }
            RecordedOperation::Final => {
                let tree = self.clients.tree_json(self.ensemble.server(self.leader()).member());
                let extra = Map::from_iter([("tree".to_owned(), tree)]);
                Ok(Observed { extra, ..self.at_leader() })
            }
        }
    }

    fn connect(&mut self, name: &str, server: ServerId, timeout_ms: u32) -> Result<Observed, String> {
        if self.live(name).is_ok() {
            return Err(format!("session {name:?} connects, but it is alive already"));
        }
        let hello = Hello { session: None, last_zxid: Zxid(0), timeout_ms };
        let heard = self.act(EnsembleAction::Connect { server, hello });
        if heard.refused.is_some() {
            return Ok(Observed::error("ConnectionLoss"));
        }
        let (Some(connection), Some((id, timeout_ms))) = (heard.accepted, heard.opened) else {
            return Err(no_answer(name));
        };
        self.clients.begin(name, id);
        self.connections.insert(name.to_owned(), connection);
        Ok(Observed { result: Some(json!({ "timeout": timeout_ms })), ..Observed::default() })
    }

    fn reconnect(
        &mut self,
        name: &str,
        server: ServerId,
        hello: Hello,
        keep_old: bool,
    ) -> Result<Observed, String> {
        let heard = self.act(EnsembleAction::Connect { server, hello });
        if heard.refused.is_some() {
            return Ok(Observed::error("ConnectionLoss"));
        }
        let Some(connection) = heard.accepted else { return Err(no_answer(name)) };
        if heard.closed.contains(&(connection, ConnectionLoss::SessionExpired)) {
            return Ok(Observed::error("SessionExpired"));
        }
        let Some((id, timeout_ms)) = heard.opened else { return Err(no_answer(name)) };
        self.clients.take_unread(id);
        // Still there unless it was to the same server.
        if let Some(former) = self.connections.insert(name.to_owned(), connection) {
            if keep_old {
                self.old.insert(name.to_owned(), Some(former));
            } else {
                self.act(EnsembleAction::HangUp { connection: former });
            }
        }
        Ok(Observed { result: Some(json!({ "timeout": timeout_ms })), ..Observed::default() })
    }

    fn close(&mut self, name: &str) -> Result<Observed, String> {
        let (id, connection) = self.connected(name)?;
        let order = self.ephemerals.take(id);
        let mut heard = self.act(EnsembleAction::Close { connection, order });
        let (_, answer) = heard.answers.pop().ok_or_else(|| no_answer(name))?;
        self.connections.remove(name);
        let before_reply = self.clients.take_unread(id);
        Ok(Observed { result: Some(json!({})), before_reply, zxid: Some(answer.zxid), ..Observed::default() })
    }

    fn lapse(&mut self, names: &[String]) -> Result<Observed, String> {
        for name in names {
            let session = self.live(name)?;
            if self.ensemble.leader().is_none() {
                return Err(format!("session {name:?} expires, but there is no leader to say so"));
            }
            self.clients.leave_behind(name, session);
            let order = self.ephemerals.take(session);
            self.act(EnsembleAction::Expire { session, order });
            self.connections.remove(name);
            // Whether a session hears of its own end is left open by the recordings.
            self.clients.take_unread(session);
        }
        Ok(self.at_leader())
    }

    fn request(&mut self, name: &str, request: &Request, lost: Option<Lost>) -> Result<Observed, String> {
        let (id, connection) = self.connected(name)?;
        let ask = EnsembleAction::Ask { connection, request: request.clone() };
        match lost {
            Some(lost) => {
                let server = self.ensemble.connection(connection).map(|(server, _)| server);
                if lost == Lost::Reply {
                    self.act(ask);
                }
                self.connections.remove(name);
                self.hang_up(name, connection);
                let zxid = server.map(|server| self.zxid_of(server));
                Ok(Observed { zxid, ..Observed::error("ConnectionLoss") })
            }
            None => {
                let mut heard = self.act(ask);
                let (_, answer) = heard.answers.pop().ok_or_else(|| no_answer(name))?;
                let before_reply = self.clients.take_unread(id);
                Ok(Observed { before_reply, ..self.clients.answer(&answer) })
            }
        }
    }

    /// What the recorder writes of it is that the connection was closed, or whether it found the node.
    fn ask_on_old(&mut self, name: &str, request: &Request) -> Result<Observed, String> {
        let old = self.old.get(name).copied();
        let old = old.ok_or_else(|| format!("session {name:?} has left no connection behind"))?;
        let mut heard = match old {
            Some(connection) => self.act(EnsembleAction::Ask { connection, request: request.clone() }),
            None => Heard::default(),
        };
        let is_closed = self.old.get(name) == Some(&None);
        let result = match (heard.answers.pop(), request) {
            (Some((_, answer)), Request::Exists { .. }) => Some(json!({ "found": answer.result.is_ok() })),
            (Some((_, answer)), _) => self.clients.answer(&answer).result,
            (None, _) if is_closed => Some(json!({ "closed": true })),
            (None, _) => return Err(no_answer(name)),
        };
        Ok(Observed { result, ..Observed::default() })
    }

    fn kill(&mut self, servers: &[ServerId], zxid: Option<Zxid>) -> Observed {
        let before = self.connections.clone();
        let leader = self.ensemble.leader();
        for server in servers {
            self.step(&EnsembleAction::Crash(*server));
        }
        // What was stalled was the stream of this leader, and that has ended.
        if leader.is_some_and(|leader| servers.contains(&leader)) {
            for (_, server) in SERVERS {
                self.step(&EnsembleAction::Resume(server));
            }
        }
        self.settle();
        let lost: Map<String, Value> = before
            .into_keys()
            .map(|name| (name.clone(), (!self.connections.contains_key(&name)).into()))
            .collect();
        let leader = self.ensemble.leader();
        let result = match servers {
            [server] if SERVERS.contains(&("L", *server)) => Some(json!({
                "new_leader_is_a_surviving_follower": leader.is_some(),
                "all_connections_closed": self.connections.is_empty(),
            })),
            [_] => None,
            _ => {
                let attempt = if leader.is_none() { "refused" } else { "accepted" };
                Some(json!({ "connections_closed": lost, "connect_attempt": attempt }))
            }
        };
        Observed { result, ..self.go_on_at(zxid) }
    }

    /// How long the servers were down, and so what the recorder says of it, is an input.
    fn restart(&mut self, servers: &[ServerId], zxid: Option<Zxid>, recorded: &Value) -> Observed {
        for server in servers {
            if self.ensemble.server(*server).is_up() {
                self.step(&EnsembleAction::Crash(*server));
            }
        }
        for server in servers {
            self.step(&EnsembleAction::Restart(*server));
        }
        self.settle();
        Observed { result: recorded.get("r").cloned(), ..self.go_on_at(zxid) }
    }

    /// After a failure the recorded zxid is an input: helper sessions that are not recorded used some.
    fn go_on_at(&mut self, zxid: Option<Zxid>) -> Observed {
        let Some(zxid) = zxid else { return Observed::default() };
        let events = self.ensemble.skip_to(zxid);
        self.take_in(events, &mut Heard::default());
        self.settle();
        self.at_leader()
    }

    fn hang_up(&mut self, name: &str, connection: ConnectionId) {
        self.act(EnsembleAction::HangUp { connection });
        if let Some(id) = self.clients.session(name) {
            self.clients.take_unread(id);
        }
    }

    // Driving.

    /// Takes an action and everything that follows.
    fn act(&mut self, action: EnsembleAction) -> Heard {
        let mut heard = self.step(&action);
        let events = self.ensemble.settle();
        self.take_in(events, &mut heard);
        heard
    }

    fn step(&mut self, action: &EnsembleAction) -> Heard {
        let mut heard = Heard::default();
        let events = self.ensemble.step(action);
        self.take_in(events, &mut heard);
        heard
    }

    fn settle(&mut self) {
        let events = self.ensemble.settle();
        self.take_in(events, &mut Heard::default());
    }

    fn take_in(&mut self, events: Vec<ServerEvent>, heard: &mut Heard) {
        for event in events {
            match event {
                ServerEvent::Accepted { connection, .. } => heard.accepted = Some(connection),
                ServerEvent::Refused { refusal, .. } => heard.refused = Some(refusal),
                ServerEvent::Opened { connection, session, timeout_ms } => {
                    if heard.accepted == Some(connection) {
                        heard.opened = Some((session, timeout_ms));
                    }
                }
                ServerEvent::Replied { connection, answer } => heard.answers.push((connection, answer)),
                ServerEvent::Fired { connection, event, .. } => self.take_in_fired(connection, event),
                ServerEvent::Closed { connection, why } => {
                    self.take_in_closed(connection, why);
                    heard.closed.push((connection, why));
                }
                // Every server carries out the same; the first to do so tells.
                ServerEvent::Applied { entry, changes, .. } if entry.zxid > self.followed => {
                    self.followed = entry.zxid;
                    self.ephemerals.follow(&changes);
                }
                ServerEvent::Applied { .. }
                | ServerEvent::Sent { .. }
                | ServerEvent::Parted { .. }
                | ServerEvent::Proposed { .. }
                | ServerEvent::Acknowledged { .. }
                | ServerEvent::Committed { .. }
                | ServerEvent::Truncated { .. }
                | ServerEvent::Touched { .. }
                | ServerEvent::Untracked { .. }
                | ServerEvent::Elected { .. }
                | ServerEvent::Joined { .. }
                | ServerEvent::GaveUp { .. } => {}
            }
        }
    }

    /// What comes on a connection that its session has left is not recorded.
    fn take_in_fired(&mut self, connection: ConnectionId, event: WatchedEvent) {
        let current = self.connections.iter().find(|(_, id)| **id == connection);
        if let Some(session) = current.and_then(|(name, _)| self.clients.session(name)) {
            self.clients.send(session, event);
        }
    }

    fn take_in_closed(&mut self, connection: ConnectionId, why: ConnectionLoss) {
        for old in self.old.values_mut().filter(|old| **old == Some(connection)) {
            *old = None;
        }
        let current = self.connections.iter().find(|(_, id)| **id == connection);
        let Some(name) = current.map(|(name, _)| name.clone()) else { return };
        self.connections.remove(&name);
        match why {
            ConnectionLoss::ServerLost | ConnectionLoss::SessionMoved | ConnectionLoss::Replaced => {
                // What lay in the socket goes with it.
                if let Some(id) = self.clients.session(&name) {
                    self.clients.take_unread(id);
                }
            }
            ConnectionLoss::SessionExpired | ConnectionLoss::SessionClosed => {}
        }
    }

    // Looking.

    /// The leader; without one, the server that knows most.
    fn leader(&self) -> ServerId {
        self.ensemble.leader().unwrap_or(self.ensemble.furthest())
    }

    fn at_leader(&self) -> Observed {
        Observed { zxid: Some(self.zxid_of(self.leader())), ..Observed::default() }
    }

    fn zxid_of(&self, server: ServerId) -> Zxid {
        self.ensemble.server(server).member().zxid()
    }

    /// The session that goes by this name, if it is alive.
    fn live(&self, name: &str) -> Result<SessionId, String> {
        let member = self.ensemble.server(self.leader()).member();
        let id = self.clients.session(name).filter(|id| member.timeout_ms(*id).is_some());
        id.ok_or_else(|| format!("session {name:?} is not alive here"))
    }

    fn connected(&self, name: &str) -> Result<(SessionId, ConnectionId), String> {
        let id = self.live(name)?;
        let connection = self.connections.get(name).copied();
        let connection =
            connection.ok_or_else(|| format!("session {name:?} asks something without a connection"))?;
        Ok((id, connection))
    }
}

fn no_answer(name: &str) -> String {
    format!("session {name:?} would wait for its answer: its server is stalled, or there is no quorum")
}
