//! How long the page works for a frame, from a real Chromium: printed, never asserted. `cargo xtask speed` builds
//! first and runs this.
//!
//! A step is one key press; its time is what Chromium counts as script, style and layout from the press until two
//! frames later, so that the first frame of whatever glides is in it. Machines differ: compare rows of one run.

use std::time::Instant;

use lockstep_e2e::{Page, Site};
use serde_json::{Value, json};

const STEPS: usize = 100;

/// What is measured: a name, the route, and what a person does again and again.
const ROWS: &[(&str, &str, Act)] = &[
    ("nothing: the measuring itself", "v=1&clients=8&seed=1&lane=&lane=watch=holder", Act::Nothing),
    ("two lanes of 8, a step", "v=1&clients=8&seed=1&lane=&lane=watch=holder", Act::Forward),
    (
        "four lanes of 8, a step",
        "v=1&clients=8&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll",
        Act::Forward,
    ),
    (
        "four lanes of 8, five servers",
        "v=2&servers=5&clients=8&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll",
        Act::Forward,
    ),
    ("one lane of 200, a step", "v=1&clients=200&seed=1&lane=watch=holder&step=3000", Act::Forward),
    ("10 000 events, a step", LONG, Act::Forward),
    ("10 000 events, a step back", LONG, Act::Back),
    ("10 000 events, a seek", LONG, Act::Seek),
];

/// A run of about ten thousand steps in each of two lanes.
const LONG: &str = "v=1&clients=60&seed=1&lane=watch=holder&lane=watch=parent&step=5000";

#[derive(Clone, Copy)]
enum Act {
    Nothing,
    Forward,
    Back,
    Seek,
}

fn main() {
    let page = Page::blank(Site::shared());
    page.resize(1440, 900);
    let started = Instant::now();
    page.load("#/lab");
    page.wait_for_paint();
    println!(
        "From nothing to the first drawing of the lab: {} ms (uncompressed, from loopback).",
        started.elapsed().as_millis()
    );
    // Nothing is to wait for an answer.
    page.eval("localStorage.setItem('lockstep.settings', 'v=1&predict=no&lang=en')");
    page.cdp("Performance.enable", json!({}));
    println!("\nMilliseconds of script, style and layout for one step, {STEPS} steps each:");
    println!(
        "{:30} {:>7} {:>7} {:>7}   {:>6} {:>6} {:>6}  stops",
        "", "median", "p95", "most", "script", "style", "layout"
    );
    for (name, scenario, act) in ROWS {
        page.load(&format!("#/lab?{scenario}"));
        page.wait_for_paint();
        let last = page.lab().last();
        let mut all: Vec<Cost> = (0..STEPS).map(|at| measure(&page, *act, at, last)).collect();
        all.sort_by(|a, b| a.total().total_cmp(&b.total()));
        let mean = |pick: fn(&Cost) -> f64| all.iter().map(pick).sum::<f64>() / all.len() as f64;
        println!(
            "{name:30} {:7.1} {:7.1} {:7.1}   {:6.1} {:6.1} {:6.1}  {last}",
            all[STEPS / 2].total(),
            all[STEPS * 95 / 100].total(),
            all[STEPS - 1].total(),
            mean(|cost| cost.script),
            mean(|cost| cost.style),
            mean(|cost| cost.layout),
        );
    }
    println!(
        "\nThe aims on two cores: p95 of two lanes of 8, and of four with five servers, at most 8 ms; a step, a step \
         back and a seek under 16 ms."
    );
    for error in page.console_errors() {
        println!("The console shows an error: {error}");
    }
}

/// What Chromium spent, in ms.
struct Cost {
    script: f64,
    style: f64,
    layout: f64,
}

impl Cost {
    fn total(&self) -> f64 {
        self.script + self.style + self.layout
    }
}

fn measure(page: &Page, act: Act, at: usize, last: u32) -> Cost {
    let before = metrics(page);
    match act {
        Act::Nothing => {}
        Act::Forward => press(page, "ArrowRight", 39),
        Act::Back => press(page, "ArrowLeft", 37),
        Act::Seek => {
            // Places all over the run, in no order.
            let stop = (at as u32 * 7919) % last.max(1);
            let script = "const range = document.querySelector('[data-scrubber]');
                range.value = arguments[0]; range.dispatchEvent(new Event('input', { bubbles: true }));";
            page.eval_with(script, &[json!(stop)]);
        }
    }
    page.wait_for_paint();
    let after = metrics(page);
    let spent = |name: &str| 1000.0 * (value(&after, name) - value(&before, name));
    Cost {
        script: spent("ScriptDuration"),
        style: spent("RecalcStyleDuration"),
        layout: spent("LayoutDuration"),
    }
}

/// By the protocol, so that no script of the driver is counted.
fn press(page: &Page, key: &str, number: u32) {
    for kind in ["rawKeyDown", "keyUp"] {
        let event = json!({ "type": kind, "code": key, "key": key, "windowsVirtualKeyCode": number });
        page.cdp("Input.dispatchKeyEvent", event);
    }
}

fn metrics(page: &Page) -> Value {
    page.cdp("Performance.getMetrics", json!({}))
}

fn value(metrics: &Value, name: &str) -> f64 {
    let all = metrics["metrics"].as_array().into_iter().flatten();
    let found = all.into_iter().find(|metric| metric["name"] == name);
    found
        .and_then(|metric| metric["value"].as_f64())
        .unwrap_or_else(|| panic!("Chromium does not count {name}"))
}
