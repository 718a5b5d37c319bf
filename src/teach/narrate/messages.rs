//! What servers send to each other, as sentences.

use super::matter::of_whom;
use super::step::{has, is_committed, is_proposed};
use crate::teach::words::names;
use crate::text::{Lang, Text, say, text};
use crate::world::{Event, ServerFact, ServerWord};
use crate::zookeeper::ServerId;

/// Messages of one kind that leave together are one sentence.
pub(super) fn sent(fact: &ServerFact, step: &[Event]) -> Option<Text> {
    let ServerFact::Sent { from, to, what, matter, client } = fact else { return None };
    // The sentence on the proposal, or on the commit, names them.
    let is_named = match what {
        ServerWord::Propose => has(step, is_proposed),
        ServerWord::Commit => has(step, is_committed),
        ServerWord::Forward
        | ServerWord::Ack
        | ServerWord::Synced
        | ServerWord::Validate
        | ServerWord::Validated
        | ServerWord::Ping
        | ServerWord::Touched => false,
    };
    if is_named {
        return None;
    }
    let alike = |event: &&Event| {
        matches!(event, Event::Server { fact: ServerFact::Sent { from: f, what: w, matter: m, client: c, .. } }
            if (f, w, m, c) == (from, what, matter, client))
    };
    let receiver = |event: &Event| {
        if let Event::Server { fact: ServerFact::Sent { to, .. } } = event { Some(*to) } else { None }
    };
    let all: Vec<ServerId> = step.iter().filter(alike).filter_map(receiver).collect();
    if all.first() != Some(to) {
        return None;
    }
    let (en, zh) = (names(&all, Lang::En), names(&all, Lang::Zh));
    let whose = of_whom(*matter, *client);
    let session = match client {
        Some(client) => say(format!("{client}'s session"), format!(" {client} 的会话")),
        None => text("the session", "会话"),
    };
    Some(match what {
        ServerWord::Forward => say(
            format!("{from} hands {} to the leader, {to}.", whose.en),
            format!("{from} 把{}转给 Leader {to}。", whose.zh),
        ),
        ServerWord::Propose => say(
            format!("To {en} it proposes {}.", whose.en),
            format!("它向 {zh} 提议{}。", whose.zh.trim_end()),
        ),
        ServerWord::Ack => say(
            format!("{from} has written it down, and says so to the leader."),
            format!("{from} 已写入日志，向 Leader 确认。"),
        ),
        ServerWord::Commit => say(format!("It tells {en} to carry it out."), format!("它通知 {zh} 提交。")),
        ServerWord::Synced => say(
            format!("The leader answers the sync to {en}, behind all that was committed before."),
            format!("Leader 向 {zh} 响应 sync：排在此前所有提交之后。"),
        ),
        ServerWord::Validate => say(
            format!("{from} asks the leader whether {} lives.", session.en),
            format!("{from} 问 Leader：{}是否还活着。", session.zh.trim_start()),
        ),
        ServerWord::Validated => say(
            format!("The leader answers {en} about {}.", session.en),
            format!("Leader 就{}响应 {zh}。", session.zh),
        ),
        ServerWord::Ping => say(
            format!("The leader asks {en} whom it has heard of."),
            format!("Leader 询问 {zh}：收到过哪些会话的消息。"),
        ),
        ServerWord::Touched => say(
            format!("{from} tells the leader whom it has heard of."),
            format!("{from} 告诉 Leader 收到过哪些会话的消息。"),
        ),
    })
}

/// The oldest message from one server to another arrives.
pub(super) fn arrived(from: ServerId, to: ServerId, what: ServerWord, step: &[Event]) -> Option<Text> {
    // What it brings is said by what follows.
    if step.len() > 1 {
        return None;
    }
    Some(match what {
        ServerWord::Touched => say(
            format!("{to} hears from {from}: no session has been heard of there since."),
            format!("{to} 收到 {from} 的响应：这段时间没有收到任何会话的消息。"),
        ),
        ServerWord::Forward
        | ServerWord::Propose
        | ServerWord::Ack
        | ServerWord::Commit
        | ServerWord::Synced
        | ServerWord::Validate
        | ServerWord::Validated
        | ServerWord::Ping => say(
            format!("{to} hears {from}; nothing changes."),
            format!("{to} 收到 {from} 的消息，没有变化。"),
        ),
    })
}
