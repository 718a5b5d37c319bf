//! Words that sentences share: lists of names, places, tokens, and ZooKeeper's own names for its calls.

use crate::recipe::{last_part, node_label};
use crate::text::{Lang, Text, say, text};
use crate::world::LOCK_DIR;
use crate::zookeeper::{CreateMode, Request, ServerId};

/// A fencing token as people read it. After the first change of leader a czxid is a large number: the epoch
/// stands in its upper half. It is shown as epoch and counter, which compare in the same way.
pub fn token_label(token: i64) -> String {
    match token >> 32 {
        epoch if epoch > 0 => format!("{epoch}:{}", token & 0xffff_ffff),
        _ => token.to_string(),
    }
}

/// A request's name in ZooKeeper's API.
pub fn call_name(request: &Request) -> &'static str {
    match request {
        Request::Create { .. } => "create",
        Request::Create2 { .. } => "create2",
        Request::Delete { .. } => "delete",
        Request::SetData { .. } => "setData",
        Request::SetAclOpen { .. } => "setACL",
        Request::GetData { .. } => "getData",
        Request::Exists { .. } => "exists",
        Request::GetChildren { .. } | Request::GetChildren2 { .. } => "getChildren",
        Request::Multi { .. } => "multi",
        Request::Sync { .. } => "sync",
        Request::Ping => "ping",
        Request::GetEphemerals { .. } => "getEphemerals",
        Request::AddWatch { .. } => "addWatch",
        Request::RemoveWatches { .. } => "removeWatches",
        Request::CheckWatches { .. } => "checkWatches",
        Request::SetWatches { .. } => "setWatches",
    }
}

/// The constant of a create mode in ZooKeeper's API.
pub fn mode_name(mode: CreateMode) -> &'static str {
    match mode {
        CreateMode::Persistent => "PERSISTENT",
        CreateMode::Ephemeral => "EPHEMERAL",
        CreateMode::PersistentSequential => "PERSISTENT_SEQUENTIAL",
        CreateMode::EphemeralSequential => "EPHEMERAL_SEQUENTIAL",
    }
}

/// Servers, or clients, as a list.
pub(super) fn names<T: ToString>(all: &[T], lang: Lang) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    match (lang, all.split_last()) {
        (Lang::En, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (Lang::Zh, Some((last, rest))) if !rest.is_empty() => format!("{} 和 {last}", rest.join("、")),
        (_, _) => all.join(", "),
    }
}

/// Who acts: the server, or one of several. A Latin name has its space in Chinese.
pub(super) fn subject(server: Option<ServerId>) -> Text {
    match server {
        None => text("The server", "服务器"),
        Some(server) => say(server.to_string(), format!("{server} ")),
    }
}

/// The lock's directory as people call it, or the node's number.
pub(super) fn place(path: &str) -> Text {
    if last_part(path) == last_part(LOCK_DIR) {
        text("the directory", "锁目录")
    } else {
        let node = node_label(path);
        say(format!("node {node}"), format!("节点 {node}"))
    }
}
