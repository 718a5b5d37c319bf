//! The pseudo-code card: the control panel.

use leptos::prelude::*;

use super::Ctx;
use super::controls::{SlotSelect, icon};
use crate::app::Msg;
use crate::app::scene::CodePart;
use crate::text::say;

/// The pseudo-code of the client that the page is about.
#[component]
pub fn CodeCard(ctx: Ctx, #[prop(optional)] foldable: bool) -> impl IntoView {
    let code = Memo::new(move |_| ctx.lab.with(|lab| lab.code.clone()));
    let about = Memo::new(move |_| ctx.lab.with(|lab| (lab.code_client, lab.focus)));
    let open = Memo::new(move |_| code.with(Option::is_some));
    let title = move || {
        let (client, lane) = about.get();
        let lane = lane + 1;
        ctx.say(&say(
            format!("{client} in lane {lane}, line by line"),
            format!("方案 {lane} 里的 {client}，逐行"),
        ))
    };
    let lines = move || {
        let lane = about.get().1;
        let lines = code.get().into_iter().flat_map(|code| code.lines).map(|line| {
            let parts = line.parts.into_iter().map(|part| match part {
                CodePart::Code(code) => view! { <span>{code}</span> }.into_any(),
                CodePart::Slot(slot) => view! { <SlotSelect ctx=ctx lane=lane decision=slot /> }.into_any(),
            });
            let indent = "  ".repeat(line.indent.into());
            view! {
                <li class="code-line" data-lit=line.lit.then_some("") aria-current=line.lit.then_some("step")>
                    {indent} {parts.collect_view()}
                </li>
            }
        });
        lines.collect_view()
    };
    view! {
        <section class="card code-card" data-card="code">
            <h3>
                <Fold foldable=foldable open=open toggle=Callback::new(move |open| ctx.send(Msg::ShowCode(open)))>{title}</Fold>
            </h3>
            {move || open.get().then(|| view! { <ol class="code">{lines}</ol> })}
        </section>
    }
}

/// A card's title, which folds it where the card can be folded.
#[component]
pub fn Fold(foldable: bool, open: Memo<bool>, toggle: Callback<bool>, children: Children) -> impl IntoView {
    let title = children();
    match foldable {
        false => view! { <span>{title}</span> }.into_any(),
        true => view! {
            <button class="fold" aria-expanded=move || open.get().to_string() on:click=move |_| toggle.run(!open.get_untracked())>
                <span>{title}</span> {icon("down")}
            </button>
        }
        .into_any(),
    }
}
