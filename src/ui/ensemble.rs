//! The servers, where there are several: the bar over the stage, and the closer view as a tab.

use super::controls::{sign, tr};
use super::el::{El, div, el};
use super::lab::scroll;
use crate::app::scene::{EnsembleView, Hue, Pick, ServerView, server_words, way_words};
use crate::app::{LabScene, Msg};

use crate::text::{Lang, Text, say, text};
use crate::zookeeper::{ServerId, Zxid};

/// How many letters a cell has room for.
const LETTERS: usize = 4;

/// A cell a server, and the queue as one of them has it.
pub fn servers_bar(lang: Lang, lane: usize, view: &EnsembleView, picked: Option<ServerId>) -> El {
    let cells = view.servers.iter().map(|server| el("li").kid(cell(lang, lane, server, picked)));
    let name = say(format!("Servers of lane {}", lane + 1), format!("方案 {} 的服务器", lane + 1));
    let lag = if view.still.is_empty() && view.not_yet.is_empty() { "as-seen" } else { "as-seen lags" };
    div("div", "servers")
        .attr("data-servers", view.servers.len().to_string())
        .attr("data-seen-by", view.seen_by.to_string())
        .kid(div("ul", "server-cells").attr("aria-label", tr(lang, name)).kids(cells))
        .kid(div("p", lag).text(tr(lang, view.queue.clone())))
}

fn cell(lang: Lang, lane: usize, view: &ServerView, picked: Option<ServerId>) -> El {
    let letters = view.clients.iter().take(LETTERS).map(|client| {
        div("b", format!("server-client {}", Hue::of(*client).class())).text(client.to_string())
    });
    let more = view.clients.len().saturating_sub(LETTERS);
    let more = (more > 0).then(|| el("span").text(format!("+{more}")));
    let behind = (view.behind > 0).then(|| div("span", "behind").text(format!("−{}", view.behind)));
    let cut = (!view.cut_from.is_empty()).then(|| {
        let names: Vec<String> = view.cut_from.iter().map(ServerId::to_string).collect();
        div("span", "server-cut").text(format!("≠ {}", names.join(" ")))
    });
    let word = el("span").text(tr(lang, view.state.label()));
    let first = div("span", "server-head")
        .kid(el("b").text(view.server.to_string()))
        .kid(div("span", "server-mark").kid(sign(view.state.mark())))
        .kid(word)
        .maybe(behind)
        .spaced();
    let second = div("span", "server-foot").maybe(cut).kids(letters).maybe(more).spaced();
    div("button", format!("server-cell {}", view.state.word()))
        .attr("data-member", view.server.to_string())
        .attr("data-state", view.state.word())
        .aria("aria-pressed", picked == Some(view.server))
        .attr("title", tr(lang, server_words(view)))
        .kid(first)
        .kid(second)
        .click(super::el::Act::Both(Msg::Focus(lane), Msg::Pick(Some(Pick::Member(view.server)))))
}

/// A row for each server of the lane in focus, where there are several: what it does, and up to where it
/// has the history.
pub fn server_rows(lang: Lang, lab: &LabScene) -> Option<El> {
    let lane = &lab.lanes[lab.focus];
    let view = lane.stage.ensemble.as_ref()?;
    let heads = [
        text("server", "服务器"),
        text("state", "状态"),
        Text::same("epoch"),
        text("written up to", "已写入到"),
        text("carried out up to", "已执行到"),
        text("behind", "落后"),
        text("clients", "客户端"),
        text("watches", "Watch 数"),
        text("cut from", "断开"),
    ];
    let heads = heads.map(|head| el("th").attr("scope", "col").text(tr(lang, head)));
    let rows = view.servers.iter().map(|server| {
        let clients: Vec<String> = server.clients.iter().map(ToString::to_string).collect();
        let cut: Vec<String> = server.cut_from.iter().map(ToString::to_string).collect();
        let none = |names: Vec<String>| if names.is_empty() { "–".to_string() } else { names.join(" ") };
        let cells = [
            format!("{} {}", server.state.mark(), server.state.label().get(lang)),
            server.epoch.to_string(),
            position(server.written),
            position(server.applied),
            if server.behind == 0 { "0".to_string() } else { format!("−{}", server.behind) },
            none(clients),
            server.watches.to_string(),
            none(cut),
        ];
        let cells = cells.map(|cell| el("td").text(cell));
        el("tr").kid(el("th").attr("scope", "row").text(server.server.to_string())).kids(cells)
    });
    let number = lane.number;
    let caption = say(
        format!("Lane {number}: up to where each server has the history"),
        format!("方案 {number}：每台服务器的历史到哪里"),
    );
    let table = div("table", "rows")
        .kid(el("caption").text(tr(lang, caption)))
        .kid(el("thead").kid(el("tr").kids(heads)))
        .kid(el("tbody").kids(rows));
    Some(scroll(tr(lang, text("Table of the servers", "服务器的表格")), table))
}

/// The same, and what is under way between the servers of the lane in focus.
pub fn servers_table(lang: Lang, lab: &LabScene) -> El {
    let Some(view) = &lab.lanes[lab.focus].stage.ensemble else { return el("div") };
    let items = view.between.iter().map(|way| el("li").text(tr(lang, way_words(way))));
    let none = view.between.is_empty().then(|| el("li").text(tr(lang, text("nothing", "没有"))));
    let under = text("Under way between servers", "服务器之间的消息");
    div("div", "servers-close")
        .maybe(server_rows(lang, lab))
        .kid(el("h4").text(tr(lang, under)))
        .kid(div("ul", "between").flag("data-between", true).maybe(none).kids(items))
}

/// A place in the history: epoch and number.
fn position(zxid: Zxid) -> String {
    format!("{}.{}", zxid.epoch(), zxid.counter())
}
