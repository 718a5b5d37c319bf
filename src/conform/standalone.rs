//! Drives a single member through a recording.

use std::collections::BTreeMap;

use serde_json::{Map, json};

use super::clients::{Clients, Observed};
use super::hash_order::EphemeralSets;
use super::recording::{Lost, ROOT, RecordedOperation};
use crate::zookeeper::{Answer, Member, Request, SessionId, WatchTable};

/// A standalone server and its clients.
pub(super) struct Standalone {
    member: Member,
    ephemerals: EphemeralSets,
    pub(super) clients: Clients,
}

impl Standalone {
    pub(super) fn new(member: Member) -> Standalone {
        Standalone { member, ephemerals: EphemeralSets::default(), clients: Clients::default() }
    }

    /// # Errors
    /// A sentence if the operation makes no sense where it stands.
    pub(super) fn carry_out(&mut self, operation: &RecordedOperation) -> Result<Observed, String> {
        match operation {
            RecordedOperation::Connect { session, timeout_ms, .. } => self.connect(session, *timeout_ms),
            RecordedOperation::Reconnect { session, timeout_ms, bad_password, keep_old, .. } => {
                Ok(self.reconnect(session, *timeout_ms, *bad_password, *keep_old))
            }
            RecordedOperation::Close { session } => {
                let id = self.live(session)?;
                self.end_session(id);
                let before_reply = self.clients.take_unread(id);
                Ok(Observed { result: Some(json!({})), before_reply, ..self.at_zxid() })
            }
            RecordedOperation::Drop { session } => {
                if let Some(id) = self.clients.session(session) {
                    self.cut(id);
                }
                Ok(Observed::default())
            }
            RecordedOperation::Silence { session } => {
                self.clients.fall_silent(session);
                Ok(Observed::default())
            }
            RecordedOperation::Wake { session } => {
                Ok(self.clients.wake(session, self.live(session).ok(), self.member.zxid()))
            }
            RecordedOperation::Lapse { sessions } => {
                for name in sessions {
                    let id = self.live(name)?;
                    self.clients.leave_behind(name, id);
                    self.end_session(id);
                    // Whether a session hears of its own end is left open by the recordings.
                    self.clients.take_unread(id);
                }
                Ok(self.at_zxid())
            }
            RecordedOperation::Request { session, request, lost } => self.request(session, request, *lost),
            RecordedOperation::PresetNode { path, creates, czxid, zxid } => {
                let preset = self.member.preset_node(path, *creates, *czxid);
                preset.map_err(|error| format!("no node can be put at {path:?}: {error}"))?;
                self.member.set_zxid(*zxid);
                Ok(self.at_zxid())
            }
            RecordedOperation::PresetZxid { zxid } => {
                self.member.set_zxid(*zxid);
                Ok(self.at_zxid())
            }
            RecordedOperation::RestartServer { .. } => {
                self.member.restart();
                self.clients.drop_all_unread();
                Ok(self.at_zxid())
            }
            RecordedOperation::Final => Ok(self.whole_tree()),
            RecordedOperation::Stall { .. }
            | RecordedOperation::Resume { .. }
            | RecordedOperation::KillServer { .. }
            | RecordedOperation::OldConnection { .. } => Err("this is a single server".into()),
        }
    }

    fn connect(&mut self, name: &str, timeout_ms: u32) -> Result<Observed, String> {
        if self.live(name).is_ok() {
            return Err(format!("session {name:?} connects, but it is alive already"));
        }
        let connected = self.member.connect(timeout_ms);
        self.clients.begin(name, connected.session);
        Ok(Observed { result: Some(json!({ "timeout": connected.timeout_ms })), ..Observed::default() })
    }

    fn reconnect(&mut self, name: &str, timeout_ms: u32, bad_password: bool, keep_old: bool) -> Observed {
        let expired = Observed::error("SessionExpired");
        let Some(id) = self.clients.session(name).filter(|_| !bad_password) else { return expired };
        let Ok(timeout_ms) = self.member.reconnect(id, timeout_ms) else { return expired };
        self.clients.take_unread(id);
        let result = if keep_old {
            json!({ "timeout": timeout_ms, "old_connection_closed": true })
        } else {
            json!({ "timeout": timeout_ms })
        };
        Observed { result: Some(result), ..Observed::default() }
    }

    fn request(&mut self, name: &str, request: &Request, lost: Option<Lost>) -> Result<Observed, String> {
        let id = self.live(name)?;
        if !self.member.is_connected(id) {
            return Err(format!("session {name:?} asks something without a connection"));
        }
        match lost {
            Some(lost) => {
                if lost == Lost::Reply {
                    self.ask(id, request);
                }
                self.cut(id);
                Ok(Observed { error: Some("ConnectionLoss"), ..self.at_zxid() })
            }
            None => {
                let answer = self.ask(id, request);
                let before_reply = self.clients.take_unread(id);
                Ok(Observed { before_reply, ..self.clients.answer(&answer) })
            }
        }
    }

    fn ask(&mut self, session: SessionId, request: &Request) -> Answer {
        let mut answer = self.member.request(session, request);
        self.take_in(&mut answer);
        answer
    }

    fn end_session(&mut self, session: SessionId) {
        let order = self.ephemerals.take(session);
        let mut answer = self.member.end_session(session, |_| order);
        self.take_in(&mut answer);
    }

    /// Puts the events into the sockets and follows the changes.
    fn take_in(&mut self, answer: &mut Answer) {
        self.ephemerals.follow(&answer.changes);
        for (session, event) in answer.events.drain(..) {
            self.clients.send(session, event);
        }
    }

    /// The client's end of the connection is gone, with what lay in it.
    fn cut(&mut self, session: SessionId) {
        self.member.disconnect(session);
        self.clients.take_unread(session);
    }

    /// The session that goes by this name, if it is alive.
    fn live(&self, name: &str) -> Result<SessionId, String> {
        let id = self.clients.session(name).filter(|id| self.member.timeout_ms(*id).is_some());
        id.ok_or_else(|| format!("session {name:?} is not alive here"))
    }

    fn at_zxid(&self) -> Observed {
        Observed { zxid: Some(self.member.zxid()), ..Observed::default() }
    }

    fn whole_tree(&self) -> Observed {
        let mut watches: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let data = self.member.watchers().filter(|watch| watch.table == WatchTable::Data);
        for watch in data.filter(|watch| watch.path.starts_with(ROOT)) {
            watches.entry(watch.path.to_string()).or_default().push(self.clients.name(watch.session));
        }
        watches.values_mut().for_each(|names| names.sort_unstable());
        let mut extra = Map::new();
        extra.insert("tree".into(), self.clients.tree_json(&self.member));
        extra.insert("data_watches".into(), json!(watches));
        Observed { extra, ..self.at_zxid() }
    }
}
