//! Output for programs: one JSON object a line.
//!
//! Each event of each step is a line; a last line for each lane (or search) has its result.
//! 64-bit numbers that may be large, zxids and seeds, are text.

use std::io::{self, Write};

use lockstep::explore::{Outcome, Report};
use lockstep::judge::{Measures, Wait};
use lockstep::play::{Comparison, End, Scenario, Timeline, TimelineStep, encode};
use lockstep::teach::why;
use lockstep::text::Lang;
use lockstep::world::{Action, Event};
use serde::Serialize;

/// One event, where and when it happened.
#[derive(Serialize)]
struct Line<'a> {
    /// From 1, as people count.
    lane: usize,
    /// From 0, as choices count.
    step: u32,
    at_ms: u64,
    action: Action,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_hand: bool,
    #[serde(flatten)]
    event: &'a Event,
}

/// The result of a lane.
#[derive(Serialize)]
struct LaneEnd<'a> {
    lane: usize,
    measures: &'a Measures,
    verdicts: Verdicts,
    /// What went wrong, by its name.
    detections: Vec<Detected>,
    /// Why each client waits that waits for ever.
    waits: Vec<Reasoned<'a>>,
    link: String,
    steps: u32,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    misfit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_difference: Option<Parting>,
}

#[derive(Serialize)]
struct Verdicts {
    verdict: &'static str,
    because: String,
    findings: Vec<Found>,
}

/// Something that broke or stuck.
#[derive(Serialize)]
struct Found {
    step: u32,
    verdict: &'static str,
    property: &'static str,
    sentence: String,
}

/// Something that went wrong, whether it broke a property or not.
#[derive(Serialize)]
struct Detected {
    step: u32,
    kind: &'static str,
    sentence: String,
}

/// Why a client waits for ever: the chain, its end, and both in a sentence.
#[derive(Serialize)]
struct Reasoned<'a> {
    #[serde(flatten)]
    wait: &'a Wait,
    sentence: String,
}

/// Where lane 1 and another part.
#[derive(Serialize)]
struct Parting {
    lane: usize,
    step: u32,
    at_ms: u64,
}

/// The result of a search.
#[derive(Serialize)]
struct SearchEnd {
    lane: usize,
    states: u32,
    depth: u32,
    /// `right`, `sticks`, `breaks`; `stopped` at the limit.
    verdict: &'static str,
    exhaustive: bool,
    limit: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Found>,
    run: Vec<Action>,
    link: String,
}

/// Prints the events of some steps.
pub fn steps(lane: usize, steps: &[TimelineStep], out: &mut impl Write) -> io::Result<()> {
    for (number, step) in (0..).zip(steps) {
        let TimelineStep { at_ms, action, by_hand, events } = step;
        for event in events {
            let lane = lane + 1;
            let line = Line { lane, step: number, at_ms: *at_ms, action: *action, by_hand: *by_hand, event };
            print(&line, out)?;
        }
    }
    Ok(())
}

/// Prints the last line of a lane.
pub fn lane_end(
    scenario: &Scenario,
    lane: usize,
    run: &Timeline,
    comparison: Option<&Comparison>,
    lang: Lang,
    out: &mut impl Write,
) -> io::Result<()> {
    let judgement = run.judgement();
    let findings = run.findings().iter().map(|finding| Found {
        step: finding.step,
        verdict: finding.violation.verdict().word(),
        property: finding.violation.property().word(),
        sentence: finding.violation.sentence().get(lang).to_string(),
    });
    let detections = run.detections().iter().map(|found| Detected {
        step: found.step,
        kind: found.kind.word(),
        sentence: found.sentence.get(lang).to_string(),
    });
    let first = comparison.and_then(|comparison| {
        let difference = comparison.first_difference()?;
        let at_ms = comparison.at_ms(difference.stop);
        Some(Parting { lane: difference.lane + 1, step: difference.common_steps, at_ms })
    });
    let end = LaneEnd {
        lane: lane + 1,
        measures: run.measures(),
        verdicts: Verdicts {
            verdict: judgement.verdict.word(),
            because: judgement.because.get(lang).to_string(),
            findings: findings.collect(),
        },
        detections: detections.collect(),
        waits: run
            .waits()
            .iter()
            .map(|wait| Reasoned { wait, sentence: why(wait, None).get(lang).to_string() })
            .collect(),
        link: encode(scenario),
        steps: run.len(),
        end: match run.end() {
            End::AtRest => "at-rest",
            End::Held => "held",
            End::Limit => "limit",
        },
        misfit: run.misfit().map(|misfit| misfit.sentence().get(lang).to_string()),
        first_difference: first,
    };
    print(&end, out)
}

/// Prints the last line of a search.
pub fn search_end(
    lane: usize,
    report: &Report,
    limit: u32,
    link: String,
    lang: Lang,
    out: &mut impl Write,
) -> io::Result<()> {
    let (verdict, violation, run) = match &report.outcome {
        Outcome::Holds => ("right", None, Vec::new()),
        Outcome::Stopped => ("stopped", None, Vec::new()),
        Outcome::Broken { violation, run } => {
            let found = Found {
                step: (run.len() as u32).saturating_sub(1),
                verdict: violation.verdict().word(),
                property: violation.property().word(),
                sentence: violation.sentence().get(lang).to_string(),
            };
            (found.verdict, Some(found), run.clone())
        }
    };
    let exhaustive = report.outcome == Outcome::Holds;
    let Report { states, depth, .. } = *report;
    print(&SearchEnd { lane: lane + 1, states, depth, verdict, exhaustive, limit, violation, run, link }, out)
}

fn print(line: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
