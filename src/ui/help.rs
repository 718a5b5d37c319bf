//! The help: what the page is, its words, its keys.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::Ctx;
use super::controls::{icon, verdict_class};
use crate::app::{Msg, bindings};
use crate::recipe::Verdict;
use crate::text::text;

/// A modal dialog with the help.
#[component]
pub fn Help(ctx: Ctx) -> impl IntoView {
    let open = Memo::new(move |_| ctx.model.with(|model| model.help));
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            (true, true) | (false, false) => {}
        }
    });
    let keys = move || {
        let rows = bindings().into_iter().map(|binding| {
            view! {
                <tr>
                    <th scope="row"><kbd>{binding.label}</kbd></th>
                    <td>{ctx.say(&binding.help)}</td>
                    <td>{binding.letter.then(|| ctx.say(&text("on the stage", "焦点在舞台上时")))}</td>
                </tr>
            }
        });
        rows.collect_view()
    };
    let verdicts = move || {
        let about = |verdict| match verdict {
            Verdict::Breaks => text(
                "something wrong is stored, or two act at once",
                "存下了错误的内容，或者两个客户端同时操作",
            ),
            Verdict::Sticks => text("somebody waits for ever", "有客户端永远等下去"),
            Verdict::Costs => text("it is right, and dear", "结果正确，但代价高"),
            Verdict::Right => text("none of these", "以上都没有"),
        };
        let all = [Verdict::Breaks, Verdict::Sticks, Verdict::Costs, Verdict::Right].map(|verdict| {
            view! {
                <dt class=verdict_class(verdict)>{verdict.mark()} " " {ctx.say(&verdict.label())}</dt>
                <dd>{ctx.say(&about(verdict))}</dd>
            }
        });
        all.collect_view()
    };
    let settings = move || ctx.model.with(|model| (model.settings.predictions, model.settings.letters));
    view! {
        <dialog class="help" node_ref=dialog aria-labelledby="help-title" on:close=move |_| {
            if open.get_untracked() { ctx.send(Msg::Help(false)) }
        }>
            <div class="help-head">
                <h2 id="help-title">{ctx.tr(text("How to read and drive this page", "怎样看、怎样操作"))}</h2>
                <button class="quiet" on:click=move |_| ctx.send(Msg::Help(false))
                    aria-label=ctx.tr(text("Close", "关闭"))>{icon("close")}</button>
            </div>
            <p>{ctx.tr(text(
                "A lock is a handful of decisions. Each lane runs the same story with other decisions; the page shows where they part and what comes of it. Change a decision in a lane's title or in the code.",
                "锁就是几个决定。每个方案用不同的决定跑同一个故事；页面指出它们在哪里分开、结果如何。可以在方案标题或代码里修改决定。",
            ))}</p>
            <ul>
                <li>{ctx.tr(text("Boxes are nodes at the server. The key is on the node that stands first: that is the truth.", "方框是服务器上的节点。钥匙在排第一的节点上：这是事实。"))}</li>
                <li>{ctx.tr(text("Circles are clients. The bubble says what a client believes.", "圆圈是客户端，气泡里是它以为的情况。"))}</li>
                <li>{ctx.tr(text("An arc is a watch, from the watcher to the node it watches. It fires once.", "弧线是 Watch，从监听者指向被监听的节点，只触发一次。"))}</li>
                <li>{ctx.tr(text("A filled pill is a request, an outlined one a reply, one with a bell an event. Pick one to deliver it now or hold it back.", "实心的是请求，空心的是回答，带铃铛的是事件。点选它，可以立刻送达或扣住。"))}</li>
            </ul>
            <dl class="help-verdicts">{verdicts}</dl>
            <h3>{ctx.tr(text("Keys", "按键"))}</h3>
            <table class="help-keys"><tbody>{keys}</tbody></table>
            <p class="help-switches">
                <label class="check"><input type="checkbox" data-letters prop:checked=move || settings().1
                    on:change=move |event| ctx.send(Msg::Letters(event_target_checked(&event))) />
                    <span>{ctx.tr(text("Single letters are commands while the stage has focus", "焦点在舞台上时，单个字母是命令"))}</span></label>
                <label class="check"><input type="checkbox" data-predictions prop:checked=move || settings().0
                    on:change=move |event| ctx.send(Msg::Predictions(event_target_checked(&event))) />
                    <span>{ctx.tr(text("Ask me to predict", "让我先猜"))}</span></label>
            </p>
            <p class="small">{ctx.tr(text(
                "The simulator agrees, line by line, with 314 recordings of a real ZooKeeper 3.8.0 server. Where it simplifies, docs/fidelity.md in the source says so.",
                "模拟器与真实 ZooKeeper 3.8.0 服务器的 314 份记录逐行一致。简化之处写在源码的 docs/fidelity.md 里。",
            ))}</p>
        </dialog>
    }
}
