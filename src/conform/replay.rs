//! Drives a member through a recording and says what each line would have recorded.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::hash_order::EphemeralSets;
use super::recording::{Header, Lost, Operation, ROOT, Step};
use crate::zookeeper::{
    Answer, Member, MultiResult, Reply, Request, SessionId, Settings, Stat, WatchTable, WatchedEvent, Zxid,
};

/// A standalone server, its clients' sockets, and the names under which the recording knows sessions.
pub(super) struct Replay {
    member: Member,
    ephemerals: EphemeralSets,
    /// The latest session of each name.
    sessions: BTreeMap<String, SessionId>,
    names: BTreeMap<SessionId, String>,
    /// Events that were sent and not read yet.
    unread: BTreeMap<SessionId, Vec<WatchedEvent>>,
    /// Names whose client neither talks nor reads.
    silent: BTreeSet<String>,
    /// What lay in the socket of a silent client when its session expired.
    left_behind: BTreeMap<String, Vec<WatchedEvent>>,
}

/// What a step would have recorded beside what was asked.
#[derive(Default)]
struct Outcome {
    result: Option<Value>,
    error: Option<&'static str>,
    zxid: Option<Zxid>,
    /// Events that the issuing session read before its reply.
    before_reply: Vec<WatchedEvent>,
    extra: Map<String, Value>,
}

impl Replay {
    pub(super) fn new(header: &Header) -> Replay {
        let [min_session_timeout_ms, max_session_timeout_ms] = header.timeout_limits_ms;
        let settings = Settings { min_session_timeout_ms, max_session_timeout_ms, ..Settings::default() };
        let mut member = Member::with_settings(settings);
        // Both paths are valid and parents stand first. The root's own counter is not part of any recording:
        // it starts at 0 here whatever the recording server had done before.
        for (path, czxid) in [(ROOT, Zxid(0)), ("/", Zxid(-1))] {
            member.preset_node(path, 0, czxid).expect("the two first nodes can be made");
        }
        Replay {
            member,
            ephemerals: EphemeralSets::default(),
            sessions: BTreeMap::new(),
            names: BTreeMap::new(),
            unread: BTreeMap::new(),
            silent: BTreeSet::new(),
            left_behind: BTreeMap::new(),
        }
    }

    /// Carries out one step and returns its line as this member would have had it recorded, without
    /// ranks. What was asked is copied from `recorded`.
    ///
    /// # Errors
    /// A sentence if the step makes no sense where it stands.
    pub(super) fn step(&mut self, step: &Step, recorded: &Value) -> Result<Value, String> {
        let outcome = self.carry_out(&step.operation)?;
        let mut line = Map::new();
        for name in ["n", "s", "op", "a", "lost"] {
            if let Some(value) = recorded.get(name) {
                line.insert(name.into(), value.clone());
            }
        }
        if let Some(result) = outcome.result {
            line.insert("r".into(), result);
        }
        if let Some(error) = outcome.error {
            line.insert("e".into(), error.into());
        }
        if let Some(Zxid(zxid)) = outcome.zxid {
            line.insert("z".into(), zxid.into());
        }
        if !outcome.before_reply.is_empty() {
            line.insert("pre".into(), events_json(&outcome.before_reply));
        }
        let after = self.read_sockets();
        if !after.is_empty() {
            line.insert("post".into(), after.into());
        }
        line.extend(outcome.extra);
        Ok(line.into())
    }

    fn carry_out(&mut self, operation: &Operation) -> Result<Outcome, String> {
        match operation {
            Operation::Connect { session, timeout_ms } => self.connect(session, *timeout_ms),
            Operation::Reconnect { session, timeout_ms, bad_password, keep_old } => {
                Ok(self.reconnect(session, *timeout_ms, *bad_password, *keep_old))
            }
            Operation::Close { session } => {
                let id = self.live(session)?;
                self.end_session(id);
                let before_reply = self.take_unread(id);
                Ok(Outcome { result: Some(json!({})), before_reply, ..self.at_zxid() })
            }
            Operation::Drop { session } => {
                if let Some(&id) = self.sessions.get(session) {
                    self.cut(id);
                }
                Ok(Outcome::default())
            }
            Operation::Silence { session } => {
                self.silent.insert(session.clone());
                Ok(Outcome::default())
            }
            Operation::Wake { session } => Ok(self.wake(session)),
            Operation::Lapse { sessions } => {
                for name in sessions {
                    let id = self.live(name)?;
                    let unread = self.take_unread(id);
                    if self.silent.contains(name) {
                        self.left_behind.insert(name.clone(), unread);
                    }
                    self.end_session(id);
                    // Whether a session hears of its own end is left open by the recordings.
                    self.unread.remove(&id);
                }
                Ok(self.at_zxid())
            }
            Operation::Request { session, request, lost } => self.request(session, request, *lost),
            Operation::PresetNode { path, creates, czxid, zxid } => {
                let preset = self.member.preset_node(path, *creates, *czxid);
                preset.map_err(|error| format!("no node can be put at {path:?}: {error}"))?;
                self.member.set_zxid(*zxid);
                Ok(self.at_zxid())
            }
            Operation::PresetZxid { zxid } => {
                self.member.set_zxid(*zxid);
                Ok(self.at_zxid())
            }
            Operation::RestartServer => {
                self.member.restart();
                self.unread.clear();
                Ok(self.at_zxid())
            }
            Operation::Final => Ok(self.whole_tree()),
        }
    }

    fn connect(&mut self, name: &str, timeout_ms: u32) -> Result<Outcome, String> {
        if self.live(name).is_ok() {
            return Err(format!("session {name:?} connects, but it is alive already"));
        }
        let connected = self.member.connect(timeout_ms);
        self.sessions.insert(name.to_owned(), connected.session);
        self.names.insert(connected.session, name.to_owned());
        Ok(Outcome { result: Some(json!({ "timeout": connected.timeout_ms })), ..Outcome::default() })
    }

    fn reconnect(&mut self, name: &str, timeout_ms: u32, bad_password: bool, keep_old: bool) -> Outcome {
        let expired = Outcome { error: Some("SessionExpired"), ..Outcome::default() };
        let Some(&id) = self.sessions.get(name).filter(|_| !bad_password) else { return expired };
        let Ok(timeout_ms) = self.member.reconnect(id, timeout_ms) else { return expired };
        self.unread.remove(&id);
        let result = if keep_old {
            json!({ "timeout": timeout_ms, "old_connection_closed": true })
        } else {
            json!({ "timeout": timeout_ms })
        };
        Outcome { result: Some(result), ..Outcome::default() }
    }

    fn wake(&mut self, name: &str) -> Outcome {
        self.silent.remove(name);
        match self.live(name) {
            Ok(id) => Outcome {
                result: Some(json!({ "closed": false })),
                before_reply: self.take_unread(id),
                ..self.at_zxid()
            },
            Err(_) => Outcome {
                result: Some(json!({ "closed": true })),
                before_reply: self.left_behind.remove(name).unwrap_or_default(),
                ..Outcome::default()
            },
        }
    }

    fn request(&mut self, name: &str, request: &Request, lost: Option<Lost>) -> Result<Outcome, String> {
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
                Ok(Outcome { error: Some("ConnectionLoss"), ..self.at_zxid() })
            }
            None => {
                let answer = self.ask(id, request);
                let before_reply = self.take_unread(id);
                let outcome = Outcome { zxid: Some(answer.zxid), before_reply, ..Outcome::default() };
                Ok(match answer.result {
                    Ok(reply) => Outcome { result: self.reply_json(&reply), ..outcome },
                    Err(error) => Outcome { error: Some(error.name()), ..outcome },
                })
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
            self.unread.entry(session).or_default().push(event);
        }
    }

    /// The client's end of the connection is gone, with what lay in it.
    fn cut(&mut self, session: SessionId) {
        self.member.disconnect(session);
        self.unread.remove(&session);
    }

    /// The recorder's look at every connection after a step: what all who read have got.
    fn read_sockets(&mut self) -> Map<String, Value> {
        let mut read = Map::new();
        let (names, silent) = (&self.names, &self.silent);
        self.unread.retain(|id, events| match names.get(id).filter(|name| !silent.contains(*name)) {
            Some(name) => {
                if !events.is_empty() {
                    read.insert(name.clone(), events_json(events));
                }
                false
            }
            None => true,
        });
        read
    }

    fn take_unread(&mut self, session: SessionId) -> Vec<WatchedEvent> {
        self.unread.remove(&session).unwrap_or_default()
    }

    /// The session that goes by this name, if it is alive.
    fn live(&self, name: &str) -> Result<SessionId, String> {
        let id = self.sessions.get(name).filter(|id| self.member.timeout_ms(**id).is_some());
        id.copied().ok_or_else(|| format!("session {name:?} is not alive here"))
    }

    fn at_zxid(&self) -> Outcome {
        Outcome { zxid: Some(self.member.zxid()), ..Outcome::default() }
    }

    fn whole_tree(&self) -> Outcome {
        let mut tree = Vec::new();
        // Depth first without recursion: a recording may be as deep as it likes.
        let mut ahead = vec![ROOT.to_owned()];
        while let Some(path) = ahead.pop() {
            let Some(node) = self.member.node(&path) else { continue };
            let mut below: Vec<String> = node.children().map(|name| format!("{path}/{name}")).collect();
            below.reverse();
            tree.push(json!({ "path": path, "data": **node.data(), "stat": self.stat_json(&node.stat()) }));
            ahead.append(&mut below);
        }
        let mut watches: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let data = self.member.watchers().filter(|watch| watch.table == WatchTable::Data);
        for watch in data.filter(|watch| watch.path.starts_with(ROOT)) {
            watches.entry(watch.path.to_string()).or_default().push(self.name(watch.session));
        }
        watches.values_mut().for_each(|names| names.sort_unstable());
        let mut extra = Map::new();
        extra.insert("tree".into(), tree.into());
        extra.insert("data_watches".into(), json!(watches));
        Outcome { extra, ..self.at_zxid() }
    }

    /// The name of a session of this recording; every session that the member knows has one.
    fn name(&self, session: SessionId) -> &str {
        self.names.get(&session).map_or("?", String::as_str)
    }

    /// None if the reply has no body.
    fn reply_json(&self, reply: &Reply) -> Option<Value> {
        Some(match reply {
            Reply::Done => return None,
            Reply::Created { path } => json!({ "path": **path }),
            Reply::Created2 { path, stat } => json!({ "path": **path, "stat": self.stat_json(stat) }),
            Reply::Stat(stat) => json!({ "stat": self.stat_json(stat) }),
            Reply::Data { data, stat } => json!({ "data": **data, "stat": self.stat_json(stat) }),
            Reply::Children { children } => json!({ "children": texts(children) }),
            Reply::Children2 { children, stat } => {
                json!({ "children": texts(children), "stat": self.stat_json(stat) })
            }
            Reply::Multi { results } => {
                let results: Vec<Value> = results.iter().map(|result| self.result_json(result)).collect();
                json!({ "results": results })
            }
            Reply::Synced { path } => json!({ "path": **path }),
            Reply::Ephemerals { paths } => json!({ "paths": texts(paths) }),
        })
    }

    fn result_json(&self, result: &MultiResult) -> Value {
        match result {
            MultiResult::Created { path } => json!({ "op": "create", "path": **path }),
            MultiResult::Created2 { path, stat } => {
                json!({ "op": "create2", "path": **path, "stat": self.stat_json(stat) })
            }
            MultiResult::Deleted => json!({ "op": "delete" }),
            MultiResult::Stat(stat) => json!({ "op": "set", "stat": self.stat_json(stat) }),
            MultiResult::Checked => json!({ "op": "check" }),
            MultiResult::Error(error) => {
                json!({ "op": "error", "e": error.map_or("OK", |error| error.name()) })
            }
        }
    }

    fn stat_json(&self, stat: &Stat) -> Value {
        json!({
            "cz": stat.czxid.0,
            "mz": stat.mzxid.0,
            "pz": stat.pzxid.0,
            "v": stat.version,
            "cv": stat.cversion,
            "av": stat.aversion,
            "eo": stat.ephemeral_owner.map(|owner| self.name(owner)),
            "len": stat.data_length,
            "nc": stat.num_children,
        })
    }
}

fn events_json(events: &[WatchedEvent]) -> Value {
    events.iter().map(|event| json!([event.kind.name(), *event.path])).collect()
}

fn texts(texts: &[std::sync::Arc<str>]) -> Vec<&str> {
    texts.iter().map(|text| &**text).collect()
}
