//! The clients of a recording: the names of their sessions, what lies in their sockets, and what the
//! recorder writes of what a server says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::recording::ROOT;
use crate::zookeeper::{Answer, Member, MultiResult, Reply, SessionId, Stat, WatchedEvent, Zxid};

#[derive(Default)]
pub(super) struct Clients {
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

impl Clients {
    // Sessions and sockets.

    pub(super) fn begin(&mut self, name: &str, session: SessionId) {
        self.sessions.insert(name.to_owned(), session);
        self.names.insert(session, name.to_owned());
    }

    /// The latest session of a name, alive or not.
    pub(super) fn session(&self, name: &str) -> Option<SessionId> {
        self.sessions.get(name).copied()
    }

    /// The name of a session of this recording; every session that a server knows has one.
    pub(super) fn name(&self, session: SessionId) -> &str {
        self.names.get(&session).map_or("?", String::as_str)
    }

    pub(super) fn send(&mut self, session: SessionId, event: WatchedEvent) {
        self.unread.entry(session).or_default().push(event);
    }

    pub(super) fn take_unread(&mut self, session: SessionId) -> Vec<WatchedEvent> {
        self.unread.remove(&session).unwrap_or_default()
    }

    pub(super) fn drop_all_unread(&mut self) {
        self.unread.clear();
    }

    pub(super) fn fall_silent(&mut self, name: &str) {
        self.silent.insert(name.to_owned());
    }

    /// The session is about to expire: what has been sent stays in the socket of a silent client.
    pub(super) fn leave_behind(&mut self, name: &str, session: SessionId) {
        let unread = self.take_unread(session);
        if self.silent.contains(name) {
            self.left_behind.insert(name.to_owned(), unread);
        }
    }

    /// A silent client reads again; `open` is its session, if its connection still is.
    pub(super) fn wake(&mut self, name: &str, open: Option<SessionId>, zxid: Zxid) -> Observed {
        self.silent.remove(name);
        match open {
            Some(id) => Observed {
                result: Some(json!({ "closed": false })),
                before_reply: self.take_unread(id),
                zxid: Some(zxid),
                ..Observed::default()
            },
            None => Observed {
                result: Some(json!({ "closed": true })),
                before_reply: self.left_behind.remove(name).unwrap_or_default(),
                ..Observed::default()
            },
        }
    }

    /// The recorder's look at every connection after a step: what all who read have got.
    pub(super) fn read_sockets(&mut self) -> Map<String, Value> {
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

    // What the recorder writes.

    /// The tree below the root of the recordings.
    pub(super) fn tree_json(&self, member: &Member) -> Value {
        let mut tree = Vec::new();
        // Depth first without recursion: a recording may be as deep as it likes.
        let mut ahead = vec![ROOT.to_owned()];
        while let Some(path) = ahead.pop() {
            let Some(node) = member.node(&path) else { continue };
            let mut below: Vec<String> = node.children().map(|name| format!("{path}/{name}")).collect();
            below.reverse();
            tree.push(json!({ "path": path, "data": **node.data(), "stat": self.stat_json(&node.stat()) }));
            ahead.append(&mut below);
        }
        tree.into()
    }

    pub(super) fn answer(&self, answer: &Answer) -> Observed {
        let outcome = Observed { zxid: Some(answer.zxid), ..Observed::default() };
        match &answer.result {
            Ok(reply) => Observed { result: self.reply_json(reply), ..outcome },
            Err(error) => Observed { error: Some(error.name()), ..outcome },
        }
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
            "cz": zxid_json(stat.czxid),
            "mz": zxid_json(stat.mzxid),
            "pz": zxid_json(stat.pzxid),
            "v": stat.version,
            "cv": stat.cversion,
            "av": stat.aversion,
            "eo": stat.ephemeral_owner.map(|owner| self.name(owner)),
            "len": stat.data_length,
            "nc": stat.num_children,
        })
    }
}

/// What a step would have recorded beside what was asked.
#[derive(Default)]
pub(super) struct Observed {
    pub(super) result: Option<Value>,
    pub(super) error: Option<&'static str>,
    pub(super) zxid: Option<Zxid>,
    /// Events that the issuing session read before its reply.
    pub(super) before_reply: Vec<WatchedEvent>,
    pub(super) extra: Map<String, Value>,
}

impl Observed {
    pub(super) fn error(error: &'static str) -> Observed {
        Observed { error: Some(error), ..Observed::default() }
    }

    /// The line of a step: what was asked, as it was recorded, and what came of it.
    pub(super) fn into_line(self, recorded: &Value, after: Map<String, Value>) -> Value {
        let mut line = Map::new();
        for name in ["n", "s", "op", "a", "lost"] {
            if let Some(value) = recorded.get(name) {
                line.insert(name.into(), value.clone());
            }
        }
        if let Some(result) = self.result {
            line.insert("r".into(), result);
        }
        if let Some(error) = self.error {
            line.insert("e".into(), error.into());
        }
        if let Some(zxid) = self.zxid {
            line.insert("z".into(), zxid_json(zxid));
        }
        if !self.before_reply.is_empty() {
            line.insert("pre".into(), events_json(&self.before_reply));
        }
        if !after.is_empty() {
            line.insert("post".into(), after.into());
        }
        line.extend(self.extra);
        line.into()
    }
}

/// A number in the first epoch, which is all that a single server has; then "eE:C".
fn zxid_json(zxid: Zxid) -> Value {
    match zxid.epoch() {
        0 => zxid.0.into(),
        epoch => format!("e{epoch}:{}", zxid.counter()).into(),
    }
}

fn events_json(events: &[WatchedEvent]) -> Value {
    events.iter().map(|event| json!([event.kind.name(), *event.path])).collect()
}

fn texts(texts: &[std::sync::Arc<str>]) -> Vec<&str> {
    texts.iter().map(|text| &**text).collect()
}
