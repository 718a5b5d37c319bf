//! The table that says the same as the picture.

use super::past::open_since;
use super::stage::{Look, MessageView, tone};
use super::words;
use crate::recipe::{self, Step as At};
use crate::sorted::Listed;
use crate::teach::node_label;
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, LOCK_DIR};
use crate::zookeeper::WatchTable;

/// A row of the table that says the same as the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub client: ClientId,
    pub node: Text,
    pub believes: Text,
    pub server: Text,
    pub watches: Text,
    pub on_the_way: Text,
}

/// The row of one client.
pub fn row(look: &Look<'_>, client: ClientId, messages: &[MessageView]) -> Row {
    let past = look.past_of(client).cloned().unwrap_or_default();
    let step = look.world.actor(client).map_or(At::Idle, |actor| actor.client.step());
    let bubble = words::bubble(step, &past, tone(look, client), look.now_ms);
    let node = match &past.node {
        None => text("none yet", "还没有"),
        Some(node) if node.deleted => {
            let label = node_label(&node.path);
            say(format!("{label}, deleted"), format!("{label}，已删除"))
        }
        Some(node) => Text::same(node_label(&node.path)),
    };
    let owns = open_since(&past.truth).is_some();
    let server = if owns { text("holds the lock", "持有锁") } else { text("does not hold", "不持有") };
    let session = look.world.actor(client).map(|actor| actor.session);
    let watched = look.world.server().watchers().filter(|watch| Some(watch.session) == session);
    let watched: Vec<String> = watched
        .map(|watch| match watch.table {
            WatchTable::Data => node_label(&watch.path),
            WatchTable::Children => recipe::last_part(LOCK_DIR).to_string(),
        })
        .listed();
    let on_way: Vec<Text> = messages.iter().filter(|m| m.client == client).map(words::arrow).listed();
    let listed = |list: Vec<Text>| match list.is_empty() {
        true => text("nothing", "无"),
        false => {
            let join = |lang: Lang, between| {
                list.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
            };
            say(join(Lang::En, ", "), join(Lang::Zh, "、"))
        }
    };
    let or_none = |list: Vec<String>| match list.is_empty() {
        true => text("nothing", "无"),
        false => say(list.join(", "), list.join("、")),
    };
    Row {
        client,
        node,
        believes: bubble.whole,
        server,
        watches: or_none(watched),
        on_the_way: listed(on_way),
    }
}
