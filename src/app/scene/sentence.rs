//! The picture in sentences, for people who cannot see it.

use super::client::ClientView;
use super::gate::LedgerView;
use super::message::{MessageView, arrow};
use super::nodes::NodeView;
use super::tone::Tone;
use super::watches::{WatchState, WatchView};
use super::words::duration;
use crate::recipe::node_label;
use crate::teach::token_label;
use crate::text::{Lang, Text, say, text};

/// The whole picture in sentences.
pub fn sentence(
    nodes: &[NodeView],
    clients: &[ClientView],
    watches: &[WatchView],
    messages: &[MessageView],
    ledger: &LedgerView,
    of: usize,
) -> Text {
    let mut en = Vec::new();
    let mut zh = Vec::new();
    if of > clients.len() {
        en.push(format!("{} of {of} clients are drawn.", clients.len()));
        zh.push(format!("画出了 {of} 个客户端中的 {} 个。", clients.len()));
    }
    let alive: Vec<&NodeView> = nodes.iter().filter(|node| !node.deleted).collect();
    match alive.first() {
        None => {
            en.push("The queue is empty.".to_string());
            zh.push("队列是空的。".to_string());
        }
        Some(_) => {
            let list: Vec<Text> = alive.iter().map(|node| in_queue(node)).collect();
            let list = |lang: Lang, between| {
                list.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
            };
            en.push(format!("Queue: {}.", list(Lang::En, ", ")));
            zh.push(format!("队列：{}。", list(Lang::Zh, "、")));
        }
    }
    for client in clients.iter().filter(|client| client.tone != Tone::Away || client.contact.is_some()) {
        en.push(format!("{}: {}.", client.client, client.whole.en));
        zh.push(format!("{}：{}。", client.client, client.whole.zh));
        if let Some(contact) = &client.contact {
            en.push(format!("{}.", contact.en));
            zh.push(format!("{}。", contact.zh));
        }
        if let Some(why) = &client.why {
            en.push(why.en.to_string());
            zh.push(why.zh.to_string());
        }
    }
    for watch in watches {
        let (client, on) = (watch.client, node_label(&watch.on));
        match watch.state {
            WatchState::Armed => {
                en.push(format!("{client} watches {on}."));
                zh.push(format!("{client} 监听 {on}。"));
            }
            WatchState::Fired => {
                en.push(format!("{client}'s watch on {on} has just fired."));
                zh.push(format!("{client} 在 {on} 上的 Watch 刚刚触发。"));
            }
            WatchState::OnMissing => {
                en.push(format!("{client} watches {on}, which does not exist."));
                zh.push(format!("{client} 监听着并不存在的 {on}。"));
            }
        }
    }
    let (held, lost): (Vec<&MessageView>, Vec<&MessageView>) = messages.iter().partition(|m| !m.lost);
    for (messages, (on_en, on_zh)) in [(held, ("On the way", "途中")), (lost, ("Torn", "途中丢失"))] {
        if messages.is_empty() {
            continue;
        }
        let list = |lang: Lang, between| {
            let one = |m: &&MessageView| format!("{} {}", m.client, arrow(m).get(lang));
            messages.iter().map(one).collect::<Vec<_>>().join(between)
        };
        en.push(format!("{on_en}: {}.", list(Lang::En, ", ")));
        zh.push(format!("{on_zh}：{}。", list(Lang::Zh, "、")));
    }
    let told = gate_sentence(ledger);
    en.push(told.en.to_string());
    zh.push(told.zh.to_string());
    say(en.join(" "), zh.join(""))
}

/// A node in the list of the queue: whose it is, and how long it still lives where that matters.
fn in_queue(node: &NodeView) -> Text {
    let owner = match node.left_over {
        true => say(format!("{}'s, left over", node.owner), format!("{} 的残留", node.owner)),
        false => Text::same(node.owner.to_string()),
    };
    let left = node.fuse.map(|fuse| duration(fuse.left_ms));
    let left = left.map_or(text("", ""), |left| say(format!(", {left} left"), format!("，剩 {left}")));
    say(
        format!("{} ({}{})", node.label, owner.en, left.en),
        format!("{}（{}{}）", node.label, owner.zh, left.zh),
    )
}

/// The gate, the stock and the newest cards in sentences.
fn gate_sentence(ledger: &LedgerView) -> Text {
    let mut en = format!("Stock: {}.", ledger.stock);
    let mut zh = format!("库存：{}。", ledger.stock);
    let mut add = |more: Text| {
        en.push_str(&format!(" {}.", more.en));
        zh.push_str(&format!("{}。", more.zh));
    };
    if ledger.stored != ledger.stock {
        let stored = ledger.stored;
        add(say(format!("The ledger says {stored}"), format!("账本上写着 {stored}")));
    }
    if let Some(harm) = &ledger.harm {
        add(harm.clone());
    }
    if ledger.gate.is_shut() {
        add(ledger.gate.words());
    }
    if let (Some(highest), Some(kept)) = (ledger.highest.map(token_label), ledger.gate.kept()) {
        add(say(format!("Highest token {highest}, {}", kept.en), format!("最大令牌 {highest}，{}", kept.zh)));
    }
    for entry in &ledger.entries {
        let (client, words) = (entry.client, &entry.text);
        add(say(format!("{client}: {}", words.en), format!("{client}：{}", words.zh)));
    }
    say(en, zh)
}
