//! Several servers: who leads, who lags, who serves whom, and what is under way between them.

use super::look::Look;
use super::pick::Pick;
use crate::recipe::{last_part, node_label};

use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, LOCK_DIR, ServerWord, World};
use crate::zookeeper::{Ensemble, Role, ServerId, ServerMessage, Zxid};

/// What a server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerState {
    Leading,
    /// It has lost its quorum and has not noticed.
    LeadingAlone,
    Following,
    /// It has lost its leader and has not noticed.
    CutOff,
    /// Nothing that the others send arrives.
    Stalled,
    Looking,
    Down,
}

impl ServerState {
    /// The word for tests and the style sheet.
    pub fn word(self) -> &'static str {
        match self {
            ServerState::Leading => "leading",
            ServerState::LeadingAlone => "alone",
            ServerState::Following => "following",
            ServerState::CutOff => "cut-off",
            ServerState::Stalled => "stalled",
            ServerState::Looking => "looking",
            ServerState::Down => "down",
        }
    }

    /// A mark beside the word.
    pub fn mark(self) -> &'static str {
        match self {
            ServerState::Leading => "⚑",
            ServerState::LeadingAlone => "⚐",
            ServerState::Following => "●",
            ServerState::CutOff => "≠",
            ServerState::Stalled => "‖",
            ServerState::Looking => "?",
            ServerState::Down => "✝",
        }
    }

    pub fn label(self) -> Text {
        match self {
            ServerState::Leading => text("leads", "Leader"),
            ServerState::LeadingAlone => text("no quorum", "不足半数"),
            ServerState::Following => text("follows", "Follower"),
            ServerState::CutOff => text("cut off", "失联"),
            ServerState::Stalled => text("stalled", "停滞"),
            ServerState::Looking => text("looking", "选主中"),
            ServerState::Down => text("down", "已停机"),
        }
    }

    fn of(ensemble: &Ensemble, id: ServerId) -> ServerState {
        let server = ensemble.server(id);
        match server.role() {
            _ if !server.is_up() => ServerState::Down,
            Role::Looking => ServerState::Looking,
            Role::Leading(_) if ensemble.leader() == Some(id) => ServerState::Leading,
            Role::Leading(_) => ServerState::LeadingAlone,
            Role::Following { attached: false, .. } => ServerState::CutOff,
            Role::Following { .. } if ensemble.is_stalled(id) => ServerState::Stalled,
            Role::Following { .. } => ServerState::Following,
        }
    }
}

/// One server of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerView {
    pub server: ServerId,
    pub state: ServerState,
    /// How many transactions that some server has carried out it has not.
    pub behind: u32,
    /// The clients whose libraries talk to it.
    pub clients: Vec<ClientId>,
    /// The servers that it cannot talk to.
    pub cut_from: Vec<ServerId>,
    pub epoch: u32,
    /// Up to where it has written down the log, and carried it out.
    pub written: Zxid,
    pub applied: Zxid,
    /// Written down, and not known to be committed.
    pub open: u32,
    pub watches: u32,
}

/// What is under way from one server to another, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetweenView {
    pub from: ServerId,
    pub to: ServerId,
    pub messages: Vec<Text>,
    /// It does not arrive for now.
    pub stuck: bool,
}

/// The bar of servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnsembleView {
    pub servers: Vec<ServerView>,
    pub between: Vec<BetweenView>,
    /// Whose queue is told.
    pub seen_by: ServerId,
    /// Nodes that it still shows though they are gone, and nodes that it does not show yet.
    pub still: Vec<String>,
    pub not_yet: Vec<String>,
    /// The queue as that server has it, in words.
    pub queue: Text,
    /// The bar in sentences.
    pub sentence: Text,
}

/// Builds the bar; nothing with one server.
pub fn ensemble_view(look: &Look<'_>, picked: Option<&Pick>) -> Option<EnsembleView> {
    let ensemble = look.world.ensemble()?;
    let servers = ensemble.servers().map(|(id, _)| server_view(look.world, ensemble, id)).collect::<Vec<_>>();
    let acted = look.last.and_then(|step| step.action.client());
    let seen_by = match picked {
        Some(Pick::Member(server)) => Some(*server),
        Some(Pick::Client(client)) => look.world.server_of(*client),
        Some(Pick::Node(_) | Pick::Link(_) | Pick::Server | Pick::Ledger) | None => None,
    };
    let seen_by = seen_by.or_else(|| acted.and_then(|client| look.world.server_of(client)));
    let seen_by = seen_by.or_else(|| ensemble.leader()).unwrap_or(ServerId(0));
    let names = |id: Option<ServerId>| -> Vec<String> {
        let member = id.map_or_else(|| look.world.server(), |id| ensemble.server(id).member());
        member.children(LOCK_DIR).map(|name| last_part(name).to_string()).collect()
    };
    let (own, all) = (names(Some(seen_by)), names(None));
    let less = |a: &[String], b: &[String]| {
        a.iter().filter(|name| !b.contains(name)).map(|name| node_label(name)).collect::<Vec<_>>()
    };
    let (still, not_yet) = (less(&own, &all), less(&all, &own));
    let labels: Vec<String> = own.iter().map(|name| node_label(name)).collect::<Vec<_>>();
    let queue = queue(seen_by, &labels, &still, &not_yet);
    let between = between(ensemble);
    let sentence = sentence(&servers, &between, &queue);
    Some(EnsembleView { servers, between, seen_by, still, not_yet, queue, sentence })
}

/// One server as the bar and the inspector tell it.
pub fn server_view(world: &World, ensemble: &Ensemble, id: ServerId) -> ServerView {
    let server = ensemble.server(id);
    let applied = server.member().zxid();
    let clients = world.actors().map(|(client, _)| client).filter(|client| {
        let here = world.server_of(*client) == Some(id);
        here && world.actor(*client).is_some_and(|actor| !actor.is_gone())
    });
    ServerView {
        server: id,
        state: ServerState::of(ensemble, id),
        behind: ensemble.missing(id).count() as u32,
        clients: clients.collect(),
        cut_from: ensemble.servers().map(|(other, _)| other).filter(|b| ensemble.is_cut(id, *b)).collect(),
        epoch: server.epoch(),
        written: server.last_zxid(),
        applied,
        open: server.uncommitted().count() as u32,
        watches: server.member().watchers().count() as u32,
    }
}

fn between(ensemble: &Ensemble) -> Vec<BetweenView> {
    let mut views = Vec::new();
    for (from, to, messages) in ensemble.links() {
        let messages: Vec<Text> = messages.iter().filter_map(message).collect();
        if !messages.is_empty() {
            views.push(BetweenView { from, to, messages, stuck: ensemble.is_stalled(to) });
        }
    }
    views
}

/// A message between servers in a word or two; heartbeats are not told.
fn message(message: &ServerMessage) -> Option<Text> {
    let number = |zxid: &Zxid| format!("{}.{}", zxid.epoch(), zxid.counter());
    let what = ServerWord::of(message);
    if what.is_beat() {
        return None;
    }
    let word = between_word(what);
    Some(match message {
        ServerMessage::Propose(entry) => numbered(&word, &number(&entry.zxid)),
        ServerMessage::Ack(zxid) | ServerMessage::Commit(zxid) => numbered(&word, &number(zxid)),
        _ => word,
    })
}

fn numbered(word: &Text, number: &str) -> Text {
    say(format!("{} {number}", word.en), format!("{} {number}", word.zh))
}

/// What a message between servers is called.
pub fn between_word(what: ServerWord) -> Text {
    match what {
        ServerWord::Forward => text("request", "请求"),
        ServerWord::Propose => text("proposal", "提案"),
        ServerWord::Ack => text("ack", "确认"),
        ServerWord::Commit => text("commit", "提交"),
        ServerWord::Synced => text("answer to sync", "sync 的响应"),
        ServerWord::Validate => text("is the session alive?", "会话还在吗？"),
        ServerWord::Validated => text("word on the session", "会话校验结果"),
        ServerWord::Ping => text("ping", "心跳"),
        ServerWord::Touched => text("answer to ping", "心跳响应"),
    }
}

fn queue(seen_by: ServerId, labels: &[String], still: &[String], not_yet: &[String]) -> Text {
    let list = |names: &[String]| (names.join(", "), names.join("、"));
    let (en, zh) = match labels.is_empty() {
        true => ("empty".to_string(), "空".to_string()),
        false => list(labels),
    };
    let mut en = format!("Queue as {seen_by} has it: {en}");
    let mut zh = format!("{seen_by} 上的队列：{zh}");
    if !still.is_empty() {
        let (a, b) = list(still);
        en.push_str(&format!("; gone by now: {a}"));
        zh.push_str(&format!("；其实已删除：{b}"));
    }
    if !not_yet.is_empty() {
        let (a, b) = list(not_yet);
        en.push_str(&format!("; not here yet: {a}"));
        zh.push_str(&format!("；这里还没有：{b}"));
    }
    say(en, zh)
}

/// What a server is, in one line: for its button, and in the sentence.
pub fn server_words(view: &ServerView) -> Text {
    let label = view.state.label();
    let mut en = format!("{} {}", view.server, label.en);
    let mut zh = format!("{} {}", view.server, label.zh);
    if view.behind > 0 {
        en.push_str(&format!(", −{} behind", view.behind));
        zh.push_str(&format!("，落后 {} 个事务", view.behind));
    }
    let join = |names: Vec<String>, lang: Lang| names.join(if lang == Lang::En { ", " } else { "、" });
    if !view.clients.is_empty() {
        let names: Vec<String> = view.clients.iter().map(ClientId::to_string).collect();
        en.push_str(&format!(", serves {}", join(names.clone(), Lang::En)));
        zh.push_str(&format!("，服务 {}", join(names, Lang::Zh)));
    }
    if !view.cut_from.is_empty() {
        let names: Vec<String> = view.cut_from.iter().map(ServerId::to_string).collect();
        en.push_str(&format!(", cut from {}", join(names.clone(), Lang::En)));
        zh.push_str(&format!("，与 {} 断开", join(names, Lang::Zh)));
    }
    say(en, zh)
}

fn sentence(servers: &[ServerView], between: &[BetweenView], queue: &Text) -> Text {
    let mut en = String::new();
    let mut zh = String::new();
    for view in servers {
        let words = server_words(view);
        en.push_str(&format!("{}. ", words.en));
        zh.push_str(&format!("{}。", words.zh));
    }
    for way in between {
        let words = way_words(way);
        en.push_str(&format!("{}. ", words.en));
        zh.push_str(&format!("{}。", words.zh));
    }
    en.push_str(&format!("{}.", queue.en));
    zh.push_str(&format!("{}。", queue.zh));
    say(en, zh)
}

/// What is under way between two servers, in words.
pub fn way_words(way: &BetweenView) -> Text {
    let list = |lang: Lang, between| {
        way.messages.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
    };
    let (from, to) = (way.from, way.to);
    let stuck = if way.stuck { text(" (held up)", "（滞留）") } else { text("", "") };
    say(
        format!("{from} → {to}: {}{}", list(Lang::En, ", "), stuck.en),
        format!("{from} → {to}：{}{}", list(Lang::Zh, "、"), stuck.zh),
    )
}
