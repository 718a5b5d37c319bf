//! The first minute: one playable thing.

use leptos::prelude::*;

use super::Ctx;
use super::controls::VerdictMark;
use super::drawing::{Stage, TallStage};
use crate::app::scene::Pick;
use crate::app::{FirstMsg, FirstScene, Layout, Msg, Phase, first_scene};
use crate::text::{say, text};

/// The page at `#/`.
#[component]
pub fn FirstMinute(ctx: Ctx) -> impl IntoView {
    let scene = Memo::new(move |_| ctx.model.with(|model| first_scene(&model.first)));
    let lanes = Memo::new(move |_| scene.with(|scene| scene.lanes.len()));
    view! {
        <div class="first" data-phase=move || scene.with(|s| format!("{:?}", s.phase).to_lowercase())>
            <p class="eyebrow">{ctx.tr(text("A lock is a handful of decisions. Try one.", "锁就是几个决定。先试一个。"))}</p>
            <h2 class="first-question" data-question>{move || scene.with(|s| ctx.say(&s.question))}</h2>
            <Act ctx=ctx scene=scene />
            <div class="first-lanes" data-lanes=move || lanes.get()>
                <For each=move || 0..lanes.get() key=|lane| *lane let(lane)>
                    <FirstLaneView ctx=ctx scene=scene lane=lane />
                </For>
            </div>
            <Doors ctx=ctx scene=scene />
        </div>
    }
}

/// What the reader can do now.
#[component]
fn Act(ctx: Ctx, scene: Memo<FirstScene>) -> impl IntoView {
    let phase = Memo::new(move |_| scene.with(|scene| scene.phase));
    let graded = Memo::new(move |_| scene.with(|scene| scene.graded.clone()));
    let send = move |msg| ctx.send(Msg::FirstMinute(msg));
    let act = move || {
        match phase.get() {
        Phase::Ready => view! {
            <button class="primary big" data-let-a-go on:click=move |_| send(FirstMsg::LetGo)>{ctx.tr(text("Let A go now", "让 A 现在释放"))}</button>
        }
        .into_any(),
        Phase::Asked => view! {
            <div class="answers" role="group">
                <button class="answer big" data-guess="wakes" on:click=move |_| send(FirstMsg::Guess(true))>{ctx.tr(text("Yes: B is told and wakes", "会：B 得到通知，醒来"))}</button>
                <button class="answer big" data-guess="sleeps" on:click=move |_| send(FirstMsg::Guess(false))>{ctx.tr(text("No: B sleeps on", "不会：B 继续睡"))}</button>
            </div>
        }
        .into_any(),
        Phase::Shown => view! {
            <p class="first-line">{ctx.tr(text("One line is to blame:", "问题出在这一行："))}</p>
            <button class="line-change" data-change-line on:click=move |_| send(FirstMsg::ChangeLine)>
                <s>"exists(ahead); exists(ahead, watch)"</s>
                <b>"getData(ahead, watch)"</b>
                <span>{ctx.tr(text("Change it, and replay", "改掉它，重来一遍"))}</span>
            </button>
        }
        .into_any(),
        Phase::Compared => view! {
            <p class="first-line">{ctx.tr(text(
                "To check and to watch must be one request. Then nothing can slip in between.",
                "检查和监听必须是同一个请求，中间才插不进任何事。",
            ))}</p>
        }
        .into_any(),
    }
    };
    let verdict = move || {
        graded.get().map(|(good, because)| {
            let words = match good {
                true => say(format!("You were right. {}", because.en), format!("你猜对了。{}", because.zh)),
                false => say(format!("It does not. {}", because.en), format!("不会。{}", because.zh)),
            };
            view! { <p class="graded" data-good=good.to_string()>{ctx.say(&words)}</p> }
        })
    };
    view! {
        <div class="first-act">{verdict} {act}</div>
        <p class="first-back" data-hidden=move || (phase.get() == Phase::Ready).then_some("")>
            <button class="quiet" data-first-back disabled=move || phase.get() == Phase::Ready on:click=move |_| send(FirstMsg::Back)>{ctx.tr(text("one step back", "退一步"))}</button>
            <button class="quiet" data-first-again disabled=move || phase.get() == Phase::Ready on:click=move |_| send(FirstMsg::Again)>{ctx.tr(text("from the start", "从头再来"))}</button>
        </p>
    }
}

#[component]
fn FirstLaneView(ctx: Ctx, scene: Memo<FirstScene>, lane: usize) -> impl IntoView {
    let view = Memo::new(move |_| scene.with(|scene| scene.lanes[lane.min(scene.lanes.len() - 1)].clone()));
    let stage = Memo::new(move |_| view.with(|lane| lane.stage.clone()));
    let verdict = Memo::new(move |_| view.with(|lane| lane.verdict.clone()));
    let many = Memo::new(move |_| scene.with(|scene| scene.lanes.len() > 1));
    let selected = Signal::derive(|| None);
    let on_pick = Callback::new(|_: Pick| {});
    view! {
        <section class="lane" data-lane=lane + 1>
            <div class="lane-head">
                {move || many.get().then(|| view! { <span class="num">{lane + 1}</span> })}
                <code>{move || view.with(|lane| ctx.say(&lane.line))}</code>
                <span class="lane-verdict">
                    {move || verdict.get().map(|(verdict, because)| view! { <VerdictMark ctx=ctx verdict=verdict because=because /> })}
                </span>
            </div>
            <p class="sr">{move || view.with(|lane| ctx.say(&lane.stage.sentence))}</p>
            {move || match ctx.layout.get() == Layout::Narrow {
                true => view! { <TallStage stage=stage lang=ctx.lang selected=selected on_pick=on_pick /> }.into_any(),
                false => view! { <Stage stage=stage lang=ctx.lang selected=selected on_pick=on_pick /> }.into_any(),
            }}
            <p class="first-caption">{move || view.with(|lane| ctx.say(&lane.caption))}</p>
        </section>
    }
}

#[component]
fn Doors(ctx: Ctx, scene: Memo<FirstScene>) -> impl IntoView {
    let open = Memo::new(move |_| scene.with(|scene| scene.phase == Phase::Compared));
    let doors = move || {
        let doors = scene.with(|scene| scene.doors.clone()).into_iter().map(|door| {
            view! { <li><a class="door" href=door.href><b>{ctx.say(&door.title)}</b> <span>{ctx.say(&door.about)}</span></a></li> }
        });
        doors.collect_view()
    };
    view! {
        {move || open.get().then(|| view! {
            <nav class="doors" aria-label=ctx.tr(text("Where to go next", "接下来去哪里"))><ul>{doors}</ul></nav>
        })}
    }
}
