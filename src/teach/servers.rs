//! What happened among servers, as sentences. Only where there are several.

use super::server_steps::{
    changes, committed, goes_on, has, is_committed, is_elected, is_fault, is_joined, is_proposed, proposed,
    touched,
};

use crate::text::{Lang, Text, say, text};
use crate::world::{Action, ClientId, Event, Matter, ServerFact, ServerWord};
use crate::zookeeper::{ConnectionLoss, Refusal, ServerAction, ServerId};

/// Says what a fact about servers means; `None` for one that goes without saying, or that another sentence
/// of the step says.
pub(super) fn servers(fact: &ServerFact, event: &Event, step: &[Event]) -> Option<Text> {
    Some(match fact {
        ServerFact::FaultInjected { fault } => Action::ServerFault(*fault).fill(fault.definition().told),
        ServerFact::Accepted { .. } if goes_on(step) => return None,
        ServerFact::Accepted { client, server } => say(
            format!("{server} takes {client}'s connection; whether its session lives, the leader says."),
            format!("{server} 接受 {client} 的连接；会话是否有效，由 Leader 决定。"),
        ),
        ServerFact::Refused { client, server, refusal: Refusal::Behind } => say(
            format!(
                "{server} refuses {client}'s connection: {client} has seen a later zxid than {server} has."
            ),
            format!("{server} 拒绝 {client} 的连接：{client} 见过的 zxid 比 {server} 的更新。"),
        ),
        ServerFact::Refused { client, server, refusal: Refusal::NotServing } => say(
            format!("{server} does not serve now: it refuses {client}'s connection."),
            format!("{server} 目前不提供服务：拒绝 {client} 的连接。"),
        ),
        ServerFact::Taken { .. } if goes_on(step) => return None,
        ServerFact::Taken { client, server, matter: Matter::Other } => say(
            format!("{server} takes a request of {client}: it waits behind what {client} asked before."),
            format!("{server} 收到 {client} 的一个请求：要等它前面的请求先有结果。"),
        ),
        ServerFact::Taken { client, server, matter } => {
            let what = matter_name(*matter);
            say(
                format!("{server} takes {client}'s {}: the leader has to decide.", what.en),
                format!("{server} 收到 {client} 的{}：要由 Leader 决定。", what.zh.trim_end()),
            )
        }
        ServerFact::Dropped { client, why, .. } => dropped(*client, *why)?,
        // The sentence on the proposal, or on the commit, says it.
        ServerFact::Sent { what: ServerWord::Propose, .. } if has(step, is_proposed) => return None,
        ServerFact::Sent { what: ServerWord::Commit, .. } if has(step, is_committed) => return None,
        ServerFact::Sent { .. } => sent(fact, step)?,
        // What it brings is said by what follows.
        ServerFact::Arrived { .. } if step.len() > 1 => return None,
        ServerFact::Arrived { from, to, what: ServerWord::Touched } => say(
            format!("{to} hears from {from}: no session has been heard of there since."),
            format!("{to} 收到 {from} 的答复：这段时间没有收到任何会话的消息。"),
        ),
        ServerFact::Arrived { from, to, .. } => say(
            format!("{to} hears {from}; nothing changes."),
            format!("{to} 收到 {from} 的消息，没有变化。"),
        ),
        // The fault has been said.
        ServerFact::Parted { .. } if has(step, is_fault) => return None,
        ServerFact::Parted { follower, leader } => say(
            format!("{follower} and its leader {leader} have no connection any more."),
            format!("{follower} 与 Leader {leader} 之间的连接没有了。"),
        ),
        ServerFact::Proposed { server, zxid } => proposed(*server, *zxid, event, step),
        ServerFact::Acknowledged { .. } if has(step, is_committed) => return None,
        ServerFact::Acknowledged { server, .. } => say(
            format!("The leader hears that {server} has written it down."),
            format!("Leader 得知 {server} 已写入日志。"),
        ),
        ServerFact::Committed { .. } => committed(event, step)?,
        ServerFact::Applied { .. } if has(step, is_joined) || has(step, is_elected) => return None,
        // What changes says it.
        ServerFact::Applied { first: true, .. } if changes(step) => return None,
        ServerFact::Applied { server, matter, client, .. } => applied(*server, *matter, *client),
        ServerFact::Truncated { server, .. } => say(
            format!("{server} drops what it had written down and nobody had committed."),
            format!("{server} 丢弃已写入但没有提交的部分。"),
        ),
        ServerFact::Touched { .. } => touched(event, step)?,
        ServerFact::Untracked { .. } if has(step, is_proposed) => return None,
        ServerFact::Untracked { client, .. } => say(
            format!("The leader proposes the end of {client}'s session."),
            format!("Leader 提议结束 {client} 的会话。"),
        ),
        ServerFact::Elected { leader, epoch, voters } => {
            let (en, zh) = (names(voters, Lang::En), names(voters, Lang::Zh));
            say(
                format!(
                    "{leader} is elected leader of epoch {epoch}: {en} have its history, and every session has its full time again."
                ),
                format!(
                    "{leader} 当选 Leader，epoch 为 {epoch}：{zh} 采用它的历史，每个会话都重新计满时间。"
                ),
            )
        }
        ServerFact::Joined { server, leader } => say(
            format!("{server} finds the leader {leader}, and catches up with its history."),
            format!("{server} 找到 Leader {leader}，补齐了历史。"),
        ),
        ServerFact::GaveUp { server } => say(
            format!(
                "{server} notices that it has lost its leader or its quorum: it closes its clients' connections and looks for a leader."
            ),
            format!("{server} 发现失去了 Leader 或过半：关闭客户端的连接，重新找 Leader。"),
        ),
        ServerFact::Armed { .. } | ServerFact::Disarmed { .. } => return None,
    })
}

/// Servers, or clients, as a list.
pub(super) fn names<T: ToString>(all: &[T], lang: Lang) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    match (lang, all.split_last()) {
        (Lang::En, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (Lang::Zh, Some((last, rest))) if !rest.is_empty() => format!("{} 和 {last}", rest.join("、")),
        (_, _) => all.join(", "),
    }
}

fn dropped(client: ClientId, why: ConnectionLoss) -> Option<Text> {
    Some(match why {
        ConnectionLoss::SessionMoved => say(
            format!(
                "{client}'s session has moved to another server: nothing is done for its old connection."
            ),
            format!("{client} 的会话已迁到另一台服务器：旧连接上的写入不会执行。"),
        ),
        ConnectionLoss::Replaced => say(
            format!("{client}'s session has a newer connection."),
            format!("{client} 的会话有了更新的连接。"),
        ),
        ConnectionLoss::SessionExpired => {
            say(format!("{client}'s session is over."), format!("{client} 的会话已经结束。"))
        }
        ConnectionLoss::ServerLost | ConnectionLoss::SessionClosed => return None,
    })
}

/// Messages of one kind that leave together are one sentence.
fn sent(fact: &ServerFact, step: &[Event]) -> Option<Text> {
    let ServerFact::Sent { from, to, what, matter, client } = fact else { return None };
    let alike = |event: &&Event| {
        matches!(event, Event::Server { fact: ServerFact::Sent { from: f, what: w, matter: m, client: c, .. } }
            if (f, w, m, c) == (from, what, matter, client))
    };
    let all: Vec<ServerId> = step
        .iter()
        .filter(alike)
        .filter_map(|event| match event {
            Event::Server { fact: ServerFact::Sent { to, .. } } => Some(*to),
            _ => None,
        })
        .collect();
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
            format!("Leader 向 {zh} 答复 sync：排在此前所有提交之后。"),
        ),
        ServerWord::Validate => say(
            format!("{from} asks the leader whether {} lives.", session.en),
            format!("{from} 问 Leader：{}是否还活着。", session.zh.trim_start()),
        ),
        ServerWord::Validated => say(
            format!("The leader answers {en} about {}.", session.en),
            format!("Leader 就{}答复 {zh}。", session.zh),
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

fn applied(server: ServerId, matter: Matter, client: Option<ClientId>) -> Text {
    if matches!(matter, Matter::Refused | Matter::Moved) {
        return say(
            format!("{server} notes the refusal, and nothing changes."),
            format!("{server} 记下这次拒绝，什么都没有改变。"),
        );
    }
    let whose = of_whom(matter, client);
    say(
        format!("{server} carries out {}: from now on its clients see it.", whose.en),
        format!("{server} 执行{}：从此它的客户端都能看到。", whose.zh.trim_end()),
    )
}

/// A request and whose it is.
pub(super) fn of_whom(matter: Matter, client: Option<ClientId>) -> Text {
    let what = matter_name(matter);
    match client {
        Some(client) => say(format!("{client}'s {}", what.en), format!(" {client} 的{}", what.zh)),
        None if matter == Matter::Other => text("it", "它"),
        None if matter == Matter::EndOfSession => text("the end of a session", "一个会话的结束"),
        None => say(format!("a {}", what.en), format!("一个{}", what.zh)),
    }
}

/// What it is about, after whose it is.
fn matter_name(matter: Matter) -> Text {
    match matter {
        Matter::Create => text("create", " create "),
        Matter::Delete => text("delete", " delete "),
        Matter::SetData => text("setData", " setData "),
        Matter::Multi => text("multi", " multi "),
        Matter::Sync => text("sync", " sync "),
        Matter::NewSession => text("new session", "新会话"),
        Matter::EndOfSession => text("end of session", "会话结束"),
        Matter::Refused => text("request that was refused", "被拒绝的请求"),
        Matter::Moved => text(
            "request (refused: the session has left the server it came through)",
            "请求（已拒绝：会话已离开它经过的那台服务器）",
        ),
        Matter::Other => text("request", "请求"),
    }
}

/// What servers do by themselves, as people say it.
pub fn server_action_name(action: ServerAction) -> Text {
    match action {
        ServerAction::Deliver { from, to } => {
            say(format!("{to} hears {from}"), format!("{to} 收到 {from} 的消息"))
        }
        ServerAction::GiveUp(s) => say(format!("{s} notices its loss"), format!("{s} 发现失去联系")),
        ServerAction::Elect(s) => say(format!("the servers elect {s}"), format!("选主：{s} 当选")),
        ServerAction::Join { server, leader } => {
            say(format!("{server} joins {leader}"), format!("{server} 加入 {leader}"))
        }
    }
}

/// A heartbeat between servers, as people say it.
pub fn beat_name(server: ServerId) -> Text {
    say(format!("the leader asks {server} for signs of life"), format!("Leader 向 {server} 询问心跳"))
}

/// A split as a button says it: every link between the two parts is cut.
pub fn split_name(part: &[ServerId], rest: &[ServerId]) -> Text {
    let [part, rest] = [part, rest].map(|servers| say(names(servers, Lang::En), names(servers, Lang::Zh)));
    say(format!("split {} from {}", part.en, rest.en), format!("网络分区：切断 {} 与 {}", part.zh, rest.zh))
}

/// The end of a split as a button says it: of one server's links, or of all.
pub fn heal_name(server: Option<ServerId>) -> Text {
    match server {
        Some(s) => say(format!("heal every link of {s}"), format!("恢复 {s} 的所有链路")),
        None => text("heal every link between servers", "恢复服务器之间的所有链路"),
    }
}

/// Starting every server that is down, as a button says it.
pub fn start_all_name() -> Text {
    text("start every server that is down", "启动所有停机的服务器")
}
