//! Connections between clients and servers: asked for, made, lost, as sentences.

use super::step::{has_given_up, is_of_several};
use crate::teach::words::subject;
use crate::text::{Text, say};
use crate::world::{ClientId, Cut, Event, Handshake, Link};
use crate::zookeeper::ServerId;

pub(super) fn connect_sent(c: ClientId, new: bool, server: Option<ServerId>) -> Text {
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

pub(super) fn connect_taken(c: ClientId, handshake: Handshake, server: Option<ServerId>) -> Text {
    let who = subject(server);
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

pub(super) fn connected(c: ClientId, new: bool) -> Text {
    if new {
        say(format!("{c} has a new session."), format!("{c} 有了新会话。"))
    } else {
        say(format!("{c} is connected again."), format!("{c} 重新连上了。"))
    }
}

pub(super) fn disconnected(c: ClientId, why: Cut) -> Text {
    match why {
        Cut::Quiet => say(
            format!(
                "{c} has heard nothing for two thirds of its session timeout: it takes the connection for lost."
            ),
            format!("{c} 已有 2/3 个会话超时时间没收到任何消息，判定断连。"),
        ),
        Cut::NoAnswer => say(
            format!("No server has answered {c}'s request for a connection: it gives up this attempt."),
            format!("{c} 请求连接，一直没有收到响应：放弃这次尝试。"),
        ),
        Cut::EndOfFile | Cut::Reset | Cut::ServerRestart => say(
            format!("{c} is disconnected: it does not know what becomes of its session."),
            format!("{c} 断连：会话还在不在，它无从知道。"),
        ),
    }
}

pub(super) fn link_lost(link: Link) -> Text {
    match link {
        Link::ToServer(client) => say(
            format!("What {client} had sent is lost on the way."),
            format!("{client} 发出的消息在途中丢失。"),
        ),
        Link::ToClient(client) | Link::ToResource(client) | Link::FromResource(client) => say(
            format!("What the server had sent to {client} is lost on the way."),
            format!("服务器发给 {client} 的消息在途中丢失。"),
        ),
    }
}

/// The server closes a connection.
pub(super) fn closed(c: ClientId, step: &[Event]) -> Option<Text> {
    // A server that looks for a leader closes all its connections: it says so once.
    if has_given_up(step) {
        return None;
    }
    Some(if is_of_several(step) {
        say(format!("{c}'s connection is closed."), format!("{c} 的连接被关闭。"))
    } else {
        say(format!("The server closes {c}'s connection."), format!("服务器关闭 {c} 的连接。"))
    })
}
