//! A lane that is not in focus: its title, its queue in a line, its servers, and what just happened in it.

use super::controls::{sign, tr, unseen};
use super::el::{El, div, el, short};
use super::lane::lane_head;
use crate::app::scene::{
    EnsembleView, Hue, ServerState, ServerView, SmallQueue, Watched, server_words, small_queue,
};
use crate::app::{LaneScene, Msg};
use crate::text::{Lang, say};

/// From one box of the queue to the next, and half a box; the style sheet knows both.
const PITCH: f32 = 36.0;
const HALF: f32 = 16.0;
/// The room for watches over the boxes.
const ARCS: f32 = 18.0;

/// The lane, small.
pub fn strip_lane(lang: Lang, at: usize, lane: &LaneScene) -> El {
    let focus = say(format!("Focus lane {}", lane.number), format!("聚焦方案 {}", lane.number));
    let button = div("button", "plain")
        .attr("data-focus-lane", lane.number.to_string())
        .text(tr(lang, focus))
        .sends(Msg::Focus(at));
    let servers = lane.stage.ensemble.as_ref().map(|view| servers(lang, lane.number, view));
    div("section", "lane strip-lane")
        .attr("data-lane", lane.number.to_string())
        .kid(lane_head(lang, at, lane))
        .kid(div("div", "strip-row").kid(queue(&small_queue(&lane.stage))).kid(button))
        .maybe(servers)
        .kid(unseen(tr(lang, lane.stage.sentence.clone())))
        .kid(div("p", "strip-caption").text(tr(lang, lane.caption.clone())))
}

/// The queue as boxes, with a thin arc for each watch.
fn queue(strip: &SmallQueue) -> El {
    let boxes = strip.boxes.iter().map(|one| {
        div("span", format!("mini {}", Hue::of(one.owner).class()))
            .flag("data-first", one.first)
            .text(one.owner.to_string())
    });
    let arcs = strip.ties.iter().map(|tie| {
        let x = |at: u32| HALF + PITCH * at as f32;
        let from = x(tie.from);
        let hue = strip.boxes.get(tie.from as usize).map_or("", |one| Hue::of(one.owner).class());
        let (path, end, class) = match tie.to {
            Watched::Box(to) => {
                // It starts beside the middle, where others may end; further ones rise higher.
                let (from, to) = (from - 5.0, x(to) + 3.0);
                let top = (ARCS - 9.0 - (from - to).abs() / 5.0).max(-12.0);
                let middle = (from + to) / 2.0;
                let d = format!(
                    "M{},{} Q{},{} {},{}",
                    short(from),
                    short(ARCS),
                    short(middle),
                    short(top),
                    short(to),
                    short(ARCS - 3.0)
                );
                (d, (to, ARCS - 3.0), "tie")
            }
            Watched::Dir => (format!("M{},{} V4", short(from), short(ARCS)), (from, 4.0), "tie dir"),
            Watched::Missing => {
                let to = from - 12.0;
                let d = format!("M{},{} L{},8", short(from - 3.0), short(ARCS), short(to));
                (d, (to, 6.0), "tie missing")
            }
        };
        let end = el("circle").num("cx", end.0).num("cy", end.1).attr("r", "3");
        div("g", format!("{class} {hue}")).kid(el("path").attr("d", path)).kid(end)
    });
    let width = PITCH * strip.boxes.len().max(1) as f32;
    let svg = div("svg", "strip-ties")
        .attr("viewBox", format!("0 0 {} {}", short(width), short(ARCS)))
        .num("width", width)
        .num("height", ARCS)
        .kids(arcs);
    div("div", "strip-queue").attr("aria-hidden", "true").kid(svg).kid(div("p", "minis").kids(boxes))
}

/// A small cell for each server: what it does, and how far it is behind.
fn servers(lang: Lang, number: usize, view: &EnsembleView) -> El {
    let name = say(format!("Servers of lane {number}"), format!("方案 {number} 的服务器"));
    div("ul", "mini-servers")
        .attr("aria-label", tr(lang, name))
        .kids(view.servers.iter().map(|server| mini(lang, server)))
}

fn mini(lang: Lang, view: &ServerView) -> El {
    let behind = (view.behind > 0).then(|| div("span", "behind").text(format!("−{}", view.behind)));
    // Where it is cut from all others, its state says it.
    let cut = !view.cut_from.is_empty() && view.state != ServerState::CutOff;
    let signs = [Some(view.state.mark()), cut.then_some(ServerState::CutOff.mark())];
    let signs = signs.into_iter().flatten().map(|mark| div("span", "server-mark").kid(sign(mark)));
    div("li", format!("server-cell {}", view.state.word()))
        .attr("data-mini", view.server.to_string())
        .attr("data-state", view.state.word())
        .attr("title", tr(lang, server_words(view)))
        .kid(el("b").attr("aria-hidden", "true").text(view.server.to_string()))
        .kids(signs)
        .maybe(behind.map(|behind| behind.attr("aria-hidden", "true")))
        .kid(unseen(tr(lang, server_words(view))))
        .spaced()
}
