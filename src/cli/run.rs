//! `lockstep run`: each lane of a scenario from its first step to its end.

use std::io::{self, Write};

use lockstep::play::Timeline;

use super::args::Plan;
use super::{json, plain, table};

/// Runs and prints every lane.
pub fn run(plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let lanes = 0..plan.scenario.lanes.len();
    if !plan.json {
        plain::heading(&plan.scenario, out)?;
    }
    for lane in lanes {
        let run = Timeline::run_to(&plan.scenario, lane, plan.steps);
        if plan.json {
            json::steps(lane, run.steps(), out)?;
            json::lane_end(&plan.scenario, lane, &run, None, plan.lang, out)?;
        } else {
            print(plan, lane, &run, out)?;
        }
    }
    if !plan.json {
        writeln!(out)?;
        plain::link(&plan.scenario, out)?;
    }
    Ok(())
}

fn print(plan: &Plan, lane: usize, run: &Timeline, out: &mut impl Write) -> io::Result<()> {
    let lang = plan.lang;
    plain::lane_heading(&plan.scenario, lane, out)?;
    plain::columns(false, lang, out)?;
    for (number, step) in (0..).zip(run.steps()) {
        plain::step("", number, step, lang, out)?;
        let here = run.findings().iter().filter(|finding| finding.step == number);
        plain::findings(here, 15, lang, out)?;
    }
    writeln!(out)?;
    plain::detections(run, lang, out)?;
    plain::notes(run, lang, out)?;
    table::print(&[run.measures()], lang, out)?;
    writeln!(out, "\n{}", plain::verdict(&run.judgement(), lang))?;
    plain::waiting(run).map_or(Ok(()), |waiting| writeln!(out, "{}", waiting.get(lang)))?;
    plain::reasons(run, lang, out)
}
