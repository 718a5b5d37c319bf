//! The space-time diagram: a line for the server, one for each client, and the messages between
//! them as slanted lines. Time goes to the right.

use super::geometry::{PILL_TEXT, tenth, width_of};
use super::labels::hue;
use super::target::translate;
use crate::app::scene::{Diagram, Kind, Slant, duration};
use crate::sorted::Listed;
use crate::text::{Lang, say, text};
use crate::ui::controls::tr;
use crate::ui::el::{El, div, el, short};

/// The view box: its width, the room for names at the left and for the newest labels at the right.
const WIDTH: f32 = 1300.0;
const LEFT: f32 = 96.0;
const RIGHT: f32 = 44.0;
/// A message under way is drawn as if it took about this long.
const USUAL_HOP_MS: f32 = 14.0;
const SERVER_Y: f32 = 20.0;
const ROW: f32 = 36.0;

/// The newest part of a lane's story, as messages in space and time.
pub fn space_time(lang: Lang, diagram: &Diagram) -> El {
    let drawing = Drawing::of(diagram);
    let (from, to) = (&drawing.from, &drawing.to);
    let name = say(format!("Messages from {from} to {to}"), format!("{from} 到 {to} 之间的消息"));
    let name = tr(lang, name);
    let svg = el("svg")
        .attr("viewBox", format!("0 0 {} {}", short(WIDTH), short(drawing.height)))
        .attr("role", "img")
        .attr("aria-label", name.clone())
        .kids(draw(&drawing));
    let scroller =
        div("div", "scroller").attr("role", "group").attr("tabindex", "0").attr("aria-label", name);
    let legend = text(
        "solid: request · dashed: reply · dotted with a dot: event · band: believes it holds",
        "实线：请求 · 虚线：响应 · 点线带圆点：事件 · 色带：自认为持有",
    );
    div("div", "space-time").kid(scroller.kid(svg)).kid(div("p", "legend").text(tr(lang, legend)))
}

/// The diagram with its places worked out.
#[derive(Clone, Debug, PartialEq)]
struct Drawing {
    height: f32,
    from: String,
    to: String,
    rows: Vec<(&'static str, String, f32)>,
    ticks: Vec<(f32, String)>,
    bands: Vec<(&'static str, f32, f32, f32)>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq)]
struct Line {
    class: String,
    from: (f32, f32),
    to: (f32, f32),
    /// The label and where it starts, if there is room for it.
    label: Option<(f32, f32, String)>,
    arrived: bool,
}

impl Drawing {
    fn of(diagram: &Diagram) -> Drawing {
        let span = diagram.to_ms.saturating_sub(diagram.from_ms).max(1) as f32;
        let x = |ms: u64| {
            let gone = ms.max(diagram.from_ms) - diagram.from_ms;
            tenth(LEFT + gone as f32 / span * (WIDTH - LEFT - RIGHT))
        };
        let y = |row: u32| SERVER_Y + 22.0 + ROW * (row as f32 + 0.5);
        let rows =
            diagram.clients.iter().zip(0..).map(|(client, row)| (hue(*client), client.to_string(), y(row)));
        let step = 40;
        let first = diagram.from_ms.div_ceil(step) * step;
        let ticks = (first..=diagram.to_ms).step_by(step as usize).map(|ms| (x(ms), duration(ms)));
        let bands = diagram.held.iter().filter_map(|held| {
            let client = diagram.clients.get(held.row as usize)?;
            Some((hue(*client), x(held.from_ms), y(held.row), (x(held.to_ms) - x(held.from_ms)).max(2.0)))
        });
        let mut free = vec![[0.0; 2]; diagram.clients.len()];
        let lines = diagram.slants.iter().map(|slant| {
            let (from_x, to_x) =
                (x(slant.from_ms), x(slant.to_ms.unwrap_or(diagram.to_ms).max(slant.from_ms)));
            let (client_y, server_y) = (y(slant.row), SERVER_Y);
            let (from, to) = if slant.up {
                ((from_x, client_y), (to_x, server_y))
            } else {
                ((from_x, server_y), (to_x, client_y))
            };
            let at_client = if slant.up { from_x } else { to_x };
            let label = label(slant, at_client, client_y, &mut free);
            // What is still under way has come a part of its way; nobody knows yet when it arrives. What is
            // lost has come no further.
            let arrived = slant.to_ms.is_some() && !slant.lost;
            let age = diagram.to_ms.saturating_sub(slant.from_ms) as f32;
            let come = (age / USUAL_HOP_MS).min(0.8);
            let to = if arrived { to } else { (to.0, tenth(from.1 + (to.1 - from.1) * come)) };
            Line { class: class(slant), from, to, label, arrived }
        });
        Drawing {
            height: y(diagram.clients.len() as u32) + 8.0,
            from: duration(diagram.from_ms),
            to: duration(diagram.to_ms),
            rows: rows.listed(),
            ticks: ticks.listed(),
            bands: bands.listed(),
            lines: lines.listed(),
        }
    }
}

fn class(slant: &Slant) -> String {
    let kind = match slant.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    format!("slant {kind} {}{}", hue(slant.client), if slant.lost { " lost" } else { "" })
}

/// A label goes under its client's line, or above it, where the one before it leaves room. Replies
/// go without: the request before them says what they answer.
fn label(slant: &Slant, x: f32, y: f32, free: &mut [[f32; 2]]) -> Option<(f32, f32, String)> {
    let width = width_of(&slant.label, PILL_TEXT);
    let start = (x + 3.0).min(WIDTH - RIGHT - width);
    if slant.kind == Kind::Reply {
        return None;
    }
    let tracks = free.get_mut(slant.row as usize)?;
    let (track, free) = tracks.iter_mut().enumerate().find(|(_, free)| start >= **free)?;
    *free = start + width + 6.0;
    Some((start, if track == 0 { y + 15.0 } else { y - 6.0 }, slant.label.clone()))
}

fn draw(drawing: &Drawing) -> Vec<El> {
    let bottom = drawing.height - 22.0;
    let mut parts = Vec::new();
    for (x, label) in &drawing.ticks {
        let d = format!("M{},{} V{}", short(*x), short(SERVER_Y), short(bottom));
        parts.push(div("path", "tick").attr("d", d));
        parts.push(div("text", "tick-label").num("x", *x).num("y", bottom + 16.0).text(label.clone()));
    }
    let life_line = |y: f32| {
        let d = format!("M{},{} H{}", short(LEFT), short(y), short(WIDTH));
        div("path", "life-line").attr("d", d)
    };
    let server = el("text").attr("x", "6").num("y", SERVER_Y + 5.0).text("ZooKeeper");
    parts.push(div("g", "life server").kid(life_line(SERVER_Y)).kid(server));
    for (hue, letter, y) in &drawing.rows {
        let end = |x: f32| {
            let disc = el("circle").num("cx", x).num("cy", *y).num("r", 13.0);
            [disc, div("text", "letter").num("x", x).num("y", y + 5.5).text(letter.clone())]
        };
        let far = div("g", "far").kids(end(WIDTH - 16.0));
        parts.push(div("g", format!("life {hue}")).kid(life_line(*y)).kids(end(74.0)).kid(far));
    }
    for (hue, x, y, w) in &drawing.bands {
        let band = el("rect").num("width", *w).attr("height", "8").attr("rx", "4");
        parts.push(div("g", format!("held {hue}")).attr("transform", translate(*x, y - 4.0)).kid(band));
    }
    for line in &drawing.lines {
        let [x, y, to_x, to_y] = [line.from.0, line.from.1, line.to.0, line.to.1].map(short);
        let end = line
            .arrived
            .then(|| div("circle", "end").attr("cx", to_x.clone()).attr("cy", to_y.clone()).attr("r", "3.5"));
        let path = el("path").attr("d", format!("M{x},{y} L{to_x},{to_y}"));
        parts.push(div("g", line.class.clone()).kid(path).maybe(end));
    }
    for (x, y, label) in drawing.lines.iter().filter_map(|line| line.label.as_ref()) {
        parts.push(div("text", "slant-label").num("x", *x).num("y", *y).text(label.clone()));
    }
    parts
}
