//! What runs cost, as a small table: a row for each measure, a column for each lane.

use std::io::{self, Write};

use lockstep::judge::Measures;
use lockstep::text::{Lang, Text, text};

use super::plain::{padded, width};

type Row = (Text, fn(&Measures) -> String);

/// Prints the measures of some lanes side by side.
pub fn print(lanes: &[&Measures], lang: Lang, out: &mut impl Write) -> io::Result<()> {
    let label_width = rows().iter().map(|(label, _)| width(label.get(lang))).max().unwrap_or(0);
    let columns: Vec<Vec<String>> =
        lanes.iter().map(|measures| rows().iter().map(|(_, show)| show(measures)).collect()).collect();
    if lanes.len() > 1 {
        write!(out, "  {:label_width$}", "")?;
        for (at, column) in (1..).zip(&columns) {
            write!(out, "  {:>1$}", format!("[{at}]"), column_width(column))?;
        }
        writeln!(out)?;
    }
    for (at, (label, _)) in rows().iter().enumerate() {
        write!(out, "  {}", padded(label.get(lang), label_width))?;
        for column in &columns {
            write!(out, "  {:>1$}", column[at], column_width(column))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn column_width(column: &[String]) -> usize {
    column.iter().map(|cell| width(cell)).max().unwrap_or(0).max(6)
}

fn rows() -> [Row; 17] {
    [
        (text("requests to ZooKeeper", "发给 ZooKeeper 的请求"), |m| m.requests.to_string()),
        (text("  of them reads", "  其中读请求"), |m| m.reads.to_string()),
        (text("watch events heard", "收到的 Watch 事件"), |m| m.events.to_string()),
        (text("children in replies", "响应中的子节点数"), |m| m.children.to_string()),
        (text("releases", "释放次数"), |m| m.releases.len().to_string()),
        (text("  events per release", "  每次释放的事件"), |m| {
            mean(m.releases.iter().map(|r| r.events.into()))
        }),
        (text("  requests per release", "  每次释放引发的请求"), |m| {
            mean(m.releases.iter().map(|r| r.requests.into()))
        }),
        (text("  reads per release", "  每次释放引发的读请求"), |m| {
            mean(m.releases.iter().map(|r| r.reads.into()))
        }),
        (text("  hand-over, ms", "  交接时间 ms"), |m| {
            mean(m.releases.iter().filter_map(|r| r.hand_over_ms))
        }),
        (text("acquisitions", "获得锁的次数"), |m| m.acquisitions.len().to_string()),
        (text("  requests per acquisition", "  每次获得锁的请求"), |m| {
            mean(m.acquisitions.iter().map(|a| a.requests.into()))
        }),
        (text("  reads per acquisition", "  每次获得锁的读请求"), |m| {
            mean(m.acquisitions.iter().map(|a| a.reads.into()))
        }),
        (text("woken in vain", "白白唤醒"), |m| m.wake_ups_in_vain.to_string()),
        (text("polls in vain", "白问"), |m| m.polls_in_vain.to_string()),
        (text("creates that lost the fight", "落空的 create"), |m| m.fights_lost.to_string()),
        (text("places given up", "放弃的位置"), |m| m.places_given_up.to_string()),
        (text("stock left, writes", "剩余库存、写入次数"), |m| {
            let stock = m.stock.map_or_else(|| "–".to_string(), |stock| stock.to_string());
            format!("{stock} / {}", m.writes)
        }),
    ]
}

/// The mean with one decimal where it is not whole.
fn mean(numbers: impl Iterator<Item = u64>) -> String {
    let (count, sum) = numbers.fold((0u64, 0u64), |(count, sum), n| (count + 1, sum + n));
    match (sum * 10 + count / 2).checked_div(count) {
        None => "–".to_string(),
        Some(tenths) if tenths % 10 == 0 => (tenths / 10).to_string(),
        Some(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
    }
}
