//! How servers agree: a change is proposed, written down, committed and carried out, as sentences.

use super::matter::of_whom;
use super::step::{changes, following, has, is_committed, is_elected, is_joined, is_proposed};
use crate::teach::words::names;
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Event, Matter, ServerFact, ServerWord};
use crate::zookeeper::{ServerId, Zxid};

pub(super) fn proposed(server: ServerId, zxid: Zxid, event: &Event, step: &[Event]) -> Text {
    let number = format!("{}.{}", zxid.epoch(), zxid.counter());
    let (to, about) = sent_to(following(event, step, is_proposed), ServerWord::Propose);
    let ended = step.iter().find_map(|event| {
        if let Event::Server { fact: ServerFact::Untracked { client, .. } } = event {
            Some(end_of_session(*client))
        } else {
            None
        }
    });
    let about = ended.or(about).unwrap_or_else(|| text("it", "它"));
    let (en, zh) = (&about.en, &about.zh);
    if to.is_empty() {
        return say(
            format!("The leader, {server}, writes {en} down as zxid {number}; no follower hears of it."),
            format!("Leader {server} 把{zh}写入日志，zxid 为 {number}；没有 Follower 能收到。"),
        );
    }
    let (to_en, to_zh) = (names(&to, Lang::En), names(&to, Lang::Zh));
    say(
        format!("The leader, {server}, writes {en} down as zxid {number}, and proposes it to {to_en}."),
        format!("Leader {server} 把{zh}写入日志，zxid 为 {number}，并向 {to_zh} 发起提案（proposal）。"),
    )
}

pub(super) fn committed(event: &Event, step: &[Event]) -> Option<Text> {
    if has(step, is_elected) {
        return None;
    }
    let acknowledged = step.iter().find_map(|event| {
        if let Event::Server { fact: ServerFact::Acknowledged { server, .. } } = event {
            Some(*server)
        } else {
            None
        }
    });
    let (to, about) = sent_to(following(event, step, is_committed), ServerWord::Commit);
    // Nobody asks for an expiry; whose session it ends is in what follows.
    let ended = step.iter().find_map(|event| {
        if let Event::SessionExpired { client, .. } = event { Some(end_of_session(*client)) } else { None }
    });
    let about = ended.or(about).unwrap_or_else(|| text("it", "它"));
    let (en, zh) = (&about.en, about.zh.trim_end());
    let (to_en, to_zh) = (names(&to, Lang::En), names(&to, Lang::Zh));
    Some(match acknowledged {
        Some(by) => say(
            format!("With {by}'s ack a quorum has it: the leader commits {en}, and tells {to_en}."),
            format!("收到 {by} 的确认，已有过半服务器写入：Leader 提交{zh}，并通知 {to_zh}。"),
        ),
        None => say(
            format!("A quorum has it: the leader commits {en}, and tells {to_en}."),
            format!("已有过半服务器写入：Leader 提交{zh}，并通知 {to_zh}。"),
        ),
    })
}

pub(super) fn acknowledged(by: ServerId, step: &[Event]) -> Option<Text> {
    // The sentence on the commit names who made it a quorum.
    if has(step, is_committed) {
        return None;
    }
    Some(say(
        format!("The leader hears that {by} has written it down."),
        format!("Leader 得知 {by} 已写入日志。"),
    ))
}

pub(super) fn applied(
    server: ServerId,
    matter: Matter,
    client: Option<ClientId>,
    first: bool,
    step: &[Event],
) -> Option<Text> {
    // That a server catches up, and what changes, says it.
    if has(step, is_joined) || has(step, is_elected) || (first && changes(step)) {
        return None;
    }
    if matches!(matter, Matter::Refused | Matter::Moved) {
        return Some(say(
            format!("{server} notes the refusal, and nothing changes."),
            format!("{server} 记下这次拒绝，什么都没有改变。"),
        ));
    }
    let whose = of_whom(matter, client);
    Some(say(
        format!("{server} carries out {}: from now on its clients see it.", whose.en),
        format!("{server} 执行{}：从此它的客户端都能看到。", whose.zh.trim_end()),
    ))
}

pub(super) fn truncated(server: ServerId) -> Text {
    say(
        format!("{server} drops what it had written down and nobody had committed."),
        format!("{server} 丢弃已写入但没有提交的部分。"),
    )
}

/// To whom messages of this kind are sent among these events, and what they are about.
fn sent_to(events: &[Event], kind: ServerWord) -> (Vec<ServerId>, Option<Text>) {
    let mut about = None;
    let mut to = Vec::new();
    for event in events {
        if let Event::Server { fact: ServerFact::Sent { to: one, what, matter, client, .. } } = event
            && *what == kind
        {
            to.push(*one);
            about.get_or_insert_with(|| of_whom(*matter, *client));
        }
    }
    (to, about)
}

fn end_of_session(c: ClientId) -> Text {
    say(format!("the end of {c}'s session"), format!(" {c} 的会话结束"))
}
