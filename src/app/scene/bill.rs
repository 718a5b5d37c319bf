//! The bill: what the newest release cost in each lane, and what a real server charged for the same.

use super::words::duration;
use crate::judge::{Measures, Release};
use crate::recipe::Verdict;

use crate::text::{Text, say, text};

/// A time is worth a row from here on, in virtual ms.
const LONG_MS: u64 = 1000;

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
    /// Whether what a real server charged may be shown: it would answer a prediction still open.
    pub real: bool,
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

/// What one lane has cost so far.
pub struct LaneCost<'a> {
    pub measures: &'a Measures,
    /// Its verdict so far. Beside a lane that sticks or breaks, no figure is marked as a cost.
    pub verdict: Option<Verdict>,
    pub over: bool,
}

/// Builds the bill of the newest release that every lane has come to; of all of them once all lanes
/// are over. `real` is whether what a real server charged may be shown.
pub fn bill(lanes: &[LaneCost<'_>], real: bool) -> Bill {
    let over = lanes.iter().all(|lane| lane.over);
    let reached = lanes.iter().map(|lane| lane.measures.releases.len()).min().unwrap_or(0).max(1);
    let per_release = |pick: fn(&Release) -> Figure| -> Vec<Figure> {
        lanes.iter().map(|lane| sum_or_one(&lane.measures.releases, reached, over, pick)).collect()
    };
    let total = |pick: fn(&Measures) -> u64| -> Vec<Figure> {
        lanes.iter().map(|lane| Figure::Known(pick(lane.measures))).collect()
    };
    let cheap: Vec<bool> =
        lanes.iter().map(|lane| !matches!(lane.verdict, Some(Verdict::Sticks | Verdict::Breaks))).collect();
    let mut rows = vec![
        row(
            "woken",
            text("clients woken", "唤醒的客户端"),
            &per_release(|r| Figure::Known(r.events.into())),
            None,
        ),
        row("vain", text("of them in vain", "其中白白唤醒"), &per_release(in_vain), Some(&cheap)),
        row(
            "requests",
            text("requests set off", "引发的请求"),
            &per_release(|r| Figure::Known(r.requests.into())),
            Some(&cheap),
        ),
    ];
    if !over {
        let hand_over = |r: &Release| r.hand_over_ms.map_or(Figure::None, Figure::Ms);
        rows.push(row("handover", text("hand-over", "交接耗时"), &per_release(hand_over), Some(&cheap)));
    }
    rows.push(row("all", text("all requests", "全部请求"), &total(|m| m.requests.into()), None));
    // Rows that only some decisions ever fill.
    type Total = fn(&Measures) -> u64;
    let rare: [(&'static str, Text, Total); 11] = [
        ("polls", text("polls in vain", "白问的轮询"), |m| m.polls_in_vain.into()),
        ("fights", text("creates that lost", "落空的 create"), |m| m.fights_lost.into()),
        ("places", text("places given up", "放弃的位置"), |m| m.places_given_up.into()),
        ("leftover", text("left-over watches", "残留的 Watch"), |m| m.left_over_watches.into()),
        ("orphans", text("orphan nodes", "孤儿节点"), |m| m.orphans.len() as u64),
        ("stale", text("late requests", "迟到的请求"), |m| m.stale_tried.into()),
        ("stale-taken", text("of them taken", "其中被接受"), |m| m.stale_taken.into()),
        ("stale-refused", text("of them refused", "其中被拒绝"), |m| m.stale_refused.into()),
        ("expired", text("sessions that expired", "过期的会话"), |m| m.sessions_expired.into()),
        ("reconnects", text("reconnects", "重连"), |m| m.reconnects.into()),
        ("heartbeats", text("heartbeats", "心跳"), |m| m.heartbeats.into()),
    ];
    for (key, label, pick) in rare {
        if lanes.iter().any(|lane| pick(lane.measures) > 0) {
            // What a fault brings by itself is no one's mistake.
            let fault = !matches!(key, "stale" | "stale-refused" | "expired" | "reconnects" | "heartbeats");
            rows.push(row(key, label, &total(pick), fault.then_some(&*cheap)));
        }
    }
    // Times that are worth a row once they are long.
    let times: [(&'static str, Text, Total); 3] = [
        ("take-over", text("longest take-over", "最长接管耗时"), |m| m.take_over_ms.unwrap_or(0)),
        ("free", text("lock free, wanted", "锁空着却有人等"), |m| m.free_ms),
        ("blocked", text("lock blocked", "锁被占着不动"), |m| m.blocked_ms),
    ];
    for (key, label, pick) in times {
        if lanes.iter().any(|lane| pick(lane.measures) >= LONG_MS) {
            let figures = lanes.iter().map(|lane| Figure::Ms(pick(lane.measures))).collect::<Vec<_>>();
            rows.push(row(key, label, &figures, Some(&cheap)));
        }
    }
    let by = lanes.iter().find_map(|lane| lane.measures.releases.get(reached - 1)).map(|release| &release.by);
    let title = match by {
        _ if over => text("The bill, all in all", "开销：合计"),
        Some(by) if reached == 1 => say(format!("The bill: {by} lets go"), format!("开销：{by} 释放之后")),
        Some(_) => say(format!("The bill: release {reached}"), format!("开销：第 {reached} 次释放")),
        None => text("The bill", "开销"),
    };
    Bill { title, rows, real }
}

/// A figure in the bill before it is written.
#[derive(Clone, Copy)]
enum Figure {
    None,
    /// Not decided yet: somebody woken is still looking.
    Open,
    Known(u64),
    Ms(u64),
}

fn in_vain(release: &Release) -> Figure {
    let settled = release.in_vain + u32::from(release.next.is_some());
    if settled < release.events { Figure::Open } else { Figure::Known(release.in_vain.into()) }
}

fn sum_or_one(releases: &[Release], reached: usize, over: bool, pick: fn(&Release) -> Figure) -> Figure {
    if !over {
        return releases.get(reached - 1).map_or(Figure::None, pick);
    }
    let known = |release: &Release| match pick(release) {
        Figure::Known(n) => n,
        Figure::None | Figure::Open | Figure::Ms(_) => 0,
    };
    Figure::Known(releases.iter().map(known).sum())
}

/// `cheap` says which lanes count for what is cheap; without it no figure in the row is marked.
fn row(key: &'static str, label: Text, figures: &[Figure], cheap: Option<&[bool]>) -> BillRow {
    let value = |figure: &Figure| match figure {
        Figure::Known(n) | Figure::Ms(n) => Some(*n),
        Figure::None | Figure::Open => None,
    };
    let counts = |at: usize| cheap.is_some_and(|cheap| cheap.get(at).copied().unwrap_or(false));
    let least = figures.iter().enumerate().filter(|(at, _)| counts(*at)).filter_map(|(_, f)| value(f)).min();
    let cells = figures.iter().enumerate().map(|(at, figure)| {
        let dear = counts(at)
            && match (figure, least) {
                (Figure::Known(n), Some(least)) => *n > least,
                // A few milliseconds are luck: a hand-over is marked if it takes half as long again.
                (Figure::Ms(n), Some(least)) => *n > least + least / 2,
                _ => false,
            };
        let text = match figure {
            Figure::None => "–".to_string(),
            Figure::Open => "…".to_string(),
            Figure::Known(n) => n.to_string(),
            Figure::Ms(n) => duration(*n),
        };
        Cell { text, dear }
    });
    BillRow { key, label, cells: cells.collect() }
}
