//! The inspector: what the reader pointed at is, what it knows and since when, and what could happen
//! to it next.

use super::lab::LaneState;
use super::model::Lab;
use super::scene::{
    Gate, Look, Pick, bubble, client_knows, duration, ledger, packet, sent, server_knows, server_view,
    server_words, why_it_waits,
};
use crate::recipe::{last_part, node_label};

use crate::teach::{action_name, fault_name, token_label};
use crate::text::{Lang, Text, say, text};
use crate::world::{Action, ClientId, Fault, FaultPart, LOCK_DIR, Link, Operator, ServerFault, WatchKind};
use crate::zookeeper::{Path, ServerAction, ServerId, WatchTable};

/// A fact: what it is about, and what is so.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectorRow {
    pub label: Text,
    pub value: Text,
}

/// Something that could happen next, for the learner to choose.
#[derive(Clone, Debug, PartialEq)]
pub struct NextAction {
    pub action: Action,
    pub label: Text,
    pub due: Text,
    pub held: bool,
}

/// What the inspector shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspector {
    pub title: Text,
    /// The lane it is about, from 0.
    pub lane: usize,
    pub facts: Vec<InspectorRow>,
    /// The watches that a client's library believes to have set, beside those the server holds for
    /// it. Most bugs live in the difference.
    pub watches: Option<(Vec<String>, Vec<String>)>,
    pub next: Vec<NextAction>,
    /// The faults that could be injected here, and their repairs.
    pub faults: Vec<(Action, Text)>,
}

/// Builds the inspector for what is picked, in the lane with the focus.
pub fn inspector(lab: &Lab) -> Option<Inspector> {
    let pick = lab.pick.as_ref()?;
    let state = lab.lane_state(lab.focus);
    let now_ms = lab.run.comparison.at_ms(lab.stop);
    let (title, facts) = match pick {
        Pick::Client(client) => (
            say(format!("Client {client}"), format!("客户端 {client}")),
            client_facts(&state, *client, now_ms),
        ),
        Pick::Node(path) => {
            let label = node_label(path);
            (say(format!("Node {label}"), format!("节点 {label}")), node_facts(&state, path))
        }
        Pick::Link(action) => (action_name(*action), link_facts(&state, *action, now_ms)),
        Pick::Server => (text("The server", "服务器"), server_facts(&state)),
        Pick::Member(server) => {
            (say(format!("Server {server}"), format!("服务器 {server}")), member_facts(&state, *server))
        }
        Pick::Ledger => (text("The ledger", "库存服务"), ledger_facts(&state, now_ms)),
    };
    let watches = match pick {
        Pick::Client(client) => Some(watch_tables(&state, *client)),
        Pick::Node(_) | Pick::Link(_) | Pick::Server | Pick::Member(_) | Pick::Ledger => None,
    };
    let enabled = state.world.enabled().into_iter().filter(|action| concerns(&state, pick, *action));
    let next = enabled.map(|action| next_action(&state, action, now_ms)).collect();
    let faults = faults(&state, pick);
    Some(Inspector { title, lane: lab.focus, facts, watches, next, faults })
}

/// Whether `action` could happen to what is picked.
fn concerns(state: &LaneState, pick: &Pick, action: Action) -> bool {
    match pick {
        Pick::Client(client) => action.client() == Some(*client),
        Pick::Node(path) => {
            let past = action.client().and_then(|client| state.past.clients.get(&client));
            past.and_then(|past| past.node.as_ref()).is_some_and(|node| *node.path == **path)
        }
        Pick::Link(link) => action == *link,
        Pick::Server => matches!(action, Action::Deliver(Link::ToServer(_) | Link::ToClient(_))),
        Pick::Member(server) => match action {
            Action::Server(ServerAction::Deliver { to, .. }) => to == *server,
            Action::Server(ServerAction::GiveUp(id) | ServerAction::Elect(id)) | Action::Beat(id) => {
                id == *server
            }
            Action::Server(ServerAction::Join { server: id, .. }) => id == *server,
            _ => false,
        },
        Pick::Ledger => matches!(action, Action::Deliver(Link::ToResource(_) | Link::FromResource(_))),
    }
}

/// What a hand could do to what is picked.
fn faults(state: &LaneState, pick: &Pick) -> Vec<(Action, Text)> {
    let by_hand = |parts: &[FaultPart]| {
        let of_parts = |operator: &Operator| parts.contains(&operator.definition().part);
        Operator::ONCE.into_iter().filter(of_parts).map(Action::Operator).collect()
    };
    let all: Vec<Action> = match pick {
        Pick::Client(client) => Fault::ALL.map(|fault| Action::Fault(fault, *client)).into_iter().collect(),
        Pick::Node(path) => {
            let owns = |c: &ClientId| {
                let actor = state.world.actor(*c);
                actor.and_then(|actor| state.world.node_of(actor)).is_some_and(|node| *node == **path)
            };
            let clients = state.world.actors().map(|(client, _)| client).filter(owns);
            clients.flat_map(Operator::on).map(Action::Operator).collect()
        }
        Pick::Link(Action::Deliver(Link::ToServer(c) | Link::ToClient(c))) => {
            let of_link = |fault: &Fault| fault.definition().part == FaultPart::Connection;
            Fault::ALL.into_iter().filter(of_link).map(|fault| Action::Fault(fault, *c)).collect()
        }
        Pick::Link(_) => Vec::new(),
        Pick::Server => by_hand(&[FaultPart::ZooKeeper, FaultPart::Directory]),
        Pick::Member(server) => {
            let servers = state.world.ensemble().map_or(0, |ensemble| ensemble.servers().count() as u8);
            let of = |fault: &ServerFault| {
                let (a, b) = fault.servers();
                a == *server || b == Some(*server)
            };
            ServerFault::all(servers).into_iter().filter(of).map(Action::ServerFault).collect()
        }
        Pick::Ledger => by_hand(&[FaultPart::Resource]),
    };
    let possible = all.into_iter().filter(|action| state.world.is_enabled(*action));
    possible.map(|action| (action, fault_name(action))).collect()
}

fn look_at(state: &LaneState, now_ms: u64) -> Look<'_> {
    Look {
        world: &state.world,
        scheduler: &state.scheduler,
        past: &state.past,
        last: None,
        now_ms,
        stuck: &[],
        beats: true,
    }
}

fn ledger_facts(state: &LaneState, now_ms: u64) -> Vec<InspectorRow> {
    let view = ledger(&look_at(state, now_ms));
    let number = |n: i64| Text::same(n.to_string());
    let mut facts = vec![
        fact("stock, as stored", "库存（存储的值）", number(view.stored)),
        fact("orders that were accepted", "已接受的订单", number(view.orders)),
        fact("what it checks", "检查什么", state.world.resource().guard.info().label.text()),
    ];
    if let Some(harm) = view.harm {
        facts.push(fact("harm", "后果", harm));
    }
    if let (Gate::Tokens { .. }, Some(kept)) = (view.gate, view.gate.kept()) {
        let highest = view.highest.map_or_else(|| text("none yet", "还没有"), number);
        let words = say(format!("{}, {}", highest.en, kept.en), format!("{}，{}", highest.zh, kept.zh));
        facts.push(fact("highest token", "最大令牌", words));
    }
    let written = state.world.resource().written.iter().map(|(client, value)| format!("{client}: {value}"));
    let written: Vec<String> = written.collect();
    if !written.is_empty() {
        facts.push(fact("written, not committed", "已写入、未提交", Text::same(written.join(", "))));
    }
    facts
}

fn next_action(state: &LaneState, action: Action, now_ms: u64) -> NextAction {
    let held = state.scheduler.held().any(|held| held == action);
    let due = match state.scheduler.due_ms(action) {
        _ if held => text("held back", "已扣住"),
        Some(due) => {
            let left = duration(due.saturating_sub(now_ms));
            say(format!("due in {left}"), format!("{left} 后发生"))
        }
        None => text("not scheduled", "未安排"),
    };
    NextAction { action, label: action_name(action), due, held }
}

fn fact(en: &'static str, zh: &'static str, value: Text) -> InspectorRow {
    InspectorRow { label: text(en, zh), value }
}

fn client_facts(state: &LaneState, client: ClientId, now_ms: u64) -> Vec<InspectorRow> {
    let Some(actor) = state.world.actor(client) else { return Vec::new() };
    let past = state.past.clients.get(&client).cloned().unwrap_or_default();
    let bubble = bubble(Some(actor), &past, super::scene::Tone::Plain, now_ms);
    let none = || text("nothing", "无");
    let name = |name: Option<&Path>| name.map_or_else(none, |name| Text::same(name.to_string()));
    let heard = match past.heard_ms {
        Some(at) => {
            let ago = duration(now_ms.saturating_sub(at));
            say(format!("{ago} ago"), format!("{ago} 前"))
        }
        None => text("never", "从未"),
    };
    let place = match past.place {
        Some(0) => text("first", "第一位"),
        Some(n) => say(format!("{n} ahead of it"), format!("前面还有 {n} 个")),
        None => text("has not looked", "还没有看过"),
    };
    let mut facts = vec![
        fact("does", "状态", bubble.whole),
        fact("its own node, as it was told", "自己的节点（它所知道的）", name(actor.client.me())),
        fact("aims its watch at", "监听目标", name(actor.client.target())),
        fact("place when it last sorted", "上次排序时的位置", place),
        fact("last heard ZooKeeper", "上次收到 ZooKeeper 的消息", heard),
        fact("of its connection it knows", "客户端所见的连接状态", client_knows(actor)),
        fact(
            "the server knows",
            "服务器所见的会话状态",
            server_knows(&look_at(state, now_ms), client, actor),
        ),
    ];
    if let Some(why) = why_it_waits(&look_at(state, now_ms), client) {
        facts.insert(1, fact("waits because", "为什么等", why));
    }
    if let Some(session) = actor.session {
        facts.push(fact("session", "会话", Text::same(session.0.to_string())));
    }
    if actor.stalled {
        let broken = text("carries nothing, and nobody knows", "不通，两端都还没察觉");
        facts.push(fact("the connection", "连接", broken));
    }
    if let Some(token) = actor.client.token() {
        facts.push(fact("its token", "节点的 czxid（拿到锁后即它的令牌）", Text::same(token_label(token))));
    }
    if actor.client.reads() {
        facts.push(fact("wants", "想要", text("to read only", "只读")));
    }
    if actor.client.step().believes() {
        facts.push(fact(
            "stock, as it read it",
            "它读到的库存",
            Text::same(actor.client.stock().to_string()),
        ));
    }
    facts
}

fn watch_tables(state: &LaneState, client: ClientId) -> (Vec<String>, Vec<String>) {
    let line = |table: &str, path: &str| format!("{table}: {}", last_part(path));
    let actor = state.world.actor(client);
    let own = actor.into_iter().flat_map(|actor| actor.watches.iter()).map(|(kind, path)| match kind {
        WatchKind::Data => line("data", path),
        WatchKind::Exist => line("exist", path),
        WatchKind::Children => line("children", path),
    });
    let session = actor.and_then(|actor| actor.session);
    let server = state.world.watchers().filter(|watch| Some(watch.session) == session);
    let server = server.map(|watch| match watch.table {
        WatchTable::Data => line("data", &watch.path),
        WatchTable::Children => line("children", &watch.path),
    });
    (own.collect(), server.collect())
}

fn node_facts(state: &LaneState, path: &str) -> Vec<InspectorRow> {
    let server = state.world.server();
    let mut facts = vec![fact("path", "路径", Text::same(path.to_string()))];
    let Some(stat) = server.stat(path) else {
        facts.push(fact("exists", "是否存在", text("no: it was deleted", "否：已删除")));
        return facts;
    };
    let client =
        |session| state.world.client_of(session).map_or("?".to_string(), |client| client.to_string());
    let owner = match stat.ephemeral_owner {
        Some(session) => {
            let client = client(session);
            say(
                format!("session {} of {client}: the node ends with it", session.0),
                format!("{client} 的会话 {}：会话结束，节点删除", session.0),
            )
        }
        None => text("none: it stays until somebody deletes it", "无（持久节点，要手动删除）"),
    };
    let watchers: Vec<String> =
        server.watchers().filter(|watch| *watch.path == *path).map(|watch| client(watch.session)).collect();
    let watchers = if watchers.is_empty() { text("nobody", "无") } else { Text::same(watchers.join(", ")) };
    facts.push(fact(
        "created by zxid (czxid)",
        "创建它的 zxid（czxid）",
        Text::same(stat.czxid.0.to_string()),
    ));
    facts.push(fact("owner (ephemeralOwner)", "所有者（ephemeralOwner）", owner));
    facts.push(fact("watched by", "被谁监听", watchers));
    facts
}

fn link_facts(state: &LaneState, action: Action, now_ms: u64) -> Vec<InspectorRow> {
    let Some(actor) = action.client().and_then(|client| state.world.actor(client)) else {
        return Vec::new();
    };
    let messages: Vec<Text> = match action {
        Action::Deliver(Link::ToServer(_)) => actor.to_server.iter().map(|one| sent(one).1).collect(),
        Action::Deliver(Link::ToClient(_)) => actor.to_client.iter().map(|one| packet(one).1).collect(),
        Action::Deliver(Link::ToResource(_)) => {
            actor.to_resource.iter().map(|r| super::scene::resource_request(*r)).collect()
        }
        Action::Deliver(Link::FromResource(_)) => {
            actor.from_resource.iter().map(|r| super::scene::resource_reply(*r)).collect()
        }
        _ => Vec::new(),
    };
    let on_way = match messages.is_empty() {
        true => text("nothing: it has arrived", "无：已经到达"),
        false => {
            let join = |lang: Lang, between| {
                messages.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
            };
            say(join(Lang::En, ", "), join(Lang::Zh, "、"))
        }
    };
    let since =
        state.scheduler.occurrences(action).next().map(|(since, _)| duration(now_ms.saturating_sub(since)));
    let mut facts = vec![fact("on the way, oldest first", "途中的消息（最早的在前）", on_way)];
    if let Some(since) = since {
        facts.push(fact("sent", "发出于", say(format!("{since} ago"), format!("{since} 前"))));
    }
    facts
}

fn member_facts(state: &LaneState, id: ServerId) -> Vec<InspectorRow> {
    let known = state.world.ensemble().filter(|all| all.servers().any(|(server, _)| server == id));
    let Some(ensemble) = known else { return Vec::new() };
    let view = server_view(&state.world, ensemble, id);
    let place = |zxid: crate::zookeeper::Zxid| {
        Text::same(format!("{} ({}.{})", zxid.0, zxid.epoch(), zxid.counter()))
    };
    let member = ensemble.server(id).member();
    let children: Vec<String> = member.children(LOCK_DIR).map(|name| node_label(name)).collect();
    let children = match children.is_empty() {
        true => text("none", "无"),
        false => say(children.join(", "), children.join("、")),
    };
    vec![
        fact("is", "状态", server_words(&view)),
        fact("written up to (zxid)", "日志已写到（zxid）", place(view.written)),
        fact("carried out up to", "已应用到", place(view.applied)),
        fact("written, not known to be committed", "已写入、未确认提交", Text::same(view.open.to_string())),
        fact("epoch", "epoch", Text::same(view.epoch.to_string())),
        fact("children of the lock, as it has them", "它看到的锁目录子节点", children),
        fact("watches it holds", "它持有的 Watch", Text::same(view.watches.to_string())),
    ]
}

fn server_facts(state: &LaneState) -> Vec<InspectorRow> {
    let server = state.world.server();
    let children: Vec<String> = server.children(LOCK_DIR).map(|name| node_label(name)).collect();
    let children = if children.is_empty() {
        text("none", "无")
    } else {
        say(children.join(", "), children.join("、"))
    };
    vec![
        fact("last zxid", "最新 zxid", Text::same(server.zxid().0.to_string())),
        fact("children of the lock", "锁目录的子节点", children),
        fact("watches it holds", "它持有的 Watch", Text::same(server.watchers().count().to_string())),
        fact("sessions", "会话", Text::same(server.sessions().count().to_string())),
    ]
}
