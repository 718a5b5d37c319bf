//! The inspector: what the reader pointed at is, what it knows and since when, and what could happen
//! to it next.

use super::lab::LaneState;
use super::model::Lab;
use super::scene::{Pick, bubble, duration};
use crate::recipe::last_part;
use crate::sorted::Listed;
use crate::teach::{action_name, call_name, node_label};
use crate::text::{Lang, Text, say, text};
use crate::world::{Action, ClientId, LOCK_DIR, Link, Packet};
use crate::zookeeper::{Path, WatchTable};

/// A fact: what it is about, and what is so.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub label: Text,
    pub value: Text,
}

/// Something that could happen next, for the hand to choose.
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
    pub facts: Vec<Fact>,
    /// The watches that a client's library believes to have set, beside those the server holds for
    /// it. Most bugs live in the difference.
    pub watches: Option<(Vec<String>, Vec<String>)>,
    pub next: Vec<NextAction>,
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
        Pick::Ledger => {
            let stock = Text::same(state.world.resource().stock.to_string());
            let facts = vec![
                fact("stock", "库存", stock),
                fact("looks at who asks", "检查请求者", text("no: it takes whatever comes", "否：来者不拒")),
            ];
            (text("The ledger", "账本"), facts)
        }
    };
    let watches = match pick {
        Pick::Client(client) => Some(watch_tables(&state, *client)),
        Pick::Node(_) | Pick::Link(_) | Pick::Server | Pick::Ledger => None,
    };
    let enabled = state.world.enabled().into_iter().filter(|action| concerns(&state, pick, *action));
    let next = enabled.map(|action| next_action(&state, action, now_ms)).listed();
    Some(Inspector { title, lane: lab.focus, facts, watches, next })
}

/// Whether `action` could happen to what is picked.
fn concerns(state: &LaneState, pick: &Pick, action: Action) -> bool {
    match pick {
        Pick::Client(client) => action.client() == *client,
        Pick::Node(path) => {
            let past = state.past.clients.get(&action.client());
            past.and_then(|past| past.node.as_ref()).is_some_and(|node| *node.path == **path)
        }
        Pick::Link(link) => action == *link,
        Pick::Server => matches!(action, Action::Deliver(Link::ToServer(_) | Link::ToClient(_))),
        Pick::Ledger => matches!(action, Action::Deliver(Link::ToResource(_) | Link::FromResource(_))),
    }
}

fn next_action(state: &LaneState, action: Action, now_ms: u64) -> NextAction {
    let held = state.scheduler.held().any(|held| held == action);
    let due = match state.scheduler.due_ms(action) {
        _ if held => text("held back", "已扣住"),
        Some(due) => {
            let left = duration(due.saturating_sub(now_ms));
            say(format!("due in {left}"), format!("{left} 后到期"))
        }
        None => text("not scheduled", "未安排"),
    };
    NextAction { action, label: action_name(action), due, held }
}

fn fact(en: &'static str, zh: &'static str, value: Text) -> Fact {
    Fact { label: text(en, zh), value }
}

fn client_facts(state: &LaneState, client: ClientId, now_ms: u64) -> Vec<Fact> {
    let Some(actor) = state.world.actor(client) else { return Vec::new() };
    let past = state.past.clients.get(&client).cloned().unwrap_or_default();
    let bubble = bubble(actor.client.step(), &past, super::scene::Tone::Plain, now_ms);
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
        fact("does", "正在", bubble.whole),
        fact("its own node, as it was told", "自己的节点（它所知道的）", name(actor.client.me())),
        fact("aims its watch at", "监听目标", name(actor.client.ahead())),
        fact("place when it last sorted", "上次排序时的位置", place),
        fact("last heard ZooKeeper", "上次收到 ZooKeeper 的消息", heard),
        fact(
            "session",
            "会话",
            say(format!("number {}, connected", actor.session.0), format!("{} 号，已连接", actor.session.0)),
        ),
    ];
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
    let line = |table: WatchTable, path: &str| {
        let table = match table {
            WatchTable::Data => "data",
            WatchTable::Children => "children",
        };
        format!("{table}: {}", last_part(path))
    };
    let actor = state.world.actor(client);
    let own = actor
        .into_iter()
        .flat_map(|actor| actor.watches.iter())
        .map(|(table, path)| line(*table, path))
        .listed();
    let session = actor.map(|actor| actor.session);
    let server = state.world.server().watchers().filter(|watch| Some(watch.session) == session);
    (own, server.map(|watch| line(watch.table, &watch.path)).listed())
}

fn node_facts(state: &LaneState, path: &str) -> Vec<Fact> {
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
        None => text("none: it stays until somebody deletes it", "无：要有人删除它才会消失"),
    };
    let watchers: Vec<String> =
        server.watchers().filter(|watch| *watch.path == *path).map(|watch| client(watch.session)).listed();
    let watchers =
        if watchers.is_empty() { text("nobody", "没有谁") } else { Text::same(watchers.join(", ")) };
    facts.push(fact(
        "created by zxid (czxid)",
        "创建它的 zxid（czxid）",
        Text::same(stat.czxid.0.to_string()),
    ));
    facts.push(fact("owner (ephemeralOwner)", "所有者（ephemeralOwner）", owner));
    facts.push(fact("watched by", "被谁监听", watchers));
    facts
}

fn link_facts(state: &LaneState, action: Action, now_ms: u64) -> Vec<Fact> {
    let Some(actor) = state.world.actor(action.client()) else { return Vec::new() };
    let messages: Vec<Text> = match action {
        Action::Deliver(Link::ToServer(_)) => {
            actor.to_server.iter().map(|r| Text::same(call_name(r))).listed()
        }
        Action::Deliver(Link::ToClient(_)) => {
            let label = |packet: &Packet| match packet {
                Packet::Event(event) => format!("{} {}", event.kind.name(), node_label(&event.path)),
                Packet::Reply { request, result: Ok(_) } => format!("{} ✓", call_name(request)),
                Packet::Reply { request, result: Err(error) } => format!("{}: {error}", call_name(request)),
            };
            actor.to_client.iter().map(|packet| Text::same(label(packet))).listed()
        }
        Action::Deliver(Link::ToResource(_)) => {
            actor.to_resource.iter().map(|r| super::scene::resource_request(*r)).listed()
        }
        Action::Deliver(Link::FromResource(_)) => {
            actor.from_resource.iter().map(|r| super::scene::resource_reply(*r)).listed()
        }
        Action::Arrive(_) | Action::Sort(_) | Action::Work(_) | Action::Poll(_) => Vec::new(),
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
    let mut facts = vec![fact("on the way, oldest first", "途中（先后顺序）", on_way)];
    if let Some(since) = since {
        facts.push(fact("sent", "发出于", say(format!("{since} ago"), format!("{since} 前"))));
    }
    facts
}

fn server_facts(state: &LaneState) -> Vec<Fact> {
    let server = state.world.server();
    let children: Vec<String> = server.children(LOCK_DIR).map(|name| node_label(name)).listed();
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
