//! `lockstep storm`: random faults, one script for each seed.

use std::io::{self, Write};

use lockstep::play::{Storm, encode};
use lockstep::recipe::Verdict;
use serde::Serialize;

use super::args::Weather;
use super::plain;

/// The result of a storm over one lane.
#[derive(Serialize)]
struct StormEnd {
    lane: usize,
    /// How many seeds were tried, the failing one included.
    seeds: u64,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

/// Tries the seeds of every lane. The exit code: 1 where one fails, else 0.
pub fn storm(weather: &Weather, out: &mut impl Write) -> io::Result<u8> {
    let mut failed = false;
    let first = weather.scenario.seed;
    let seeds = first..first.saturating_add(weather.seeds.into());
    for lane in 0..weather.scenario.lanes.len() {
        let storm = Storm::new(weather.scenario.clone(), lane);
        let failure = storm.first_failure(seeds.clone());
        failed |= failure.is_some();
        let tried = failure.as_ref().map_or(u64::from(weather.seeds), |failure| failure.seed - first + 1);
        if weather.json {
            let violation = failure.as_ref().and_then(|failure| failure.violation.as_ref());
            let end = StormEnd {
                lane: lane + 1,
                seeds: tried,
                verdict: violation.map_or(
                    if failure.is_some() { Verdict::Breaks } else { Verdict::Right }.word(),
                    |violation| violation.verdict().word(),
                ),
                seed: failure.as_ref().map(|failure| failure.seed.to_string()),
                property: violation.map(|violation| violation.property().word()),
                link: failure.as_ref().map(|failure| encode(&failure.scenario)),
            };
            serde_json::to_writer(&mut *out, &end)?;
            out.write_all(b"\n")?;
        } else {
            plain::lane_heading(&weather.scenario, lane, out)?;
            match failure {
                None => writeln!(out, "✓ {tried} seeds, nothing broke or stuck.")?,
                Some(failure) => {
                    let sentence = failure.violation.as_ref().map_or_else(
                        || "The run does not end, or stock and orders do not agree.".to_string(),
                        |violation| violation.sentence().get(weather.lang).to_string(),
                    );
                    writeln!(out, "✗ After {tried} seeds, seed {}: {sentence}", failure.seed)?;
                    plain::link(&failure.scenario, out)?;
                }
            }
        }
        out.flush()?;
    }
    Ok(u8::from(failed))
}
