//! What a step of several servers brings together: a proposal and whom it goes to, a commit and what made it
//! one, a change and on which servers it is seen. Each is one sentence.

use super::servers::{names, of_whom};
use crate::recipe::node_label;
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Deletion, Event, ServerFact, ServerWord};
use crate::zookeeper::{ServerId, Zxid};

pub(super) fn has(step: &[Event], is: fn(&ServerFact) -> bool) -> bool {
    step.iter().any(|event| matches!(event, Event::Server { fact } if is(fact)))
}

pub(super) fn is_fault(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::FaultInjected { .. })
}

pub(super) fn is_proposed(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Proposed { .. })
}

pub(super) fn is_committed(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Committed { .. })
}

pub(super) fn is_elected(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Elected { .. })
}

pub(super) fn has_given_up(step: &[Event]) -> bool {
    has(step, |fact| matches!(fact, ServerFact::GaveUp { .. }))
}

pub(super) fn is_joined(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Joined { .. })
}

/// Whether what a server took goes on to others in the same step, or is answered.
pub(super) fn goes_on(step: &[Event]) -> bool {
    let on = |fact: &ServerFact| {
        let asks = |what: &ServerWord| matches!(what, ServerWord::Forward | ServerWord::Validate);
        matches!(fact, ServerFact::Sent { what, .. } if asks(what)) || is_proposed(fact)
    };
    has(step, on) || step.iter().any(|event| matches!(event, Event::ConnectTaken { .. }))
}

/// Whether the queue or a session changes in this step.
pub(super) fn changes(step: &[Event]) -> bool {
    step.iter().any(|event| {
        matches!(
            event,
            Event::NodeCreated { .. }
                | Event::NodeDeleted { .. }
                | Event::SessionClosed { .. }
                | Event::SessionExpired { .. }
        )
    })
}

/// Whether there are several servers, as far as the step tells.
pub(super) fn is_of_several(step: &[Event]) -> bool {
    step.iter().any(|event| matches!(event, Event::Server { .. }))
}

/// Whether the leader has heard of a session in this step.
pub(super) fn heard_by_leader(step: &[Event]) -> bool {
    has(step, |fact| matches!(fact, ServerFact::Touched { .. }))
}

/// Who acts: the server, or one of several. A Latin name has its space in Chinese.
pub(super) fn subject(server: Option<ServerId>) -> Text {
    match server {
        None => text("The server", "服务器"),
        Some(server) => say(server.to_string(), format!("{server} ")),
    }
}

/// Who answers a request in this step.
pub(super) fn answering(step: &[Event]) -> Text {
    subject(step.iter().find_map(|event| match event {
        Event::RequestTaken { server, .. } => *server,
        _ => None,
    }))
}

/// The events of a step in the order in which they are told: an election comes before what it decides.
pub(super) fn in_order(step: &[Event]) -> impl Iterator<Item = &Event> {
    let elects = |event: &&Event| matches!(event, Event::Server { fact } if is_elected(fact));
    step.iter().filter(elects).chain(step.iter().filter(move |event| !elects(event)))
}

/// What follows `event` in its step, up to the next of its kind.
pub(super) fn following<'a>(event: &Event, step: &'a [Event], is: fn(&ServerFact) -> bool) -> &'a [Event] {
    let at = step.iter().position(|other| std::ptr::eq(other, event)).map_or(step.len(), |at| at + 1);
    let rest = &step[at..];
    let next = rest.iter().position(|other| matches!(other, Event::Server { fact } if is(fact)));
    &rest[..next.unwrap_or(rest.len())]
}

/// To whom messages of this kind are sent among these events, and what they are about.
pub(super) fn sent_to(events: &[Event], kind: ServerWord) -> (Vec<ServerId>, Option<Text>) {
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

pub(super) fn proposed(server: ServerId, zxid: Zxid, event: &Event, step: &[Event]) -> Text {
    let number = format!("{}.{}", zxid.epoch(), zxid.counter());
    let (to, about) = sent_to(following(event, step, is_proposed), ServerWord::Propose);
    let ended = step.iter().find_map(|event| match event {
        Event::Server { fact: ServerFact::Untracked { client, .. } } => Some(end_of_session(*client)),
        _ => None,
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
        format!("Leader {server} 把{zh}写入日志，zxid 为 {number}，并向 {to_zh} 提议。"),
    )
}

pub(super) fn committed(event: &Event, step: &[Event]) -> Option<Text> {
    if has(step, is_elected) {
        return None;
    }
    let acknowledged = step.iter().find_map(|event| match event {
        Event::Server { fact: ServerFact::Acknowledged { server, .. } } => Some(*server),
        _ => None,
    });
    let (to, about) = sent_to(following(event, step, is_committed), ServerWord::Commit);
    // Nobody asks for an expiry; whose session it ends is in what follows.
    let ended = step.iter().find_map(|event| match event {
        Event::SessionExpired { client, .. } => Some(end_of_session(*client)),
        _ => None,
    });
    let about = ended.or(about).unwrap_or_else(|| text("it", "它"));
    let (en, zh) = (&about.en, about.zh.trim_end());
    let (to_en, to_zh) = (names(&to, Lang::En), names(&to, Lang::Zh));
    Some(match acknowledged {
        Some(by) => say(
            format!("With {by}'s ack a quorum has it: the leader commits {en}, and tells {to_en}."),
            format!("有了 {by} 的确认，已经过半：Leader 提交{zh}，并通知 {to_zh}。"),
        ),
        None => say(
            format!("A quorum has it: the leader commits {en}, and tells {to_en}."),
            format!("已经过半：Leader 提交{zh}，并通知 {to_zh}。"),
        ),
    })
}

fn end_of_session(c: ClientId) -> Text {
    say(format!("the end of {c}'s session"), format!(" {c} 的会话结束"))
}

/// That the leader has heard of sessions, where nothing else happens.
pub(super) fn touched(event: &Event, step: &[Event]) -> Option<Text> {
    let mut clients = Vec::new();
    for other in step {
        match other {
            Event::Server { fact: ServerFact::Touched { client, .. } } => {
                if clients.is_empty() && !std::ptr::eq(other, event) {
                    return None;
                }
                clients.push(*client);
            }
            Event::Server {
                fact: ServerFact::Arrived { .. } | ServerFact::Armed { .. } | ServerFact::Disarmed { .. },
            } => {}
            _ => return None,
        }
    }
    let (en, zh) = (names(&clients, Lang::En), names(&clients, Lang::Zh));
    Some(match clients.len() {
        1 => say(
            format!("The leader has heard of {en}: its session has its full time again."),
            format!("Leader 得知 {zh} 还在：它的会话重新计满时间。"),
        ),
        _ => say(
            format!("The leader has heard of {en}: their sessions have their full time again."),
            format!("Leader 得知 {zh} 还在：它们的会话重新计满时间。"),
        ),
    })
}

/// The servers that carry something out in this step.
pub(super) fn carrying_out(step: &[Event]) -> Vec<ServerId> {
    let mut servers: Vec<ServerId> = Vec::new();
    for event in step {
        if let Event::Server { fact: ServerFact::Applied { server, .. } } = event
            && !servers.contains(server)
        {
            servers.push(*server);
        }
    }
    servers
}

/// A change of the queue, and on which servers it is seen.
pub(super) fn changed(event: &Event, step: &[Event]) -> Option<Text> {
    let on = carrying_out(step);
    let (en, zh) = (names(&on, Lang::En), names(&on, Lang::Zh));
    let seen = match on.len() {
        1 => text("from now on its clients see it", "从此它的客户端都能看到"),
        _ => text("from now on their clients see it", "从此它们的客户端都能看到"),
    };
    Some(match event {
        Event::NodeCreated { client, path, .. } => {
            let node = node_label(path);
            say(
                format!("Node {node} is created for {client} on {en}: {}.", seen.en),
                format!("{zh} 为 {client} 创建节点 {node}：{}。", seen.zh),
            )
        }
        Event::NodeDeleted { client, path, why, .. } => {
            let node = node_label(path);
            match why {
                Deletion::Request => say(
                    format!("Node {node} is deleted for {client} on {en}: {}.", seen.en),
                    format!("{zh} 应 {client} 的请求删除节点 {node}：{}。", seen.zh),
                ),
                Deletion::Operator => say(
                    format!("The operator's delete of node {node} is carried out on {en}: {}.", seen.en),
                    format!("{zh} 按运维人员的要求删除节点 {node}：{}。", seen.zh),
                ),
                Deletion::Expired | Deletion::Closed => say(
                    format!("{client}'s node {node} goes with its session."),
                    format!("{client} 的节点 {node} 随会话一起删除。"),
                ),
            }
        }
        _ => return None,
    })
}

/// The end of a session, and on which servers it is over.
pub(super) fn session_over(event: &Event, step: &[Event]) -> Option<Text> {
    let on = carrying_out(step);
    let (en, zh) = (names(&on, Lang::En), names(&on, Lang::Zh));
    Some(match event {
        Event::SessionClosed { client } => say(
            format!("{client}'s session is closed on {en}, as {client} asked."),
            format!("{zh} 应 {client} 的请求关闭它的会话。"),
        ),
        Event::SessionExpired { client, old: false } => say(
            format!("{client}'s session has expired: it is over on {en}."),
            format!("{client} 的会话过期：在 {zh} 上结束。"),
        ),
        Event::SessionExpired { client, old: true } => say(
            format!("The session that {client}'s old process left behind has expired: it is over on {en}."),
            format!("{client} 的旧进程留下的会话过期：在 {zh} 上结束。"),
        ),
        _ => return None,
    })
}
