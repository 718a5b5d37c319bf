//! `lockstep explore`: every order in which things can happen, and the shortest run that breaks.

use std::io::{self, Write};

use lockstep::explore::{Outcome, Report, Search};
use lockstep::judge::{Property, Violation};
use lockstep::play::{Choice, Chosen, Scenario, Timeline, encode};
use lockstep::world::Action;
use lockstep::zookeeper::EnsembleSize;

use super::args::Hunt;
use super::{json, plain};

/// Searches every lane. The exit code: 1 where something breaks or sticks, else 2 where a search
/// was stopped at its limit, else 0.
pub fn explore(hunt: &Hunt, out: &mut impl Write) -> io::Result<u8> {
    let mut stopped = false;
    let mut broken = false;
    for lane in 0..hunt.scenario.lanes.len() {
        let cast = hunt.scenario.cast(lane);
        let (properties, faults) = (hunt.properties.clone(), hunt.faults);
        let report = Search { properties, faults, limit: hunt.limit, ..Search::new(cast) }.run();
        match report.outcome {
            Outcome::Holds => {}
            Outcome::Stopped => stopped = true,
            Outcome::Broken { .. } => broken = true,
        }
        let replay = replay(&hunt.scenario, lane, &report);
        if hunt.json {
            let run = Timeline::run_to(&replay, 0, run_length(&report));
            json::steps(lane, run.steps(), out)?;
            json::search_end(lane, &report, hunt.limit, encode(&replay), hunt.lang, out)?;
        } else {
            print(hunt, lane, &report, &replay, out)?;
        }
        out.flush()?;
    }
    Ok(if broken { 1 } else { 2 * u8::from(stopped) })
}

/// The lane alone, with the run that breaks it as a hand's choices: `lockstep run` and the page
/// replay it.
fn replay(scenario: &Scenario, lane: usize, report: &Report) -> Scenario {
    let lanes = vec![scenario.lanes[lane].clone()];
    let mut alone = Scenario { lanes, script: Vec::new(), ..scenario.clone() };
    if let Outcome::Broken { run, .. } = &report.outcome {
        let choice = |(at, action): (u32, &Action)| Choice { at, what: Chosen::Take(*action) };
        alone.lanes[0].choices = (0..).zip(run).map(choice).collect();
    }
    alone
}

fn run_length(report: &Report) -> u32 {
    match &report.outcome {
        Outcome::Broken { run, .. } => run.len() as u32,
        Outcome::Holds | Outcome::Stopped => 0,
    }
}

fn print(
    hunt: &Hunt,
    lane: usize,
    report: &Report,
    replay: &Scenario,
    out: &mut impl Write,
) -> io::Result<()> {
    let clients = hunt.scenario.clients_in(lane);
    let properties: Vec<&str> = hunt.properties.iter().map(|property: &Property| property.word()).collect();
    let several = hunt.scenario.servers != EnsembleSize::One;
    plain::lane_heading(replay, 0, out)?;
    writeln!(
        out,
        "{clients} client{}, one round each,{} {}; {}",
        if clients == 1 { "" } else { "s" },
        if several { format!(" {} servers,", hunt.scenario.servers.servers()) } else { String::new() },
        if hunt.faults.is_empty() { "no faults".to_string() } else { format!("faults {}", hunt.faults) },
        properties.join(", ")
    )?;
    writeln!(out, "{} states, depth {}", report.states, report.depth)?;
    match &report.outcome {
        Outcome::Holds => {
            // With several servers, orders that nobody can tell apart are tried once.
            let that = if several { " that can make a difference" } else { "" };
            writeln!(out, "✓ right: nothing breaks or sticks. Exhaustive: every order{that} was tried.")?;
        }
        Outcome::Stopped => writeln!(
            out,
            "Stopped at the limit of {} states: nothing broke or stuck in the first {} steps, whatever their order, and \
             more is left. --limit looks further.",
            hunt.limit,
            report.depth.saturating_sub(1)
        )?,
        Outcome::Broken { violation, run } => print_run(hunt, violation, run, replay, out)?,
    }
    writeln!(out)?;
    plain::link(replay, out)
}

fn print_run(
    hunt: &Hunt,
    violation: &Violation,
    run: &[Action],
    replay: &Scenario,
    out: &mut impl Write,
) -> io::Result<()> {
    let verdict = violation.verdict();
    writeln!(out, "{} {}: {}", verdict.mark(), verdict.word(), violation.sentence().get(hunt.lang))?;
    // Of several servers it may have steps among them that could have come later.
    let short = if hunt.scenario.servers == EnsembleSize::One { "shortest" } else { "short" };
    writeln!(out, "A {short} run to it, {} steps:", run.len())?;
    plain::columns(false, hunt.lang, out)?;
    let shown = Timeline::run_to(replay, 0, run.len() as u32);
    for (number, step) in (0..).zip(shown.steps()) {
        plain::step("", number, step, hunt.lang, out)?;
    }
    Ok(())
}
