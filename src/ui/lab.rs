//! The lab: question, lanes, rail, what stands under them, and the foot.

use leptos::prelude::*;

use super::Ctx;
use super::bill::BillCard;
use super::code::CodeCard;
use super::controls::icon;
use super::foot::Foot;
use super::inspector::InspectorCard;
use super::lane::Lanes;
use super::under::Under;
use crate::app::scene::Pick;
use crate::app::{Layout, Msg, inspector};
use crate::recipe::Key;
use crate::teach::STORIES;
use crate::text::{Text, text};

/// The lab.
#[component]
pub fn LabPage(ctx: Ctx) -> impl IntoView {
    let wide = Memo::new(move |_| ctx.layout.get() == Layout::Wide);
    view! {
        <div class="lab">
            <Question ctx=ctx />
            <Setup ctx=ctx />
            <div class="floor">
                <Lanes ctx=ctx />
                {move || wide.get().then(|| view! { <Rail ctx=ctx /> })}
            </div>
            {move || (!wide.get()).then(|| view! { <Inspected ctx=ctx /> })}
            <Under ctx=ctx />
            <Foot ctx=ctx />
        </div>
    }
}

#[component]
fn Question(ctx: Ctx) -> impl IntoView {
    let question = Memo::new(move |_| ctx.lab.with(|lab| lab.question.clone()));
    let about = Memo::new(move |_| ctx.lab.with(|lab| lab.about.clone()));
    let open = Memo::new(move |_| ctx.model.with(|model| model.lab.setup));
    view! {
        <div class="question">
            <h2 data-question>{move || ctx.say(&question.get())}</h2>
            <button class="quiet change" data-setup aria-expanded=move || open.get().to_string() aria-controls="setup"
                on:click=move |_| ctx.send(Msg::Setup(!open.get_untracked()))>
                <span>{move || ctx.say(&about.get())}</span>
                <b>{ctx.tr(text("change", "更改"))}</b>
                {icon("down")}
            </button>
        </div>
    }
}

/// The story, its numbers, and every decision of every lane.
#[component]
fn Setup(ctx: Ctx) -> impl IntoView {
    let open = Memo::new(move |_| ctx.model.with(|model| model.lab.setup));
    view! {
        <section id="setup" class="setup" hidden=move || !open.get() aria-label=ctx.tr(text("Change the story", "更改故事"))>
            {move || open.get().then(|| view! { <Stories ctx=ctx /> <Numbers ctx=ctx /> <Decisions ctx=ctx /> })}
        </section>
    }
}

#[component]
fn Stories(ctx: Ctx) -> impl IntoView {
    let items = STORIES.iter().map(|story| {
        view! {
            <li><button class="story" data-story=story.id on:click=move |_| ctx.send(Msg::Story(story.id))>
                <b>{ctx.tr(story.question.clone())}</b>
                <span>{ctx.tr(story.about.clone())}</span>
            </button></li>
        }
    });
    view! {
        <h3>{ctx.tr(text("Stories", "故事"))}</h3>
        <ul class="stories">{items.collect_view()}</ul>
    }
}

#[component]
fn Numbers(ctx: Ctx) -> impl IntoView {
    let scenario = Memo::new(move |_| ctx.model.with(|model| model.lab.scenario.clone()));
    let field = move |key: &'static str, label: Text, least: u64, most: u64| {
        let value = move || {
            scenario.with(|s| match key {
                "clients" => s.clients.to_string(),
                "seed" => s.seed.to_string(),
                "gap-ms" => s.timings.arrival_gap_ms.to_string(),
                "hold-ms" => s.timings.hold_ms.to_string(),
                _ => s.timings.poll_ms.to_string(),
            })
        };
        let changed = move |event| ctx.send(Msg::Number { key, word: event_target_value(&event) });
        view! {
            <label class="field">
                <span>{ctx.tr(label)}</span>
                <input type="number" inputmode="numeric" data-number=key min=least max=most step="1" prop:value=value on:change=changed />
            </label>
        }
    };
    view! {
        <h3>{ctx.tr(text("Numbers", "数目"))}</h3>
        <div class="fields">
            {field("clients", text("clients", "客户端数"), 2, 200)}
            {field("seed", text("seed: the luck of the delays", "种子：决定延迟的运气"), 0, 999_999)}
            {field("gap-ms", text("ms between arrivals", "到达间隔（毫秒）"), 0, 3_600_000)}
            {field("hold-ms", text("ms of work under the lock", "持锁工作时间（毫秒）"), 0, 3_600_000)}
            {field("poll-ms", text("ms between polls", "轮询间隔（毫秒）"), 1, 3_600_000)}
        </div>
    }
}

#[component]
fn Decisions(ctx: Ctx) -> impl IntoView {
    let scenario = Memo::new(move |_| ctx.model.with(|model| model.lab.scenario.clone()));
    let heads = move || {
        let lanes = scenario.with(|s| s.lanes.len());
        (1..=lanes).map(|n| view! { <th scope="col">{ctx.say(&lane_name(n))}</th> }).collect_view()
    };
    let rows = move || {
        let lanes = scenario.with(|s| s.lanes.clone());
        let rows = Key::ALL.map(|key| {
            let cells = lanes.iter().enumerate().map(|(lane, l)| {
                let slot = crate::app::scene::slot(&l.decisions, key);
                view! { <td><super::controls::SlotSelect ctx=ctx lane=lane decision=slot /></td> }
            });
            view! { <tr><th scope="row">{ctx.say(&key.question())}</th>{cells.collect_view()}</tr> }
        });
        rows.collect_view()
    };
    let clients = move || {
        let lanes = scenario.with(|s| s.lanes.clone());
        let cells = lanes.into_iter().enumerate().map(|(lane, l)| {
            let label = text("clients of this lane, if not as many as the others", "此方案的客户端数（不同于其他方案时填写）");
            let value = l.clients.map(|n| n.to_string()).unwrap_or_default();
            let changed = move |event| ctx.send(Msg::LaneClients { lane, word: event_target_value(&event) });
            view! { <td><input type="number" inputmode="numeric" min="2" max="200" data-lane-clients=lane + 1
                aria-label=ctx.say(&label) placeholder=ctx.say(&text("same", "相同")) value=value on:change=changed /></td> }
        });
        view! { <tr><th scope="row">{ctx.say(&text("How many clients?", "多少个客户端？"))}</th>{cells.collect_view()}</tr> }
    };
    view! {
        <h3>{ctx.tr(text("Decisions", "决定"))}</h3>
        <div class="scroll" tabindex="0" role="group" aria-label=ctx.tr(text("Decisions of every lane", "各方案的决定"))>
            <table class="decisions"><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}{clients}</tbody></table>
        </div>
    }
}

fn lane_name(number: usize) -> Text {
    crate::text::say(format!("lane {number}"), format!("方案 {number}"))
}

#[component]
fn Rail(ctx: Ctx) -> impl IntoView {
    view! {
        <aside class="rail" aria-label=ctx.tr(text("Code and bill", "代码与账单"))>
            <Inspected ctx=ctx />
            <CodeCard ctx=ctx foldable=true />
            <BillCard ctx=ctx foldable=true />
        </aside>
    }
}

#[component]
fn Inspected(ctx: Ctx) -> impl IntoView {
    let inspected = Memo::new(move |_| ctx.model.with(|model| inspector(&model.lab)));
    move || inspected.get().map(|inspected| view! { <InspectorCard ctx=ctx inspector=inspected /> })
}

/// Picks what the reader pointed at, in a lane.
pub fn pick(ctx: Ctx, lane: usize, pick: Pick) {
    ctx.send(Msg::Focus(lane));
    ctx.send(Msg::Pick(Some(pick)));
}
