//! Watches: set, fired, heard, as sentences.

use super::step::{answering, wakes};
use crate::recipe::{last_part, node_label, sequence};
use crate::teach::words::place;
use crate::text::{Lang, Text, say, text};
use crate::world::{ClientId, Event};
use crate::zookeeper::WatchedEvent;

/// The clients as a list; many are shortened.
fn names(clients: &[ClientId], between: &str, last: &str) -> String {
    let shown: Vec<String> = clients.iter().take(6).map(ClientId::to_string).collect();
    match shown.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) if clients.len() <= 6 => format!("{}{last}{end}", rest.join(between)),
        _ => format!("{}{between}… ({})", shown.join(between), clients.len()),
    }
}

pub(super) fn set(client: ClientId, path: &str, on_missing: bool, step: &[Event]) -> Text {
    let on = place(path);
    // A number has a space behind it.
    let zh = if on.zh.ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
    let (en, zh) = (on.get(Lang::En), format!("{}{zh}", on.zh));
    let who = answering(step);
    match (on_missing, sequence(last_part(path))) {
        (true, Some(number)) => {
            let again = comes_again(number);
            say(
                format!("{} leaves {client}'s watch on {en}, which is not there; {}.", who.en, again.en),
                format!("{}在已经不存在的{zh}上留下 {client} 的 Watch；{}。", who.zh, again.zh),
            )
        }
        (true, None) => say(
            format!(
                "{} leaves {client}'s watch on {en}, which is not there: it fires when that name is created.",
                who.en
            ),
            format!("{}在尚不存在的{zh}上留下 {client} 的 Watch：等这个名字被创建时才触发。", who.zh),
        ),
        (false, _) => say(
            format!("{} sets {client}'s watch on {en}.", who.en),
            format!("{}在{zh}上为 {client} 设置 Watch。", who.zh),
        ),
    }
}

/// Whether a sequence number can come again. The counter stands still at its end since ZooKeeper 3.6
/// (recorded in `tests/traces/o_overflow_sequential_creates.jsonl`).
fn comes_again(number: i32) -> Text {
    if number == i32::MAX {
        text("it is the last number, at which the counter stands still", "这是最后一个序号，计数器会停在这里")
    } else {
        text(
            "that number comes again only if the directory is made anew",
            "只有锁目录重建，这个序号才会再出现",
        )
    }
}

/// All the watches that fire in a step are one sentence, which the first of them says.
pub(super) fn fired(event: &Event, watched: &WatchedEvent, step: &[Event]) -> Option<Text> {
    let fires = |event: &&Event| matches!(event, Event::WatchFired { lost: false, .. });
    let first = step.iter().find(fires)?;
    if !std::ptr::eq(first, event) {
        return None;
    }
    let clients: Vec<ClientId> = step.iter().filter(fires).filter_map(Event::client).collect();
    let kind = watched.kind.name();
    let (en, zh) = (names(&clients, ", ", " and "), names(&clients, "、", " 和 "));
    Some(match clients.len() {
        1 => say(
            format!("The watch of {en} fires: {kind} is on its way."),
            format!("{zh} 的 Watch 触发：{kind} 已发出。"),
        ),
        n => say(
            format!("The watches of {n} clients fire ({en}): {kind} is on its way to each."),
            format!("{n} 个客户端的 Watch 触发（{zh}）：{kind} 已分别发出。"),
        ),
    })
}

/// An event that goes to a connection which the client has given up.
pub(super) fn fired_in_vain(client: ClientId, watched: &WatchedEvent) -> Text {
    let node = node_label(&watched.path);
    say(
        format!("The event about {node} goes to a connection that {client} has given up."),
        format!("关于 {node} 的事件发往 {client} 已经放弃的连接。"),
    )
}

pub(super) fn heard(client: ClientId, watched: &WatchedEvent, step: &[Event]) -> Text {
    let kind = watched.kind.name();
    if wakes(step) {
        say(format!("{client} hears {kind} and wakes."), format!("{client} 收到 {kind}，醒来。"))
    } else {
        say(format!("{client} hears {kind}."), format!("{client} 收到 {kind}。"))
    }
}
