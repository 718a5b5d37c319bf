//! The table that says the same as the picture.

use super::bubble::bubble;
use super::client::{client_knows, server_knows, why_it_waits};
use super::look::Look;
use super::message::{MessageView, arrow};
use super::taken::Fate;
use super::tone::tone;
use super::words;
use crate::recipe;
use crate::recipe::node_label;

use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Contact, LOCK_DIR};
use crate::zookeeper::WatchTable;

/// A row of the table that says the same as the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub client: ClientId,
    /// The server that it is connected to, where there are several.
    pub at: Option<Text>,
    pub node: Text,
    pub believes: Text,
    /// Why it waits, if it does.
    pub why: Option<Text>,
    pub server: Text,
    /// What the client's library knows of the connection, and what the server knows of the session.
    pub contact: Text,
    /// What the resource last took of it.
    pub taken: Text,
    pub watches: Text,
    pub on_the_way: Text,
}

/// The row of one client.
pub fn row(look: &Look<'_>, client: ClientId, messages: &[MessageView]) -> Row {
    let past = look.past_of(client).cloned().unwrap_or_default();
    let actor = look.world.actor(client);
    let bubble = bubble(actor, &past, tone(look, client), look.now_ms);
    let node = match &past.node {
        None => text("none yet", "还没有"),
        Some(node) if node.deleted => {
            let label = node_label(&node.path);
            say(format!("{label}, deleted"), format!("{label}，已删除"))
        }
        Some(node) => Text::same(node_label(&node.path)),
    };
    let owns = look.past.holders.holds_since(client).is_some();
    let server = if owns { text("holds the lock", "持有锁") } else { text("does not hold", "不持有") };
    let session = actor.and_then(|actor| actor.session);
    let watched = look.world.watchers().filter(|watch| Some(watch.session) == session);
    let watched: Vec<String> = watched
        .map(|watch| match watch.table {
            WatchTable::Data => node_label(&watch.path),
            WatchTable::Children => recipe::last_part(LOCK_DIR).to_string(),
        })
        .collect();
    let on_way: Vec<Text> = messages.iter().filter(|m| m.client == client).map(arrow).collect();
    let listed = |list: Vec<Text>| match list.is_empty() {
        true => none(),
        false => {
            let join = |lang: Lang, between| {
                list.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
            };
            say(join(Lang::En, ", "), join(Lang::Zh, "、"))
        }
    };
    let or_none = |list: Vec<String>| match list.is_empty() {
        true => none(),
        false => say(list.join(", "), list.join("、")),
    };
    let contact = actor.map_or_else(none, |actor| {
        let (knows, holds) = (client_knows(actor), server_knows(look, client, actor));
        say(format!("{}; server: {}", knows.en, holds.en), format!("{}；服务器：{}", knows.zh, holds.zh))
    });
    let card = look.past.ledger.marks.iter().rev().find(|mark| mark.client == client);
    let taken = card.map_or_else(none, |mark| {
        let at = words::duration(mark.at_ms);
        let word = fate_word(mark.fate);
        say(format!("{} at {at}", word.en), format!("{at} {}", word.zh))
    });
    let at = actor.and_then(|actor| {
        let server = look.world.server_of(client)?;
        Some(match actor.contact {
            Contact::Connected => Text::same(server.to_string()),
            Contact::Connecting => say(format!("asks {server}"), format!("正在连接 {server}")),
            Contact::Disconnected | Contact::Expired | Contact::Closed => {
                say(format!("none; before: {server}"), format!("无；之前：{server}"))
            }
        })
    });
    Row {
        client,
        at,
        node,
        believes: bubble.whole,
        why: why_it_waits(look, client),
        server,
        contact,
        taken,
        watches: or_none(watched),
        on_the_way: listed(on_way),
    }
}

fn none() -> Text {
    text("nothing", "无")
}

/// What became of a request, in a word.
pub fn fate_word(fate: Fate) -> Text {
    match fate {
        Fate::Taken => text("taken ✓", "已接受 ✓"),
        Fate::Stale => text("taken though late !", "迟到仍接受 !"),
        Fate::Refused => text("refused ⊘", "拒绝 ⊘"),
    }
}
