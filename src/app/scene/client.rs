//! A client with its bubble, and what it and the server know of their connection.

use super::bubble::{Bubble, bubble};
use super::look::Look;
use super::tone::{Tone, tone};
use super::words;
use crate::judge::why_waits;
use crate::recipe::Step as At;
use crate::teach::why;
use crate::text::{Text, say, text};
use crate::world::{Action, Actor, ClientId, Contact, Process};

/// How much is left of a time, where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fuse {
    /// In percent of the session timeout.
    pub percent: u32,
    pub left_ms: u64,
}

/// A client and its bubble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientView {
    pub client: ClientId,
    pub column: u32,
    pub tone: Tone,
    /// The step's word, for tests and scripts.
    pub step: &'static str,
    pub line1: Text,
    pub line2: Text,
    /// Both lines as one sentence.
    pub whole: Text,
    /// How long its belief has differed from the truth, in ms.
    pub wrong_ms: Option<u64>,
    /// It acted in the last step.
    pub acted: bool,
    pub process: Process,
    /// It only reads.
    pub reads: bool,
    /// Its library has no connection, and knows it.
    pub cut: bool,
    /// Its connection carries nothing, and nobody knows.
    pub stalled: bool,
    /// What its library has left until it has heard nothing for the whole session timeout. At two thirds it
    /// takes the connection for lost.
    pub fuse: Option<Fuse>,
    /// What the client and the server know of each other, where contact is in doubt.
    pub contact: Option<Text>,
    /// Why it waits, where it waits for ever.
    pub why: Option<Text>,
}

/// A full fuse is not worth showing: heartbeats relight it at a third.
const CALM_PERCENT: u64 = 64;

/// The view of one client.
pub fn client_view(look: &Look<'_>, client: ClientId, column: u32) -> ClientView {
    let actor = look.world.actor(client);
    let step = actor.map_or(At::Idle, |actor| actor.client.step());
    let past = look.past_of(client).cloned().unwrap_or_default();
    let tone = tone(look, client);
    let Bubble { line1, line2, whole } = bubble(actor, &past, tone, look.now_ms);
    let holders = &look.past.holders;
    let wrong_ms = match (holders.believes_since(client), holders.holds_since(client)) {
        (Some(from), None) => Some(
            holders.of(client).truth.last().and_then(|span| span.to_ms).map_or(from, |lost| lost.max(from)),
        ),
        _ => None,
    };
    let acted = look.last.is_some_and(|last| last.action.client() == Some(client));
    let in_doubt = actor.is_some_and(contact_in_doubt);
    ClientView {
        client,
        column,
        tone,
        step: step.word(),
        line1,
        line2,
        whole,
        wrong_ms: wrong_ms.map(|from| look.now_ms.saturating_sub(from)),
        acted,
        process: actor.map_or(Process::Running, |actor| actor.process),
        reads: actor.is_some_and(|actor| actor.client.reads()),
        // A client that is done needs no connection.
        cut: actor.is_some_and(|actor| actor.contact != Contact::Connected && !actor.client.step().is_over()),
        stalled: actor.is_some_and(|actor| actor.stalled),
        fuse: actor.and_then(|actor| client_fuse(look, client, actor)),
        contact: in_doubt.then(|| contact(look, client)),
        why: why_it_waits(look, client).filter(|_| tone == Tone::Stuck),
    }
}

/// Why the client waits, if it does.
pub fn why_it_waits(look: &Look<'_>, client: ClientId) -> Option<Text> {
    let wait = why_waits(look.world, &look.past.waits, client)?;
    let due_ms = wait.ends_with().and_then(|action| look.scheduler.due_ms(action));
    Some(why(&wait, due_ms.map(|due_ms| due_ms.saturating_sub(look.now_ms))))
}

/// Whether its process or its connection is not as it should be.
fn contact_in_doubt(actor: &Actor) -> bool {
    let ended = actor.process == Process::Closed || (actor.runs() && actor.client.step().is_over());
    (actor.is_cut_off() || actor.contact != Contact::Connected || actor.hung) && !ended
}

/// What the client and the server know of each other.
pub fn contact(look: &Look<'_>, client: ClientId) -> Text {
    let Some(actor) = look.world.actor(client) else { return Text::same("") };
    let (knows, holds) = (client_knows(actor), server_knows(look, client, actor));
    let link = match actor.stalled {
        true => text("; the connection carries nothing", "；连接不通"),
        false => text("", ""),
    };
    say(
        format!("{client}: {}{}. Server: {}", knows.en, link.en, holds.en),
        format!("{client}：{}{}。服务器：{}", knows.zh, link.zh, holds.zh),
    )
}

/// What the client's library knows of its connection, in words.
pub fn client_knows(actor: &Actor) -> Text {
    let words = match (actor.process, actor.contact) {
        (Process::Crashed, _) => return text("its process is gone", "进程没了"),
        (Process::Closed, _) | (_, Contact::Closed) => return text("has left", "已退出"),
        (_, Contact::Connected) => text("connected", "已连接"),
        (_, Contact::Expired) => text("lost: its session is over", "已失去会话"),
        (_, Contact::Disconnected | Contact::Connecting) if actor.session.is_none() => {
            text("without a session", "没有会话")
        }
        (_, Contact::Disconnected | Contact::Connecting) => {
            text("suspended: it does not know", "已断连：情况不明")
        }
    };
    match actor.process {
        Process::Paused => {
            say(format!("stands still, and believes: {}", words.en), format!("停住不动，自认为{}", words.zh))
        }
        _ => words,
    }
}

/// What the server knows of the client's session, in words.
pub fn server_knows(look: &Look<'_>, client: ClientId, actor: &Actor) -> Text {
    let server = look.world.server();
    let left = |action: Action| {
        let due = look.scheduler.due_ms(action).unwrap_or(look.now_ms);
        words::duration(due.saturating_sub(look.now_ms))
    };
    let lives = |session: &crate::zookeeper::SessionId| server.timeout_ms(*session).is_some();
    if look.world.session_of(client).as_ref().is_some_and(lives) {
        let left = left(Action::Expire(client));
        return say(format!("its session lives, {left} left"), format!("会话还在，剩 {left}"));
    }
    if actor.old_sessions.iter().any(lives) {
        let left = left(Action::ExpireOld(client));
        return say(format!("its old session lives, {left} left"), format!("旧会话还在，剩 {left}"));
    }
    match actor.session {
        Some(_) => text("its session is over", "会话已结束"),
        None => text("no session", "没有会话"),
    }
}

/// What the client's library has left, where that matters.
fn client_fuse(look: &Look<'_>, client: ClientId, actor: &Actor) -> Option<Fuse> {
    let (heard_ms, _, timeout_ms) = look.scheduler.signs_of_life(client)?;
    actor.session?;
    if actor.is_gone() || actor.contact == Contact::Closed || timeout_ms == 0 {
        return None;
    }
    let left_ms = timeout_ms.saturating_sub(look.now_ms.saturating_sub(heard_ms));
    lit(left_ms, timeout_ms, actor.is_cut_off() || actor.contact != Contact::Connected)
}

/// How long the session of a node's owner still lives by the server's clock, where that matters.
pub fn node_fuse(look: &Look<'_>, path: &str) -> Option<Fuse> {
    let server = look.world.server();
    let session = server.stat(path)?.ephemeral_owner?;
    let timeout_ms = server.timeout_ms(session)?;
    let client = look.world.client_of(session)?;
    let actor = look.world.actor(client)?;
    let current = actor.session == Some(session);
    let action = if current { Action::Expire(client) } else { Action::ExpireOld(client) };
    let left_ms = look.scheduler.due_ms(action)?.saturating_sub(look.now_ms);
    let in_doubt = !current || actor.is_cut_off() || actor.contact != Contact::Connected;
    lit(left_ms, timeout_ms.into(), in_doubt)
}

fn lit(left_ms: u64, timeout_ms: u64, in_doubt: bool) -> Option<Fuse> {
    let percent = (left_ms * 100).checked_div(timeout_ms)?.min(100);
    (in_doubt || percent < CALM_PERCENT).then_some(Fuse { percent: percent as u32, left_ms })
}
