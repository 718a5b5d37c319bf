//! What happened in a step, as sentences.

use super::contact::{contact, place};
use super::server_steps::{answering, changed, in_order, is_of_several, subject};
use super::servers::{beat_name, server_action_name, servers};
use crate::recipe::{
    ResourceReply, ResourceRequest, SINGLE_NAME, STOCK_PATH, last_part, node_label, sequence,
};

use crate::text::{Lang, Text, say};
use crate::world::{Action, ClientId, Event, Link, Timer};
use crate::zookeeper::{CreateMode, ErrorCode, EventType, Request};

/// Says what the events of one step mean.
pub fn narrate(events: &[Event]) -> Text {
    let sentences: Vec<Text> = clauses(events);
    let join = |lang: Lang, between: &str| {
        let all: Vec<&str> = sentences.iter().map(|s| s.get(lang)).collect();
        all.join(between)
    };
    say(join(Lang::En, " "), join(Lang::Zh, ""))
}

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

/// The clients as a list that ends in `last`; many are shortened.
fn names(clients: &[ClientId], between: &str, last: &str) -> String {
    let shown: Vec<String> = clients.iter().take(6).map(ClientId::to_string).collect();
    match shown.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) if clients.len() <= 6 => format!("{}{last}{end}", rest.join(between)),
        _ => format!("{}{between}… ({})", shown.join(between), clients.len()),
    }
}

fn clauses(events: &[Event]) -> Vec<Text> {
    let mut out = Vec::new();
    let fired: Vec<ClientId> = events
        .iter()
        .filter_map(|e| match e {
            Event::WatchFired { client, lost: false, .. } => Some(*client),
            _ => None,
        })
        .collect();
    let mut told_fired = false;
    for event in in_order(events) {
        if let Event::WatchFired { event, lost: false, .. } = event {
            if !told_fired {
                told_fired = true;
                out.push(fired_clause(&fired, event.kind));
            }
            continue;
        }
        out.extend(clause(event, events));
    }
    out
}

fn fired_clause(fired: &[ClientId], kind: EventType) -> Text {
    let kind = kind.name();
    let (en, zh) = (names(fired, ", ", " and "), names(fired, "、", " 和 "));
    match fired.len() {
        1 => say(
            format!("The watch of {en} fires: {kind} is on its way."),
            format!("{zh} 的 Watch 触发：{kind} 已发出。"),
        ),
        n => say(
            format!("The watches of {n} clients fire ({en}): {kind} is on its way to each."),
            format!("{n} 个客户端的 Watch 触发（{zh}）：{kind} 已分别发出。"),
        ),
    }
}

fn clause(event: &Event, step: &[Event]) -> Option<Text> {
    if let Event::Server { fact } = event {
        return servers(fact, event, step);
    }
    if let Some(told) = contact(event, step) {
        return Some(told);
    }
    Some(match event {
        Event::Arrived { client } => say(format!("{client} wants the lock."), format!("{client} 想要锁。")),
        // A poll: nothing but its own timer made it ask.
        Event::RequestSent { client, request } if std::ptr::eq(event, &step[0]) => {
            let what = sent(*client, request);
            say(format!("{client} asks again. {}", what.en), format!("{client} 再次询问。{}", what.zh))
        }
        Event::RequestSent { client, request } => sent(*client, request),
        // That the server set the watch says that it answered.
        Event::RequestTaken {
            request: Request::GetData { .. } | Request::Exists { .. },
            error: None,
            ..
        } if step.iter().any(|e| matches!(e, Event::WatchSet { .. })) => {
            return None;
        }
        Event::RequestTaken { client, request, error, children, server, .. } => {
            taken(*client, request, *error, *children, &subject(*server))?
        }
        Event::NodeCreated { .. } | Event::NodeDeleted { .. } if is_of_several(step) => changed(event, step)?,
        Event::NodeCreated { client, path, .. } => {
            let node = node_label(path);
            say(
                format!("The server creates node {node} for {client}."),
                format!("服务器为 {client} 创建节点 {node}。"),
            )
        }
        Event::NodeDeleted { client, path, .. } => {
            let node = node_label(path);
            say(
                format!("The server deletes node {node} for {client}."),
                format!("服务器应 {client} 的请求删除节点 {node}。"),
            )
        }
        Event::WatchSet { client, path, on_missing, .. } => {
            let on = place(path);
            // A number has a space behind it.
            let zh = if on.zh.ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
            let (en, zh) = (on.get(Lang::En), format!("{}{zh}", on.zh));
            let who = answering(step);
            match (*on_missing, sequence(last_part(path)).is_some()) {
                (true, true) => say(
                    format!(
                        "{} leaves {client}'s watch on {en}, which is not there; that number never comes again.",
                        who.en
                    ),
                    format!("{}在已经不存在的{zh}上留下 {client} 的 Watch；这个序号不会再出现。", who.zh),
                ),
                (true, false) => say(
                    format!(
                        "{} leaves {client}'s watch on {en}, which is not there: it fires when that name is created.",
                        who.en
                    ),
                    format!("{}在尚不存在的{zh}上留下 {client} 的 Watch：等这个名字被创建时才触发。", who.zh),
                ),
                (false, _) => say(
                    format!("{} sets {client}'s watch on {en}.", who.en),
                    format!("{}在{zh}上为 {client} 设置 Watch。", who.zh),
                ),
            }
        }
        Event::ReplyHeard { client, request, error, children } => heard(*client, request, *error, *children),
        Event::EventHeard { client, event } => {
            let kind = event.kind.name();
            let woke = step.iter().any(|e| matches!(e, Event::Woke { .. }));
            if woke {
                say(format!("{client} hears {kind} and wakes."), format!("{client} 收到 {kind}，醒来。"))
            } else {
                say(format!("{client} hears {kind}."), format!("{client} 收到 {kind}。"))
            }
        }
        Event::Sorted { client, place: 0, .. }
            if step.iter().any(|e| matches!(e, Event::Acquired { .. })) =>
        {
            say(
                format!("{client} sorts the list: its own node is first."),
                format!("{client} 排序：自己的节点排在第一。"),
            )
        }
        Event::Sorted { client, place, .. } => say(
            format!("{client} sorts the list: {place} ahead of it."),
            format!("{client} 排序：前面还有 {place} 个。"),
        ),
        Event::Slept { client, .. } => {
            say(format!("{client} sleeps until an event comes."), format!("{client} 睡下，等事件到来。"))
        }
        Event::Acquired { client, looked: true, token: Some(token), .. } => {
            let token = token_label(*token);
            say(
                format!("{client} holds the lock; its token is {token}."),
                format!("{client} 持有锁，令牌是 {token}。"),
            )
        }
        Event::Acquired { client, looked: true, .. } => {
            say(format!("{client} holds the lock."), format!("{client} 持有锁。"))
        }
        Event::Acquired { client, looked: false, .. } => say(
            format!("{client} takes the lock for its own without looking."),
            format!("{client} 没有查看，就认定锁归自己。"),
        ),
        Event::Released { client } => {
            say(format!("{client} lets the lock go."), format!("{client} 释放锁。"))
        }
        Event::GaveUpPlace { client } => {
            say(format!("{client} gives up its place."), format!("{client} 放弃自己的位置。"))
        }
        Event::Finished { client, worked: true } => {
            say(format!("{client} is done."), format!("{client} 完成。"))
        }
        Event::Finished { client, worked: false } => say(
            format!("{client} stops: its work was not done."),
            format!("{client} 结束：它的工作没有完成。"),
        ),
        Event::Failed { client, error } => say(
            format!("{client} gets {error} and has no answer to it: it stops."),
            format!("{client} 收到 {error}，无法处理，停了下来。"),
        ),
        Event::ResourceAsked { client, request: ResourceRequest::Read { .. } } => {
            say(format!("{client} reads the stock."), format!("{client} 读取库存。"))
        }
        Event::ResourceAsked { client, request: ResourceRequest::Write { value, .. } } => say(
            format!("{client}'s work is done: it writes stock {value}."),
            format!("{client} 工作完成：写入库存 {value}。"),
        ),
        Event::ResourceAsked { client, request: ResourceRequest::Commit { .. } } => {
            say(format!("{client} commits."), format!("{client} 提交。"))
        }
        Event::ResourceTaken { client, request: ResourceRequest::Read { .. }, after, .. } => say(
            format!("The ledger tells {client}: stock {after}."),
            format!("账本告诉 {client}：库存 {after}。"),
        ),
        Event::ResourceTaken {
            client, request: ResourceRequest::Write { base, value, .. }, before, ..
        } if base != before => say(
            format!(
                "The ledger takes {client}'s {value}. {client} had read {base}, but the stock is {before} by now."
            ),
            format!("账本收下 {client} 的 {value}。{client} 读到的是 {base}，而现在库存已是 {before}。"),
        ),
        Event::ResourceTaken { client, request: ResourceRequest::Write { value, .. }, .. } => say(
            format!("The ledger takes {client}'s write: stock {value}, once it is committed."),
            format!("账本收下 {client} 的写入：提交后库存为 {value}。"),
        ),
        Event::ResourceTaken { client, request: ResourceRequest::Commit { .. }, after, .. } => say(
            format!("{client}'s write is committed: stock {after}."),
            format!("{client} 的写入已提交：库存 {after}。"),
        ),
        Event::ResourceHeard { client, reply: ResourceReply::Value(value) } => {
            say(format!("{client} hears stock {value}."), format!("{client} 得知库存为 {value}。"))
        }
        Event::ResourceHeard { client, reply: ResourceReply::Written } => {
            say(format!("{client} hears that it is written."), format!("{client} 得知已写入。"))
        }
        Event::ResourceHeard { client, reply: ResourceReply::Committed } => {
            say(format!("{client} hears that it is committed."), format!("{client} 得知已提交。"))
        }
        Event::ResourceHeard { reply: ResourceReply::Refused { .. }, .. } => return None,
        Event::TimerSet { timer: Timer::Work(client) } => {
            say(format!("{client} works."), format!("{client} 开始工作。"))
        }
        Event::TimerSet { timer: Timer::Poll(client) } => {
            say(format!("{client} will ask again after a while."), format!("{client} 过一会儿再问。"))
        }
        // What goes without saying, and what `contact` has said.
        _ => return None,
    })
}

fn sent(client: ClientId, request: &Request) -> Text {
    match request {
        Request::Create { path, .. } if &**path == crate::world::LOCK_DIR => {
            say("The directory is not there: it creates it.", "锁目录不在：先创建目录。")
        }
        Request::Create { path, mode, .. } | Request::Create2 { path, mode, .. }
            if last_part(path) == SINGLE_NAME =>
        {
            let (call, mode) = (call_name(request), mode_name(*mode));
            say(format!("It sends {call}(\"lock\", {mode})."), format!("它发出 {call}(\"lock\", {mode})。"))
        }
        Request::Create { mode, .. } | Request::Create2 { mode, .. } => {
            let (call, mode) = (call_name(request), mode_name(*mode));
            say(format!("It sends {call}({mode})."), format!("它发出 {call}({mode})。"))
        }
        Request::GetData { path, .. } if &**path == STOCK_PATH => {
            say("It reads the stock: getData(\"/stock\").", "它读取库存：getData(\"/stock\")。")
        }
        Request::Multi { .. } => say(
            "It sends multi(check my node, set the stock).",
            "它发出 multi：检查自己的节点还在，并写入库存。",
        ),
        Request::Sync { .. } => say(
            "It does not know whether its create was carried out. It sends sync.",
            "它不知道 create 是否执行了。它发出 sync。",
        ),
        Request::GetData { path, watch: false } => {
            let node = node_label(path);
            say(format!("It asks whose {node} is: getData."), format!("它用 getData 查 {node} 是谁的。"))
        }
        Request::SetWatches { data, exist, child, .. } => {
            let n = data.len() + exist.len() + child.len();
            say(
                format!("Its library sends setWatches: {n} of them, and the last zxid it has seen."),
                format!("客户端库发出 setWatches：{n} 个 Watch，以及最后见过的 zxid。"),
            )
        }
        Request::GetChildren { watch: false, .. } => say("It sends getChildren.", "它发出 getChildren。"),
        Request::GetChildren { watch: true, .. } => {
            say("It sends getChildren with a watch.", "它发出带 Watch 的 getChildren。")
        }
        Request::Exists { path, watch: false } => {
            let node = node_label(path);
            say(
                format!("It asks exists({node}), without a watch."),
                format!("它发出 exists({node})，不带 Watch。"),
            )
        }
        Request::GetData { path, .. } | Request::Exists { path, .. } => {
            let (call, node) = (call_name(request), node_label(path));
            say(format!("It sends {call}({node}, watch)."), format!("它发出 {call}({node}, watch)。"))
        }
        Request::Delete { path, .. } => {
            let node = node_label(path);
            say(format!("It sends delete({node})."), format!("它发出 delete({node})。"))
        }
        other => {
            let call = call_name(other);
            say(format!("{client} sends {call}."), format!("{client} 发出 {call}。"))
        }
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

fn taken(
    client: ClientId,
    request: &Request,
    error: Option<ErrorCode>,
    children: Option<u32>,
    who: &Text,
) -> Option<Text> {
    let call = call_name(request);
    if let Some(error) = error {
        return Some(say(
            format!("{} answers {client}'s {call}: {error}.", who.en),
            format!("{}回答 {client} 的 {call}：{error}。", who.zh),
        ));
    }
    match request {
        Request::Create { path, .. } if &**path == crate::world::LOCK_DIR => {
            Some(say(format!("{} creates the directory.", who.en), format!("{}创建锁目录。", who.zh)))
        }
        Request::Create { .. } | Request::Create2 { .. } | Request::Delete { .. } => None,
        Request::GetData { path, .. } if &**path == STOCK_PATH => None,
        Request::Multi { .. } => None,
        Request::Exists { path, watch: false } => {
            let node = node_label(path);
            Some(say(
                format!("{} tells {client} that {node} exists.", who.en),
                format!("{}告诉 {client}：{node} 存在。", who.zh),
            ))
        }
        _ => Some(match children {
            Some(n) => say(
                format!(
                    "{} answers {client}'s {call}: {n} {}.",
                    who.en,
                    if n == 1 { "child" } else { "children" }
                ),
                format!("{}回答 {client} 的 {call}：{n} 个子节点。", who.zh),
            ),
            None => say(
                format!("{} answers {client}'s {call}.", who.en),
                format!("{}回答 {client} 的 {call}。", who.zh),
            ),
        }),
    }
}

fn heard(client: ClientId, request: &Request, error: Option<ErrorCode>, children: Option<u32>) -> Text {
    let call = call_name(request);
    match (request, error, children) {
        (_, Some(error), _) => say(format!("{client} hears {error}."), format!("{client} 得到 {error}。")),
        (_, None, Some(n)) => say(
            format!("{client} hears the list: {n} {}.", if n == 1 { "child" } else { "children" }),
            format!("{client} 收到列表：{n} 个子节点。"),
        ),
        (Request::Create { .. } | Request::Create2 { .. }, None, None) => {
            say(format!("{client} hears the name of its node."), format!("{client} 得知自己节点的名字。"))
        }
        (Request::Delete { .. }, None, None) => {
            say(format!("{client} hears that its node is gone."), format!("{client} 得知自己的节点已删除。"))
        }
        _ => say(format!("{client} hears the answer to {call}."), format!("{client} 收到 {call} 的回答。")),
    }
}

/// An action as people say it.
pub fn action_name(action: Action) -> Text {
    match action {
        Action::Arrive(c) => say(format!("{c} arrives"), format!("{c} 到来")),
        Action::Sort(c) => say(format!("{c} sorts"), format!("{c} 排序")),
        Action::Deliver(Link::ToServer(c)) => {
            say(format!("{c}'s request arrives"), format!("{c} 的请求到达"))
        }
        Action::Deliver(Link::ToClient(c)) => {
            say(format!("{c} hears ZooKeeper"), format!("{c} 收到 ZooKeeper 的消息"))
        }
        Action::Deliver(Link::ToResource(c)) => {
            say(format!("{c} reaches the ledger"), format!("{c} 的请求到达账本"))
        }
        Action::Deliver(Link::FromResource(c)) => {
            say(format!("{c} hears the ledger"), format!("{c} 收到账本的回答"))
        }
        Action::Work(c) => say(format!("{c}'s work ends"), format!("{c} 的工作结束")),
        Action::Poll(c) => say(format!("{c} asks again"), format!("{c} 再次询问")),
        Action::Ping(c) => say(format!("{c} sends a heartbeat"), format!("{c} 发出心跳")),
        Action::Suspend(c) => say(format!("{c} takes its connection for lost"), format!("{c} 认为连接断了")),
        Action::Reconnect(c) => say(format!("{c} tries to connect"), format!("{c} 尝试连接")),
        Action::Expire(c) => say(format!("{c}'s session expires"), format!("{c} 的会话过期")),
        Action::ExpireOld(c) => {
            say(format!("the session of {c}'s old process expires"), format!("{c} 旧进程的会话过期"))
        }
        Action::Fault(fault, c) => {
            let name = fault.definition().name;
            say(format!("{c}: {}", name.en), format!("{c}：{}", name.zh))
        }
        Action::Operator(operator) => action.fill(operator.definition().name),
        Action::ServerFault(fault) => action.fill(fault.definition().name),
        Action::Server(action) => server_action_name(action),
        Action::Beat(server) => beat_name(server),
    }
}

/// A fault as a button says it: the whole of what it does.
pub fn fault_name(action: Action) -> Text {
    match action {
        Action::Fault(fault, _) => fault.definition().name.text(),
        other => action_name(other),
    }
}
