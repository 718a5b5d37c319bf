//! The row of faults under the lanes: what could go wrong with a client, a server or the ensemble, a press
//! away.

use super::controls::{tr, unseen};
use super::el::{El, div, el};
use crate::app::{FaultRow, Msg, Target};
use crate::text::{Lang, Text, say, text};

/// The row.
pub fn fault_row(lang: Lang, row: &FaultRow) -> El {
    let target = row.target;
    let whom = target.name();
    let named = unseen(format!(" {}", whom.get(lang)));
    let buttons = row.buttons.iter().map(|button| {
        // What befalls the whole ensemble says whom it is about.
        let named = (target != Target::Ensemble).then(|| named.clone());
        div("button", "small-button")
            .key(button.word.clone())
            .attr("data-fault", button.word.clone())
            .attr("title", tr(lang, button.about.clone()))
            .flag("disabled", !button.is_possible())
            .text(tr(lang, button.label.clone()))
            .maybe(named)
            .sends(Msg::Inject(button.injection.clone()))
    });
    let label = say(format!("Inject a fault: {}", whom.en), format!("给 {} 制造故障", whom.zh));
    div("div", "faults")
        .attr("role", "group")
        .attr("aria-label", tr(lang, label))
        .kid(el("b").text(tr(lang, text("Inject a fault", "制造故障"))))
        .kid(who(lang, row))
        .maybe((row.lanes > 1).then(|| place(lang, row)))
        .kids(buttons)
}

/// For whom: a client, and of several servers one, or all.
fn who(lang: Lang, row: &FaultRow) -> El {
    let option = |target: Target, label: Text| {
        let word = target.word();
        el("option")
            .key(word.clone())
            .attr("value", word)
            .flag("selected", target == row.target)
            .text(tr(lang, label))
    };
    let clients = row.clients.iter().map(|client| {
        let target = Target::Client(*client);
        option(target, target.name())
    });
    let several = !row.servers.is_empty();
    let label =
        if several { text("Client or server", "客户端或服务器") } else { text("Client", "客户端") };
    let select = el("select").flag("data-target", true).attr("aria-label", tr(lang, label));
    let select = match several {
        false => select.kids(clients),
        true => {
            let group =
                |word: &'static str, label: Text| el("optgroup").key(word).attr("label", tr(lang, label));
            let servers = row.servers.iter().map(|(id, does)| option(Target::Server(*id), does.clone()));
            let all = option(Target::Ensemble, text("the ensemble", "整个集群"));
            select
                .kid(group("clients", text("clients", "客户端")).kids(clients))
                .kid(group("servers", text("servers", "服务器")).kid(all).kids(servers))
        }
    };
    select.attr(".value", row.target.word()).value_sends(|word| Some(Msg::Target(word)))
}

/// Where it strikes: one lane, or every lane alike.
fn place(lang: Lang, row: &FaultRow) -> El {
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
