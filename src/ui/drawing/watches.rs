//! Watches on a tall stage: a rail left of the queue, an arc from the watcher's row to a bell at the
//! row that it watches.

use leptos::prelude::*;

use super::icons::bell;
use super::picture::hue;
use crate::app::scene::{Stage, WatchState, WatchView};

/// The height of a row in the rail's units.
pub const ROW: f32 = 52.0;
/// The width of the rail in its units.
const RAIL: f32 = 40.0;

/// The rail of a queue. It fills its container, whose rows are all equally high.
#[component]
pub fn Rail(#[prop(into)] stage: Signal<Stage>) -> impl IntoView {
    let watches = Memo::new(move |_| stage.with(|stage| stage.watches.clone()));
    let rows = Memo::new(move |_| stage.with(|stage| stage.columns.max(1)));
    view! {
        <svg class="rail" viewBox=move || format!("0 0 {RAIL} {}", ROW * rows.get() as f32) aria-hidden="true">
            {move || watches.with(|watches| watches.iter().map(arc).collect_view())}
            {move || watches.with(|watches| bells(watches))}
        </svg>
    }
}

fn middle(row: u32) -> f32 {
    ROW * row as f32 + ROW / 2.0
}

fn arc(watch: &WatchView) -> impl IntoView + use<> {
    let fired = watch.state == WatchState::Fired;
    let from = middle(watch.from) - 8.0;
    // The directory's bell hangs in the row above the queue.
    let to = watch.to.map_or(0.0, |to| middle(to) + 10.0);
    let away = watch.to.map_or(watch.from + 1, |to| watch.from.abs_diff(to)) as f32;
    let bend = (RAIL - 14.0 - 5.0 * away).max(0.0);
    let end = if watch.to.is_some() { RAIL - 10.0 } else { RAIL - 12.0 };
    let d = format!("M{RAIL},{from} C{bend},{from} {bend},{to} {end},{to}");
    let class = format!("arc {} {}", hue(watch.client), if fired { "fired" } else { "armed" });
    view! {
        <g class=class>
            <path class="thread" d=d />
        </g>
    }
}

fn bells(watches: &[WatchView]) -> impl IntoView + use<> {
    let mut seen: Vec<Option<u32>> = Vec::new();
    let mut marks = Vec::new();
    for watch in watches.iter().filter(|watch| watch.state != WatchState::Fired) {
        if watch.to.is_none() || seen.contains(&watch.to) {
            continue;
        }
        seen.push(watch.to);
        let alone = watches.iter().filter(|other| other.to == watch.to).count() == 1;
        let y = watch.to.map_or(0.0, middle) + 3.0;
        let hollow = if watch.state == WatchState::OnMissing { "hollow" } else { "" };
        let class = format!("bell-mark {} {hollow}", if alone { hue(watch.client) } else { "" });
        marks.push(view! { <g class=class transform=format!("translate({}, {y})", RAIL - 8.0)>{bell()}</g> });
    }
    marks
}
