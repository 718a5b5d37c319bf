//! Requests to ZooKeeper and their replies, as sentences.

use crate::recipe::{SINGLE_NAME, STOCK_PATH, last_part, node_label};
use crate::teach::words::{call_name, mode_name};
use crate::text::{Text, say};
use crate::world::{ClientId, Event, LOCK_DIR};
use crate::zookeeper::{CreateMode, ErrorCode, Request};

/// A request leaves the client.
pub(super) fn sent(client: ClientId, request: &Request, event: &Event, step: &[Event]) -> Text {
    let what = call(client, request);
    if std::ptr::eq(event, &step[0]) {
        if matches!(request, Request::Multi { .. }) {
            return say(
                format!("{client}'s work is done. {}", what.en),
                format!("{client} 工作完成。{}", what.zh),
            );
        }
        // A poll, or a last look before it writes: nothing but its own timer made it ask.
        return say(format!("{client} asks again. {}", what.en), format!("{client} 再次询问。{}", what.zh));
    }
    what
}

fn call(client: ClientId, request: &Request) -> Text {
    let call = call_name(request);
    match request {
        Request::Create { path, mode, .. } | Request::Create2 { path, mode, .. } => create(call, path, *mode),
        Request::Delete { path, .. } => {
            let node = node_label(path);
            say(format!("It sends delete({node})."), format!("它发出 delete({node})。"))
        }
        Request::GetData { path, watch } if &**path == STOCK_PATH && !watch => {
            say("It reads the stock: getData(\"/stock\").", "它读取库存：getData(\"/stock\")。")
        }
        Request::GetData { path, watch: false } => {
            let node = node_label(path);
            say(format!("It asks whose {node} is: getData."), format!("它用 getData 查 {node} 是谁的。"))
        }
        Request::Exists { path, watch: false } => {
            let node = node_label(path);
            say(
                format!("It asks exists({node}), without a watch."),
                format!("它发出 exists({node})，不带 Watch。"),
            )
        }
        Request::GetData { path, watch: true } | Request::Exists { path, watch: true } => {
            let node = node_label(path);
            say(format!("It sends {call}({node}, watch)."), format!("它发出 {call}({node}, watch)。"))
        }
        Request::GetChildren { watch: false, .. } => say("It sends getChildren.", "它发出 getChildren。"),
        Request::GetChildren { watch: true, .. } => {
            say("It sends getChildren with a watch.", "它发出带 Watch 的 getChildren。")
        }
        Request::Multi { .. } => say(
            "It sends multi(check my node, set the stock).",
            "它发出 multi：检查自己的节点还在，并写入库存。",
        ),
        Request::Sync { .. } => say(
            "It does not know whether its create was carried out. It sends sync.",
            "它不知道 create 是否执行了。它发出 sync。",
        ),
        Request::SetWatches { data, exist, child, .. } => {
            let n = data.len() + exist.len() + child.len();
            say(
                format!("Its library sends setWatches: {n} of them, and the last zxid it has seen."),
                format!("客户端库发出 setWatches：{n} 个 Watch，以及最后见过的 zxid。"),
            )
        }
        // No recipe sends these.
        Request::SetData { .. }
        | Request::SetAclOpen { .. }
        | Request::GetChildren2 { .. }
        | Request::Ping
        | Request::GetEphemerals { .. }
        | Request::AddWatch { .. }
        | Request::RemoveWatches { .. }
        | Request::CheckWatches { .. } => {
            say(format!("{client} sends {call}."), format!("{client} 发出 {call}。"))
        }
    }
}

fn create(call: &str, path: &str, mode: CreateMode) -> Text {
    let mode = mode_name(mode);
    if path == LOCK_DIR {
        say("The directory is not there: it creates it.", "锁目录不在：先创建目录。")
    } else if last_part(path) == SINGLE_NAME {
        say(format!("It sends {call}(\"lock\", {mode})."), format!("它发出 {call}(\"lock\", {mode})。"))
    } else {
        say(format!("It sends {call}({mode})."), format!("它发出 {call}({mode})。"))
    }
}

/// A server took a request; its reply is on the way. `who` is the server, `children` the length of the list that
/// the reply carries.
pub(super) fn taken(
    client: ClientId,
    request: &Request,
    error: Option<ErrorCode>,
    children: Option<u32>,
    who: &Text,
    step: &[Event],
) -> Option<Text> {
    let call = call_name(request);
    if let Some(error) = error {
        // That the multi was refused says it, with the reason.
        if step.iter().any(|event| matches!(event, Event::ResourceTaken { in_zookeeper: true, .. })) {
            return None;
        }
        return Some(say(
            format!("{} answers {client}'s {call}: {error}.", who.en),
            format!("{}对 {client} 的 {call} 返回 {error}。", who.zh),
        ));
    }
    match request {
        Request::Create { path, .. } if &**path == LOCK_DIR => {
            Some(say(format!("{} creates the directory.", who.en), format!("{}创建锁目录。", who.zh)))
        }
        // The change of the queue says it.
        Request::Create { .. } | Request::Create2 { .. } | Request::Delete { .. } => None,
        // What the stock became, or that it was told, says it.
        Request::GetData { path, .. } if &**path == STOCK_PATH => None,
        Request::Multi { .. } => None,
        // That the server set the watch says that it answered.
        Request::GetData { .. } | Request::Exists { .. }
            if step.iter().any(|e| matches!(e, Event::WatchSet { .. })) =>
        {
            None
        }
        Request::Exists { path, watch: false } => {
            let node = node_label(path);
            Some(say(
                format!("{} tells {client} that {node} exists.", who.en),
                format!("{}告诉 {client}：{node} 存在。", who.zh),
            ))
        }
        Request::Exists { watch: true, .. }
        | Request::GetData { .. }
        | Request::GetChildren { .. }
        | Request::GetChildren2 { .. }
        | Request::SetData { .. }
        | Request::SetAclOpen { .. }
        | Request::Sync { .. }
        | Request::Ping
        | Request::GetEphemerals { .. }
        | Request::AddWatch { .. }
        | Request::RemoveWatches { .. }
        | Request::CheckWatches { .. }
        | Request::SetWatches { .. } => Some(answered(client, call, children, who)),
    }
}

fn answered(client: ClientId, call: &str, children: Option<u32>, who: &Text) -> Text {
    match children {
        Some(n) => say(
            format!("{} answers {client}'s {call}: {n} {}.", who.en, children_word(n)),
            format!("{}对 {client} 的 {call} 返回 {n} 个子节点。", who.zh),
        ),
        None => say(
            format!("{} answers {client}'s {call}.", who.en),
            format!("{}响应 {client} 的 {call}。", who.zh),
        ),
    }
}

/// The reply reaches the client.
pub(super) fn heard(
    client: ClientId,
    request: &Request,
    error: Option<ErrorCode>,
    children: Option<u32>,
) -> Text {
    if let Some(error) = error {
        return say(format!("{client} hears {error}."), format!("{client} 得到 {error}。"));
    }
    if let Some(n) = children {
        return say(
            format!("{client} hears the list: {n} {}.", children_word(n)),
            format!("{client} 收到列表：{n} 个子节点。"),
        );
    }
    match request {
        Request::Create { .. } | Request::Create2 { .. } => {
            say(format!("{client} hears the name of its node."), format!("{client} 得知自己节点的名字。"))
        }
        Request::Delete { .. } => {
            say(format!("{client} hears that its node is gone."), format!("{client} 得知自己的节点已删除。"))
        }
        Request::SetData { .. }
        | Request::SetAclOpen { .. }
        | Request::GetData { .. }
        | Request::Exists { .. }
        | Request::GetChildren { .. }
        | Request::GetChildren2 { .. }
        | Request::Multi { .. }
        | Request::Sync { .. }
        | Request::Ping
        | Request::GetEphemerals { .. }
        | Request::AddWatch { .. }
        | Request::RemoveWatches { .. }
        | Request::CheckWatches { .. }
        | Request::SetWatches { .. } => {
            let call = call_name(request);
            say(format!("{client} hears the answer to {call}."), format!("{client} 收到 {call} 的响应。"))
        }
    }
}

/// A request of it, or its wait, failed, and it leaves it at that.
pub(super) fn not_tried_again(client: ClientId, error: ErrorCode) -> Text {
    say(
        format!("{client} gets {error} and does not try again."),
        format!("{client} 得到 {error}，不再重试。"),
    )
}

/// A request got an error that the recipe has no answer to.
pub(super) fn failed(client: ClientId, error: ErrorCode) -> Text {
    say(
        format!("{client} gets {error} and has no answer to it: it stops."),
        format!("{client} 收到 {error}，无法处理，停了下来。"),
    )
}

fn children_word(n: u32) -> &'static str {
    if n == 1 { "child" } else { "children" }
}
