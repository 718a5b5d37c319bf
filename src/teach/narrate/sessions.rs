//! Sessions: kept alive, ended, and heard to have ended, as sentences.

use super::step::{carrying_out, heard_by_leader, is_of_several};
use crate::teach::words::{names, subject};
use crate::text::{Lang, Text, say};
use crate::world::{ClientId, Event, Fault, ServerFact};
use crate::zookeeper::ServerId;

pub(super) fn ping_sent(c: ClientId) -> Text {
    say(format!("{c} sends a heartbeat."), format!("{c} 发出心跳。"))
}

/// Of several servers only the leader keeps the time of sessions.
pub(super) fn ping_taken(c: ClientId, server: Option<ServerId>, step: &[Event]) -> Text {
    match server {
        Some(s) if !heard_by_leader(step) => say(
            format!(
                "{s} answers {c}'s heartbeat; the session's time starts anew once the leader hears of it."
            ),
            format!("{s} 响应 {c} 的心跳；要等 Leader 得知，会话才重新计时。"),
        ),
        Some(_) | None => {
            let who = subject(server);
            say(
                format!("{} takes {c}'s heartbeat: its session has its full time again.", who.en),
                format!("{}收到 {c} 的心跳：它的会话重新计时。", who.zh),
            )
        }
    }
}

/// That the leader has heard of sessions, where nothing else happens.
pub(super) fn touched(event: &Event, step: &[Event]) -> Option<Text> {
    let is_touch = |event: &&Event| matches!(event, Event::Server { fact: ServerFact::Touched { .. } });
    let is_silent = |event: &Event| {
        let armed = |fact: &ServerFact| {
            matches!(
                fact,
                ServerFact::Arrived { .. } | ServerFact::Armed { .. } | ServerFact::Disarmed { .. }
            )
        };
        matches!(event, Event::Server { fact } if armed(fact))
    };
    let first = step.iter().find(is_touch)?;
    if !std::ptr::eq(first, event) || !step.iter().all(|event| is_touch(&event) || is_silent(event)) {
        return None;
    }
    let clients: Vec<ClientId> = step.iter().filter(is_touch).filter_map(Event::client).collect();
    let (en, zh) = (names(&clients, Lang::En), names(&clients, Lang::Zh));
    Some(match clients.len() {
        1 => say(
            format!("The leader has heard of {en}: its session has its full time again."),
            format!("Leader 得知 {zh} 还在：它的会话重新计时。"),
        ),
        _ => say(
            format!("The leader has heard of {en}: their sessions have their full time again."),
            format!("Leader 得知 {zh} 还在：它们的会话重新计时。"),
        ),
    })
}

pub(super) fn pong_heard(c: ClientId) -> Text {
    say(format!("{c} hears that the server is there."), format!("{c} 得知服务器还在。"))
}

/// The end of a session on its client's request.
pub(super) fn closed(c: ClientId, step: &[Event]) -> Text {
    if is_of_several(step) {
        let on = over_on(step);
        return say(
            format!("{c}'s session is closed on {}, as {c} asked.", on.en),
            format!("{} 应 {c} 的请求关闭它的会话。", on.zh),
        );
    }
    say(format!("The server ends {c}'s session, as {c} asked."), format!("服务器应 {c} 的请求结束会话。"))
}

/// The end of a session of which nothing was heard. `old`: that of an earlier process of the client.
pub(super) fn expired(c: ClientId, old: bool, step: &[Event]) -> Option<Text> {
    // The fault has said that the server ends it before its time.
    if step.iter().any(|event| matches!(event, Event::FaultInjected { fault: Fault::Expire, .. })) {
        return None;
    }
    let of_several = is_of_several(step);
    let on = over_on(step);
    Some(match (old, of_several) {
        (false, false) => say(
            format!("The server has heard nothing of {c} for too long: it ends the session."),
            format!("服务器太久没有收到 {c} 的消息：结束它的会话。"),
        ),
        (false, true) => say(
            format!("{c}'s session has expired: it is over on {}.", on.en),
            format!("{c} 的会话过期：在 {} 上结束。", on.zh),
        ),
        (true, false) => say(
            format!("The session that {c}'s old process left behind expires."),
            format!("{c} 的旧进程留下的会话过期。"),
        ),
        (true, true) => say(
            format!("The session that {c}'s old process left behind has expired: it is over on {}.", on.en),
            format!("{c} 的旧进程留下的会话过期：在 {} 上结束。", on.zh),
        ),
    })
}

/// The news of a new session is lost.
pub(super) fn unheard(client: ClientId) -> Text {
    say(
        format!(
            "{client} does not hear of its new session and will ask for another. This one lives on until its time is up."
        ),
        format!("{client} 没有收到新会话的消息，会再要一个；这个会话要到超时才结束。"),
    )
}

pub(super) fn expiry_heard(c: ClientId) -> Text {
    say(format!("{c} hears that its session has expired."), format!("{c} 得知自己的会话已过期。"))
}

fn over_on(step: &[Event]) -> Text {
    let on = carrying_out(step);
    say(names(&on, Lang::En), names(&on, Lang::Zh))
}
