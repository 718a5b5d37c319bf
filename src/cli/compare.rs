//! `lockstep compare`: the lanes of a scenario on one virtual clock, and where they part.

use std::io::{self, Write};

use lockstep::play::{Comparison, Timeline, TimelineStep};

use super::args::Plan;
use super::{json, plain, table};

/// Runs all lanes and prints them side by side.
pub fn compare(plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let lanes = 0..plan.scenario.lanes.len();
    let runs = lanes.map(|lane| Timeline::run_to(&plan.scenario, lane, plan.steps).into()).collect();
    let comparison = Comparison::of(runs);
    if plan.json {
        for (lane, run) in comparison.lanes().iter().enumerate() {
            json::steps(lane, run.steps(), out)?;
            json::lane_end(&plan.scenario, lane, run, Some(&comparison), plan.lang, out)?;
        }
        return Ok(());
    }
    plain::heading(&plan.scenario, out)?;
    for lane in 0..comparison.lanes().len() {
        plain::lane_heading(&plan.scenario, lane, out)?;
    }
    plain::columns(true, plan.lang, out)?;
    steps(&comparison, plan, out)?;
    ends(&comparison, plan, out)
}

/// All steps in the order of virtual time; what lanes do alike stands in one line.
fn steps(comparison: &Comparison, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let parts_at = comparison.first_difference().map(|difference| difference.stop);
    for stop in 1..=comparison.last_stop() {
        if parts_at == Some(stop) {
            writeln!(out, "{:8}---- here they part ----", "")?;
        }
        let taken = comparison.steps_at(stop - 1);
        let moved = comparison.moved_to(stop);
        let movers: Vec<usize> = (0..taken.len()).filter(|lane| moved & (1 << lane) != 0).collect();
        for (first, alike) in groups(comparison, &taken, &movers) {
            let number = taken[first];
            let all = alike.len() == comparison.lanes().len();
            let names = if all { "all".to_string() } else { names(&alike) };
            let step = &comparison.lanes()[first].steps()[number as usize];
            plain::step(&format!("{names:<8}"), number, step, plan.lang, out)?;
            for lane in alike {
                let findings = comparison.lanes()[lane].findings().iter();
                plain::findings(findings.filter(|finding| finding.step == number), 23, plan.lang, out)?;
            }
        }
    }
    writeln!(out)
}

/// The lanes that move, by what they do: the first of each group, and all of it.
fn groups(comparison: &Comparison, taken: &[u32], movers: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let step = |lane: usize| -> (u32, &TimelineStep) {
        (taken[lane], &comparison.lanes()[lane].steps()[taken[lane] as usize])
    };
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for &lane in movers {
        match groups.iter_mut().find(|(first, _)| step(*first) == step(lane)) {
            Some((_, alike)) => alike.push(lane),
            None => groups.push((lane, vec![lane])),
        }
    }
    groups
}

fn names(lanes: &[usize]) -> String {
    lanes.iter().map(|lane| format!("[{}]", lane + 1)).collect()
}

fn ends(comparison: &Comparison, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let lang = plan.lang;
    match comparison.first_difference() {
        Some(difference) => writeln!(
            out,
            "First difference: lanes 1 and {} part at step {} ({} ms).",
            difference.lane + 1,
            difference.common_steps,
            comparison.at_ms(difference.stop)
        )?,
        None => writeln!(out, "The lanes do the same from beginning to end.")?,
    }
    for run in comparison.lanes() {
        plain::notes(run, lang, out)?;
    }
    writeln!(out)?;
    let measures: Vec<_> = comparison.lanes().iter().map(|lane| lane.measures()).collect();
    table::print(&measures, lang, out)?;
    writeln!(out)?;
    for (lane, run) in (1..).zip(comparison.lanes()) {
        let verdict = plain::verdict(&run.judgement(), lang);
        let waiting = plain::waiting(run).map_or(String::new(), |waiting| format!(" {}", waiting.get(lang)));
        writeln!(out, "[{lane}] {verdict}{waiting}")?;
        plain::reasons(run, lang, out)?;
    }
    writeln!(out)?;
    plain::link(&plan.scenario, out)
}
