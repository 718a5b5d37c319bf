//! The programs the browser tests need from the operating system: a browser, its driver and a Chinese font.
//!
//! On Debian, as root, what is missing is installed; elsewhere one sentence says what to install.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::process::{on_path, output_of, run};

struct Need {
    is_there: fn() -> bool,
    what: &'static str,
    debian: &'static str,
}

const NEEDS: [Need; 4] = [
    Need { is_there: browser_is_there, what: "Chromium or Chrome", debian: "chromium" },
    Need {
        is_there: || on_path("chromedriver").is_some(),
        what: "its chromedriver",
        debian: "chromium-driver",
    },
    Need { is_there: chinese_font_is_there, what: "a Chinese font", debian: "fonts-noto-cjk" },
    Need { is_there: || on_path("npm").is_some(), what: "Node.js with npm", debian: "npm" },
];

/// Makes sure of everything in [`NEEDS`].
pub fn for_browser_tests() -> Outcome {
    let missing = || NEEDS.iter().filter(|need| !(need.is_there)()).collect::<Vec<_>>();
    let needs = missing();
    if needs.is_empty() {
        return Ok(());
    }
    if is_root() && on_path("apt-get").is_some() {
        let packages: Vec<_> = needs.iter().map(|need| need.debian).collect();
        println!("Installing {} with apt-get (one or two minutes) ...", packages.join(", "));
        apt_get(&["update", "-q"])?;
        apt_get(&[&["install", "-q", "-y", "--no-install-recommends"], packages.as_slice()].concat())?;
    }
    let needs: Vec<_> = missing().iter().map(|need| need.what).collect();
    if needs.is_empty() {
        return Ok(());
    }
    Err(format!(
        "For the browser tests, {} must be on PATH. Install what is missing and try again.",
        needs.join(", ")
    ))
}

fn apt_get(arguments: &[&str]) -> Outcome {
    run(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
        .map_err(|error| format!("{error} The packages could not be installed; what apt-get says is above."))
}

fn browser_is_there() -> bool {
    const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    names.iter().any(|name| on_path(name).is_some()) || Path::new(MAC).exists()
}

/// Only asked where fontconfig is the judge; the other systems bring such fonts.
fn chinese_font_is_there() -> bool {
    cfg!(not(target_os = "linux"))
        || output_of("fc-list", &[":lang=zh-cn", "family"]).is_some_and(|fonts| !fonts.is_empty())
}

fn is_root() -> bool {
    output_of("id", &["-u"]).as_deref() == Some("0")
}
