//! The lanes: side by side where there are two, one in focus beside strips where there are more, one
//! at a time on a phone.

use leptos::prelude::*;

use super::Ctx;
use super::controls::{SlotSelect, VerdictMark, icon};
use super::drawing::{Stage, TallStage};
use super::lab::pick;
use crate::app::scene::Pick;
use crate::app::{LaneScene, Layout, Msg};
use crate::text::{say, text};
use crate::world::ClientId;

/// How the lanes share the floor.
#[derive(Clone, Copy, PartialEq)]
struct Floor {
    lanes: usize,
    focus: usize,
    layout: Layout,
}

impl Floor {
    /// Whether a lane is drawn in full. The others are strips.
    fn full(&self, lane: usize) -> bool {
        match self.layout {
            Layout::Narrow => lane == self.focus,
            Layout::Wide | Layout::Medium => self.lanes <= 2 || lane == self.focus,
        }
    }
}

/// All lanes.
#[component]
pub fn Lanes(ctx: Ctx) -> impl IntoView {
    let floor = Memo::new(move |_| Floor {
        lanes: ctx.lab.with(|lab| lab.lanes.len()),
        focus: ctx.lab.with(|lab| lab.focus),
        layout: ctx.layout.get(),
    });
    let tabs = Memo::new(move |_| floor.get().layout == Layout::Narrow && floor.get().lanes > 1);
    let label = text(
        "The stage. Space: next moment. Arrows: step by step. Letters are commands here; see the help.",
        "舞台。空格键：下一个时刻。方向键：逐步移动。字母键在这里是命令，见帮助。",
    );
    view! {
        {move || tabs.get().then(|| view! { <LaneTabs ctx=ctx /> })}
        <div class="lanes" data-stage tabindex="0" role="group" aria-label=ctx.tr(label)
            data-lanes=move || floor.get().lanes data-focus=move || floor.get().focus + 1>
            <For each=move || 0..floor.get().lanes key=|lane| *lane let(lane)>
                {
                    let full = Memo::new(move |_| floor.get().full(lane));
                    let hidden = Memo::new(move |_| !full.get() && floor.get().layout == Layout::Narrow);
                    move || match (full.get(), hidden.get()) {
                        (true, _) => view! { <FullLane ctx=ctx lane=lane /> }.into_any(),
                        (false, true) => ().into_any(),
                        (false, false) => view! { <StripLane ctx=ctx lane=lane /> }.into_any(),
                    }
                }
            </For>
        </div>
    }
}

/// The scene of one lane. A lane that has just been removed keeps its last neighbour's.
fn lane_memo(ctx: Ctx, lane: usize) -> Memo<LaneScene> {
    Memo::new(move |_| ctx.lab.with(|lab| lab.lanes[lane.min(lab.lanes.len() - 1)].clone()))
}

#[component]
fn LaneTabs(ctx: Ctx) -> impl IntoView {
    let lanes = Memo::new(move |_| {
        ctx.lab
            .with(|lab| lab.lanes.iter().map(|lane| (lane.number, lane.verdict.clone())).collect::<Vec<_>>())
    });
    let focus = Memo::new(move |_| ctx.lab.with(|lab| lab.focus));
    let tabs = move || {
        let tabs = lanes.get().into_iter().enumerate().map(|(lane, (number, verdict))| {
            let name = say(format!("Lane {number}"), format!("方案 {number}"));
            view! {
                <button class="lane-tab" data-lane-tab=number aria-pressed=move || (focus.get() == lane).to_string()
                    on:click=move |_| ctx.send(Msg::Focus(lane))>
                    <span>{ctx.say(&name)}</span>
                    {verdict.map(|(verdict, _)| view! {
                        <span class=format!("verdict {}", super::controls::verdict_class(verdict))>
                            {verdict.mark()} " " {ctx.say(&verdict.label())}
                        </span>
                    })}
                </button>
            }
        });
        tabs.collect_view()
    };
    view! { <div class="lane-tabs" role="group" aria-label=ctx.tr(text("Lanes", "方案"))>{tabs}</div> }
}

#[component]
fn LaneHead(ctx: Ctx, lane: usize, scene: Memo<LaneScene>, full: bool) -> impl IntoView {
    let slots = Memo::new(move |_| scene.with(|scene| scene.slots.clone()));
    let verdict = Memo::new(move |_| scene.with(|scene| scene.verdict.clone()));
    let removable = Memo::new(move |_| ctx.lab.with(|lab| lab.lanes.len() > 1));
    let name = say(format!("Lane {}", lane + 1), format!("方案 {}", lane + 1));
    let remove = say(format!("Remove lane {}", lane + 1), format!("移除方案 {}", lane + 1));
    view! {
        <div class="lane-head">
            <h3 class="num"><span class="sr">{ctx.tr(name)}</span><span aria-hidden="true">{lane + 1}</span></h3>
            <div class="lane-slots">
                {move || slots.get().into_iter().map(|slot| view! { <SlotSelect ctx=ctx lane=lane decision=slot labelled=true /> }).collect_view()}
            </div>
            <span class="lane-verdict">
                {move || verdict.get().map(|(verdict, because)| view! { <VerdictMark ctx=ctx verdict=verdict because=because /> })}
            </span>
            {move || (full && removable.get()).then(|| {
                let remove = remove.clone();
                view! { <button class="quiet" data-remove-lane=lane + 1 aria-label=ctx.tr(remove)
                    on:click=move |_| ctx.send(Msg::RemoveLane(lane))>{icon("close")}</button> }
            })}
        </div>
    }
}

#[component]
fn FullLane(ctx: Ctx, lane: usize) -> impl IntoView {
    let scene = lane_memo(ctx, lane);
    let stage = Memo::new(move |_| scene.with(|scene| scene.stage.clone()));
    let sentence = Memo::new(move |_| scene.with(|scene| scene.stage.sentence.clone()));
    let note = Memo::new(move |_| scene.with(|scene| scene.note.clone()));
    let selected = Memo::new(move |_| picked_client(ctx));
    let on_pick = Callback::new(move |what: Pick| pick(ctx, lane, what));
    let narrow = Memo::new(move |_| ctx.layout.get() == Layout::Narrow);
    let said_id = format!("lane-{}-sentence", lane + 1);
    let described_by = said_id.clone();
    view! {
        <section class="lane" data-lane=lane + 1 aria-describedby=described_by>
            <LaneHead ctx=ctx lane=lane scene=scene full=true />
            {move || note.get().map(|note| view! { <p class="lane-note">{ctx.say(&note)}</p> })}
            <p class="sr" id=said_id data-sentence>{move || ctx.say(&sentence.get())}</p>
            {move || match narrow.get() {
                true => view! { <TallStage stage=stage lang=ctx.lang selected=selected on_pick=on_pick /> }.into_any(),
                false => view! { <Stage stage=stage lang=ctx.lang selected=selected on_pick=on_pick /> }.into_any(),
            }}
        </section>
    }
}

fn picked_client(ctx: Ctx) -> Option<ClientId> {
    ctx.model.with(|model| match &model.lab.pick {
        Some(Pick::Client(client)) => Some(*client),
        _ => None,
    })
}

/// A lane that is not in focus: its title, its queue in a line, and what just happened in it.
#[component]
fn StripLane(ctx: Ctx, lane: usize) -> impl IntoView {
    let scene = lane_memo(ctx, lane);
    let queue = Memo::new(move |_| {
        scene.with(|scene| {
            let alive = scene.stage.nodes.iter().filter(|node| !node.deleted);
            alive.map(|node| (node.owner, node.first)).collect::<Vec<_>>()
        })
    });
    let caption = Memo::new(move |_| scene.with(|scene| scene.caption.clone()));
    let focus = say(format!("Focus lane {}", lane + 1), format!("聚焦方案 {}", lane + 1));
    view! {
        <section class="lane strip-lane" data-lane=lane + 1>
            <LaneHead ctx=ctx lane=lane scene=scene full=true />
            <p class="strip-queue" aria-hidden="true">
                {move || queue.get().into_iter().map(|(owner, first)| view! {
                    <span class=format!("mini {}", crate::app::scene::Hue::of(owner).class()) data-first=first.then_some("")>{owner.to_string()}</span>
                }).collect_view()}
            </p>
            <p class="strip-caption">{move || ctx.say(&caption.get())}</p>
            <button class="plain" data-focus-lane=lane + 1 on:click=move |_| ctx.send(Msg::Focus(lane))>{ctx.tr(focus)}</button>
        </section>
    }
}
