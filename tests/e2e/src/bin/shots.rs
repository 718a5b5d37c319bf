//! Screenshots of the release site, into `shots/`: every page in [`PAGES`], on every screen, in both languages, light
//! and dark. `cargo xtask shots` builds first and runs this.

use std::path::Path;
use std::process::ExitCode;

use lockstep_e2e::{Page, Site};

/// What to photograph: a file name, a route, and what a person does there first.
const PAGES: &[(&str, &str, &[Step])] = &[
    ("first-1-ready", "#/", &[]),
    ("first-2-frozen", "#/", &[Step::Click("[data-freeze]")]),
    ("first-3-asked", "#/", &[Step::Click("[data-freeze]"), Step::Click("[data-wait]")]),
    (
        "first-4-shown",
        "#/",
        &[Step::Click("[data-freeze]"), Step::Click("[data-wait]"), Step::Click("[data-guess-refused]")],
    ),
    (
        "first-5-compared",
        "#/",
        &[
            Step::Click("[data-freeze]"),
            Step::Click("[data-wait]"),
            Step::Click("[data-guess-lands]"),
            Step::Click("[data-change-line]"),
            Step::WaitFor(".doors"),
        ],
    ),
    ("lab-1-start", "#/lab", &[]),
    ("lab-2-predict", "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=45", &[]),
    ("lab-3-herd", "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=56", &[]),
    (
        "lab-4-inspect",
        "#/lab?v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=separate&step=30",
        &[Step::Click("[data-client='B']")],
    ),
    (
        "lab-5-sticks",
        "#/lab?v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=separate&step=999",
        &[],
    ),
    (
        "lab-6-breaks",
        "#/lab?v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume&step=999",
        &[],
    ),
    (
        "lab-7-four",
        "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll&step=60",
        &[],
    ),
    ("lab-8-many", "#/lab?v=2&clients=200&seed=1&lane=&lane=watch=holder&step=3000", &[]),
    ("lab-9-setup", "#/lab", &[Step::Click("[data-setup]")]),
    ("lab-10-diagram", "#/lab?step=60", &[Step::Click("[data-tab=diagram]")]),
    ("lab-11-table", "#/lab?step=60", &[Step::Click("[data-tab=table]")]),
    (
        "lab-13-branch",
        "#/lab?step=40",
        &[
            Step::Click("[data-client='A']"),
            Step::WaitFor("[data-card=inspector]"),
            Step::Click("[data-hold]"),
            Step::WaitFor("[data-branch='1']"),
        ],
    ),
    ("lab-12-help", "#/lab", &[Step::Click("[data-help]")]),
    (
        "fault-1-paused",
        "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open,disconnect=continue&lane=disconnect=continue&step=26",
        &[],
    ),
    (
        "fault-2-taken-over",
        "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open,disconnect=continue&lane=disconnect=continue&step=34",
        &[],
    ),
    (
        "fault-3-end",
        "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open,disconnect=continue&lane=disconnect=continue&step=999",
        &[],
    ),
    (
        "fault-4-inspect",
        "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open,disconnect=continue&lane=disconnect=continue&step=48",
        &[Step::Click("[data-client='A']")],
    ),
    (
        "fault-5-reset",
        "#/lab?v=2&clients=3&timeout-ms=6000&script=reset.A@300,reset.B@320&lane=disconnect=requeue&lane=&step=48",
        &[],
    ),
    ("fault-6-readers", "#/lab?v=2&clients=5&readers=B,C,D&lane=&lane=reader-waits=node-ahead&step=60", &[]),
    (
        "fault-7-stalled",
        "#/lab?v=2&clients=3&timeout-ms=6000&hold-ms=3000&script=stall.A@400,heal.A@9000&lane=&step=70",
        &[],
    ),
    (
        "fault-8-setup",
        "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000&lane=resource=open,disconnect=continue&lane=disconnect=continue&step=48",
        &[Step::Click("[data-setup]")],
    ),
    (
        "servers-1-lag",
        "#/lab?v=2&clients=2&seed=1&servers=3&script=stall.s2@450,resume.s2@3000&lane=&lane=watch=poll&step=150",
        &[],
    ),
    (
        "servers-2-inspect",
        "#/lab?v=2&clients=2&seed=1&servers=3&script=stall.s2@450,resume.s2@3000&lane=&lane=watch=poll&step=100",
        &[Step::Click("[data-member='S2']")],
    ),
    (
        "servers-3-five",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=60&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&step=120",
        &[Step::Click("[data-tab=servers]")],
    ),
    (
        "servers-4-five-bar",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=60&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&step=125",
        &[],
    ),
    (
        "servers-5-diagram",
        "#/lab?v=2&clients=5&seed=1&servers=5&lane=&step=75",
        &[Step::Click("[data-tab=diagram]")],
    ),
    (
        "servers-6-election",
        "#/lab?v=2&clients=2&seed=1&servers=3&script=crash.s3@33,restart.s3@4000&lane=&lane=lost-reply=again&step=40",
        &[Step::Click("[data-tab=diagram]")],
    ),
    (
        "servers-7-table",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=60&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&step=125",
        &[Step::Click("[data-tab=table]")],
    ),
    (
        "servers-8-four",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=30&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll&step=300",
        &[],
    ),
    (
        "servers-9-split",
        "#/lab?v=2&clients=2&seed=1&hold-ms=8600&servers=3&timeout-ms=6000&lane=resource=open&lane=&step=60",
        &[
            Step::Click("[data-member='S3']"),
            Step::Click(".faults [data-fault='split.s3']"),
            Step::WaitFor(".faults [data-fault='heal.s3']:not([disabled])"),
        ],
    ),
];

const SIZES: [(u32, u32); 3] = [(1440, 900), (1024, 768), (390, 844)];
const LANGS: [&str; 2] = ["en", "zh"];
const THEMES: [&str; 3] = ["light", "dark", "contrast"];
/// Narrower screens than this are phones: touched, and with two device pixels a pixel.
const PHONE_WIDTH: u32 = 600;

/// Something a person does before the screenshot.
#[allow(dead_code, reason = "the table above need not use every kind of step at all times")]
enum Step {
    Click(&'static str),
    Press(&'static str),
    Type(&'static str),
    WaitFor(&'static str),
}

/// Which of them to take; everything that is not named.
#[derive(Default)]
struct Filter {
    routes: Vec<String>,
    sizes: Vec<(u32, u32)>,
    langs: Vec<String>,
    themes: Vec<String>,
}

fn main() -> ExitCode {
    let filter = match Filter::parse(std::env::args().skip(1)) {
        Ok(filter) => filter,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::FAILURE;
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shots");
    let page = Page::blank(Site::shared());
    // Nothing moves, so that two runs give the same picture.
    page.prefers(&[("prefers-reduced-motion", "reduce")]);
    let mut taken = 0;
    for (name, route, steps) in PAGES.iter().filter(|(name, route, _)| filter.wants_route(name, route)) {
        for (width, height) in filter.sizes() {
            for lang in filter.langs() {
                for theme in filter.themes() {
                    let file = format!("{name}-{width}x{height}-{lang}-{theme}.png");
                    set_screen(&page, width, height);
                    page.load(&with_settings(route, lang, theme));
                    steps.iter().for_each(|step| take(step, &page));
                    page.wait_for_paint();
                    page.screenshot(&folder.join(&file));
                    println!("shots/{file}");
                    taken += 1;
                }
            }
        }
    }
    println!("{taken} screenshots taken.");
    let errors = page.console_errors();
    errors.iter().for_each(|error| eprintln!("The console shows an error: {error}"));
    if taken == 0 || !errors.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn set_screen(page: &Page, width: u32, height: u32) {
    if width < PHONE_WIDTH { page.phone(width, height) } else { page.resize(width, height) }
}

fn with_settings(route: &str, lang: &str, theme: &str) -> String {
    let joint = if route.contains('?') { '&' } else { '?' };
    format!("{route}{joint}lang={lang}&theme={theme}")
}

fn take(step: &Step, page: &Page) {
    match step {
        Step::Click(css) => page.click(css),
        Step::Press(key) => page.press(key),
        Step::Type(text) => page.type_text(text),
        Step::WaitFor(css) => page.wait_for(css),
    }
}

impl Filter {
    fn parse(mut options: impl Iterator<Item = String>) -> Result<Filter, String> {
        let mut filter = Filter::default();
        while let Some(option) = options.next() {
            let value = options.next().ok_or_else(|| format!("`{option}` needs a value."))?;
            match option.as_str() {
                "--route" => filter.routes.push(value),
                "--size" => filter.sizes.push(size(&value)?),
                "--lang" => filter.langs.push(value),
                "--theme" => filter.themes.push(value),
                other => {
                    return Err(format!(
                        "There is no option `{other}`: use --route, --size, --lang or --theme."
                    ));
                }
            }
        }
        if let Some(route) =
            filter.routes.iter().find(|wish| !PAGES.iter().any(|(name, route, _)| names(wish, name, route)))
        {
            let known: Vec<_> = PAGES.iter().map(|(name, route, _)| format!("{name} ({route})")).collect();
            return Err(format!(
                "There is no page `{route}` in the table. These exist: {}.",
                known.join(", ")
            ));
        }
        Ok(filter)
    }

    fn wants_route(&self, name: &str, route: &str) -> bool {
        self.routes.is_empty() || self.routes.iter().any(|wish| names(wish, name, route))
    }

    fn sizes(&self) -> Vec<(u32, u32)> {
        if self.sizes.is_empty() { SIZES.to_vec() } else { self.sizes.clone() }
    }

    fn langs(&self) -> Vec<&str> {
        if self.langs.is_empty() { LANGS.to_vec() } else { self.langs.iter().map(String::as_str).collect() }
    }

    fn themes(&self) -> Vec<&str> {
        if self.themes.is_empty() {
            THEMES.to_vec()
        } else {
            self.themes.iter().map(String::as_str).collect()
        }
    }
}

/// A page is named by its file name, or by its route with or without the `#`.
fn names(wish: &str, name: &str, route: &str) -> bool {
    wish == name || wish == route || wish == route.trim_start_matches('#')
}

fn size(value: &str) -> Result<(u32, u32), String> {
    let parts =
        value.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    parts.ok_or_else(|| format!("`{value}` is not a size; write it as 1440x900."))
}
