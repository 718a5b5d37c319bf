//! The lanes: side by side where there are two, one in focus beside strips where there are more, one
//! at a time on a phone.

use super::controls::{sign, slot_select, tr, unseen, verdict_class, verdict_mark};
use super::drawing::{Hand, stage_picture, tall_stage};
use super::el::{El, div, el};
use super::ensemble::servers_bar;
use super::strip::strip_lane;
use crate::app::scene::Pick;
use crate::app::{LabScene, LaneScene, Layout, Model, Msg};
use crate::text::{Lang, say, text};
use crate::world::ClientId;

/// All lanes.
pub fn lanes(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let count = lab.lanes.len();
    let narrow = model.layout == Layout::Narrow;
    let full = |lane: usize| lane == lab.focus || (!narrow && count <= 2);
    let views = lab.lanes.iter().enumerate().filter_map(|(at, lane)| {
        let view = match (full(at), narrow) {
            (true, _) => full_lane(model, lab, at, lane),
            (false, true) => return None,
            (false, false) => strip_lane(lang, at, lane),
        };
        Some(view.key(format!("{at}")))
    });
    let label = text(
        "The stage. Space: next moment. Arrows: step by step. Letters are commands here; see the help.",
        "舞台。空格键：下一个时刻。方向键：逐步移动。字母键在这里是命令，见帮助。",
    );
    let stage = div("div", "lanes")
        .flag("data-stage", true)
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", tr(lang, label))
        .attr("data-lanes", count.to_string())
        .attr("data-focus", (lab.focus + 1).to_string())
        .kids(views);
    let tabs = (narrow && count > 1).then(|| lane_tabs(lang, lab));
    div("div", "stage-side").maybe(tabs).kid(stage)
}

fn lane_tabs(lang: Lang, lab: &LabScene) -> El {
    let tabs = lab.lanes.iter().enumerate().map(|(at, lane)| {
        let name = say(format!("Lane {}", lane.number), format!("方案 {}", lane.number));
        let verdict = lane.verdict.as_ref().map(|(verdict, _)| {
            let word = format!("{} {}", verdict.mark(), tr(lang, verdict.label()));
            div("span", format!("verdict {}", verdict_class(*verdict))).text(word)
        });
        div("button", "lane-tab")
            .attr("data-lane-tab", lane.number.to_string())
            .aria("aria-pressed", at == lab.focus)
            .kid(el("span").text(tr(lang, name)))
            .maybe(verdict)
            .sends(Msg::Focus(at))
    });
    let label = tr(lang, text("Lanes", "方案"));
    div("div", "lane-tabs").attr("role", "group").attr("aria-label", label).kids(tabs)
}

/// A lane's number, its decisions, its verdict.
pub fn lane_head(lang: Lang, at: usize, lane: &LaneScene) -> El {
    let number = lane.number;
    let name = say(format!("Lane {number}"), format!("方案 {number}"));
    let slots = lane.slots.iter().map(|slot| slot_select(lang, at, slot, true));
    let preset = lane.preset.map(|name| div("b", "lane-preset").flag("data-preset-name", true).text(name));
    let verdict = lane.verdict.as_ref().map(|(verdict, because)| verdict_mark(lang, *verdict, because));
    div("div", "lane-head")
        .kid(div("h3", "num").kid(unseen(tr(lang, name))).kid(sign(number.to_string())))
        .kid(div("div", "lane-slots").maybe(preset).kids(slots))
        .kid(div("span", "lane-verdict").maybe(verdict))
}

fn full_lane(model: &Model, lab: &LabScene, at: usize, lane: &LaneScene) -> El {
    let lang = model.lang();
    let said = format!("lane-{}-sentence", lane.number);
    let hand = Hand { lang, lane: Some(at), selected: picked_client(model) };
    let picture = match model.layout {
        Layout::Narrow => tall_stage(&lane.stage, hand),
        Layout::Wide | Layout::Medium => stage_picture(&lane.stage, hand, lab.lanes.len() == 1),
    };
    let member = match &model.lab.pick {
        Some(Pick::Member(server)) if at == lab.focus => Some(*server),
        _ => None,
    };
    let bar = lane.stage.ensemble.as_ref().map(|view| servers_bar(lang, at, view, member).key("servers"));
    let note = lane.note.clone().map(|note| div("p", "lane-note").text(tr(lang, note)));
    let below = (note.is_some() || !lane.found.is_empty())
        .then(|| div("div", "lane-below").maybe(found(lang, lane)).maybe(note));
    let sentence =
        unseen(tr(lang, lane.stage.sentence.clone())).attr("id", said.clone()).flag("data-sentence", true);
    div("section", "lane")
        .attr("data-lane", lane.number.to_string())
        .attr("aria-describedby", said)
        .kid(lane_head(lang, at, lane))
        .kid(sentence)
        .kid(match bar {
            // The lane's rows stay three.
            Some(bar) => div("div", "lane-stage").kid(bar).kid(picture),
            None => picture,
        })
        .maybe(below)
}

/// What has gone wrong, each a way to the step where it did.
fn found(lang: Lang, lane: &LaneScene) -> Option<El> {
    if lane.found.is_empty() {
        return None;
    }
    let number = lane.number;
    let items = lane.found.iter().map(|one| {
        let button = div("button", "found-chip")
            .attr("data-found", one.word)
            .attr("title", tr(lang, one.sentence.clone()))
            .text(tr(lang, one.name.clone()))
            .kid(unseen(format!(": {}", tr(lang, one.sentence.clone()))))
            .sends(Msg::Seek(one.stop));
        el("li").key(one.word).kid(button)
    });
    let label = say(format!("What went wrong in lane {number}"), format!("方案 {number} 出了什么问题"));
    Some(div("ul", "found").attr("aria-label", tr(lang, label)).kids(items))
}

fn picked_client(model: &Model) -> Option<ClientId> {
    match &model.lab.pick {
        Some(Pick::Client(client)) => Some(*client),
        _ => None,
    }
}
