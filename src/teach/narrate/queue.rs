//! What a client does about its place in the queue, as sentences.

use super::step::acquires;
use crate::recipe::{Loss, node_label};
use crate::teach::words::token_label;
use crate::text::{Text, say};
use crate::world::{ClientId, Event};
use crate::zookeeper::{Path, Request};

pub(super) fn arrived(client: ClientId) -> Text {
    say(format!("{client} wants the lock."), format!("{client} 开始抢锁。"))
}

pub(super) fn sorted(client: ClientId, place: u32, step: &[Event]) -> Text {
    if place == 0 && acquires(step) {
        return say(
            format!("{client} sorts the list: its own node is first."),
            format!("{client} 排序：自己的节点排在第一。"),
        );
    }
    say(
        format!("{client} sorts the list: {place} ahead of it."),
        format!("{client} 排序：前面还有 {place} 个。"),
    )
}

pub(super) fn is_not_listed(client: ClientId) -> Text {
    say(
        format!("{client} sorts the list: its own node is not in it."),
        format!("{client} 排序：列表里没有自己的节点。"),
    )
}

pub(super) fn slept(client: ClientId) -> Text {
    say(format!("{client} sleeps until an event comes."), format!("{client} 睡下，等事件到来。"))
}

pub(super) fn acquired(client: ClientId, looked: bool, token: Option<i64>) -> Text {
    if !looked {
        return say(
            format!("{client} takes the lock for its own without looking."),
            format!("{client} 没有查看，就认定锁归自己。"),
        );
    }
    match token.map(token_label) {
        Some(token) => say(
            format!("{client} holds the lock; its token is {token}."),
            format!("{client} 持有锁，令牌是 {token}。"),
        ),
        None => say(format!("{client} holds the lock."), format!("{client} 持有锁。")),
    }
}

pub(super) fn released(client: ClientId) -> Text {
    say(format!("{client} lets the lock go."), format!("{client} 释放锁。"))
}

/// How it learnt that the lock is not its own any more.
pub(super) fn lost_lock(client: ClientId, why: Loss) -> Text {
    match why {
        Loss::Expired => say(
            format!("{client} knows now that it does not hold the lock."),
            format!("{client} 现在知道自己已不持有锁。"),
        ),
        Loss::Refused => say(
            format!("{client} is refused: it knows now that it does not hold the lock."),
            format!("{client} 被拒绝：它现在知道自己已不持有锁。"),
        ),
        Loss::Looked => say(
            format!("{client} looks, and is not the first: it does not write."),
            format!("{client} 查了一下，自己不在第一位：不写了。"),
        ),
        Loss::Disconnected => say(
            format!("{client} takes the lock for lost, though its session lives."),
            format!("{client} 认定锁已丢失，其实会话还在。"),
        ),
        Loss::Died => say(
            format!("With its process, {client}'s belief that it holds the lock is gone."),
            format!("进程没了，{client} 也就不再认为自己持有锁。"),
        ),
    }
}

pub(super) fn held_back(client: ClientId) -> Text {
    say(
        format!("{client} has no connection: it waits until it knows what has become of its session."),
        format!("{client} 断连：先停手，等弄清会话还在不在。"),
    )
}

/// Why it queues again. Its place may have been lost before it knew.
pub(super) fn gave_up_place(client: ClientId, step: &[Event]) -> Text {
    let refused = step.iter().find_map(|event| {
        if let Event::ReplyHeard { request, error: Some(_), .. } = event { Some(request) } else { None }
    });
    match refused {
        _ if step.iter().any(|event| matches!(event, Event::ExpiredHeard { .. })) => say(
            format!("{client}'s place in the queue is gone with its session."),
            format!("{client} 在队列中的位置随会话一起没了。"),
        ),
        Some(Request::GetChildren { .. }) => say(
            format!("The directory is gone, and {client}'s node with it: it queues again."),
            format!("锁目录已被删除，{client} 的节点也没了，只好重新排队。"),
        ),
        Some(_) => say(
            format!("{client} gives up its place, to queue again at the back."),
            format!("{client} 放弃自己的位置，到队尾重新排队。"),
        ),
        None => say(
            format!("{client} does not find its own node in the list: it queues again, at the back."),
            format!("{client} 在列表里找不到自己的节点，只好到队尾重新排队。"),
        ),
    }
}

pub(super) fn gave_up(client: ClientId, leaves: bool) -> Text {
    if leaves {
        say(
            format!("{client} waits no longer, and leaves its node where it is."),
            format!("{client} 不再等待，把节点留在原处。"),
        )
    } else {
        say(format!("{client} does not want to wait any longer."), format!("{client} 不想再等了。"))
    }
}

/// What it found of its own after a lost reply.
pub(super) fn found(client: ClientId, node: Option<&Path>) -> Text {
    match node.map(|path| node_label(path)) {
        Some(node) => say(
            format!("{client} finds node {node}, and takes it for its own."),
            format!("{client} 找到节点 {node}，认作自己的。"),
        ),
        None => say(format!("{client} finds no node of its own."), format!("{client} 没有找到自己的节点。")),
    }
}

pub(super) fn finished(client: ClientId, worked: bool) -> Text {
    if worked {
        say(format!("{client} is done."), format!("{client} 完成。"))
    } else {
        say(format!("{client} stops: its work was not done."), format!("{client} 结束：它的工作没有完成。"))
    }
}

pub(super) fn works(client: ClientId) -> Text {
    say(format!("{client} works."), format!("{client} 开始工作。"))
}

pub(super) fn will_poll(client: ClientId) -> Text {
    say(format!("{client} will ask again after a while."), format!("{client} 过一会儿再问。"))
}
