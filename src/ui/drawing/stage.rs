//! The wide stage: the server band above, clients under their own nodes, the ledger beneath.

use super::dots::dots;
use super::gate::gate;
use super::geometry::{
    BAND_H, FUSE_H, FUSE_TOP, Fitted, Frame, HATCH_H, NARROW, NODE_FUSE_H, NODE_H, PILL_H, TITLE_Y,
};
use super::icons::{bell, hatched_disc, hatching, key, pause, teeth};
use super::labels::{client_label, hue, message_label, node_label, process_class, tone_class, tone_mark};
use super::picture::{Arc, Bell, ClientBox, NodeBox, Picture, Pill, Wire};
use super::target::{Hand, target, translate};
use crate::app::scene::{Fuse, Kind, Pick, Stage};
use crate::text::text;
use crate::ui::controls::tr;
use crate::ui::el::{El, div, el, short};
use crate::world::Process;

/// How wide the view box is for a lane that stands alone.
const ALONE: f32 = 1040.0;

/// The stage of one lane as a picture that is as wide as its container. The view box has about as
/// many units as the container has pixels: a lane that stands alone has more room.
pub fn stage_picture(stage: &Stage, hand: Hand, alone: bool) -> El {
    let picture = Picture::of(stage, hand.lang, if alone { ALONE } else { NARROW });
    let frame = &picture.frame;
    let name = text("The queue, the clients and the ledger", "队列、客户端与账本");
    let svg = div("svg", "stage-picture")
        .attr("viewBox", format!("0 0 {} {}", short(frame.width), short(frame.height)))
        .attr("role", "group")
        .attr("aria-label", tr(hand.lang, name))
        .kids(server(&picture, hand))
        .kids(picture.wires.iter().map(|wire| wire_mark(wire, frame)))
        .kids(picture.arcs.iter().map(arc_mark))
        .kids(picture.nodes.iter().map(|node| node_mark(node, hand)))
        .kids(picture.bells.iter().map(bell_mark))
        .kids(gate(&picture.gate, frame, hand))
        .kids(picture.clients.iter().map(|client| client_mark(client, hand)))
        .kids(picture.pills.iter().map(|pill| pill_mark(pill, hand)));
    div("div", "stage").kid(svg).maybe(dots(stage, hand.lang))
}

/// A rectangle; corners are rounded by `rx`.
fn rect(class: &'static str, x: f32, y: f32, w: f32, h: f32, rx: f32) -> El {
    let rect = div("rect", class).num("x", x).num("y", y).num("width", w).num("height", h);
    if rx > 0.0 { rect.num("rx", rx) } else { rect }
}

fn circle(class: &'static str, r: f32) -> El {
    div("circle", class).num("r", r)
}

/// A line of text, squeezed where it must be.
fn line(class: &'static str, x: f32, y: f32, fitted: &Fitted) -> El {
    let line = div("text", class).num("x", x).num("y", y).text(fitted.text.clone());
    match fitted.squeeze {
        Some(length) => line.num("textLength", length).attr("lengthAdjust", "spacingAndGlyphs"),
        None => line,
    }
}

fn server(picture: &Picture, hand: Hand) -> [El; 3] {
    let width = picture.frame.width;
    let label = text("the server, directory", "服务器，目录");
    let label = format!("{} {}", tr(hand.lang, label), picture.dir);
    let wide = 28.0 + picture.dir.len() as f32 * 9.2;
    let dir = div("text", "dir").attr("x", "16").num("y", TITLE_Y).text(picture.dir);
    [
        rect("band", 1.0, 1.0, width - 2.0, BAND_H - 1.0, 12.0),
        target(hand, "server".to_string(), label, (0.0, 0.0), Pick::Server)
            .kid(rect("focus", 6.0, 5.0, wide, 28.0, 7.0))
            .kid(rect("hit", 1.0, 1.0, wide, 44.0, 0.0))
            .kid(dir)
            .spaced(),
        div("text", "server-name").num("x", width - 16.0).num("y", TITLE_Y).text("ZooKeeper"),
    ]
}

fn node_mark(node: &NodeBox, hand: Hand) -> El {
    let view = &node.view;
    let state = if view.deleted { "gone" } else { "there" };
    let lags = if view.lag.is_some() { " lags" } else { "" };
    let class = format!("node {} {state}{lags}", hue(view.owner));
    let w = node.place.w;
    // The key and the seconds share the line under the number.
    let both = view.first && node.left.is_some();
    let below = match (view.deleted || view.left_over || view.lag.is_some(), view.first) {
        (true, false) => Some(line("gone-word", 0.0, 42.0, &node.gone)),
        (_, true) => {
            let x = if both { -w * 0.25 } else { 0.0 };
            Some(el("g").attr("transform", translate(x, 37.0)).kid(key()))
        }
        (false, false) => None,
    };
    let left = node.left.as_ref().filter(|_| both || !(view.left_over || view.lag.is_some()));
    let left = left.map(|left| line("left", if both { w * 0.23 } else { 0.0 }, 42.0, left));
    let at = (node.place.x, node.place.y);
    target(hand, class, node_label(view, hand.lang), at, Pick::Node(view.path.clone()))
        .key(format!("node {}.{}", view.owner, view.left_over))
        .kid(rect("focus", -w / 2.0 - 3.0, -3.0, w + 6.0, NODE_H + 6.0, 9.0))
        .kid(rect("slot", -w / 2.0, 0.0, w, NODE_H, 7.0))
        .kid(line("number", 0.0, 22.0, &node.label))
        .maybe(below)
        .maybe(left)
        .maybe(
            view.fuse.map(|lit| {
                fuse(lit, w, NODE_FUSE_H, false).attr("transform", translate(0.0, NODE_H + FUSE_TOP))
            }),
        )
        .spaced()
}

/// A fuse about its middle: how much of the time is left. A client's is marked where two thirds are gone.
fn fuse(lit: Fuse, w: f32, h: f32, marked: bool) -> El {
    let low = if lit.percent <= 34 { "fuse low" } else { "fuse" };
    let burn = w * lit.percent as f32 / 100.0;
    let burn = rect("burn", -w / 2.0, 0.0, 0.0, h, h / 2.0).attr("--w", format!("{}px", short(burn)));
    let third = short(-w / 6.0);
    let mark = marked.then(|| div("path", "third").attr("d", format!("M{third},-3 V{}", short(h + 3.0))));
    div("g", low).kid(rect("fuse-ground", -w / 2.0, 0.0, w, h, h / 2.0)).kid(burn).maybe(mark)
}

fn arc_mark(arc: &Arc) -> El {
    let class = format!("arc {} {}", hue(arc.client), if arc.fired { "fired" } else { "armed" });
    let anchor = arc.anchor.map(|(x, y)| circle("anchor", 5.0).num("cx", x).num("cy", y));
    div("g", class)
        .key(format!("arc {}", arc.key))
        .kid(div("path", "thread").attr("d", arc.path.clone()))
        .maybe(anchor)
}

fn bell_mark(mark: &Bell) -> El {
    let class =
        format!("bell-mark {} {}", mark.only.map_or("", hue), if mark.hollow { "hollow" } else { "" });
    let count = (mark.count > 1)
        .then(|| div("text", "bell-count").attr("x", "10").attr("y", "11").text(format!("×{}", mark.count)));
    div("g", class)
        .key(format!("bell {}", mark.key))
        .attr("transform", translate(mark.x, mark.y))
        .kid(bell())
        .maybe(count)
}

fn wire_mark(wire: &Wire, frame: &Frame) -> El {
    let x = wire.x;
    let upper_end = frame.client_y - frame.radius - 5.0;
    let bottom = frame.ledger_top;
    let head = |y: f32, up: bool| {
        let side = if up { "9" } else { "-9" };
        div("path", "head").attr("d", format!("M{},{} l-6,{side} h12 Z", short(x), short(y)))
    };
    let lead = |busy: bool, from: f32, to: f32| {
        let d = format!("M{},{} V{}", short(x), short(from), short(to));
        div("path", if busy { "lead busy" } else { "lead" }).attr("d", d)
    };
    let middle = (BAND_H + upper_end) / 2.0;
    let upper = match (wire.stalled, wire.cut) {
        // It looks whole from both ends.
        (true, _) => vec![
            lead(true, BAND_H, middle - 9.0),
            lead(true, middle + 9.0, upper_end),
            div("path", "break")
                .attr("d", format!("M{},{} l12,-10 m-12,16 l12,-10", short(x - 6.0), short(middle + 4.0))),
        ],
        // The client has nothing in its hand.
        (false, true) => vec![
            div("path", "lead cut")
                .attr("d", format!("M{},{} V{}", short(x), short(BAND_H), short(upper_end))),
        ],
        (false, false) => vec![lead(wire.upper.0 || wire.upper.1, BAND_H, upper_end)],
    };
    let group = div("g", format!("wire {}", hue(wire.client)))
        .key(format!("wire {}", wire.client))
        .kids(upper)
        .maybe(wire.upper.0.then(|| head(BAND_H, true)))
        .maybe(wire.upper.1.then(|| head(upper_end, false)));
    if !(wire.lower.0 || wire.lower.1) {
        return group;
    }
    group
        .kid(lead(true, wire.lower_top, bottom))
        .maybe(wire.lower.0.then(|| head(wire.lower_top, true)))
        .maybe(wire.lower.1.then(|| head(bottom, false)))
}

fn client_mark(item: &ClientBox, hand: Hand) -> El {
    let view = &item.view;
    let chosen = hand.selected == Some(view.client);
    let class = format!(
        "client {} {} {}{}",
        hue(view.client),
        tone_class(view.tone),
        process_class(view.process),
        if chosen { " chosen" } else { "" }
    );
    let reach = item.r.max(24.0);
    let mark =
        target(hand, class, client_label(view, hand.lang), (item.x, item.y), Pick::Client(view.client));
    let mark = if hand.lane.is_some() { mark.aria("aria-pressed", chosen) } else { mark };
    mark.key(format!("client {}", view.client))
        .attr("data-client", view.client.to_string())
        .attr("data-step", view.step)
        .kid(rect("hit", -reach, -reach, 2.0 * reach, 2.0 * reach, 0.0))
        .kid(circle("focus", item.r + 7.0))
        .kid(circle(if view.acted { "halo acted" } else { "halo" }, item.r + 4.0))
        .kid(circle("disc", item.r))
        .maybe(
            (view.process == Process::Paused).then(|| div("path", "still").attr("d", hatched_disc(item.r))),
        )
        .maybe((view.process == Process::Paused).then(|| circle("letter-ground", item.r * 0.52)))
        .kid(div("text", "letter").attr("y", "8").text(view.client.to_string()))
        .maybe(badge(item))
        .maybe(view.reads.then(|| {
            let word = tr(hand.lang, text("reads", "读"));
            div("text", "reads").num("x", -item.r * 0.8 - 4.0).num("y", -item.r * 0.55).text(word)
        }))
        .kids(bubble(item))
        .maybe(view.fuse.map(|lit| {
            let y = item.bubble.y - item.y - FUSE_H - 2.0;
            fuse(lit, item.bubble.w * 0.7, FUSE_H, true).attr("transform", translate(0.0, y))
        }))
        .spaced()
}

/// What became of the process, at the disc.
fn badge(item: &ClientBox) -> Option<El> {
    let mark = match item.view.process {
        Process::Running => return None,
        Process::Paused => pause(),
        Process::Crashed => el("text").num("y", 5.0).text("✝"),
        Process::Closed => el("text").num("y", 5.0).text("–"),
    };
    let at = item.r * 0.78;
    let ground = el("circle").num("r", 10.0);
    Some(div("g", "state").attr("transform", translate(at, -at)).kid(ground).kid(mark))
}

/// The bubble under a client, relative to the middle of its disc.
fn bubble(item: &ClientBox) -> Vec<El> {
    let (w, h) = (item.bubble.w, item.bubble.h);
    let (left, top) = (-w / 2.0, item.bubble.y - item.y);
    let thread = format!("M0,{} V{}", short(item.thread_from - item.y), short(top));
    let mut parts = vec![
        div("path", "string").attr("d", thread),
        rect("bubble", left, top, w, h, 8.0),
        line("first", 0.0, top + 18.0, &item.line1),
    ];
    if let (Some(wrong), true) = (&item.wrong, item.wrong_inside) {
        parts.push(line("wrong-word", 0.0, top + 37.0, wrong));
    }
    if let Some(wrong) = &item.wrong {
        parts.push(
            el("g")
                .attr("transform", translate(left, top + h))
                .kid(rect("hatch-ground", 0.0, 0.0, w, HATCH_H, 3.0))
                .kid(div("path", "hatch").attr("d", hatching(w, HATCH_H))),
        );
        if !item.wrong_inside {
            parts.push(line("wrong-word", 0.0, top + h + HATCH_H + 16.0, wrong));
        }
    }
    if item.wrong.is_none() || !item.wrong_inside {
        parts.push(line("second", 0.0, top + 37.0, &item.line2));
    }
    parts.extend(tone_mark(item.view.tone).map(|mark| {
        div("g", "badge")
            .attr("transform", translate(left + 4.0, top - 3.0))
            .kid(el("circle").num("r", 8.5))
            .kid(el("text").num("y", 4.5).text(mark))
    }));
    parts
}

fn pill_mark(pill: &Pill, hand: Hand) -> El {
    let view = &pill.view;
    let kind = match view.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    let torn = if view.lost { " torn" } else { "" };
    let beat = if view.beat { " beat" } else { "" };
    let class = format!("pill {kind} {}{torn}{beat}", hue(view.client));
    let w = pill.place.w;
    let (mut left, mut right) = (-w / 2.0, w / 2.0);
    if view.lost {
        return torn_pill(pill, hand, class);
    }
    let ring = (view.kind == Kind::Event).then(|| {
        left += 15.0;
        el("g").attr("transform", translate(left - 3.0, 5.0)).kid(bell())
    });
    let held = view.held.then(|| {
        right -= 15.0;
        el("g").attr("transform", translate(right + 3.0, 12.0)).kid(pause())
    });
    let at = (pill.place.x, pill.place.y);
    target(hand, class, message_label(view, hand.lang), at, Pick::Link(view.action))
        .key(format!("pill {}", view.key))
        .attr("data-message", view.action.to_string())
        .kid(rect("hit", -w / 2.0, -3.0, w, PILL_H + 6.0, 0.0))
        .kid(rect("focus", -w / 2.0 - 3.0, -3.0, w + 6.0, PILL_H + 6.0, 13.0))
        .kid(rect("body", -w / 2.0 + 0.5, 0.5, w - 1.0, PILL_H - 1.0, 12.0))
        .maybe(ring)
        .maybe(held)
        .kid(line("call", (left + right) / 2.0, 17.0, &pill.label))
        .spaced()
}

/// What was lost, torn in two where it was lost. There is nothing to pick any more.
fn torn_pill(pill: &Pill, hand: Hand, class: String) -> El {
    let (w, place) = (pill.place.w, pill.place);
    div("g", class)
        .key(format!("pill {}", pill.view.key))
        .attr("role", "img")
        .attr("aria-label", message_label(&pill.view, hand.lang))
        .attr("transform", translate(place.x, place.y))
        .flag("data-torn", true)
        .kid(div("path", "body").attr("d", teeth(w, PILL_H)))
        .kid(line("call", 0.0, 17.0, &pill.label))
}
