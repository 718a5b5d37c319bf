//! Messages on their way, and those that have just been lost.

use super::look::Look;
use super::words;
use crate::recipe::node_label;

use crate::teach::call_name;
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Event, Link, Packet, Sent};

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    ToServer,
    ToClient,
    ToLedger,
    FromLedger,
}

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Request,
    Reply,
    Event,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageView {
    /// Stays the same while the message is on its way.
    pub key: String,
    pub client: ClientId,
    pub column: u32,
    pub way: Way,
    pub kind: Kind,
    pub label: Text,
    /// How much of its way it has gone, in percent.
    pub percent: u32,
    /// How many messages of this link are ahead of it.
    pub behind: u32,
    /// The action that delivers it.
    pub action: Action,
    pub held: bool,
    pub due_in_ms: u64,
    /// It has been lost in this step: it is torn here, and will not arrive.
    pub lost: bool,
    /// It is a heartbeat, or the answer to one.
    pub beat: bool,
}

/// What a message says: its kind, its words, and whether it is a heartbeat.
type Item = (Kind, Text, bool);

/// The messages of one client: those on their way, and those that were lost in the last step.
pub fn messages(look: &Look<'_>, client: ClientId, column: u32) -> Vec<MessageView> {
    let Some(actor) = look.world.actor(client) else { return Vec::new() };
    let mut all = Vec::new();
    let mut link = |link: Link, way: Way, items: Vec<Item>| {
        let action = Action::Deliver(link);
        let held = look.scheduler.held().any(|held| held == action);
        let times = look.scheduler.occurrences(action);
        // Through a link that carries nothing they come no further than the break.
        let stuck = actor.stalled && matches!(way, Way::ToServer | Way::ToClient);
        let furthest = if stuck { 45 } else { 100 };
        let mut behind = 0;
        for ((kind, label, beat), (since_ms, due_ms)) in items.into_iter().zip(times) {
            if beat && !look.beats {
                continue;
            }
            let gone = look.now_ms.saturating_sub(since_ms);
            let whole = due_ms.saturating_sub(since_ms);
            let percent = (gone * 100).checked_div(whole).unwrap_or(100).min(furthest) as u32;
            let key = format!("{action}.{since_ms}.{}", label.en);
            let due_in_ms = due_ms.saturating_sub(look.now_ms);
            let (held, lost) = (held, false);
            all.push(MessageView {
                key,
                client,
                column,
                way,
                kind,
                label,
                percent,
                behind,
                action,
                held,
                due_in_ms,
                lost,
                beat,
            });
            behind += 1;
        }
    };
    link(Link::ToServer(client), Way::ToServer, actor.to_server.iter().map(sent).collect());
    link(Link::ToClient(client), Way::ToClient, actor.to_client.iter().map(packet).collect());
    let asked = actor.to_resource.iter().map(|r| (Kind::Request, words::resource_request(*r), false));
    link(Link::ToResource(client), Way::ToLedger, asked.collect());
    let answers = actor.from_resource.iter().map(|r| (Kind::Reply, words::resource_reply(*r), false));
    link(Link::FromResource(client), Way::FromLedger, answers.collect());
    let events = look.last.map_or(&[][..], |step| &step.events);
    all.extend(events.iter().filter_map(|event| torn(look, client, column, event)));
    all
}

/// What a client's library has sent, in a word.
pub fn sent(sent: &Sent) -> Item {
    match sent {
        Sent::Request(request) => (Kind::Request, Text::same(call_name(request)), false),
        Sent::Ping => (Kind::Request, Text::same("ping"), true),
        Sent::Connect(Some(_)) => (Kind::Request, text("reconnect", "重连"), false),
        Sent::Connect(None) => (Kind::Request, text("connect", "连接"), false),
        Sent::Close => (Kind::Request, text("close", "关闭"), false),
    }
}

/// What the server has sent, in a word.
pub fn packet(packet: &Packet) -> Item {
    match packet {
        Packet::Event(event) => (Kind::Event, Text::same(event.kind.name()), false),
        Packet::Reply { request, result, .. } => {
            (Kind::Reply, reply_label(call_name(request), result), false)
        }
        Packet::Pong => (Kind::Reply, Text::same("pong"), true),
        Packet::Connected { new: true, .. } => (Kind::Reply, text("new session", "新会话"), false),
        Packet::Connected { new: false, .. } => (Kind::Reply, text("connected", "已连上"), false),
        Packet::Expired => (Kind::Reply, text("Expired", "会话过期"), false),
        Packet::EndOfFile => (Kind::Reply, text("closed", "连接关闭"), false),
    }
}

/// The torn pill of what was lost in the last step.
fn torn(look: &Look<'_>, client: ClientId, column: u32, event: &Event) -> Option<MessageView> {
    let Event::LinkLost { link, messages } = event else { return None };
    if link.client() != client {
        return None;
    }
    let (way, kind) = match link {
        Link::ToServer(_) => (Way::ToServer, Kind::Request),
        _ => (Way::ToClient, Kind::Reply),
    };
    let name = look.past.lost_now(client, way == Way::ToServer, look.now_ms);
    let label = match (name, messages) {
        (Some(name), 1) => say(format!("{name} lost"), format!("{name} 丢失")),
        // A heartbeat is not worth a torn pill where heartbeats are not drawn.
        (None, 1) if !look.beats => return None,
        (_, 1) => text("lost", "丢失"),
        (_, n) => say(format!("{n} lost"), format!("{n} 条丢失")),
    };
    Some(MessageView {
        key: format!("torn.{}", Action::Deliver(*link)),
        client,
        column,
        way,
        kind,
        label,
        percent: 50,
        behind: 0,
        action: Action::Deliver(*link),
        held: false,
        due_in_ms: 0,
        lost: true,
        beat: false,
    })
}

fn reply_label(call: &str, result: &Result<crate::zookeeper::Reply, crate::zookeeper::ErrorCode>) -> Text {
    use crate::zookeeper::Reply;
    match result {
        Ok(Reply::Created { path }) => Text::same(node_label(path)),
        Ok(Reply::Children { children }) if children.len() == 1 => text("1 node", "1 个节点"),
        Ok(Reply::Children { children }) => {
            let n = children.len();
            say(format!("{n} nodes"), format!("{n} 个节点"))
        }
        Ok(_) => Text::same(format!("{call} ✓")),
        Err(error) => Text::same(error.name()),
    }
}

/// A message with the way it goes.
pub fn arrow(message: &MessageView) -> Text {
    let way = match message.way {
        Way::ToServer => Text::same("→ ZooKeeper"),
        Way::ToClient => Text::same("← ZooKeeper"),
        Way::ToLedger => text("→ ledger", "→ 账本"),
        Way::FromLedger => text("← ledger", "← 账本"),
    };
    if message.lost {
        return message.label.clone();
    }
    say(format!("{} {}", message.label.en, way.en), format!("{} {}", message.label.zh, way.zh))
}
