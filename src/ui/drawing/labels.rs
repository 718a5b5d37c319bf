//! What an item of the picture is, in one line for those who hear it; and the classes and marks that
//! colour goes by.

use crate::app::scene::{ClientView, Hue, MessageView, NodeView, Tone, Way, duration};
use crate::text::{Lang, Text, text};
use crate::world::ClientId;

/// The class of a client's colour.
pub fn hue(client: ClientId) -> &'static str {
    Hue::of(client).class()
}

/// The class of a tone.
pub fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Holds => "holds",
        Tone::Wrong => "wrong",
        Tone::Vain => "vain",
        Tone::Stuck => "stuck",
        Tone::Away => "away",
    }
}

/// The mark of a tone, so that colour never speaks alone.
pub fn tone_mark(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Wrong => Some("✗"),
        Tone::Vain => Some("▲"),
        Tone::Stuck => Some("∞"),
        Tone::Plain | Tone::Holds | Tone::Away => None,
    }
}

/// What a client is and believes, in one line.
pub fn client_label(view: &ClientView, lang: Lang) -> String {
    let (one, two) = (view.line1.get(lang), view.line2.get(lang));
    let wrong = view.wrong_ms.map(duration);
    match (lang, wrong) {
        (Lang::En, None) => format!("{}: {one}, {two}", view.client),
        (Lang::En, Some(ms)) => format!("{}: {one}, wrong for {ms}, {two}", view.client),
        (Lang::Zh, None) => format!("{}：{one}，{two}", view.client),
        (Lang::Zh, Some(ms)) => format!("{}：{one}，错了 {ms}，{two}", view.client),
    }
}

/// What a node is, in one line.
pub fn node_label(view: &NodeView, lang: Lang) -> String {
    // In the order in which it is drawn, for those who say what they see.
    let (label, owner) = (&view.label, view.owner);
    match (lang, view.deleted, view.first) {
        (Lang::En, true, _) => format!("node {label}, deleted, of {owner}"),
        (Lang::En, false, true) => format!("node {label} of {owner}, the key is on it"),
        (Lang::En, false, false) => format!("node {label} of {owner}"),
        (Lang::Zh, true, _) => format!("节点 {label}，已删除，属于 {owner}"),
        (Lang::Zh, false, true) => format!("{owner} 的节点 {label}，钥匙在这里"),
        (Lang::Zh, false, false) => format!("{owner} 的节点 {label}"),
    }
}

/// What a message is and how far it has come, in one line.
pub fn message_label(view: &MessageView, lang: Lang) -> String {
    let (label, client) = (view.label.get(lang), view.client);
    let way: Text = match view.way {
        Way::ToServer => text("to ZooKeeper", "发往 ZooKeeper"),
        Way::ToClient => text("from ZooKeeper", "来自 ZooKeeper"),
        Way::ToLedger => text("to the ledger", "发往账本"),
        Way::FromLedger => text("from the ledger", "来自账本"),
    };
    let held = if view.held { text(", held back", "，已扣住") } else { text("", "") };
    match lang {
        Lang::En => format!("{client}: {label} {}, {} %{}", way.en, view.percent, held.en),
        Lang::Zh => format!("{client}：{label} {}，已走 {}%{}", way.zh, view.percent, held.zh),
    }
}
