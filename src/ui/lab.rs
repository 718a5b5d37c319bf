//! The lab: question, lanes, rail, what stands under them, and the foot.

use super::bill::bill_card;
use super::code::code_card;
use super::controls::{icon, tr};
use super::el::{Act, El, div, el};
use super::faults::fault_row;
use super::foot::foot;
use super::inspector::inspector_card;
use super::lane::lanes;
use super::setup::setup;
use super::under::under;
use crate::app::{LabScene, Layout, Model, Msg, inspector};
use crate::text::{Lang, text};

/// The lab.
pub fn lab_page(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let wide = model.layout == Layout::Wide;
    let inspected = inspector(&model.lab).map(|inspector| inspector_card(lang, inspector).key("inspector"));
    let (in_rail, below) = if wide { (inspected, None) } else { (None, inspected) };
    let floor = div("div", "floor")
        .kid(lanes(model, lab).key("lanes").maybe((!wide).then(|| fault_row(lang, &lab.faults))))
        .maybe(below)
        .kid(under(model, lab).key("under"))
        .maybe(wide.then(|| rail(lang, lab, in_rail).key("rail")));
    div("div", "lab").kid(question(model, lab)).kid(setup(model)).kid(floor).kid(foot(model, lab))
}

fn question(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let open = model.lab.setup;
    let change = div("button", "quiet change")
        .flag("data-setup", true)
        .aria("aria-expanded", open)
        .attr("aria-controls", "setup")
        .kid(el("span").text(tr(lang, lab.about.clone())))
        .kid(el("b").text(tr(lang, text("change", "更改"))))
        .kid(icon("down"))
        .sends(Msg::Setup(!open));
    let add = lab.can_add_lane.then(|| {
        div("button", "quiet add")
            .flag("data-add-lane", true)
            .kid(icon("plus"))
            .text(tr(lang, text("lane", "方案")))
            .sends(Msg::AddLane)
    });
    let title = el("h2").flag("data-question", true).text(tr(lang, lab.question.clone()));
    // Every node, client and message of the stage is a stop of the Tab key.
    let skip = div("a", "skip")
        .attr("href", "#foot")
        .text(tr(lang, text("Skip to the transport", "跳到播放控制")))
        .click(Act::SkipTo(".foot [data-transport=moment]"));
    div("div", "question").kid(title).kid(div("div", "question-tools").maybe(add).kid(change)).kid(skip)
}

/// A frame that scrolls by itself, by keyboard too.
pub fn scroll(label: super::Str, content: El) -> El {
    div("div", "scroll").attr("tabindex", "0").attr("role", "group").attr("aria-label", label).kid(content)
}

fn rail(lang: Lang, lab: &LabScene, inspected: Option<El>) -> El {
    div("aside", "rail")
        .attr("aria-label", tr(lang, text("Code and bill", "代码与账单")))
        .maybe(inspected)
        .kid(div("section", "card").kid(fault_row(lang, &lab.faults)).key("faults"))
        .kid(code_card(lang, lab, true).key("code"))
        .kid(bill_card(lang, lab, true).key("bill"))
}
