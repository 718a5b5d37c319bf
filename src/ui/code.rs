//! The pseudo-code card: the control panel.

use super::controls::{icon, slot_select, tr};
use super::el::{El, div, el};
use crate::app::scene::CodePart;
use crate::app::{LabScene, Msg};
use crate::text::{Lang, say, text};

/// The pseudo-code of the client that the page is about.
pub fn code_card(lang: Lang, lab: &LabScene, foldable: bool) -> El {
    let (client, lane) = (lab.code_client, lab.focus + 1);
    let title =
        say(format!("{client} in lane {lane}, line by line"), format!("方案 {lane} 里的 {client}，逐行"));
    let open = lab.code.is_some();
    let lines = lab.code.as_ref().map(|code| {
        let lines = code.lines.iter().map(|line| {
            let indent = "  ".repeat(line.indent.into());
            let parts = line.parts.iter().map(|part| match part {
                CodePart::Code(code) => el("span").text(*code),
                CodePart::Slot(slot) => slot_select(lang, lab.focus, slot, false),
            });
            div("li", "code-line")
                .flag("data-lit", line.lit)
                .opt("aria-current", line.lit.then_some("step".into()))
                .text(indent)
                .kids(parts)
        });
        let list = div("ol", "code").kids(lines);
        let whole = lab.whole_code;
        let more = (code.hidden > 0 || whole).then(|| {
            let n = code.hidden;
            let label = match whole {
                true => text("fewer lines", "收起"),
                false => say(format!("{n} more lines, about faults"), format!("还有 {n} 行，关于故障")),
            };
            div("button", "quiet more")
                .flag("data-whole-code", true)
                .text(tr(lang, label))
                .sends(Msg::WholeCode(!whole))
        });
        el("div").kid(list).maybe(more)
    });
    div("section", "card code-card")
        .attr("data-card", "code")
        .kid(el("h3").kid(card_title(tr(lang, title), foldable, open, Msg::ShowCode(!open))))
        .maybe(lines)
}

/// A card's title, which folds it where the card can be folded.
pub fn card_title(title: super::Str, foldable: bool, open: bool, toggle: Msg) -> El {
    match foldable {
        false => el("span").text(title),
        true => div("button", "fold")
            .aria("aria-expanded", open)
            .kid(el("span").text(title))
            .kid(icon("down"))
            .sends(toggle),
    }
}
