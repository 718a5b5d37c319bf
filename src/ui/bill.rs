//! The bill card: what the newest release cost in each lane, and what a real server charged.

use leptos::prelude::*;

use super::Ctx;
use super::code::Fold;
use crate::app::Msg;
use crate::app::scene::REAL_SERVER;
use crate::text::text;

/// The bill.
#[component]
pub fn BillCard(ctx: Ctx, #[prop(optional)] foldable: bool) -> impl IntoView {
    let bill = Memo::new(move |_| ctx.lab.with(|lab| lab.bill.clone()));
    let open = Memo::new(move |_| bill.with(Option::is_some));
    let lanes = Memo::new(move |_| ctx.lab.with(|lab| lab.lanes.len()));
    let title = move || {
        bill.with(|bill| ctx.say(&bill.as_ref().map_or(text("The bill", "账单"), |bill| bill.title.clone())))
    };
    let rows = move || {
        let rows = bill.get().into_iter().flat_map(|bill| bill.rows).map(|row| {
            let cells = row.cells.into_iter().map(|cell| {
                let dear = cell.dear.then(|| {
                    let word = ctx.say(&text("dearer", "更贵"));
                    view! { <span class="sr">{word}</span> <span aria-hidden="true">"▲ "</span> }
                });
                view! { <td class:dear=cell.dear>{dear} <b>{cell.text}</b></td> }
            });
            view! { <tr data-bill=row.key><th scope="row">{ctx.say(&row.label)}</th>{cells.collect_view()}</tr> }
        });
        rows.collect_view()
    };
    let heads = move || {
        (1..=lanes.get())
            .map(|n| view! { <th scope="col"><span class="sr">{ctx.say(&text("lane", "方案"))} " "</span>{n}</th> })
            .collect_view()
    };
    view! {
        <section class="card bill-card" data-card="bill">
            <h3><Fold foldable=foldable open=open toggle=Callback::new(move |open| ctx.send(Msg::ShowBill(open)))>{title}</Fold></h3>
            {move || open.get().then(|| view! {
                <table class="bill"><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>
                <RealBill ctx=ctx />
            })}
        </section>
    }
}

/// What a real server charged for the same.
#[component]
fn RealBill(ctx: Ctx) -> impl IntoView {
    let pair = |(events, requests): (f32, f32)| format!("{events} / {requests}");
    let rows = REAL_SERVER.map(|row| {
        view! {
            <tr>
                <th scope="row">{row.clients}</th>
                <td>{pair(row.predecessor)}</td>
                <td>{pair(row.parent)}</td>
                <td>{pair(row.holder)}</td>
            </tr>
        }
    });
    view! {
        <details class="real">
            <summary>{ctx.tr(text("A real server with 500 clients: 1 woken, or 489.5", "真实服务器，500 个客户端：唤醒 1 个，或者 489.5 个"))}</summary>
            <table>
                <caption>{ctx.tr(text("events / requests per release", "每次释放的事件数 / 请求数"))}</caption>
                <thead><tr>
                    <th scope="col">{ctx.tr(text("clients", "客户端"))}</th>
                    <th scope="col">{ctx.tr(text("predecessor", "前驱节点"))}</th>
                    <th scope="col">{ctx.tr(text("children", "子节点列表"))}</th>
                    <th scope="col">{ctx.tr(text("holder", "持有者"))}</th>
                </tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <p class="small">{ctx.tr(text(
                "Measured on ZooKeeper 3.8.0, one server: the queue filled first, then 20 releases one by one (8 with 10 clients). The simulator gives the same numbers.",
                "在单台 ZooKeeper 3.8.0 上测得：先排满队列，再逐个释放 20 次（10 个客户端时为 8 次）。模拟器给出同样的数字。",
            ))}</p>
        </details>
    }
}
