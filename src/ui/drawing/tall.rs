//! The tall stage: the queue from top to bottom, a row a client, for narrow screens.

use super::dots::dots;
use super::gate::{card_class, fate_sign, minus};
use super::icons::{bell, key, pause};
use super::labels::{
    client_label, hue, lag_words, message_label, node_label, process_class, tone_class, tone_mark,
    wrong_words,
};
use super::target::Hand;
use super::watches::rail;
use crate::app::scene::{ClientView, Kind, LedgerEntry, LedgerView, MessageView, NodeView, Pick, Stage, Way};
use crate::teach::token_label;
use crate::text::{Lang, say, text};
use crate::ui::controls::{sign, tr};
use crate::ui::el::{El, div, el};
use crate::world::Process;

/// The stage of one lane as rows of at least 44 px.
pub fn tall_stage(stage: &Stage, hand: Hand) -> El {
    let on_dir = stage.watches.iter().filter(|watch| watch.to.is_none()).count();
    let mut server = button(hand, "tall-server", Pick::Server).kid(div("span", "dir").text(stage.dir));
    if on_dir > 0 {
        server = server.kid(icon("bell")).kid(el("span").text(on_dir.to_string()));
    }
    let server = server.kid(div("span", "server-name").text("ZooKeeper"));
    let rows =
        (0..stage.columns).map(|column| match stage.clients.iter().find(|client| client.column == column) {
            Some(client) => row(stage, hand, client),
            None => left_over(stage, hand, column),
        });
    div("div", "tall")
        .kid(server)
        .kid(div("div", "tall-queue").kid(rail(stage)).kid(el("ol").kids(rows)))
        .kid(ledger_row(&stage.ledger, hand))
        .maybe(dots(stage, hand.lang))
}

/// A button where something can be picked; the same without the button elsewhere.
fn button(hand: Hand, class: impl Into<crate::ui::Str>, pick: Pick) -> El {
    let tag = if hand.lane.is_some() { "button" } else { "div" };
    hand.picks(div(tag, class), pick)
}

/// What can be picked has a name that says it all; elsewhere the words speak for themselves.
fn named(hand: Hand, el: El, label: impl FnOnce() -> String) -> El {
    if hand.lane.is_some() { el.attr("aria-label", label()).spaced() } else { el }
}

/// A small mark in a line of text.
fn icon(shape: &'static str) -> El {
    let (view_box, mark) = match shape {
        "key" => ("-14 -9 30 18", key()),
        "pause" => ("-8 -8 16 16", pause()),
        _ => ("-9 -1 18 18", bell()),
    };
    div("svg", format!("icon icon-{shape}")).attr("viewBox", view_box).attr("aria-hidden", "true").kid(mark)
}

fn row(stage: &Stage, hand: Hand, view: &ClientView) -> El {
    let client = view.client;
    let chosen = hand.selected == Some(client);
    let node = match stage.nodes.iter().find(|node| node.column == view.column) {
        Some(node) => node_button(node, hand),
        None => div("span", "tall-node none").attr("aria-hidden", "true").text("–"),
    };
    let messages = stage.messages.iter().filter(|message| message.client == client);
    let class = format!(
        "tall-row {} {} {}{}",
        hue(client),
        tone_class(view.tone),
        process_class(view.process),
        if chosen { " chosen" } else { "" }
    );
    let face = button(hand, "tall-client", Pick::Client(client))
        .kid(div("span", "tall-letter").text(client.to_string()).maybe(process_mark(view)))
        .kid(words(view, hand.lang));
    let face = named(hand, face, || client_label(view, hand.lang));
    let face = if hand.lane.is_some() { face.aria("aria-pressed", chosen) } else { face };
    div("li", class)
        .key(client.to_string())
        .attr("data-client", client.to_string())
        .attr("data-step", view.step)
        .kid(node.key("node"))
        .kid(face)
        .kid(div("span", "tall-messages").kids(messages.map(|message| chip(message, hand))))
}

/// A node that was left over, alone in its row.
fn left_over(stage: &Stage, hand: Hand, column: u32) -> El {
    let node = stage.nodes.iter().find(|node| node.column == column);
    let owner = node.map_or("tall-row", |node| match hue(node.owner) {
        "hue-a" => "tall-row hue-a",
        "hue-b" => "tall-row hue-b",
        "hue-c" => "tall-row hue-c",
        _ => "tall-row hue-x",
    });
    let words = node.map(|node| {
        let owner = node.owner;
        let words = say(format!("left over by {owner}"), format!("{owner} 的残留"));
        div("span", "tall-words").text(tr(hand.lang, words))
    });
    div("li", owner)
        .key(format!("left {column}"))
        .maybe(node.map(|node| node_button(node, hand)))
        .maybe(words)
}

fn node_button(node: &NodeView, hand: Hand) -> El {
    let class = if node.deleted { "tall-node gone" } else { "tall-node there" };
    let word = if node.expired { text("expired", "过期") } else { text("deleted", "已删除") };
    let word = node.lag.map_or(word, lag_words);
    let says = node.deleted || (node.lag.is_some() && !node.first);
    let gone = says.then(|| div("span", "gone-word").text(tr(hand.lang, word)));
    let fuse = node.fuse.map(|fuse| {
        let left = fuse.left_ms.div_ceil(1000);
        let low = if fuse.percent <= 34 { "tall-fuse low" } else { "tall-fuse" };
        div("span", low).attr("--left", format!("{}%", fuse.percent)).text(format!("{left} s"))
    });
    let face = button(hand, class, Pick::Node(node.path.clone()))
        .kid(div("span", "number").text(short_number(&node.label)))
        .maybe(gone)
        .maybe(
            (node.first || node.fuse.is_some())
                .then(|| div("span", "tall-key").maybe(node.first.then(|| icon("key"))).maybe(fuse)),
        );
    named(hand, face, || node_label(node, hand.lang))
}

/// What became of the process, beside the letter.
fn process_mark(view: &ClientView) -> Option<El> {
    match view.process {
        Process::Running if view.stalled => Some(sign("≠")),
        Process::Running => None,
        Process::Paused => Some(sign("‖")),
        Process::Crashed => Some(sign("✝")),
        Process::Closed => Some(sign("–")),
    }
    .map(|mark| div("span", "tall-state").attr("aria-hidden", "true").kid(mark))
}

/// A number that is too long for its box: how it ends.
fn short_number(label: &str) -> String {
    let digits = label.chars().count();
    match digits {
        0..=7 => label.to_string(),
        _ => format!("…{}", label.chars().skip(digits - 4).collect::<String>()),
    }
}

fn words(view: &ClientView, lang: Lang) -> El {
    let mut first = div("span", "first");
    if let Some(mark) = tone_mark(view.tone) {
        first = first.kid(div("span", "mark").text(mark)).text(" ");
    }
    let second = view.wrong_ms.map_or_else(|| view.line2.clone(), |ms| wrong_words(ms, false));
    div("span", "tall-words")
        .kid(first.text(tr(lang, view.line1.clone())))
        .kid(div("span", "second").text(tr(lang, second)))
        .spaced()
}

fn chip(message: &MessageView, hand: Hand) -> El {
    let kind = match message.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    let away = match message.way {
        Way::ToServer | Way::ToLedger => "→ ",
        // Its outline says that it is an answer.
        Way::ToClient | Way::FromLedger => "",
    };
    // The token is on the card.
    let label = message.label.get(hand.lang);
    let label = label.split(" · ").next().unwrap_or(label);
    // The bell says that it is about a node.
    let label = label.strip_prefix("Node").filter(|_| message.kind == Kind::Event).unwrap_or(label);
    if message.lost {
        let face = div("span", "chip-face torn").text(tr(hand.lang, message.label.clone()));
        return div("span", "chip").key(message.key.clone()).flag("data-torn", true).kid(face);
    }
    let face = div("span", "chip-face")
        .maybe((message.kind == Kind::Event).then(|| icon("bell")))
        .maybe(message.held.then(|| icon("pause")))
        .kid(div("span", "chip-text").text(match message.kind {
            // The bell says which way it goes.
            Kind::Event => label.to_string(),
            Kind::Request | Kind::Reply => format!("{away}{label}"),
        }));
    let chip = button(hand, format!("chip {kind}"), Pick::Link(message.action)).kid(face);
    // What is to be seen has to be a word of the name as well (WCAG 2.5.3).
    let name = || match message.kind {
        Kind::Event => message_label(message, hand.lang).replace("Node", "Node "),
        Kind::Request | Kind::Reply => message_label(message, hand.lang),
    };
    named(hand, chip, name).key(message.key.clone()).attr("data-message", message.action.to_string())
}

fn ledger_row(ledger: &LedgerView, hand: Hand) -> El {
    let lang = hand.lang;
    let harmed = ledger.harm.is_some();
    let entry = |entry: &LedgerEntry| {
        let class = format!("tall-entry {}{}", hue(entry.client), card_class(entry));
        div("span", class)
            .kid(el("b").text(entry.client.to_string()))
            .text(tr(lang, entry.text.clone()))
            .kid(sign(format!(" {}", fate_sign(entry))))
    };
    let stock = div("span", if harmed { "stock harmed" } else { "stock" })
        .text(format!("{} ", tr(lang, text("stock", "库存"))))
        .kid(el("span").flag("data-stock", true).text(minus(ledger.stock)));
    let highest = ledger.highest.map(token_label).map(|n| {
        let words = say(format!("highest {n}"), format!("最大 {n}"));
        div("span", "stock").text(tr(lang, words))
    });
    let kept = ledger
        .gate
        .kept()
        .filter(|_| ledger.highest.is_some())
        .map(|kept| div("span", "ledger-name").text(tr(lang, kept)));
    let harm = ledger.harm.clone().map(|harm| div("span", "harm-word").text(tr(lang, harm)));
    let name = div("span", "ledger-name").text(tr(lang, ledger.gate.words()));
    let class = match (ledger.gate.is_shut(), ledger.highest) {
        (true, Some(_)) => "tall-ledger shut tokens",
        (true, None) => "tall-ledger shut",
        (false, _) => "tall-ledger",
    };
    button(hand, class, Pick::Ledger)
        .kid(el("span").kid(name).maybe(highest).maybe(kept).kid(stock).maybe(harm).spaced())
        .kid(div("span", "tall-entries").kids(ledger.entries.iter().rev().take(3).map(entry)))
}
