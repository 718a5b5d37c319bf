//! The bill card: what the newest release cost in each lane, and what a real server charged.

use super::code::card_title;
use super::controls::{sign, tr, unseen};
use super::el::{El, div, el};
use crate::app::scene::{Bill, REAL_SERVER};
use crate::app::{LabScene, Msg};
use crate::text::{Lang, text};

/// The bill.
pub fn bill_card(lang: Lang, lab: &LabScene, foldable: bool) -> El {
    let open = lab.bill.is_some();
    let title = lab.bill.as_ref().map_or(text("The bill", "账单"), |bill| bill.title.clone());
    let card = div("section", "card bill-card").attr("data-card", "bill").kid(el("h3").kid(card_title(
        tr(lang, title),
        foldable,
        open,
        Msg::ShowBill(!open),
    )));
    match &lab.bill {
        None => card,
        Some(bill) => card.kid(table(lang, lab.lanes.len(), bill)).maybe(bill.real.then(|| real_bill(lang))),
    }
}

fn table(lang: Lang, lanes: usize, bill: &Bill) -> El {
    let heads = (1..=lanes).map(|n| {
        let lane = unseen(tr(lang, text("lane", "方案")));
        el("th").attr("scope", "col").kid(lane).text(format!(" {n}"))
    });
    let rows = bill.rows.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| {
            let td = el("td").opt("class", cell.dear.then_some("dear".into()));
            let td = match cell.dear {
                true => td.kid(unseen(tr(lang, text("dearer", "更贵")))).kid(sign("▲ ")),
                false => td,
            };
            td.kid(el("b").text(cell.text.clone()))
        });
        let label = el("th").attr("scope", "row").text(tr(lang, row.label.clone()));
        el("tr").key(row.key).attr("data-bill", row.key).kid(label).kids(cells)
    });
    div("table", "bill")
        .attr("data-lanes", lanes.to_string())
        .kid(el("thead").kid(el("tr").kid(el("td")).kids(heads)))
        .kid(el("tbody").kids(rows))
}

/// What a real server charged for the same.
fn real_bill(lang: Lang) -> El {
    let pair = |(events, requests): (f32, f32)| {
        el("td").text(format!("{} / {}", super::el::short(events), super::el::short(requests)))
    };
    let rows = REAL_SERVER.map(|row| {
        el("tr")
            .kid(el("th").attr("scope", "row").text(row.clients.to_string()))
            .kid(pair(row.predecessor))
            .kid(pair(row.parent))
            .kid(pair(row.holder))
    });
    let heads = [
        text("clients", "客户端"),
        text("predecessor", "前驱节点"),
        text("children", "子节点列表"),
        text("holder", "持有者"),
    ];
    let heads = heads.map(|head| el("th").attr("scope", "col").text(tr(lang, head)));
    let summary = text(
        "A real server, 500 clients, per release: 1 woken (the one ahead is watched), 489.5 on average (the holder is)",
        "真实服务器，500 个客户端，每次释放：监听前驱节点唤醒 1 个，监听持有者平均唤醒 489.5 个",
    );
    let source = text(
        "Measured on ZooKeeper 3.8.0, one server: the queue filled first, then 20 releases one by one (8 with 10 clients). The simulator gives the same numbers.",
        "在单台 ZooKeeper 3.8.0 上测得：先排满队列，再逐个释放 20 次（10 个客户端时为 8 次）。模拟器给出同样的数字。",
    );
    let caption = text("events / requests per release", "每次释放的事件数 / 请求数");
    let table = el("table")
        .kid(el("caption").text(tr(lang, caption)))
        .kid(el("thead").kid(el("tr").kids(heads)))
        .kid(el("tbody").kids(rows));
    div("details", "real")
        .kid(el("summary").text(tr(lang, summary)))
        .kid(table)
        .kid(div("p", "small").text(tr(lang, source)))
}
