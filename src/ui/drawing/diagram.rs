//! The space-time diagram: a line for the server, one for each client, and the messages between
//! them as slanted lines. Time goes to the right.

use leptos::prelude::*;

use super::geometry::{PILL_TEXT, tenth, width_of};
use super::picture::hue;
use crate::app::scene::{Diagram, Kind, Slant, duration};
use crate::text::{Lang, text};

/// The view box: its width, the room for names at the left and for the newest labels at the right.
const WIDTH: f32 = 1000.0;
const LEFT: f32 = 96.0;
const RIGHT: f32 = 24.0;
const SERVER_Y: f32 = 20.0;
const ROW: f32 = 38.0;

/// The newest part of a lane's story, as messages in space and time.
#[component]
pub fn SpaceTime(#[prop(into)] diagram: Signal<Diagram>, #[prop(into)] lang: Signal<Lang>) -> impl IntoView {
    let drawing = Memo::new(move |_| diagram.with(Drawing::of));
    let name = move || match lang.get() {
        Lang::En => drawing.with(|d| format!("Messages from {} to {}", d.from, d.to)),
        Lang::Zh => drawing.with(|d| format!("{} 到 {} 之间的消息", d.from, d.to)),
    };
    view! {
        <div class="space-time">
            <svg
                viewBox=move || drawing.with(|d| format!("0 0 {WIDTH} {}", d.height))
                role="img"
                aria-label=name
            >
                {move || drawing.with(draw)}
            </svg>
            <p class="legend">
                {move || {
                    let words = text(
                        "solid: request · dashed: reply · dotted with a dot: event · band: believes it holds",
                        "实线：请求 · 虚线：响应 · 点线带圆点：事件 · 色带：自认为持有",
                    );
                    words.get(lang.get()).to_string()
                }}
            </p>
        </div>
    }
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
        let mut free: Vec<f32> = vec![0.0; diagram.clients.len()];
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
            // What is still under way has come a part of its way.
            let arrived = slant.to_ms.is_some();
            let to = if arrived { to } else { (to.0, (from.1 + to.1) / 2.0) };
            Line { class: class(slant), from, to, label, arrived }
        });
        Drawing {
            height: y(diagram.clients.len() as u32) + 8.0,
            from: duration(diagram.from_ms),
            to: duration(diagram.to_ms),
            rows: rows.collect(),
            ticks: ticks.collect(),
            bands: bands.collect(),
            lines: lines.collect(),
        }
    }
}

fn class(slant: &Slant) -> String {
    let kind = match slant.kind {
        Kind::Request => "request",
        Kind::Reply => "reply",
        Kind::Event => "event",
    };
    format!("slant {kind} {}", hue(slant.client))
}

/// A label goes under its client's line, if the one before it leaves room. Replies go without: the
/// request before them says what they answer.
fn label(slant: &Slant, x: f32, y: f32, free: &mut [f32]) -> Option<(f32, f32, String)> {
    let width = width_of(&slant.label, PILL_TEXT);
    let free = free.get_mut(slant.row as usize)?;
    let start = x.min(WIDTH - width);
    if slant.kind == Kind::Reply || start < *free {
        return None;
    }
    *free = start + width + 6.0;
    Some((start, y + 15.0, slant.label.clone()))
}

fn draw(drawing: &Drawing) -> impl IntoView + use<> {
    let bottom = drawing.height - 22.0;
    let ticks = drawing.ticks.iter().cloned().map(|(x, label)| {
        view! {
            <path class="tick" d=format!("M{x},{SERVER_Y} V{bottom}") />
            <text class="tick-label" x=x y=bottom + 16.0>{label}</text>
        }
    });
    let rows = drawing.rows.iter().cloned().map(|(hue, letter, y)| {
        view! {
            <g class=format!("life {hue}")>
                <path class="life-line" d=format!("M{LEFT},{y} H{WIDTH}") />
                <circle cx="74" cy=y r="13" />
                <text class="letter" x="74" y=y + 5.5>{letter}</text>
            </g>
        }
    });
    let bands = drawing.bands.iter().map(|(hue, x, y, w)| {
        view! {
            <g class=format!("held {hue}") transform=format!("translate({x}, {})", y - 4.0)>
                <rect width=*w height="8" rx="4" />
            </g>
        }
    });
    let lines = drawing.lines.iter().cloned().map(|line| {
        let d = format!("M{},{} L{},{}", line.from.0, line.from.1, line.to.0, line.to.1);
        let end = line.arrived.then(|| view! { <circle class="end" cx=line.to.0 cy=line.to.1 r="3.5" /> });
        let label = line.label.map(|(x, y, text)| view! { <text class="slant-label" x=x y=y>{text}</text> });
        view! { <g class=line.class><path d=d />{end}{label}</g> }
    });
    view! {
        {ticks.collect_view()}
        <g class="life server">
            <path class="life-line" d=format!("M{LEFT},{SERVER_Y} H{WIDTH}") />
            <text x="6" y=SERVER_Y + 5.0>"ZooKeeper"</text>
        </g>
        {rows.collect_view()}
        {bands.collect_view()}
        {lines.collect_view()}
    }
}
