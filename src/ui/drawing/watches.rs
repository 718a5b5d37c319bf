//! Watches on a tall stage: a rail left of the queue, an arc from the watcher's row to a bell at the
//! row that it watches.

use super::icons::bell;
use super::labels::hue;
use super::target::translate;
use crate::app::scene::{Stage, WatchState, WatchView};
use crate::ui::el::{El, div, short};

/// The height of a row in the rail's units.
pub const ROW: f32 = 52.0;
/// The width of the rail in its units.
const RAIL: f32 = 40.0;

/// The rail of a queue. It fills its container, whose rows are all equally high.
pub fn rail(stage: &Stage) -> El {
    let height = short(ROW * stage.columns.max(1) as f32);
    div("svg", "rail")
        .attr("viewBox", format!("0 0 {} {height}", short(RAIL)))
        .attr("aria-hidden", "true")
        .kids(stage.watches.iter().map(arc))
        .kids(bells(&stage.watches))
}

fn middle(row: u32) -> f32 {
    ROW * row as f32 + ROW / 2.0
}

fn arc(watch: &WatchView) -> El {
    let fired = watch.state == WatchState::Fired;
    let from = middle(watch.from) - 8.0;
    // The directory's bell hangs in the row above the queue.
    let to = watch.to.map_or(0.0, |to| middle(to) + 10.0);
    let away = watch.to.map_or(watch.from + 1, |to| watch.from.abs_diff(to)) as f32;
    let bend = short((RAIL - 14.0 - 5.0 * away).max(0.0));
    let end = if watch.to.is_some() { RAIL - 10.0 } else { RAIL - 12.0 };
    let (from, to, end, rail) = (short(from), short(to), short(end), short(RAIL));
    let d = format!("M{rail},{from} C{bend},{from} {bend},{to} {end},{to}");
    let class = format!("arc {} {}", hue(watch.client), if fired { "fired" } else { "armed" });
    div("g", class).kid(div("path", "thread").attr("d", d))
}

fn bells(watches: &[WatchView]) -> Vec<El> {
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
        marks.push(div("g", class).attr("transform", translate(RAIL - 8.0, y)).kid(bell()));
    }
    marks
}
