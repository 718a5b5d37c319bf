//! The inspector card, and the hand: deliver now, hold back, let go.

use super::controls::{quiet, tr};
use super::el::{El, div, el};
use crate::app::{Inspector, Msg, NextAction};
use crate::play::Chosen;
use crate::text::{Lang, Text, say, text};
use crate::world::Action;

/// What the reader pointed at.
pub fn inspector_card(lang: Lang, inspector: Inspector) -> El {
    let Inspector { title, lane, facts, watches, next, faults } = inspector;
    let number = lane + 1;
    let title = say(format!("{} in lane {number}", title.en), format!("方案 {number}：{}", title.zh));
    let facts = facts
        .into_iter()
        .flat_map(|fact| [el("dt").text(tr(lang, fact.label)), el("dd").text(tr(lang, fact.value))]);
    let tables = watches.map(|(own, server)| {
        div("div", "tables")
            .kid(watch_table(lang, "its own table of watches", "客户端的 Watch 表", own))
            .kid(watch_table(lang, "the server's, for it", "服务器上属于它的", server))
    });
    let none = next.is_empty().then(|| {
        div("p", "small").text(tr(lang, text("Nothing: it waits for others.", "没有：它在等别人。")))
    });
    let close = quiet(lang, "close", text("Close the inspector", "关闭检视"), Msg::Pick(None));
    div("section", "card inspector")
        .attr("data-card", "inspector")
        .attr("aria-label", tr(lang, text("Inspector", "检视")))
        .kid(el("h3").kid(el("span").text(tr(lang, title))).kid(close.flag("data-close-inspector", true)))
        .kid(el("h4").text(tr(lang, text("What could happen next", "接下来可能发生"))))
        .maybe(none)
        .kid(div("ul", "hands").kids(next.into_iter().map(|next| hand(lang, lane, next))))
        .maybe(fault_list(lang, lane, faults))
        .kid(div("dl", "facts").kids(facts))
        .maybe(tables)
}

/// What could go wrong here, as buttons.
fn fault_list(lang: Lang, lane: usize, faults: Vec<(Action, Text)>) -> Option<El> {
    if faults.is_empty() {
        return None;
    }
    let buttons = faults.into_iter().map(|(action, label)| {
        let name = action.to_string();
        let button = div("button", "small-button")
            .attr("data-fault", name.clone())
            .text(tr(lang, label))
            .sends(Msg::Choose { lane, what: Chosen::Take(action) });
        el("li").key(name).kid(button)
    });
    let title = el("h4").text(tr(lang, text("Inject a fault, or repair it", "制造故障，或者恢复")));
    Some(el("div").kid(title).kid(div("ul", "fault-list").kids(buttons)))
}

fn watch_table(lang: Lang, en: &'static str, zh: &'static str, items: Vec<String>) -> El {
    let list = match items.is_empty() {
        true => el("ul").kid(el("li").text(tr(lang, text("none", "无")))),
        false => el("ul").kids(items.into_iter().map(|item| el("li").text(item))),
    };
    el("div").kid(el("h4").text(tr(lang, text(en, zh)))).kid(list)
}

fn hand(lang: Lang, lane: usize, next: NextAction) -> El {
    let NextAction { action, label, due, held } = next;
    let button = |name: &'static str, label, what| {
        div("button", "small-button").flag(name, true).text(tr(lang, label)).sends(Msg::Choose { lane, what })
    };
    let hold = match held {
        true => button("data-let-go", text("let go", "放行"), Chosen::LetGo(action)),
        false => button("data-hold", text("hold back", "扣住"), Chosen::Hold(action)),
    };
    let name =
        div("span", "hand-name").kid(el("b").text(tr(lang, label))).kid(el("small").text(tr(lang, due)));
    el("li")
        .key(action.to_string())
        .attr("data-action", action.to_string())
        .kid(name)
        .kid(button("data-take", text("do it now", "立刻执行"), Chosen::Take(action)))
        .kid(hold)
}
