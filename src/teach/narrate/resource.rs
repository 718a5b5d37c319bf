//! What is asked of the guarded resource, and what it answers, as sentences.

use crate::recipe::{ResourceReply, ResourceRequest};
use crate::teach::words::token_label;
use crate::text::{Text, say, text};
use crate::world::{ClientId, Event};
use crate::zookeeper::{ErrorCode, Request};

pub(super) fn asked(client: ClientId, request: &ResourceRequest) -> Text {
    match request {
        ResourceRequest::Read { .. } => {
            say(format!("{client} reads the stock."), format!("{client} 读取库存。"))
        }
        ResourceRequest::Write { value, .. } => say(
            format!("{client}'s work is done: it writes stock {value}."),
            format!("{client} 工作完成：写入库存 {value}。"),
        ),
        ResourceRequest::Commit { .. } => say(format!("{client} commits."), format!("{client} 提交。")),
    }
}

/// A request that the resource accepted. `before` is its stock before, `after` its stock now.
pub(super) fn accepted(
    client: ClientId,
    request: &ResourceRequest,
    before: i64,
    after: i64,
    in_zookeeper: bool,
) -> Text {
    match request {
        ResourceRequest::Read { .. } if in_zookeeper => say(
            format!("ZooKeeper tells {client}: stock {after}."),
            format!("ZooKeeper 告诉 {client}：库存 {after}。"),
        ),
        ResourceRequest::Read { .. } => say(
            format!("The ledger tells {client}: stock {after}."),
            format!("库存服务告诉 {client}：库存 {after}。"),
        ),
        ResourceRequest::Write { base, value, .. } if *base != before => say(
            format!(
                "The ledger takes {client}'s {value}. {client} had read {base}, but the stock is {before} by now."
            ),
            format!(
                "库存服务接受 {client} 写入的 {value}。可 {client} 当初读到的是 {base}，如今库存已是 {before}。"
            ),
        ),
        ResourceRequest::Write { value, .. } => say(
            format!("The ledger takes {client}'s write: stock {value}, once it is committed."),
            format!("库存服务接受 {client} 的写入：提交后库存为 {value}。"),
        ),
        ResourceRequest::Commit { .. } => say(
            format!("{client}'s write is committed: stock {after}."),
            format!("{client} 的写入已提交：库存 {after}。"),
        ),
    }
}

/// A request that was refused: `token` is what it showed, `highest` what the resource has seen.
pub(super) fn refused(
    client: ClientId,
    token: Option<i64>,
    highest: Option<i64>,
    in_zookeeper: bool,
    step: &[Event],
) -> Text {
    if in_zookeeper {
        return multi_refused(client, step);
    }
    match (token.map(token_label), highest.map(token_label)) {
        (Some(token), Some(highest)) => say(
            format!(
                "The ledger refuses {client}: token {token} is smaller than {highest}, the highest it has seen."
            ),
            format!("库存服务拒绝 {client}：令牌 {token} 小于已见过的最大值 {highest}。"),
        ),
        (_, _) => say(
            format!("The ledger refuses {client}: it knows of no transaction of it."),
            format!("库存服务拒绝 {client}：查不到它的事务。"),
        ),
    }
}

/// The multi checks that the client's lock node is there and that the stock is of the version it read.
fn multi_refused(client: ClientId, step: &[Event]) -> Text {
    let error = step.iter().find_map(|event| {
        if let Event::RequestTaken { request: Request::Multi { .. }, error, .. } = event {
            *error
        } else {
            None
        }
    });
    let why = match error {
        Some(ErrorCode::NoNode) => text("its lock node is not there", "锁节点已经不在"),
        Some(ErrorCode::BadVersion) => text(
            "the stock has changed since it was read (BadVersion)",
            "库存在读取之后已经变过（BadVersion）",
        ),
        // Of several servers, the leader refuses it; its client's server says why.
        Some(_) | None => text(
            "its lock node is not there, or the stock has changed since it was read",
            "锁节点已经不在，或者库存在读取之后已经变过",
        ),
    };
    say(
        format!("ZooKeeper refuses {client}'s multi: {}, so nothing is set.", why.en),
        format!("ZooKeeper 拒绝 {client} 的 multi：{}，什么都没有写入。", why.zh),
    )
}

pub(super) fn heard(client: ClientId, reply: &ResourceReply) -> Option<Text> {
    match reply {
        ResourceReply::Value(value) => {
            Some(say(format!("{client} hears stock {value}."), format!("{client} 得知库存为 {value}。")))
        }
        ResourceReply::Written => {
            Some(say(format!("{client} hears that it is written."), format!("{client} 得知已写入。")))
        }
        ResourceReply::Committed => {
            Some(say(format!("{client} hears that it is committed."), format!("{client} 得知已提交。")))
        }
        // What the client makes of it follows: that it lost the lock, or that it stops.
        ResourceReply::Refused { .. } => None,
    }
}
