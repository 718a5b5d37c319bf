//! Small parts that several places use: icons, verdicts, the slot of a decision.

use super::el::{Act, El, div, el};
use crate::app::Msg;
use crate::app::scene::Slot;
use crate::recipe::Verdict;
use crate::text::{Lang, Text, say};

/// An icon by its name. Decoration: the control says its own name.
pub fn icon(name: &'static str) -> El {
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
        "fork" => "M12 21v-8M12 13L5 4M12 13l7-9",
        "down" => "M6 9l6 6 6-6",
        _ => "",
    };
    let svg = div("svg", "icon").attr("viewBox", "0 0 24 24").attr("width", "20").attr("height", "20");
    svg.attr("aria-hidden", "true").attr("data-icon", name).kid(el("path").attr("d", path))
}

/// Text for people who cannot see what others see.
pub fn unseen(text: impl Into<super::Str>) -> El {
    div("span", "sr").text(text)
}

/// A sign that says nothing by itself.
pub fn sign(text: impl Into<super::Str>) -> El {
    el("span").attr("aria-hidden", "true").text(text)
}

/// A text in a language, as an owned string.
pub fn tr(lang: Lang, text: Text) -> super::Str {
    match lang {
        Lang::En => text.en.clone(),
        Lang::Zh => text.zh.clone(),
    }
}

/// A button with nothing around it.
pub fn quiet(lang: Lang, name: &'static str, label: Text, msg: Msg) -> El {
    div("button", "quiet").attr("aria-label", tr(lang, label)).kid(icon(name)).sends(msg)
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
pub fn verdict_mark(lang: Lang, verdict: Verdict, because: &Text) -> El {
    let label = verdict.label();
    let words = match verdict {
        Verdict::Right => label,
        Verdict::Costs | Verdict::Sticks | Verdict::Breaks => {
            say(format!("{}: {}", label.en, because.en), format!("{}：{}", label.zh, because.zh))
        }
    };
    div("span", format!("verdict {}", verdict_class(verdict)))
        .attr("data-verdict", verdict.word())
        .kid(sign(verdict.mark()))
        .kid(el("span").text(tr(lang, words)))
}

/// A decision as a list to choose from. `named` shows the decision's name before it.
pub fn slot_select(lang: Lang, lane: usize, slot: &Slot, named: bool) -> El {
    let key = slot.key;
    let number = lane + 1;
    let question = &slot.question;
    let name = say(format!("Lane {number}: {}", question.en), format!("方案 {number}：{}", question.zh));
    let options = slot.options.iter().map(|option| {
        let label = match &option.greyed {
            Some(why) => {
                say(format!("{} ({})", option.label.en, why.en), format!("{}（{}）", option.label.zh, why.zh))
            }
            None => option.label.clone(),
        };
        let chosen = option.word == slot.chosen;
        el("option")
            .key(option.word)
            .attr("value", option.word)
            .flag("disabled", option.greyed.is_some() && !chosen)
            .flag("selected", chosen)
            .text(tr(lang, label))
    });
    let select = div("select", "slot-select")
        .attr("data-key", key.word())
        .attr("data-lane", number.to_string())
        .attr("aria-label", tr(lang, name))
        .flag("disabled", slot.greyed.is_some())
        .kids(options)
        .attr(".value", slot.chosen)
        .value_sends(move |word| Some(Msg::Decide { lane, key, word }));
    div("span", "slot")
        .maybe(named.then(|| div("span", "slot-name").text(tr(lang, key.label()))))
        .kid(select)
        .maybe(slot.greyed.clone().map(|why| div("span", "slot-why").text(tr(lang, why))))
}

/// A switch with its words.
pub fn switch(lang: Lang, name: &'static str, on: bool, act: fn(bool) -> Msg, label: Text) -> El {
    let input = el("input")
        .attr("type", "checkbox")
        .flag(name, true)
        .attr(".checked", if on { "true" } else { "false" });
    div("label", "check").kid(input.change(Act::Checked(act))).kid(el("span").text(tr(lang, label)))
}
