//! Nodes that appear and disappear, as sentences: by whom, why, and of several servers on which.

use super::step::{carrying_out, is_of_several};
use crate::recipe::node_label;
use crate::teach::words::names;
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Deletion, Event};

pub(super) fn created(client: ClientId, path: &str, step: &[Event]) -> Text {
    let node = node_label(path);
    if is_of_several(step) {
        let (on, seen) = seen_on(step);
        return say(
            format!("Node {node} is created for {client} on {}: {}.", on.en, seen.en),
            format!("{} 为 {client} 创建节点 {node}：{}。", on.zh, seen.zh),
        );
    }
    say(
        format!("The server creates node {node} for {client}."),
        format!("服务器为 {client} 创建节点 {node}。"),
    )
}

pub(super) fn deleted(client: ClientId, path: &str, why: Deletion, step: &[Event]) -> Text {
    let node = node_label(path);
    let of_several = is_of_several(step);
    match why {
        Deletion::Request if of_several => {
            let (on, seen) = seen_on(step);
            say(
                format!("Node {node} is deleted for {client} on {}: {}.", on.en, seen.en),
                format!("{} 应 {client} 的请求删除节点 {node}：{}。", on.zh, seen.zh),
            )
        }
        Deletion::Request => say(
            format!("The server deletes node {node} for {client}."),
            format!("服务器应 {client} 的请求删除节点 {node}。"),
        ),
        Deletion::Operator if of_several => {
            let (on, seen) = seen_on(step);
            say(
                format!("The operator's delete of node {node} is carried out on {}: {}.", on.en, seen.en),
                format!("{} 按运维人员的要求删除节点 {node}：{}。", on.zh, seen.zh),
            )
        }
        Deletion::Operator => {
            say(format!("The operator deletes node {node}."), format!("运维人员删除节点 {node}。"))
        }
        Deletion::Expired | Deletion::Closed => say(
            format!("{client}'s node {node} goes with its session."),
            format!("{client} 的节点 {node} 随会话一起删除。"),
        ),
    }
}

/// The servers that carry a change out in this step, and who sees it from now on.
fn seen_on(step: &[Event]) -> (Text, Text) {
    let on = carrying_out(step);
    let seen = if on.len() == 1 {
        text("from now on its clients see it", "从此它的客户端都能看到")
    } else {
        text("from now on their clients see it", "从此它们的客户端都能看到")
    };
    (say(names(&on, Lang::En), names(&on, Lang::Zh)), seen)
}
