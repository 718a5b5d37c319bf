//! What happened among servers, as sentences. Only where there are several.

use super::step::{goes_on, has, is_fault, is_proposed};
use super::{agreement, matter, messages, sessions};
use crate::teach::words::names;
use crate::text::{Lang, Text, say};
use crate::world::{Action, ClientId, Event, Matter, ServerFact};
use crate::zookeeper::{ConnectRefusal, ConnectionLoss, ServerId};

/// Says what a fact about servers means; `None` for one that another sentence of the step says.
pub(super) fn servers(fact: &ServerFact, event: &Event, step: &[Event]) -> Option<Text> {
    match fact {
        ServerFact::FaultInjected { fault } => {
            Some(Action::ServerFault(*fault).fill(fault.definition().told))
        }
        ServerFact::Accepted { client, server } => accepted(*client, *server, step),
        ServerFact::Refused { client, server, refusal } => Some(refused(*client, *server, *refusal)),
        ServerFact::Taken { client, server, matter } => taken(*client, *server, *matter, step),
        ServerFact::Dropped { client, server: _, why } => dropped(*client, *why),
        ServerFact::Sent { .. } => messages::sent(fact, step),
        ServerFact::Arrived { from, to, what } => messages::arrived(*from, *to, *what, step),
        ServerFact::Parted { follower, leader } => parted(*follower, *leader, step),
        ServerFact::Proposed { server, zxid } => Some(agreement::proposed(*server, *zxid, event, step)),
        ServerFact::Acknowledged { server, .. } => agreement::acknowledged(*server, step),
        ServerFact::Committed { .. } => agreement::committed(event, step),
        ServerFact::Applied { server, matter, client, first, .. } => {
            agreement::applied(*server, *matter, *client, *first, step)
        }
        ServerFact::Truncated { server, .. } => Some(agreement::truncated(*server)),
        ServerFact::Touched { .. } => sessions::touched(event, step),
        ServerFact::Untracked { client, .. } => untracked(*client, step),
        ServerFact::Elected { leader, epoch, voters } => Some(elected(*leader, *epoch, voters)),
        ServerFact::Joined { server, leader } => Some(joined(*server, *leader)),
        ServerFact::GaveUp { server } => Some(gave_up(*server)),
        // Timers of the schedule; what made them possible or impossible has been said.
        ServerFact::Armed { .. } | ServerFact::Disarmed { .. } => None,
    }
}

fn accepted(client: ClientId, server: ServerId, step: &[Event]) -> Option<Text> {
    // That it asks the leader, or answers, says it.
    if goes_on(step) {
        return None;
    }
    Some(say(
        format!("{server} takes {client}'s connection; whether its session lives, the leader says."),
        format!("{server} 接受 {client} 的连接；会话是否有效，由 Leader 决定。"),
    ))
}

fn refused(client: ClientId, server: ServerId, refusal: ConnectRefusal) -> Text {
    match refusal {
        ConnectRefusal::Behind => say(
            format!(
                "{server} refuses {client}'s connection: {client} has seen a later zxid than {server} has."
            ),
            format!("{server} 拒绝 {client} 的连接：{client} 见过的 zxid 比 {server} 的更新。"),
        ),
        ConnectRefusal::NotServing => say(
            format!("{server} does not serve now: it refuses {client}'s connection."),
            format!("{server} 目前不提供服务：拒绝 {client} 的连接。"),
        ),
    }
}

fn taken(client: ClientId, server: ServerId, matter: Matter, step: &[Event]) -> Option<Text> {
    // That it hands the request on, or proposes it, says it.
    if goes_on(step) {
        return None;
    }
    if matter == Matter::Other {
        return Some(say(
            format!("{server} takes a request of {client}: it waits behind what {client} asked before."),
            format!("{server} 收到 {client} 的一个请求：要等它前面的请求先有结果。"),
        ));
    }
    let what = matter::matter_name(matter);
    Some(say(
        format!("{server} takes {client}'s {}: the leader has to decide.", what.en),
        format!("{server} 收到 {client} 的{}：要由 Leader 决定。", what.zh.trim_end()),
    ))
}

fn dropped(client: ClientId, why: ConnectionLoss) -> Option<Text> {
    Some(match why {
        ConnectionLoss::SessionMoved => say(
            format!(
                "{client}'s session has moved to another server: nothing is done for its old connection."
            ),
            format!(
                "{client} 的会话已转移到另一台服务器：旧连接上的写请求会被拒绝（SessionMovedException）。"
            ),
        ),
        ConnectionLoss::Replaced => say(
            format!("{client}'s session has a newer connection."),
            format!("{client} 的会话有了更新的连接。"),
        ),
        ConnectionLoss::SessionExpired => {
            say(format!("{client}'s session is over."), format!("{client} 的会话已经结束。"))
        }
        // That the server is lost, or that the client closed its session, is said.
        ConnectionLoss::ServerLost | ConnectionLoss::SessionClosed => return None,
    })
}

fn parted(follower: ServerId, leader: ServerId, step: &[Event]) -> Option<Text> {
    // The fault that parted them has been said.
    if has(step, is_fault) {
        return None;
    }
    Some(say(
        format!("{follower} and its leader {leader} have no connection any more."),
        format!("{follower} 与 Leader {leader} 断开了连接。"),
    ))
}

fn untracked(client: ClientId, step: &[Event]) -> Option<Text> {
    // The sentence on the proposal says whose session it ends.
    if has(step, is_proposed) {
        return None;
    }
    Some(say(
        format!("The leader proposes the end of {client}'s session."),
        format!("Leader 提议结束 {client} 的会话。"),
    ))
}

fn elected(leader: ServerId, epoch: u32, voters: &[ServerId]) -> Text {
    let (en, zh) = (names(voters, Lang::En), names(voters, Lang::Zh));
    say(
        format!(
            "{leader} is elected leader of epoch {epoch}: {en} have its history, and every session has its full time again."
        ),
        format!("{leader} 当选 Leader，epoch 为 {epoch}：{zh} 采用它的历史，每个会话都重新计时。"),
    )
}

fn joined(server: ServerId, leader: ServerId) -> Text {
    say(
        format!("{server} finds the leader {leader}, and catches up with its history."),
        format!("{server} 找到 Leader {leader}，补齐了历史。"),
    )
}

fn gave_up(server: ServerId) -> Text {
    say(
        format!(
            "{server} notices that it has lost its leader or its quorum: it closes its clients' connections and looks for a leader."
        ),
        format!("{server} 发现与 Leader 失联，或凑不齐过半节点：关闭客户端的连接，重新找 Leader。"),
    )
}
