//! The bill: what the newest release cost in each lane, and what a real server charged for the same.

use crate::judge::Measures;
use crate::sorted::Listed;
use crate::text::{Text, say, text};

/// A figure in the bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// It is more than the cheapest lane pays, and that is worse.
    pub dear: bool,
}

/// A row of the bill: one figure a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillRow {
    /// A stable name for tests.
    pub key: &'static str,
    pub label: Text,
    pub cells: Vec<Cell>,
}

/// The bill as it stands at a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    pub title: Text,
    pub rows: Vec<BillRow>,
}

/// A row of what a real server charged, per release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RealRow {
    pub clients: u32,
    pub predecessor: (f32, f32),
    pub parent: (f32, f32),
    pub holder: (f32, f32),
}

/// Events and requests per release, measured on ZooKeeper 3.8.0 (standalone, loopback): the queue
/// filled first, then 8 releases with 10 clients and 20 with more. `tests/herd.rs` holds the
/// simulator to them.
pub const REAL_SERVER: [RealRow; 4] = [
    RealRow { clients: 10, predecessor: (1.0, 1.0), parent: (5.5, 5.5), holder: (5.5, 10.0) },
    RealRow { clients: 50, predecessor: (1.0, 1.0), parent: (39.5, 39.5), holder: (39.5, 78.0) },
    RealRow { clients: 200, predecessor: (1.0, 1.0), parent: (189.5, 189.5), holder: (189.5, 378.0) },
    RealRow { clients: 500, predecessor: (1.0, 1.0), parent: (489.5, 489.5), holder: (489.5, 978.0) },
];

/// Builds the bill from the measures of each lane.
pub fn bill(lanes: &[&Measures]) -> Bill {
    let release = |pick: &dyn Fn(&crate::judge::Release) -> Option<u64>| -> Vec<Option<u64>> {
        lanes.iter().map(|m| m.releases.last().and_then(pick)).listed()
    };
    let total = |pick: &dyn Fn(&Measures) -> u64| -> Vec<Option<u64>> {
        lanes.iter().map(|m| Some(pick(m))).listed()
    };
    let mut rows = vec![
        row("woken", text("clients woken", "唤醒的客户端"), release(&|r| Some(r.events.into())), ""),
        row("vain", text("of them in vain", "其中白白唤醒"), release(&|r| Some(r.in_vain.into())), ""),
        row("requests", text("requests set off", "引发的请求"), release(&|r| Some(r.requests.into())), ""),
        row("handover", text("hand-over", "交接"), release(&|r| r.hand_over_ms), " ms"),
        row("all", text("all requests", "至今全部请求"), total(&|m| m.requests.into()), ""),
    ];
    // Rows that only some decisions ever fill.
    type Total = fn(&Measures) -> u64;
    let rare: [(&'static str, Text, Total); 4] = [
        ("polls", text("polls in vain", "白问的轮询"), |m| m.polls_in_vain.into()),
        ("fights", text("creates that lost", "落空的 create"), |m| m.fights_lost.into()),
        ("places", text("places given up", "放弃的位置"), |m| m.places_given_up.into()),
        ("leftover", text("left-over watches", "残留的 Watch"), |m| m.left_over_watches.into()),
    ];
    for (key, label, pick) in rare {
        if lanes.iter().any(|m| pick(m) > 0) {
            rows.push(row(key, label, total(&pick), ""));
        }
    }
    let newest = lanes.iter().filter_map(|m| m.releases.last()).next_back();
    let title = match newest {
        Some(release) => {
            say(format!("The bill: {} lets go", release.by), format!("账单：{} 释放之后", release.by))
        }
        None => text("The bill", "账单"),
    };
    Bill { title, rows }
}

fn row(key: &'static str, label: Text, values: Vec<Option<u64>>, unit: &str) -> BillRow {
    let least = values.iter().flatten().min().copied().unwrap_or(0);
    let cells = values.iter().map(|value| Cell {
        text: value.map_or("–".to_string(), |value| format!("{value}{unit}")),
        // A few milliseconds are luck; a dear hand-over is half as long again.
        dear: value
            .is_some_and(|value| if unit.is_empty() { value > least } else { value > least + least / 2 }),
    });
    BillRow { key, label, cells: cells.listed() }
}
