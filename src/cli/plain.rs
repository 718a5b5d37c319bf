//! The parts that plain output is made of: steps, findings, verdicts, the link.

use std::io::{self, Write};

use lockstep::judge::Judgement;
use lockstep::play::{Finding, Scenario, Timeline, TimelineStep, decision_words, encode};
use lockstep::teach::{narrate, reasons as reasons_of};
use lockstep::text::{Lang, Text, say, text};

/// The heading of a story: who plays, by which luck.
pub fn heading(scenario: &Scenario, out: &mut impl Write) -> io::Result<()> {
    let plural = if scenario.clients == 1 { "" } else { "s" };
    writeln!(out, "{} client{plural}, seed {}", scenario.clients, scenario.seed)
}

/// The heading of one lane: what it decides otherwise than the recipe.
pub fn lane_heading(scenario: &Scenario, lane: usize, out: &mut impl Write) -> io::Result<()> {
    let Some(its) = scenario.lanes.get(lane) else { return Ok(()) };
    let mut words = decision_words(&its.decisions);
    words.extend(its.clients.map(|clients| format!("clients={clients}")));
    if !its.choices.is_empty() {
        let count = its.choices.len();
        words.push(format!("{count} choice{} by hand (*)", if count == 1 { "" } else { "s" }));
    }
    let words = if words.is_empty() { "the recipe as it stands".to_string() } else { words.join(", ") };
    writeln!(out, "[{}] {words}", lane + 1)
}

/// The heading of the columns that [`step`] prints.
pub fn columns(lanes: bool, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    let lane = if lanes { format!("{:8}", "lane") } else { String::new() };
    let what = text("what happens", "发生了什么").get(lang).to_string();
    writeln!(out, "\n{lane}{:>5} {:>7}  {:<10} {what}", "step", "ms", "action")
}

/// One step: its number, virtual time, action and sentence. `lanes` is printed before it.
pub fn step(
    lanes: &str,
    number: u32,
    step: &TimelineStep,
    lang: Lang,
    out: &mut impl Write,
) -> io::Result<()> {
    let hand = if step.by_hand { "*" } else { " " };
    let sentence = narrate(&step.events);
    let sentence = sentence.get(lang);
    let action = step.action.to_string();
    writeln!(out, "{lanes}{number:>5} {:>7} {hand}{action:<10} {sentence}", step.at_ms)
}

/// The sentences of what breaks at one step.
pub fn findings<'a>(
    findings: impl Iterator<Item = &'a Finding>,
    indent: usize,
    lang: Lang,
    out: &mut impl Write,
) -> io::Result<()> {
    for finding in findings {
        let mark = finding.violation.verdict().mark();
        writeln!(out, "{:indent$}{mark} {}", "", finding.violation.sentence().get(lang))?;
    }
    Ok(())
}

/// What went wrong, by its name and step.
pub fn detections(run: &Timeline, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    for found in run.detections() {
        let (label, sentence) = (found.kind.label(), found.sentence.get(lang));
        writeln!(out, "{:>5}  {}: {sentence}", found.step, label.get(lang))?;
    }
    if !run.detections().is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

/// How a run ended where that wants explaining, and a choice that did not fit.
pub fn notes(run: &Timeline, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    let misfit = run.misfit().map(|misfit| misfit.sentence());
    let missed = run.missed().map(|missed| {
        say(
            format!(
                "At {} ms the script asks for {}, which cannot happen then. It is left out.",
                missed.at_ms, missed.action
            ),
            format!("脚本要求在 {} ms 执行 {}，但那时不可能发生，已略去。", missed.at_ms, missed.action),
        )
    });
    for note in misfit.into_iter().chain(missed).chain(run.end_note()) {
        writeln!(out, "{}", note.get(lang))?;
    }
    Ok(())
}

/// The verdict in the design's word, and why.
pub fn verdict(judgement: &Judgement, lang: Lang) -> String {
    let Judgement { verdict, because } = judgement;
    let because = because.get(lang);
    match lang {
        Lang::En => format!("{} {}: {because}.", verdict.mark(), verdict.word()),
        Lang::Zh => format!("{} {}：{because}。", verdict.mark(), verdict.label().get(lang)),
    }
}

/// Who waits for ever at the end of a run; nothing where nobody is known to, and [`notes`] say how the run ended.
pub fn waiting(run: &Timeline) -> Option<Text> {
    let names = &run.measures().waits_for_ever;
    if names.is_empty() {
        let nobody = || text("Nobody waits for ever.", "没有客户端永远等待。");
        return run.end_note().is_none().then(nobody);
    }
    let names = if names.len() > 20 {
        format!("{} … ({})", names[..20].join(", "), names.len())
    } else {
        names.join(", ")
    };
    Some(say(format!("Waits for ever: {names}."), format!("永远等待：{names}。")))
}

/// Why each of those waits that wait for ever.
pub fn reasons(run: &Timeline, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    for reason in reasons_of(run.waits()) {
        writeln!(out, "  {}", reason.get(lang))?;
    }
    Ok(())
}

/// The scenario as a link's query.
pub fn link(scenario: &Scenario, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Link: {}", encode(scenario))
}

/// How many columns of a terminal a text takes: two for each Chinese character.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }).sum()
}

/// A text filled up with spaces to a width.
pub fn padded(text: &str, to: usize) -> String {
    let fill = to.saturating_sub(width(text));
    format!("{text}{:fill$}", "")
}
