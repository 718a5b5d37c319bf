//! What happened to contact, sessions and processes, as sentences.

use super::narrate::token_label;
use super::server_steps::{has_given_up, heard_by_leader, is_of_several, session_over, subject};
use crate::recipe::{Loss, ResourceReply, last_part, node_label};
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Cut, Deletion, Event, Handshake, Link};
use crate::zookeeper::ServerId;

/// Says what an event about contact, sessions or processes means; `None` for one that goes without saying,
/// or that is about something else.
pub(super) fn contact(event: &Event, step: &[Event]) -> Option<Text> {
    Some(match event {
        Event::FaultInjected { client, fault } => {
            Action::Fault(*fault, *client).fill(fault.definition().told)
        }
        Event::OperatorActed { operator } => Action::Operator(*operator).fill(operator.definition().told),
        Event::PingSent { client } => {
            say(format!("{client} sends a heartbeat."), format!("{client} 发出心跳。"))
        }
        Event::PingTaken { client, server } => ping_taken(*client, *server, step),
        Event::PongHeard { client } => {
            say(format!("{client} hears that the server is there."), format!("{client} 得知服务器还在。"))
        }
        Event::ConnectSent { client, new, server } => connect_sent(*client, *new, *server),
        Event::ConnectTaken { client, handshake, server, .. } => {
            connect_taken(*client, *handshake, &subject(*server))
        }
        Event::Connected { client, new: false, .. } => {
            say(format!("{client} is connected again."), format!("{client} 重新连上了。"))
        }
        Event::Connected { client, new: true, .. } => {
            say(format!("{client} has a new session."), format!("{client} 有了新会话。"))
        }
        Event::Disconnected { client, why } => disconnected(*client, *why),
        Event::LinkLost { link: Link::ToServer(client), .. } => say(
            format!("What {client} had sent is lost on the way."),
            format!("{client} 发出的消息在途中丢失。"),
        ),
        Event::LinkLost { link, .. } => {
            let client = link.client();
            say(
                format!("What the server had sent to {client} is lost on the way."),
                format!("服务器发给 {client} 的消息在途中丢失。"),
            )
        }
        // The server that looks for a leader closes all: it is said once.
        Event::ConnectionClosed { .. } if has_given_up(step) => return None,
        Event::ConnectionClosed { client } if is_of_several(step) => {
            say(format!("{client}'s connection is closed."), format!("{client} 的连接被关闭。"))
        }
        Event::ConnectionClosed { client } => {
            say(format!("The server closes {client}'s connection."), format!("服务器关闭 {client} 的连接。"))
        }
        Event::SessionClosed { .. } | Event::SessionExpired { .. } if is_of_several(step) => {
            session_over(event, step)?
        }
        Event::SessionClosed { client } => say(
            format!("The server ends {client}'s session, as {client} asked."),
            format!("服务器应 {client} 的请求结束会话。"),
        ),
        Event::SessionExpired { client, old: false } => say(
            format!("The server has heard nothing of {client} for too long: it ends the session."),
            format!("服务器太久没有收到 {client} 的消息：结束它的会话。"),
        ),
        Event::SessionExpired { client, old: true } => say(
            format!("The session that {client}'s old process left behind expires."),
            format!("{client} 的旧进程留下的会话过期。"),
        ),
        Event::ExpiredHeard { client } => say(
            format!("{client} hears that its session has expired."),
            format!("{client} 得知自己的会话已过期。"),
        ),
        Event::Found { client, node: Some(node) } => {
            let node = node_label(node);
            say(
                format!("{client} finds node {node}: it is its own."),
                format!("{client} 找到节点 {node}：是自己的。"),
            )
        }
        Event::Found { client, node: None } => {
            say(format!("{client} finds no node of its own."), format!("{client} 没有找到自己的节点。"))
        }
        Event::LostLock { client, why } => lost_lock(*client, *why),
        Event::GaveUp { client, leaves: true } => say(
            format!("{client} waits no longer, and leaves its node where it is."),
            format!("{client} 不再等待，把节点留在原处。"),
        ),
        Event::GaveUp { client, leaves: false } => {
            say(format!("{client} does not want to wait any longer."), format!("{client} 不想再等了。"))
        }
        Event::NodeDeleted { .. } if is_of_several(step) => return None,
        Event::NodeDeleted { client, path, why, .. } if *why != Deletion::Request => {
            let node = node_label(path);
            match why {
                Deletion::Operator => {
                    say(format!("The operator deletes node {node}."), format!("运维人员删除节点 {node}。"))
                }
                Deletion::Request | Deletion::Expired | Deletion::Closed => say(
                    format!("{client}'s node {node} goes with its session."),
                    format!("{client} 的节点 {node} 随会话一起删除。"),
                ),
            }
        }
        Event::ResourceTaken {
            client,
            request,
            reply: ResourceReply::Refused { highest },
            in_zookeeper,
            ..
        } => refused(*client, request.token(), *highest, *in_zookeeper),
        Event::WatchFired { client, lost: true, event, .. } => {
            let node = node_label(&event.path);
            say(
                format!("The event about {node} goes to a connection that {client} has given up."),
                format!("关于 {node} 的事件发往 {client} 已经放弃的连接。"),
            )
        }
        Event::CloseSent { .. } if step.iter().any(|e| matches!(e, Event::FaultInjected { .. })) => {
            return None;
        }
        _ => return None,
    })
}

fn connect_sent(c: ClientId, new: bool, server: Option<ServerId>) -> Text {
    match (new, server) {
        (false, None) => say(
            format!("{c} asks for a connection, in its old session."),
            format!("{c} 请求连接，仍用原来的会话。"),
        ),
        (false, Some(server)) => say(
            format!("{c} asks {server} for a connection, in its old session."),
            format!("{c} 向 {server} 请求连接，仍用原来的会话。"),
        ),
        (true, None) => say(format!("{c} asks for a new session."), format!("{c} 请求新会话。")),
        (true, Some(server)) => {
            say(format!("{c} asks {server} for a new session."), format!("{c} 向 {server} 请求新会话。"))
        }
    }
}

fn connect_taken(c: ClientId, handshake: Handshake, who: &Text) -> Text {
    match handshake {
        Handshake::New => {
            say(format!("{} opens a new session for {c}.", who.en), format!("{}为 {c} 建立新会话。", who.zh))
        }
        Handshake::Same => say(
            format!("{} knows {c}'s session: it goes on, without watches.", who.en),
            format!("{}认得 {c} 的会话：会话继续，但没有 Watch。", who.zh),
        ),
        Handshake::Expired => say(
            format!("{} does not know {c}'s session any more.", who.en),
            format!("{}已不认得 {c} 的会话。", who.zh),
        ),
    }
}

/// Of several servers only the leader keeps the time of sessions.
fn ping_taken(c: ClientId, server: Option<ServerId>, step: &[Event]) -> Text {
    let who = subject(server);
    match server {
        Some(s) if !heard_by_leader(step) => say(
            format!("{s} answers {c}'s heartbeat; the leader has not heard of it yet."),
            format!("{s} 应答 {c} 的心跳；Leader 还不知道。"),
        ),
        _ => say(
            format!("{} takes {c}'s heartbeat: its session has its full time again.", who.en),
            format!("{}收到 {c} 的心跳：它的会话重新计满时间。", who.zh),
        ),
    }
}

fn disconnected(c: ClientId, why: Cut) -> Text {
    match why {
        Cut::Quiet => say(
            format!(
                "{c} has heard nothing for two thirds of its session timeout: it takes the connection for lost."
            ),
            format!("{c} 已有会话超时的三分之二没有收到任何消息：它认为连接断了。"),
        ),
        Cut::EndOfFile | Cut::Reset | Cut::ServerRestart => say(
            format!("{c} is disconnected: it does not know what becomes of its session."),
            format!("{c} 断开了：它不知道会话会怎样。"),
        ),
    }
}

fn lost_lock(c: ClientId, why: Loss) -> Text {
    match why {
        Loss::Expired => say(
            format!("{c} knows now that it does not hold the lock."),
            format!("{c} 现在知道自己已不持有锁。"),
        ),
        Loss::Refused => say(
            format!("{c} is refused: it knows now that it does not hold the lock."),
            format!("{c} 被拒绝：它现在知道自己已不持有锁。"),
        ),
        Loss::Looked => say(
            format!("{c} looks, and is not the first: it does not write."),
            format!("{c} 查了一下，自己不在第一位：不写了。"),
        ),
        Loss::Disconnected => say(
            format!("{c} takes the lock for lost, though its session lives."),
            format!("{c} 当作锁已丢失，其实会话还活着。"),
        ),
        Loss::Died => say(
            format!("With its process, {c}'s belief that it holds the lock is gone."),
            format!("进程没了，{c} 也就不再认为自己持有锁。"),
        ),
    }
}

fn refused(c: ClientId, token: Option<i64>, highest: Option<i64>, in_zookeeper: bool) -> Text {
    match (token.map(token_label), highest.map(token_label)) {
        (Some(token), Some(highest)) => say(
            format!(
                "The ledger refuses {c}: token {token} is smaller than {highest}, the highest it has seen."
            ),
            format!("账本拒绝 {c}：令牌 {token} 小于见过的最大值 {highest}。"),
        ),
        _ if in_zookeeper => say(
            format!("ZooKeeper refuses {c}'s multi: its lock node is not there, so nothing is set."),
            format!("ZooKeeper 拒绝 {c} 的 multi：锁节点已经不在，什么都没有写入。"),
        ),
        _ => say(
            format!("The ledger refuses {c}: it knows of no transaction of it."),
            format!("账本拒绝 {c}：没有它的事务。"),
        ),
    }
}

/// The lock's directory as people call it, or the node's number.
pub(super) fn place(path: &str) -> Text {
    if last_part(path) == last_part(crate::world::LOCK_DIR) {
        text("the directory", "锁目录")
    } else {
        let node = node_label(path);
        say(format!("node {node}"), format!("节点 {node}"))
    }
}
