//! The row of trouble under the lanes: what could go wrong with one client, a press away.

use super::controls::{tr, unseen};
use super::el::{El, div, el};
use crate::app::{Msg, TroubleScene};
use crate::text::{Lang, say, text};

/// The row.
pub fn trouble_row(lang: Lang, row: &TroubleScene) -> El {
    let victim = row.victim;
    let clients = row.clients.iter().map(|client| {
        let name = client.to_string();
        el("option")
            .key(name.clone())
            .attr("value", name.clone())
            .flag("selected", *client == victim)
            .text(name)
    });
    let who = el("select")
        .flag("data-victim", true)
        .attr("aria-label", tr(lang, text("Client", "客户端")))
        .kids(clients)
        .attr(".value", victim.to_string())
        .value_sends(|word| Some(Msg::Victim(word)));
    let buttons = row.buttons.iter().map(|button| {
        let name = button.action.to_string();
        div("button", "small-button")
            .key(name.clone())
            .attr("data-trouble", name)
            .attr("title", tr(lang, button.about.clone()))
            .flag("disabled", !button.possible)
            .text(tr(lang, button.label.clone()))
            .kid(unseen(format!(" {victim}")))
            .sends(Msg::Trouble(button.action))
    });
    let label = say(format!("Make trouble for {victim}"), format!("给 {victim} 制造故障"));
    div("div", "trouble")
        .attr("role", "group")
        .attr("aria-label", tr(lang, label))
        .kid(el("b").text(tr(lang, text("Make trouble", "制造故障"))))
        .kid(who)
        .maybe((row.lanes > 1).then(|| place(lang, row)))
        .kids(buttons)
}

/// Where it strikes: one lane, or every lane alike.
fn place(lang: Lang, row: &TroubleScene) -> El {
    let here = if row.every_lane { "all".to_string() } else { row.lane.to_string() };
    let option = |value: String, label: String| {
        el("option")
            .key(value.clone())
            .attr("value", value.clone())
            .flag("selected", value == here)
            .text(label)
    };
    let lanes = (0..row.lanes).map(|lane| {
        let number = lane + 1;
        option(
            lane.to_string(),
            tr(lang, say(format!("lane {number}"), format!("方案 {number}"))).into_owned(),
        )
    });
    let every = option("all".to_string(), tr(lang, text("every lane", "所有方案")).into_owned());
    el("select")
        .flag("data-where", true)
        .attr("aria-label", tr(lang, text("Lane", "方案")))
        .kids(lanes)
        .kid(every)
        .attr(".value", here.clone())
        .value_sends(|word| Some(Msg::Where(word)))
}
