//! The foot: what just happened, the prediction, the branches, the transport.

use leptos::prelude::*;

use super::Ctx;
use super::controls::{icon, verdict_class};
use crate::app::scene::Mark;
use crate::app::{Guess, Msg, PredictionScene, Tick, Transport};
use crate::text::{Text, say, text};

/// The foot of the lab.
#[component]
pub fn Foot(ctx: Ctx) -> impl IntoView {
    let prediction = Memo::new(move |_| ctx.lab.with(|lab| lab.prediction.clone()));
    view! {
        <section class="foot" aria-label=ctx.tr(text("What happens, and the transport", "发生了什么，以及播放控制"))>
            <Branches ctx=ctx />
            <div class="say">
                {move || prediction.get().map(|prediction| view! { <Prediction ctx=ctx prediction=prediction /> })}
                <Captions ctx=ctx />
            </div>
            <TransportRow ctx=ctx />
        </section>
    }
}

#[component]
fn Captions(ctx: Ctx) -> impl IntoView {
    let captions = Memo::new(move |_| {
        ctx.lab.with(|lab| {
            lab.lanes
                .iter()
                .map(|lane| (lane.number, lane.caption.clone(), lane.moved, lane.number == lab.focus + 1))
                .collect::<Vec<_>>()
        })
    });
    let items = move || {
        let all = captions.get();
        let one = all.len() == 1;
        let items = all.into_iter().map(|(number, caption, moved, focus)| {
            let name = say(format!("Lane {number}: "), format!("方案 {number}："));
            view! {
                <p class="caption" data-caption=number data-moved=moved.then_some("") data-focus=focus.then_some("")>
                    {(!one).then(|| view! { <b class="num" aria-hidden="true">{number}</b> <span class="sr">{ctx.say(&name)}</span> })}
                    <span>{ctx.say(&caption)}</span>
                </p>
            }
        });
        items.collect_view()
    };
    view! { <div class="captions" data-count=move || captions.with(Vec::len)>{items}</div> }
}

#[component]
fn Prediction(ctx: Ctx, prediction: PredictionScene) -> impl IntoView {
    match prediction {
        PredictionScene::Asked { question, answers } => {
            let buttons = answers.into_iter().enumerate().map(|(at, answer)| {
                let sign = ["①", "②", "③", "④"].get(at).copied().unwrap_or("•");
                view! {
                    <button class="answer" data-answer=at on:click=move |_| ctx.send(Msg::Guess(Guess::Made(at)))>
                        <span aria-hidden="true">{sign}</span> " " {ctx.tr(answer)}
                    </button>
                }
            });
            view! {
                <div class="predict" data-prediction="asked">
                    <p class="predict-question"><b>{ctx.tr(text("Predict:", "先猜："))}</b> " " {ctx.tr(question)}</p>
                    <div class="answers">
                        {buttons.collect_view()}
                        <button class="quiet" data-skip on:click=move |_| ctx.send(Msg::Guess(Guess::Skipped))>{ctx.tr(text("skip", "跳过"))}</button>
                    </div>
                </div>
            }
            .into_any()
        }
        PredictionScene::Waiting { answer } => {
            let words = say(
                format!("You said: {}. Run on to see.", answer.en),
                format!("你的答案：{}。继续运行就知道。", answer.zh),
            );
            view! { <p class="predict-line" data-prediction="waiting">{ctx.tr(words)}</p> }.into_any()
        }
        PredictionScene::Graded { good, answer, right, because } => {
            let words = match good {
                true => say(
                    format!("You said: {}. So it is. {}", answer.en, because.en),
                    format!("你的答案：{}。没错。{}", answer.zh, because.zh),
                ),
                false => say(
                    format!("You said: {}. It is: {}. {}", answer.en, right.en, because.en),
                    format!("你的答案：{}。实际是：{}。{}", answer.zh, right.zh, because.zh),
                ),
            };
            view! {
                <p class="predict-line" data-prediction="graded" data-good=good.to_string()>
                    <span aria-hidden="true">{if good { "✓ " } else { "→ " }}</span>{ctx.tr(words)}
                </p>
            }
            .into_any()
        }
    }
}

#[component]
fn Branches(ctx: Ctx) -> impl IntoView {
    let branches = Memo::new(move |_| ctx.lab.with(|lab| lab.branches.clone()));
    let can_undo = Memo::new(move |_| ctx.lab.with(|lab| lab.can_undo));
    let shown = Memo::new(move |_| branches.with(|all| all.len() > 1) || can_undo.get());
    let chips = move || {
        let all = branches.get();
        let only = all.len() == 1;
        let chips = all.into_iter().filter(move |_| !only).map(|branch| {
            let index = branch.index;
            view! {
                <button class="chip" data-branch=index aria-pressed=branch.here.to_string() on:click=move |_| ctx.send(Msg::GoToBranch(index))>
                    <span aria-hidden="true">{if index == 0 { "─ " } else { "⑂ " }}</span>{ctx.say(&branch.name)}
                </button>
            }
        });
        chips.collect_view()
    };
    view! {
        {move || shown.get().then(|| view! {
            <div class="branches" role="group" aria-label=ctx.tr(text("Branches", "分支"))>
                {chips}
                <button class="chip" data-undo disabled=move || !can_undo.get() on:click=move |_| ctx.send(Msg::Undo)>
                    {icon("undo")} " " {ctx.tr(text("undo", "撤销"))}
                </button>
            </div>
        })}
    }
}

#[component]
fn TransportRow(ctx: Ctx) -> impl IntoView {
    let transport = Memo::new(move |_| ctx.lab.with(|lab| lab.transport.clone()));
    let playing = Memo::new(move |_| transport.with(|t| t.playing));
    let can_add = Memo::new(move |_| ctx.lab.with(|lab| lab.can_add_lane));
    let button = move |name: &'static str, word: &'static str, label: Text, msg: Msg| {
        view! { <button class="t-button" data-transport=word aria-label=ctx.tr(label) on:click=move |_| ctx.send(msg.clone())>{icon(name)}</button> }
    };
    view! {
        <div class="transport">
            <div class="t-buttons" role="group" aria-label=ctx.tr(text("Transport", "播放控制"))>
                {button("first", "first", text("To the start", "到开头"), Msg::First)}
                {button("back", "back", text("One step back", "后退一步"), Msg::Step(-1))}
                <button class="t-button" data-transport="play" aria-pressed=move || playing.get().to_string()
                    aria-label=ctx.tr(text("Play", "播放")) on:click=move |_| ctx.send(Msg::Play)>
                    {move || icon(if playing.get() { "pause" } else { "play" })}
                </button>
                {button("forward", "forward", text("One step forward", "前进一步"), Msg::Step(1))}
                {button("last", "last", text("To the end", "到结尾"), Msg::Last)}
            </div>
            <button class="primary" data-transport="moment" on:click=move |_| ctx.send(Msg::NextMoment)>
                {ctx.tr(text("Next moment", "下一时刻"))}
            </button>
            <Track ctx=ctx transport=transport />
            <div class="t-side">
                <p class="place" data-place>{move || transport.with(|t| ctx.say(&t.place))}</p>
                <div class="t-more">
                    <Pace ctx=ctx transport=transport />
                    {move || can_add.get().then(|| view! {
                        <button class="quiet" data-add-lane on:click=move |_| ctx.send(Msg::AddLane)>{icon("plus")} " " {ctx.tr(text("lane", "方案"))}</button>
                    })}
                </div>
            </div>
        </div>
    }
}

#[component]
fn Pace(ctx: Ctx, transport: Memo<Transport>) -> impl IntoView {
    let pace = Memo::new(move |_| transport.with(|t| t.pace));
    let options = [4u32, 8, 16, 32].map(|each| {
        let chosen = move || pace.get() == each;
        view! { <option value=each.to_string() selected=chosen>{format!("{}/s", each / 4)}</option> }
    });
    let changed = move |event| {
        if let Ok(pace) = event_target_value(&event).parse() {
            ctx.send(Msg::Pace(pace));
        }
    };
    view! {
        <label class="pace"><span class="sr">{ctx.tr(text("Steps a second while playing", "播放时每秒步数"))}</span>
            <select data-pace on:change=changed prop:value=move || pace.get().to_string()>{options.collect_view()}</select></label>
    }
}

/// The scrubber, with the moments on it.
#[component]
fn Track(ctx: Ctx, transport: Memo<Transport>) -> impl IntoView {
    let last = Memo::new(move |_| transport.with(|t| t.last));
    let stop = Memo::new(move |_| transport.with(|t| t.stop));
    let ticks = Memo::new(move |_| transport.with(|t| t.ticks.clone()));
    let place = move || transport.with(|t| ctx.say(&t.place));
    let share = move || {
        let (stop, last) = (f64::from(stop.get()), f64::from(last.get().max(1)));
        format!("{:.3}%", stop / last * 100.0)
    };
    let moved = move |event| {
        if let Ok(stop) = event_target_value(&event).parse() {
            ctx.send(Msg::Seek(stop));
        }
    };
    let marks =
        move || ticks.get().into_iter().map(|tick| view! { <TickMark ctx=ctx tick=tick /> }).collect_view();
    view! {
        <div class="track" style:--share=share>
            <input type="range" min="0" step="1" max=move || last.get() prop:value=move || stop.get() data-scrubber
                aria-label=ctx.tr(text("Step", "步骤")) aria-valuetext=place on:input=moved />
            <div class="ticks">{marks}</div>
        </div>
    }
}

#[component]
fn TickMark(ctx: Ctx, tick: Tick) -> impl IntoView {
    let Tick { stop, at, label, mark, passed, here } = tick;
    let (name, title) = (ctx.tr(label.clone()), ctx.tr(label.clone()));
    let (sign, class) = match mark {
        Some(Mark::Cause) => ("⑂", "tick cause".to_string()),
        Some(Mark::Consequence(verdict)) => {
            (verdict.mark(), format!("tick consequence {}", verdict_class(verdict)))
        }
        None => ("", "tick".to_string()),
    };
    let edge = match at {
        0..150 => "start",
        850.. => "end",
        _ => "middle",
    };
    view! {
        <button class=class data-moment=stop data-passed=passed.then_some("") data-here=here.then_some("") data-edge=edge
            style:left=format!("{:.1}%", f64::from(at) / 10.0) on:click=move |_| ctx.send(Msg::Seek(stop))
            aria-label=name title=title>
            <span class="dot" aria-hidden="true"></span>
            {mark.is_some().then(|| view! { <span class="tick-label" aria-hidden="true">{sign} " " {ctx.tr(label)}</span> })}
        </button>
    }
}
