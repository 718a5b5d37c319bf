//! What can happen, as a button or a list says it. The names of faults stand in their table (`world::fault`).

use super::words::names;
use crate::text::{Lang, Text, say, text};
use crate::world::{Action, Link};
use crate::zookeeper::{ServerAction, ServerId};

/// An action as people say it.
pub fn action_name(action: Action) -> Text {
    match action {
        Action::Arrive(c) => say(format!("{c} arrives"), format!("{c} 到来")),
        Action::Sort(c) => say(format!("{c} sorts"), format!("{c} 排序")),
        Action::Deliver(Link::ToServer(c)) => {
            say(format!("{c}'s request arrives"), format!("{c} 的请求到达"))
        }
        Action::Deliver(Link::ToClient(c)) => {
            say(format!("{c} hears ZooKeeper"), format!("{c} 收到 ZooKeeper 的消息"))
        }
        Action::Deliver(Link::ToResource(c)) => {
            say(format!("{c} reaches the ledger"), format!("{c} 的请求到达库存服务"))
        }
        Action::Deliver(Link::FromResource(c)) => {
            say(format!("{c} hears the ledger"), format!("{c} 收到库存服务的响应"))
        }
        Action::Work(c) => say(format!("{c}'s work ends"), format!("{c} 的工作结束")),
        Action::Poll(c) => say(format!("{c} asks again"), format!("{c} 再次询问")),
        Action::Ping(c) => say(format!("{c} sends a heartbeat"), format!("{c} 发出心跳")),
        Action::Suspend(c) => say(format!("{c} takes its connection for lost"), format!("{c} 认为连接断了")),
        Action::Reconnect(c) => say(format!("{c} tries to connect"), format!("{c} 尝试连接")),
        Action::Expire(c) => say(format!("{c}'s session expires"), format!("{c} 的会话过期")),
        Action::ExpireOld(c) => {
            say(format!("the session of {c}'s old process expires"), format!("{c} 旧进程的会话过期"))
        }
        Action::Fault(fault, c) => {
            let name = fault.definition().name;
            say(format!("{c}: {}", name.en), format!("{c}：{}", name.zh))
        }
        Action::Operator(operator) => action.fill(operator.definition().name),
        Action::ServerFault(fault) => action.fill(fault.definition().name),
        Action::Server(action) => server_action_name(action),
        Action::Beat(server) => beat_name(server),
    }
}

/// A fault as a button says it: the whole of what it does.
pub fn fault_name(action: Action) -> Text {
    match action {
        Action::Fault(fault, _) => fault.definition().name.text(),
        other => action_name(other),
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
    say(format!("the leader asks {server} for signs of life"), format!("Leader 向 {server} 发心跳"))
}

/// A split as a button says it: every link between the two parts is cut.
pub fn split_name(part: &[ServerId], rest: &[ServerId]) -> Text {
    let [part, rest] = [part, rest].map(|servers| say(names(servers, Lang::En), names(servers, Lang::Zh)));
    say(format!("split {} from {}", part.en, rest.en), format!("网络分区：{} ｜ {}", part.zh, rest.zh))
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
