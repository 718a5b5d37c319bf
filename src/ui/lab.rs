//! The lab: question, lanes, rail, what stands under them, and the foot.

use super::bill::bill_card;
use super::code::code_card;
use super::controls::{icon, quiet, slot_select, tr};
use super::el::{El, div, el};
use super::foot::foot;
use super::inspector::inspector_card;
use super::lane::lanes;
use super::under::under;
use crate::app::scene::slot;
use crate::app::{LabScene, Layout, Model, Msg, inspector};
use crate::recipe::Key;
use crate::teach::{GROUPS, Story};
use crate::text::{Lang, Text, say, text};

/// The lab.
pub fn lab_page(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let wide = model.layout == Layout::Wide;
    let inspected = inspector(&model.lab).map(|inspector| inspector_card(lang, inspector).key("inspector"));
    let (in_rail, below) = if wide { (inspected, None) } else { (None, inspected) };
    let floor = div("div", "floor")
        .kid(lanes(model, lab).key("lanes"))
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
    div("div", "question").kid(title).kid(div("div", "question-tools").maybe(add).kid(change))
}

/// The story, its numbers, and every decision of every lane.
fn setup(model: &Model) -> El {
    let lang = model.lang();
    let section = div("section", "setup")
        .attr("id", "setup")
        .attr("aria-label", tr(lang, text("Change the story", "更改故事")))
        .flag("hidden", !model.lab.setup);
    if !model.lab.setup {
        return section;
    }
    let head = |label: Text| el("h3").text(tr(lang, label));
    section
        .kid(head(text("Stories", "故事")))
        .kid(stories(model))
        .kid(head(text("Numbers", "数目")))
        .kid(numbers(model))
        .maybe(model.lab.field.as_ref().map(|(_, why)| {
            div("p", "field-why").attr("role", "alert").key("why").text(tr(lang, why.clone()))
        }))
        .kid(head(text("Decisions", "决定")))
        .kid(decisions(model))
}

fn stories(model: &Model) -> El {
    let groups = GROUPS.iter().map(|group| {
        div("div", "story-group")
            .kid(el("h4").text(tr(model.lang(), group.title.text())))
            .kid(div("ul", "stories").kids(group.stories.iter().map(|story| story_item(model, story))))
    });
    div("div", "story-groups").kids(groups)
}

fn story_item(model: &Model, story: &'static Story) -> El {
    let lang = model.lang();
    let here = story.scenario() == model.lab.scenario;
    let button = div("button", "story")
        .opt("aria-current", here.then_some("true".into()))
        .attr("data-story", story.id)
        .kid(el("b").text(tr(lang, story.question.text())))
        .kid(el("span").text(tr(lang, story.about.text())))
        .sends(Msg::Story(story.id));
    el("li").kid(button)
}

fn numbers(model: &Model) -> El {
    let lang = model.lang();
    let scenario = &model.lab.scenario;
    let timings = &scenario.timings;
    let field = |key: &'static str, label: Text, value: u64, least: &'static str, most: &'static str| {
        let input = el("input")
            .attr("type", "number")
            .attr("inputmode", "numeric")
            .attr("data-number", key)
            .attr("min", least)
            .attr("max", most)
            .attr("step", "1")
            .attr(".value", value.to_string())
            .opt(
                "aria-invalid",
                model.lab.field.as_ref().filter(|(field, _)| *field == key).map(|_| "true".into()),
            )
            .value_sends(move |word| Some(Msg::Number { key, word }));
        div("label", "field").kid(el("span").text(tr(lang, label))).kid(input)
    };
    div("div", "fields")
        .kid(field("clients", text("clients", "客户端数"), scenario.clients.into(), "2", "200"))
        .kid(field(
            "seed",
            text("seed: the luck of the delays", "种子：决定延迟的运气"),
            scenario.seed,
            "0",
            "999999",
        ))
        .kid(field(
            "gap-ms",
            text("ms between arrivals", "到达间隔（毫秒）"),
            timings.arrival_gap_ms,
            "0",
            "3600000",
        ))
        .kid(field(
            "hold-ms",
            text("ms of work under the lock", "持锁工作时间（毫秒）"),
            timings.hold_ms,
            "0",
            "3600000",
        ))
        .kid(field("poll-ms", text("ms between polls", "轮询间隔（毫秒）"), timings.poll_ms, "1", "3600000"))
}

fn decisions(model: &Model) -> El {
    let lang = model.lang();
    let lanes = &model.lab.scenario.lanes;
    let many = lanes.len() > 1;
    let heads = (1..=lanes.len()).map(|n| {
        let name = say(format!("lane {n}"), format!("方案 {n}"));
        let remove = say(format!("Remove lane {n}"), format!("移除方案 {n}"));
        let remove = many.then(|| {
            quiet(lang, "close", remove, Msg::RemoveLane(n - 1)).attr("data-remove-lane", n.to_string())
        });
        el("th").attr("scope", "col").text(tr(lang, name)).maybe(remove)
    });
    let rows = Key::ALL.map(|key| {
        let cells = lanes.iter().enumerate().map(|(at, lane)| {
            let slot = slot(&lane.decisions, key, model.lab.scenario.is_shared());
            // What the answer leads to, said where it is chosen; a greyed one says why it is greyed.
            let chosen = slot.options.iter().find(|option| option.word == slot.chosen);
            let why = chosen
                .filter(|_| slot.greyed.is_none())
                .map(|option| div("p", "why").text(tr(lang, option.why.clone())));
            el("td").kid(slot_select(lang, at, &slot, false)).maybe(why)
        });
        el("tr").kid(el("th").attr("scope", "row").text(tr(lang, key.question()))).kids(cells)
    });
    let clients = lanes.iter().enumerate().map(|(lane, l)| {
        let label = text(
            "clients of this lane, if not as many as the others",
            "此方案的客户端数（不同于其他方案时填写）",
        );
        let input = el("input")
            .attr("type", "number")
            .attr("inputmode", "numeric")
            .attr("min", "2")
            .attr("max", "200")
            .attr("data-lane-clients", (lane + 1).to_string())
            .attr("aria-label", tr(lang, label))
            .attr("placeholder", tr(lang, text("same", "相同")))
            .attr(".value", l.clients.map(|n| n.to_string()).unwrap_or_default())
            .value_sends(move |word| Some(Msg::LaneClients { lane, word }));
        el("td").kid(input)
    });
    let how_many = text("How many clients?", "多少个客户端？");
    let clients = el("tr").kid(el("th").attr("scope", "row").text(tr(lang, how_many))).kids(clients);
    let table = div("table", "decisions")
        .kid(el("thead").kid(el("tr").kid(el("td")).kids(heads)))
        .kid(el("tbody").kids(rows).kid(clients));
    scroll(tr(lang, text("Decisions of every lane", "各方案的决定")), table)
}

/// A frame that scrolls by itself, by keyboard too.
pub fn scroll(label: super::Str, content: El) -> El {
    div("div", "scroll").attr("tabindex", "0").attr("role", "group").attr("aria-label", label).kid(content)
}

fn rail(lang: Lang, lab: &LabScene, inspected: Option<El>) -> El {
    div("aside", "rail")
        .attr("aria-label", tr(lang, text("Code and bill", "代码与账单")))
        .maybe(inspected)
        .kid(code_card(lang, lab, true).key("code"))
        .kid(bill_card(lang, lab, true).key("bill"))
}
