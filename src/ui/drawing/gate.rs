//! The guarded resource in the wide picture: the bar of its gate, the highest token, the stock, and the
//! cards of what came to it.

use super::geometry::*;
use super::labels::hue;
use super::target::{Hand, target};
use crate::app::scene::{Fate, LedgerEntry, LedgerView, Pick};

use crate::teach::token_label;
use crate::text::{Lang, text};
use crate::ui::controls::tr;
use crate::ui::el::{El, div, el};

/// A card of the ledger with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub entry: LedgerEntry,
    pub place: Rect,
    pub text: Fitted,
}

/// The gate and the ledger worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct GateBox {
    pub view: LedgerView,
    /// What the gate checks.
    pub name: Fitted,
    /// Where the highest token is kept.
    pub kept: Option<Fitted>,
    /// What is wrong, or how many orders were accepted.
    pub orders: Fitted,
    pub cards: Vec<Card>,
}

/// The room for the highest token and for the stock, from the left.
const NUMBER_W: f32 = 122.0;
const LEFT: f32 = 16.0;
const CARD_H: f32 = 26.0;

impl GateBox {
    /// Its words, for those who check that they fit.
    pub fn words(&self) -> Vec<Fitted> {
        [&self.name, &self.orders].into_iter().chain(&self.kept).cloned().collect()
    }
}

/// Works the gate out.
pub fn gate_box(frame: &Frame, view: &LedgerView, lang: Lang) -> GateBox {
    let room = NUMBER_W - 6.0;
    let orders = match (&view.harm, view.orders) {
        (Some(harm), _) => harm.get(lang).to_string(),
        (None, 1) => text("1 order", "1 个订单").get(lang).to_string(),
        (None, n) => match lang {
            Lang::En => format!("{n} orders"),
            Lang::Zh => format!("{n} 个订单"),
        },
    };
    GateBox {
        name: fit(view.gate.words().get(lang), TEXT, 2.0 * NUMBER_W + 2.0),
        kept: view.gate.kept().filter(|_| view.highest.is_some()).map(|kept| fit(kept.get(lang), TEXT, room)),
        orders: fit(orders, TEXT, room),
        cards: cards(frame, &view.entries, lang),
        view: view.clone(),
    }
}

fn cards(frame: &Frame, entries: &[LedgerEntry], lang: Lang) -> Vec<Card> {
    let left = LEFT + 2.0 * NUMBER_W + 8.0;
    let w = (frame.width - left - 8.0).min(300.0);
    let place = |at: usize| {
        let y = frame.ledger_top + GATE_H + 5.0 + (CARD_H + 2.0) * at as f32;
        Rect { x: tenth(left + w / 2.0), y: tenth(y), w: tenth(w), h: CARD_H }
    };
    let card = |(at, entry): (usize, &LedgerEntry)| Card {
        entry: entry.clone(),
        place: place(at),
        text: fit(entry.text.get(lang), TEXT, w - 60.0),
    };
    entries.iter().enumerate().map(card).collect()
}

/// Draws the gate and the ledger.
pub fn gate(gate: &GateBox, frame: &Frame, hand: Hand) -> [El; 2] {
    let (lang, view) = (hand.lang, &gate.view);
    let (width, top) = (frame.width - 2.0, frame.ledger_top);
    let say = |en, zh| tr(lang, text(en, zh));
    let title = say("stock", "库存");
    let harmed = view.harm.is_some();
    // In the order in which it is drawn.
    let mut label = vec![say("ledger", "账本").into_owned(), gate.name.text.clone()];
    if let Some(highest) = view.highest {
        label.push(format!("{} {}", say("highest", "最大令牌"), token_label(highest)));
        label.extend(gate.kept.as_ref().map(|kept| kept.text.clone()));
    }
    label.push(format!("{title} {}", minus(view.stock)));
    if view.stored != view.stock {
        label.push(minus(view.stored));
    }
    label.push(gate.orders.text.clone());
    let label = label.join(", ");
    let stock_x = LEFT + NUMBER_W;
    let at = |class: &'static str, x: f32, y: f32| div("text", class).num("x", x).num("y", y);
    let number = |class: &'static str, x: f32, n: i64| at(class, x, GATE_H + 70.0).text(minus(n));
    let highest = view.highest.map(|n| at("stock highest", LEFT, GATE_H + 70.0).text(token_label(n)));
    // What hides the harm is struck through.
    let stored = (view.stored != view.stock).then(|| {
        let x = stock_x + width_of(&minus(view.stock), 30.0) + 12.0;
        at("stored", x, GATE_H + 70.0).text(view.stored.to_string())
    });
    let stock = number(if harmed { "stock harmed" } else { "stock" }, stock_x, view.stock);
    let place = target(hand, "ledger".to_string(), label, (0.0, top), Pick::Ledger)
        .kid(rect("plate", 1.0, GATE_H, width, LEDGER_H - GATE_H - 2.0, 10.0))
        .kid(rect("focus", 3.0, GATE_H + 2.0, width - 4.0, LEDGER_H - GATE_H - 6.0, 9.0))
        .kids(bars(view.gate.is_shut(), width))
        .kid(squeezed(at("gate-name", LEFT, GATE_H + 21.0), &gate.name))
        .maybe(view.highest.map(|_| at("ledger-name", LEFT, GATE_H + 42.0).text(say("highest", "最大令牌"))))
        .maybe(highest)
        .maybe(gate.kept.as_ref().map(|kept| squeezed(at("ledger-name", LEFT, GATE_H + 88.0), kept)))
        .kid(at("ledger-name", stock_x, GATE_H + 42.0).text(title))
        .kid(stock.flag("data-stock", true))
        .maybe(stored)
        .kid(squeezed(
            at(if harmed { "harm-word" } else { "ledger-name" }, stock_x, GATE_H + 88.0),
            &gate.orders,
        ));
    [place.spaced(), div("g", "cards").kids(gate.cards.iter().map(card))]
}

/// A number with a minus sign that is as wide as a digit.
pub fn minus(n: i64) -> String {
    if n < 0 { format!("−{}", n.unsigned_abs()) } else { n.to_string() }
}

/// The gate itself: a bar from side to side, or two stubs with nothing between.
fn bars(shut: bool, width: f32) -> Vec<El> {
    let bar = |class, x, w| rect(class, x, 0.0, w, GATE_H - 2.0, 4.0);
    match shut {
        true => vec![bar("gate-bar shut", 1.0, width)],
        false => vec![bar("gate-bar", 1.0, width * 0.24), bar("gate-bar", 1.0 + width * 0.76, width * 0.24)],
    }
}

fn rect(class: &'static str, x: f32, y: f32, w: f32, h: f32, rx: f32) -> El {
    let rect = div("rect", class).num("x", x).num("y", y).num("width", w).num("height", h);
    if rx > 0.0 { rect.num("rx", rx) } else { rect }
}

fn squeezed(line: El, fitted: &Fitted) -> El {
    let line = line.text(fitted.text.clone());
    match fitted.squeeze {
        Some(length) => line.num("textLength", length).attr("lengthAdjust", "spacingAndGlyphs"),
        None => line,
    }
}

/// The sign of what became of a request.
pub fn fate_sign(entry: &LedgerEntry) -> &'static str {
    match entry.fate {
        _ if entry.harm => "✗",
        Fate::Taken => "✓",
        Fate::Stale => "!",
        Fate::Refused => "⊘",
    }
}

/// The class of a card.
pub fn card_class(entry: &LedgerEntry) -> &'static str {
    match entry.fate {
        _ if entry.harm => " harm",
        Fate::Taken => "",
        Fate::Stale => " stale",
        Fate::Refused => " refused",
    }
}

fn card(card: &Card) -> El {
    let (place, entry) = (card.place, &card.entry);
    let class =
        format!("card {}{}{}", hue(entry.client), card_class(entry), if entry.fresh { " fresh" } else { "" });
    let disc = el("circle").num("cx", place.left() + 15.0).num("cy", place.y + 13.0).num("r", 10.0);
    let text_at =
        |class: &'static str, x: f32| div("text", class).num("x", place.left() + x).num("y", place.y + 18.0);
    div("g", class)
        .key(format!("card {}.{}", entry.client, entry.at_ms))
        .kid(rect("plate-card", place.left(), place.y, place.w, place.h, 8.0))
        .kid(disc)
        .kid(text_at("card-letter", 15.0).text(entry.client.to_string()))
        .kid(squeezed(text_at("card-text", 32.0), &card.text))
        .kid(text_at("card-mark", place.w - 14.0).text(fate_sign(entry)))
}
