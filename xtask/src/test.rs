//! Every check and every test, in order. A failed part does not keep the later ones from running, so that one
//! run shows everything that is wrong.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::process::{cargo, run, run_and_read};
use crate::{Outcome, build, system, tools};

const WASM: &str = "wasm32-unknown-unknown";

/// How many tests passed and failed so far.
#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
}

/// Runs all parts, and ends with the line `N passed, N failed`.
pub fn run_all() -> ExitCode {
    let mut report = Report::default();
    report.part("The tools", |_| {
        tools::wasm_target()?;
        tools::trunk()?;
        tools::wasm_bindgen()?;
        tools::wasm_opt()?;
        tools::axe()?;
        system::for_browser_tests()
    });
    report.part("Formatting", |_| run(cargo().args(["fmt", "--all", "--check"])));
    report.part("Lints on the host", |_| {
        run(cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    });
    report.part("Lints on wasm32", |_| {
        let targets =
            ["clippy", "--quiet", "--lib", "--bins", "--test", "wasm", "--release", "--target", WASM];
        run(cargo().args(targets).args(["--", "-D", "warnings"]))
    });
    report.part("Tests on the host", |tally| {
        let all = ["test", "--quiet", "--workspace", "--exclude", "lockstep-e2e", "--no-fail-fast"];
        counted(cargo().args(all), tally)
    });
    report.part("Tests in wasm", |tally| counted(&mut wasm_tests()?, tally));
    let built = report.part("The release site", |_| build::site());
    report.part("Tests in a browser", |tally| {
        if !built {
            return Err("They need the release site, which was not built.".to_string());
        }
        counted(&mut browser_tests()?, tally)
    });
    report.end()
}

/// The tests of tests/wasm.rs, under Node.js. They share the release build's dependencies with the site.
fn wasm_tests() -> Outcome<Command> {
    let runner = tools::wasm_bindgen()?
        .with_file_name(format!("wasm-bindgen-test-runner{}", std::env::consts::EXE_SUFFIX));
    let mut command = cargo();
    command
        .args(["test", "--release", "--target", WASM, "--test", "wasm"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        // A failed test needs no backtrace of the runner.
        .env("RUST_LIB_BACKTRACE", "0");
    Ok(command)
}

/// The stories of tests/e2e, two browsers at a time.
fn browser_tests() -> Outcome<Command> {
    let mut command = cargo();
    command
        .args(["test", "--package", "lockstep-e2e", "--no-fail-fast", "--", "--test-threads=2"])
        .env("LOCKSTEP_AXE", tools::axe()?);
    Ok(command)
}

fn counted(command: &mut Command, tally: &mut Tally) -> Outcome {
    run_and_read(command, |line| tally.read(line))
}

impl Tally {
    /// Adds a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ...`.
    fn read(&mut self, line: &str) {
        let Some((_, counts)) = line.split_once("test result: ") else { return };
        self.passed += count_before(counts, " passed");
        self.failed += count_before(counts, " failed");
    }
}

fn count_before(counts: &str, word: &str) -> u32 {
    let Some((before, _)) = counts.split_once(word) else { return 0 };
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[derive(Default)]
struct Report {
    tally: Tally,
    parts: Vec<(&'static str, Duration, Option<String>)>,
}

impl Report {
    fn part(&mut self, name: &'static str, work: impl FnOnce(&mut Tally) -> Outcome) -> bool {
        println!("\n== {name}");
        let started = Instant::now();
        let failed_before = self.tally.failed;
        let fault = work(&mut self.tally).err();
        let took = started.elapsed();
        if let Some(sentence) = &fault {
            eprintln!("{sentence}");
            // A part that fails without a failed test still counts, so that the last line cannot say 0.
            if self.tally.failed == failed_before {
                self.tally.failed += 1;
            }
        }
        println!("-- {name}: {} after {:.1} s", verdict(&fault), took.as_secs_f32());
        self.parts.push((name, took, fault));
        self.parts.last().is_some_and(|(_, _, fault)| fault.is_none())
    }

    fn end(self) -> ExitCode {
        println!("\n== Summary");
        for (name, took, fault) in &self.parts {
            println!("{:>8.1} s  {:<6}  {name}", took.as_secs_f32(), verdict(fault));
        }
        println!("{} passed, {} failed", self.tally.passed, self.tally.failed);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn verdict(fault: &Option<String>) -> &'static str {
    if fault.is_none() { "ok" } else { "FAILED" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_summed_and_others_ignored() {
        let mut tally = Tally::default();
        tally.read("running 3 tests");
        tally.read("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
        tally.read("test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        assert_eq!((tally.passed, tally.failed), (13, 2));
    }
}
