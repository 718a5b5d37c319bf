//! The inspector card, and the hand: deliver now, hold back, let go.

use leptos::prelude::*;

use super::Ctx;
use super::controls::icon;
use crate::app::{Inspector, Msg, NextAction};
use crate::play::Chosen;
use crate::text::{say, text};

/// What the reader pointed at.
#[component]
pub fn InspectorCard(ctx: Ctx, inspector: Inspector) -> impl IntoView {
    let Inspector { title, lane, facts, watches, next } = inspector;
    let number = lane + 1;
    let title = say(format!("{} in lane {number}", title.en), format!("方案 {number}：{}", title.zh));
    let facts = facts.into_iter().map(|fact| {
        view! { <dt>{ctx.tr(fact.label)}</dt> <dd>{ctx.tr(fact.value)}</dd> }
    });
    let watches = watches.map(|(own, server)| {
        let list = move |items: Vec<String>| match items.is_empty() {
            true => view! { <li>{ctx.tr(text("none", "无"))}</li> }.into_any(),
            false => items.into_iter().map(|item| view! { <li>{item}</li> }).collect_view().into_any(),
        };
        view! {
            <div class="tables">
                <div><h4>{ctx.tr(text("its own table of watches", "客户端的 Watch 表"))}</h4><ul>{list(own)}</ul></div>
                <div><h4>{ctx.tr(text("the server's, for it", "服务器上属于它的"))}</h4><ul>{list(server)}</ul></div>
            </div>
        }
    });
    let none = next.is_empty().then(|| view! { <p class="small">{ctx.tr(text("Nothing: it waits for others.", "没有：它在等别人。"))}</p> });
    let next = next.into_iter().map(|next| view! { <Hand ctx=ctx lane=lane next=next /> });
    view! {
        <section class="card inspector" data-card="inspector" aria-label=ctx.tr(text("Inspector", "检视"))>
            <h3>
                <span>{ctx.tr(title)}</span>
                <button class="quiet" data-close-inspector on:click=move |_| ctx.send(Msg::Pick(None))
                    aria-label=ctx.tr(text("Close the inspector", "关闭检视"))>{icon("close")}</button>
            </h3>
            <dl class="facts">{facts.collect_view()}</dl>
            {watches}
            <h4>{ctx.tr(text("What could happen next", "接下来可能发生"))}</h4>
            {none}
            <ul class="hands">{next.collect_view()}</ul>
        </section>
    }
}

#[component]
fn Hand(ctx: Ctx, lane: usize, next: NextAction) -> impl IntoView {
    let NextAction { action, label, due, held } = next;
    let choose = move |what| ctx.send(Msg::Choose { lane, what });
    view! {
        <li data-action=action.to_string()>
            <span class="hand-name"><b>{ctx.tr(label)}</b> <small>{ctx.tr(due)}</small></span>
            <button class="small-button" data-take on:click=move |_| choose(Chosen::Take(action))>{ctx.tr(text("now", "立刻"))}</button>
            {match held {
                true => view! { <button class="small-button" data-let-go on:click=move |_| choose(Chosen::LetGo(action))>{ctx.tr(text("let go", "放行"))}</button> }.into_any(),
                false => view! { <button class="small-button" data-hold on:click=move |_| choose(Chosen::Hold(action))>{ctx.tr(text("hold back", "扣住"))}</button> }.into_any(),
            }}
        </li>
    }
}
