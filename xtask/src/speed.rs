//! How fast the page is in a real Chromium, and what it weighs: printed, never asserted.

use crate::process::{cargo, run};
use crate::{Outcome, build, system};

/// Builds unless told not to, then measures.
pub fn run_with(options: &[String]) -> Outcome {
    if let Some(strange) = options.iter().find(|option| *option != "--no-build") {
        return Err(format!("`speed` takes --no-build only, but got `{strange}`. See `cargo xtask help`."));
    }
    system::for_browser_tests()?;
    let heavy = if options.is_empty() { build::site() } else { build::weigh_site() };
    // A page that is too heavy can still be measured.
    if let Err(sentence) = heavy {
        println!("{sentence}");
    }
    run(cargo().args(["run", "--quiet", "--package", "lockstep-e2e", "--bin", "speed"]))
        .map_err(|_| "It could not be measured; what went wrong is above.".to_string())
}
