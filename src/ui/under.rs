//! What stands under the stage: truth strips, the space-time diagram, the table; code and bill where
//! there is no rail.

use leptos::prelude::*;

use super::Ctx;
use super::bill::BillCard;
use super::code::CodeCard;
use super::drawing::{SpaceTime, TruthStrips};
use crate::app::scene::Diagram;
use crate::app::{Layout, Msg, Tab};
use crate::text::{Text, say, text};

fn tab_name(tab: Tab) -> Text {
    match tab {
        Tab::Strips => text("Belief and truth", "以为与事实"),
        Tab::Diagram => text("Space-time diagram", "时空图"),
        Tab::Table => text("Table", "表格"),
        Tab::Code => text("Code", "代码"),
        Tab::Bill => text("Bill", "账单"),
    }
}

/// The tabs and the one that is open.
#[component]
pub fn Under(ctx: Ctx) -> impl IntoView {
    let tab = Memo::new(move |_| ctx.lab.with(|lab| lab.tab));
    let tabs = move || {
        let rail = ctx.layout.get() == Layout::Wide;
        let tabs = Tab::ALL.into_iter().filter(move |tab| !rail || !matches!(tab, Tab::Code | Tab::Bill));
        let buttons = tabs.map(|each| {
            let pressed = move || (tab.get() == each).to_string();
            view! { <button class="tab" data-tab=each.word() aria-pressed=pressed on:click=move |_| ctx.send(Msg::Tab(each))>{ctx.say(&tab_name(each))}</button> }
        });
        buttons.collect_view()
    };
    view! {
        <section class="under" data-under=move || tab.get().word() aria-label=ctx.tr(text("Other views of the same step", "同一步的其他视图"))>
            <div class="tabs" role="group" aria-label=ctx.tr(text("Views", "视图"))>{tabs}</div>
            <div class="under-body">
                {move || match tab.get() {
                    Tab::Strips => view! { <StripsTab ctx=ctx /> }.into_any(),
                    Tab::Diagram => view! { <DiagramTab ctx=ctx /> }.into_any(),
                    Tab::Table => view! { <TableTab ctx=ctx /> }.into_any(),
                    Tab::Code => view! { <CodeCard ctx=ctx /> }.into_any(),
                    Tab::Bill => view! { <BillCard ctx=ctx /> }.into_any(),
                }}
            </div>
        </section>
    }
}

#[component]
fn StripsTab(ctx: Ctx) -> impl IntoView {
    let strips = Memo::new(move |_| ctx.lab.with(|lab| lab.strips.clone()));
    view! { <TruthStrips strips=strips lang=ctx.lang /> }
}

#[component]
fn DiagramTab(ctx: Ctx) -> impl IntoView {
    let nothing = Diagram { from_ms: 0, to_ms: 1, clients: Vec::new(), slants: Vec::new(), held: Vec::new() };
    let diagram = Memo::new(move |_| ctx.lab.with(|lab| lab.diagram.clone().unwrap_or(nothing.clone())));
    view! { <SpaceTime diagram=diagram lang=ctx.lang /> }
}

/// The picture of the lane in focus as a table.
#[component]
fn TableTab(ctx: Ctx) -> impl IntoView {
    let table =
        Memo::new(move |_| ctx.lab.with(|lab| (lab.focus + 1, lab.lanes[lab.focus].stage.rows.clone())));
    let caption = move || {
        let lane = table.with(|(lane, _)| *lane);
        ctx.say(&say(
            format!("Lane {lane}: who believes what, and what is so"),
            format!("方案 {lane}：谁以为什么，事实是什么"),
        ))
    };
    let rows = move || {
        let rows = table.get().1.into_iter().map(|row| {
            let cell = |text: &Text| view! { <td>{ctx.say(text)}</td> };
            view! {
                <tr><th scope="row">{row.client.to_string()}</th>
                    {cell(&row.node)} {cell(&row.believes)} {cell(&row.server)} {cell(&row.watches)} {cell(&row.on_the_way)}</tr>
            }
        });
        rows.collect_view()
    };
    let head = move |label: Text| view! { <th scope="col">{ctx.tr(label)}</th> };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=ctx.tr(text("Table of the picture", "画面的表格"))>
            <table class="rows">
                <caption>{caption}</caption>
                <thead><tr>
                    {head(text("client", "客户端"))} {head(text("node", "节点"))} {head(text("believes", "以为"))}
                    {head(text("server", "服务器"))} {head(text("watches", "监听"))} {head(text("on the way", "途中"))}
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
