//! A recording's lines as typed values.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fields::Fields;
use crate::zookeeper::{CreateMode, MultiOp, Path, Request, ServerId, WatcherType, Zxid};

/// Reads one line as JSON. The sentence does not name the line.
pub(super) fn parse_line(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Err("the line is empty".into());
    }
    serde_json::from_str(text).map_err(|error| {
        // serde_json counts lines within the one line it was given.
        let sentence = error.to_string();
        let what = sentence.split(" at line ").next().unwrap_or("");
        format!("this is not JSON: {what} at column {}", error.column())
    })
}

/// A recording's header.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) mode: Mode,
    /// Least and greatest session timeout of the recording server, in ms.
    pub(super) timeout_limits_ms: [u32; 2],
    pub(super) sessions: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Standalone,
    Ensemble,
}

impl Header {
    pub(super) fn parse(json: &Value) -> Result<Header, String> {
        let fields = Fields::new(json, "")?;
        let format = fields.text("fmt")?;
        if format != "zktrace/1" {
            return Err(format!("`fmt` is {format:?}; only \"zktrace/1\" can be replayed"));
        }
        let mode = match fields.text("mode")? {
            "standalone" => Mode::Standalone,
            "ensemble3" => Mode::Ensemble,
            other => return Err(format!("`mode` is {other:?}, neither \"standalone\" nor \"ensemble3\"")),
        };
        let root = fields.text_or("root", ROOT)?;
        if root != ROOT {
            return Err(format!("`root` is {root:?}; only recordings below {ROOT:?} can be replayed"));
        }
        let timeout_limits_ms = match fields.get("limits") {
            None if mode == Mode::Ensemble => [1_000, 60_000],
            None => [400, 60_000],
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|_| fields.wrong("limits", value, "a list of two times in ms"))?,
        };
        let sessions = fields.texts("sessions")?.into_iter().map(str::to_owned).collect();
        Ok(Header { mode, timeout_limits_ms, sessions })
    }
}

/// The node below which everything happens. The recorder made it as transaction 0.
pub(super) const ROOT: &str = "/t";

/// One line after the header.
#[derive(Clone, Debug)]
pub(super) struct RecordedStep {
    pub(super) n: u64,
    pub(super) operation: RecordedOperation,
}

/// What was done. The names are those of the recordings' `op`.
#[derive(Clone, Debug)]
pub(super) enum RecordedOperation {
    Connect {
        session: String,
        server: ServerId,
        timeout_ms: u32,
    },
    Reconnect {
        session: String,
        server: ServerId,
        timeout_ms: u32,
        last_zxid: Zxid,
        bad_password: bool,
        keep_old: bool,
    },
    Close {
        session: String,
    },
    Drop {
        session: String,
    },
    Silence {
        session: String,
    },
    Wake {
        session: String,
    },
    Lapse {
        sessions: Vec<String>,
    },
    Request {
        session: String,
        request: Request,
        lost: Option<Lost>,
    },
    PresetNode {
        path: Path,
        creates: i32,
        czxid: Zxid,
        zxid: Zxid,
    },
    PresetZxid {
        zxid: Zxid,
    },
    /// Which ones, and the zxid that the recording goes on with; both are for ensembles.
    RestartServer {
        servers: Vec<ServerId>,
        zxid: Option<Zxid>,
    },
    Stall {
        server: ServerId,
    },
    Resume {
        server: ServerId,
    },
    KillServer {
        servers: Vec<ServerId>,
        zxid: Option<Zxid>,
    },
    /// A request on the connection that a session has left for another server.
    OldConnection {
        session: String,
        request: Request,
    },
    Final,
}

/// What did not arrive because the connection was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Never reached the server.
    Request,
    /// Was sent; the request was carried out.
    Reply,
}

impl RecordedStep {
    pub(super) fn parse(json: &Value, header: &Header) -> Result<RecordedStep, String> {
        let line = Fields::new(json, "")?;
        let n = line.i64("n")?;
        let n = u64::try_from(n).map_err(|_| format!("`n` is {n}, below 1"))?;
        let operation = RecordedOperation::parse(&line, header)?;
        if line.has("lost") && !matches!(operation, RecordedOperation::Request { .. }) {
            return Err(format!("`lost` stands on {:?}, which is no request", line.text("op")?));
        }
        Ok(RecordedStep { n, operation })
    }
}

impl RecordedOperation {
    fn parse(line: &Fields<'_>, header: &Header) -> Result<RecordedOperation, String> {
        let none = Value::Object(serde_json::Map::new());
        let a = Fields::new(line.get("a").unwrap_or(&none), "a")?;
        let session = || known(line.text("s")?, header);
        Ok(match line.text("op")? {
            "connect" => RecordedOperation::Connect {
                session: session()?,
                server: server(&a, header)?,
                timeout_ms: timeout_ms(&a)?,
            },
            "reconnect" => RecordedOperation::Reconnect {
                session: session()?,
                server: server(&a, header)?,
                timeout_ms: timeout_ms(&a)?,
                last_zxid: if a.has("last_zxid") { a.zxid("last_zxid")? } else { Zxid(0) },
                bad_password: a.flag("bad_passwd")?,
                keep_old: a.flag("keep_old")?,
            },
            "close" => RecordedOperation::Close { session: session()? },
            "drop" => RecordedOperation::Drop { session: session()? },
            "silence" => RecordedOperation::Silence { session: session()? },
            "wake" => RecordedOperation::Wake { session: session()? },
            "lapse" => RecordedOperation::Lapse {
                sessions: a
                    .texts("sessions")?
                    .into_iter()
                    .map(|name| known(name, header))
                    .collect::<Result<_, _>>()?,
            },
            "preset" if a.has("path") => RecordedOperation::PresetNode {
                path: a.path("path")?,
                creates: a.i32("creates")?,
                czxid: a.zxid("cz")?,
                zxid: line.zxid("z")?,
            },
            "preset" => RecordedOperation::PresetZxid { zxid: line.zxid("z")? },
            "restart_server" => RecordedOperation::RestartServer {
                servers: servers(&a, header)?,
                zxid: line.zxid_if_any("z")?,
            },
            "final" => RecordedOperation::Final,
            op @ ("stall" | "resume" | "kill_server" | "old_connection")
                if header.mode == Mode::Standalone =>
            {
                return Err(format!(
                    "the operation {op:?} belongs to an ensemble, and this is a single server"
                ));
            }
            "stall" => RecordedOperation::Stall { server: server(&a, header)? },
            "resume" => RecordedOperation::Resume { server: server(&a, header)? },
            "kill_server" => {
                RecordedOperation::KillServer { servers: servers(&a, header)?, zxid: line.zxid_if_any("z")? }
            }
            "old_connection" => {
                let op = a.text("op")?;
                let request = request(op, &a)?.ok_or_else(|| format!("there is no operation {op:?}"))?;
                RecordedOperation::OldConnection { session: known(a.text("s")?, header)?, request }
            }
            op => match request(op, &a)? {
                Some(request) => {
                    RecordedOperation::Request { session: session()?, request, lost: lost(line)? }
                }
                None => return Err(format!("there is no operation {op:?}")),
            },
        })
    }
}

fn known(name: &str, header: &Header) -> Result<String, String> {
    if header.sessions.contains(name) {
        Ok(name.to_owned())
    } else {
        Err(format!("the header names no session {name:?}"))
    }
}

/// The servers of an ensemble by their names in the recordings. Of equally complete logs that of the
/// greater number leads, so the leader at the start has the greatest.
pub(super) const SERVERS: [(&str, ServerId); 3] =
    [("F1", ServerId(0)), ("F2", ServerId(1)), ("L", ServerId(2))];

/// A single server has no name.
fn server(a: &Fields<'_>, header: &Header) -> Result<ServerId, String> {
    match header.mode {
        Mode::Standalone => Ok(ServerId(0)),
        Mode::Ensemble => server_named(a.text("server")?),
    }
}

/// `F1+F2`; all if none is named.
fn servers(a: &Fields<'_>, header: &Header) -> Result<Vec<ServerId>, String> {
    match header.mode {
        Mode::Standalone => Ok(vec![ServerId(0)]),
        Mode::Ensemble if a.has("server") => a.text("server")?.split('+').map(server_named).collect(),
        Mode::Ensemble => Ok(SERVERS.map(|(_, id)| id).to_vec()),
    }
}

fn server_named(name: &str) -> Result<ServerId, String> {
    let found = SERVERS.iter().find(|(server, _)| *server == name);
    found.map(|(_, id)| *id).ok_or_else(|| format!("there is no server {name:?}"))
}

/// The server takes any 32-bit number and raises what is too short.
fn timeout_ms(a: &Fields<'_>) -> Result<u32, String> {
    Ok(a.i32("timeout")?.max(0).unsigned_abs())
}

fn lost(line: &Fields<'_>) -> Result<Option<Lost>, String> {
    match line.get("lost") {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some("request") => Ok(Some(Lost::Request)),
            Some("reply") => Ok(Some(Lost::Reply)),
            Some(_) | None => Err(line.wrong("lost", value, "\"request\" or \"reply\"")),
        },
    }
}

/// None if `op` is no request.
fn request(op: &str, a: &Fields<'_>) -> Result<Option<Request>, String> {
    Ok(Some(match op {
        "create" => Request::Create { path: a.path("path")?, data: data(a)?, mode: mode(a)? },
        "create2" => Request::Create2 { path: a.path("path")?, data: data(a)?, mode: mode(a)? },
        "delete" => Request::Delete { path: a.path("path")?, version: version(a)? },
        "set" => Request::SetData { path: a.path("path")?, data: data(a)?, version: version(a)? },
        "set_acl_open" => Request::SetAclOpen { path: a.path("path")?, version: version(a)? },
        "get" => Request::GetData { path: a.path("path")?, watch: a.flag("watch")? },
        "exists" => Request::Exists { path: a.path("path")?, watch: a.flag("watch")? },
        "children" => Request::GetChildren { path: a.path("path")?, watch: a.flag("watch")? },
        "children2" => Request::GetChildren2 { path: a.path("path")?, watch: a.flag("watch")? },
        "multi" => Request::Multi { ops: a.objects("ops")?.iter().map(multi_op).collect::<Result<_, _>>()? },
        "sync" => Request::Sync { path: a.path("path")? },
        "ping" => Request::Ping,
        "ephemerals" => Request::GetEphemerals { prefix: a.path("prefix")? },
        "add_watch" => Request::AddWatch { path: a.path("path")?, recursive: a.flag("recursive")? },
        "remove_watches" => Request::RemoveWatches { path: a.path("path")?, kind: kind(a)? },
        "check_watches" => Request::CheckWatches { path: a.path("path")?, kind: kind(a)? },
        "set_watches" => Request::SetWatches {
            relative_zxid: a.zxid("rel")?,
            data: a.paths("data")?,
            exist: a.paths("exist")?,
            child: a.paths("child")?,
        },
        _ => return Ok(None),
    }))
}

fn multi_op(a: &Fields<'_>) -> Result<MultiOp, String> {
    Ok(match a.text("op")? {
        "create" => MultiOp::Create { path: a.path("path")?, data: data(a)?, mode: mode(a)? },
        "create2" => MultiOp::Create2 { path: a.path("path")?, data: data(a)?, mode: mode(a)? },
        "delete" => MultiOp::Delete { path: a.path("path")?, version: version(a)? },
        "set" => MultiOp::SetData { path: a.path("path")?, data: data(a)?, version: version(a)? },
        "check" => MultiOp::Check { path: a.path("path")?, version: version(a)? },
        other => return Err(format!("there is no operation {other:?} in a multi")),
    })
}

fn data(a: &Fields<'_>) -> Result<Path, String> {
    a.text_or("data", "").map(Path::from)
}

fn version(a: &Fields<'_>) -> Result<i32, String> {
    a.i32_or("version", -1)
}

fn mode(a: &Fields<'_>) -> Result<CreateMode, String> {
    match a.text_or("mode", "persistent")? {
        "persistent" => Ok(CreateMode::Persistent),
        "ephemeral" => Ok(CreateMode::Ephemeral),
        "persistent_sequential" => Ok(CreateMode::PersistentSequential),
        "ephemeral_sequential" => Ok(CreateMode::EphemeralSequential),
        other => Err(format!("there is no create mode {other:?}")),
    }
}

fn kind(a: &Fields<'_>) -> Result<WatcherType, String> {
    match a.text("kind")? {
        "any" => Ok(WatcherType::Any),
        "data" => Ok(WatcherType::Data),
        "children" => Ok(WatcherType::Children),
        other => Err(format!("there is no kind of watch {other:?}")),
    }
}
