//! Small parts that several places use: icons, verdicts, the slot of a decision.

use leptos::prelude::*;

use super::Ctx;
use crate::app::Msg;
use crate::app::scene::Slot;
use crate::recipe::Verdict;
use crate::text::{Text, say};

/// An icon by its name. Decoration: the control says its own name.
pub fn icon(name: &'static str) -> impl IntoView {
    let path = match name {
        "first" => "M5 5v14M19 5l-10 7 10 7z",
        "back" => "M17 5L7 12l10 7z",
        "play" => "M7 4l13 8-13 8z",
        "pause" => "M7 5h4v14H7zM14 5h4v14h-4z",
        "forward" => "M7 5l10 7-10 7z",
        "last" => "M19 5v14M5 5l10 7-10 7z",
        "close" => "M6 6l12 12M18 6L6 18",
        "help" => "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01",
        "link" => "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
        "check" => "M5 12l5 5 9-10",
        "theme" => "M12 4a8 8 0 1 0 0 16z",
        "undo" => "M8 6L4 10l4 4M4 10h10a5 5 0 0 1 0 10h-3",
        "plus" => "M12 5v14M5 12h14",
        "down" => "M6 9l6 6 6-6",
        _ => "",
    };
    view! { <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" data-icon=name><path d=path /></svg> }
}

/// The class that gives a verdict its colour.
pub fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Right => "v-right",
        Verdict::Costs => "v-costs",
        Verdict::Sticks => "v-sticks",
        Verdict::Breaks => "v-breaks",
    }
}

/// A verdict in its word, colour and shape, with what stands behind it.
#[component]
pub fn VerdictMark(ctx: Ctx, verdict: Verdict, because: Text) -> impl IntoView {
    let label = verdict.label();
    let words = say(format!("{}: {}", label.en, because.en), format!("{}：{}", label.zh, because.zh));
    view! {
        <span class=format!("verdict {}", verdict_class(verdict)) data-verdict=verdict.word()>
            <span aria-hidden="true">{verdict.mark()}</span>
            <span>{ctx.tr(words)}</span>
        </span>
    }
}

/// A decision as a list to choose from.
#[component]
pub fn SlotSelect(ctx: Ctx, lane: usize, decision: Slot, #[prop(optional)] labelled: bool) -> impl IntoView {
    let slot = decision;
    let key = slot.key;
    let number = lane + 1;
    let name =
        say(format!("Lane {number}: {}", slot.question.en), format!("方案 {number}：{}", slot.question.zh));
    let greyed = slot.greyed.clone();
    let chosen = slot.chosen;
    let options = move || {
        let options = slot.options.clone().into_iter().map(|option| {
            let label = match &option.greyed {
                Some(why) => say(
                    format!("{} ({})", option.label.en, why.en),
                    format!("{}（{}）", option.label.zh, why.zh),
                ),
                None => option.label.clone(),
            };
            let disabled = option.greyed.is_some() && option.word != chosen;
            view! { <option value=option.word disabled=disabled selected=option.word == chosen>{ctx.say(&label)}</option> }
        });
        options.collect_view()
    };
    let changed = move |event| ctx.send(Msg::Decide { lane, key, word: event_target_value(&event) });
    let why = greyed.clone();
    view! {
        <label class="slot">
            <span class=if labelled { "slot-name" } else { "sr" }>{ctx.tr(if labelled { key.label() } else { name.clone() })}</span>
            <select class="slot-select" data-key=key.word() data-lane=number disabled=greyed.is_some()
                aria-label=ctx.tr(name) on:change=changed>{options}</select>
            {why.map(|why| view! { <span class="slot-why">{ctx.tr(why)}</span> })}
        </label>
    }
}
