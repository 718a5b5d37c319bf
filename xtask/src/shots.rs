//! Screenshots of the release site; the table of pages is in tests/e2e/src/bin/shots.rs.

use crate::process::{cargo, run};
use crate::{Outcome, build, system};

/// Builds unless told not to, then hands the other options on.
pub fn run_with(options: &[String]) -> Outcome {
    let (own, rest): (Vec<_>, Vec<_>) = options.iter().partition(|option| *option == "--no-build");
    system::for_browser_tests()?;
    if own.is_empty() {
        build::site()?;
    }
    run(cargo().args(["run", "--quiet", "--package", "lockstep-e2e", "--bin", "shots", "--"]).args(rest))
        .map_err(|_| "Not every screenshot could be taken; what went wrong is above.".to_string())
}
