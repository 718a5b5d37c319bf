//! What stands under the stage: truth strips, the space-time diagram, the table; code and bill where
//! there is no rail.

use super::bill::bill_card;
use super::code::code_card;
use super::controls::tr;
use super::drawing::{space_time, truth_strips};
use super::el::{El, div, el};
use super::ensemble::{server_rows, servers_table};
use super::lab::scroll;
use crate::app::{LabScene, Layout, Model, Msg, Tab};
use crate::text::{Lang, Text, say, text};

fn tab_name(tab: Tab) -> Text {
    match tab {
        Tab::Strips => text("Belief and truth", "以为与事实"),
        Tab::Diagram => text("Space-time diagram", "时空图"),
        Tab::Table => text("Table", "表格"),
        Tab::Servers => text("Servers", "服务器"),
        Tab::Code => text("Code", "代码"),
        Tab::Bill => text("Bill", "账单"),
    }
}

/// The tabs and the one that is open.
pub fn under(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let rail = model.layout == Layout::Wide;
    let tabs = Tab::ALL.into_iter().filter(|tab| !rail || !matches!(tab, Tab::Code | Tab::Bill));
    let many = lab.lanes[lab.focus].stage.ensemble.is_some();
    let tabs = tabs.filter(|tab| many || *tab != Tab::Servers);
    let tabs = tabs.map(|tab| {
        div("button", "tab")
            .key(tab.word())
            .attr("data-tab", tab.word())
            .aria("aria-pressed", tab == lab.tab)
            .text(tr(lang, tab_name(tab)))
            .sends(Msg::Tab(tab))
    });
    let body = match lab.tab {
        Tab::Strips => truth_strips(lang, &lab.strips),
        Tab::Diagram => lab.diagram.as_ref().map_or_else(|| el("div"), |diagram| space_time(lang, diagram)),
        Tab::Table => table(lang, lab),
        Tab::Servers => servers_table(lang, lab),
        Tab::Code => code_card(lang, lab, false),
        Tab::Bill => bill_card(lang, lab, false),
    };
    let views = tr(lang, text("Views", "视图"));
    div("section", "under")
        .attr("data-under", lab.tab.word())
        .attr("aria-label", tr(lang, text("Other views of the same step", "同一步的其他视图")))
        .kid(div("div", "tabs").attr("role", "group").attr("aria-label", views).kids(tabs))
        .kid(div("div", "under-body").kid(body.key(lab.tab.word())))
}

/// The picture of the lane in focus as a table.
fn table(lang: Lang, lab: &LabScene) -> El {
    let lane = lab.focus + 1;
    let caption = say(
        format!("Lane {lane}: who believes what, and what is so"),
        format!("方案 {lane}：谁以为什么，事实是什么"),
    );
    let stage = &lab.lanes[lab.focus].stage;
    let several = stage.ensemble.is_some();
    let own =
        [text("client", "客户端")].into_iter().chain(several.then(|| text("connected to", "所连服务器")));
    let heads = [
        text("node", "节点"),
        text("believes", "以为"),
        text("server", "服务器"),
        text("contact", "联系"),
        text("ledger", "账本"),
        text("watches", "监听"),
        text("on the way", "途中"),
    ];
    let heads = own.chain(heads).map(|head| el("th").attr("scope", "col").text(tr(lang, head)));
    let rows = stage.rows.iter().map(|row| {
        let cells =
            [&row.node, &row.believes, &row.server, &row.contact, &row.taken, &row.watches, &row.on_the_way];
        let cells = row.at.iter().chain(cells).map(|cell| el("td").text(tr(lang, cell.clone())));
        el("tr").kid(el("th").attr("scope", "row").text(row.client.to_string())).kids(cells)
    });
    let table = div("table", "rows")
        .kid(el("caption").text(tr(lang, caption)))
        .kid(el("thead").kid(el("tr").kids(heads)))
        .kid(el("tbody").kids(rows));
    let clients = scroll(tr(lang, text("Table of the picture", "画面的表格")), table);
    match server_rows(lang, lab) {
        None => clients,
        Some(servers) => el("div").kid(clients).kid(servers),
    }
}
