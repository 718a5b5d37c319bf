//! What an item of the picture is, in one line for those who hear it; and the classes and marks that
//! colour goes by.

use crate::app::scene::{ClientView, Hue, Lag, MessageView, NodeView, Tone, Way, duration};
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Process};

/// The class of a client's colour.
pub fn hue(client: ClientId) -> &'static str {
    Hue::of(client).class()
}

/// The class of a process.
pub fn process_class(process: Process) -> &'static str {
    match process {
        Process::Running => "running",
        Process::Paused => "paused",
        Process::Crashed => "crashed",
        Process::Closed => "closed",
    }
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
    let wrong = view.wrong_ms.map(|ms| wrong_words(ms, true));
    let reads = if view.reads { text(" reads", "（读）") } else { text("", "") };
    let (client, reads) = (view.client, reads.get(lang));
    match (lang, wrong) {
        (Lang::En, None) => format!("{client}{reads}: {one}, {two}"),
        (Lang::En, Some(ms)) => format!("{client}{reads}: {one}, {}, {two}", ms.en),
        (Lang::Zh, None) => format!("{client}{reads}：{one}，{two}"),
        (Lang::Zh, Some(ms)) => format!("{client}{reads}：{one}，{}，{two}", ms.zh),
    }
}

/// How long a client has been wrong; `whole` where there is room.
pub fn wrong_words(ms: u64, whole: bool) -> Text {
    let length = duration(ms);
    match (ms, whole) {
        (0, _) => text("wrong now", "此刻已错"),
        (_, true) => say(format!("wrong for {length}"), format!("错了 {length}")),
        (_, false) => say(format!("wrong {length}"), format!("错了 {length}")),
    }
}

/// What a node is, in one line.
pub fn node_label(view: &NodeView, lang: Lang) -> String {
    // In the order in which it is drawn, for those who say what they see.
    let (label, owner) = (&view.label, view.owner);
    let words = |text: Text| text.get(lang).to_string();
    let mut said = words(say(format!("node {label}"), format!("节点 {label}")));
    let mut add = |more: Text| said.push_str(more.get(lang));
    if let Some(lag) = view.lag {
        let shown = lag_words(lag);
        add(say(format!(", {} it still", shown.en), format!("，{}", shown.zh)));
    }
    match (view.deleted, view.expired) {
        (true, true) => add(text(", expired", "，会话过期")),
        (true, false) => add(text(", deleted", "，已删除")),
        (false, _) if view.left_over && !view.first => add(text(", left over", "，残留")),
        (false, _) => {
            if let Some(fuse) = view.fuse {
                let left = fuse.left_ms.div_ceil(1000);
                add(say(format!(", {left} s left"), format!("，{left} s 后过期")));
            }
        }
    }
    add(say(format!(", of {owner}"), format!("，属于 {owner}")));
    if view.first && view.left_over {
        add(text(", left over", "，残留"));
    }
    if view.first {
        add(text(", the key is on it", "，钥匙在这里"));
    }
    said
}

/// How a lagging server has a node, where there is no room for a sentence.
pub fn lag_words(lag: Lag) -> Text {
    match lag {
        Lag::StillOn(s) => say(format!("{s} has"), format!("{s} 仍在")),
        Lag::NotYetOn(s) => say(format!("{s} lacks"), format!("{s} 尚无")),
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
    if view.lost {
        return format!("{client}: {label}");
    }
    let held = if view.held { text(", held back", "，已扣住") } else { text("", "") };
    match lang {
        Lang::En => format!("{client}: {label} {}, {} %{}", way.en, view.percent, held.en),
        Lang::Zh => format!("{client}：{label} {}，已走 {}%{}", way.zh, view.percent, held.zh),
    }
}
