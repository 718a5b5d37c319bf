//! Nothing that is written is cut off, lies on something else or stands outside the screen: measured in both
//! languages, on every ready story, at every moment, on the three screens.

use std::collections::BTreeMap;

use lockstep_e2e::{Page, SCREENS};

/// Opened states of the lab that a story does not pass through: a name, a route, what is clicked.
const OPENED: &[(&str, &str, &str)] = &[
    ("help", "#/lab", "[data-help]"),
    ("setup", "#/lab", "[data-setup]"),
    (
        "setup of four",
        "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll",
        "[data-setup]",
    ),
    ("inspector", "#/lab?step=60", ".lane[data-lane='1'] [data-client='B'] :is(.letter, .tall-letter)"),
    ("diagram", "#/lab?step=60", "[data-tab=diagram]"),
    ("table", "#/lab?step=60", "[data-tab=table]"),
    ("strips", "#/lab?step=60", "[data-tab=strips]"),
    ("many", "#/lab?v=2&clients=200&seed=1&lane=&lane=watch=holder&step=3000", "[data-tab=strips]"),
    (
        "stalled",
        "#/lab?v=2&clients=3&timeout-ms=6000&hold-ms=3000&script=stall.A@400,heal.A@9000&lane=&step=45",
        "[data-tab=strips]",
    ),
    (
        "left over",
        "#/lab?v=2&clients=3&script=lost-reply.B@56&lane=lost-reply=again&lane=&step=9999",
        "[data-tab=table]",
    ),
    (
        "crashed",
        "#/lab?v=2&clients=5&readers=B,C&script=crash.A@200&lane=resource=forgetful&lane=&step=30",
        "[data-tab=diagram]",
    ),
    ("diagram of servers", "#/lab?v=2&clients=5&seed=1&servers=5&lane=&step=75", "[data-tab=diagram]"),
    (
        "diagram of an election",
        "#/lab?v=2&clients=2&seed=1&servers=3&script=crash.s3@33,restart.s3@4000&lane=&lane=lost-reply=again&step=20",
        "[data-tab=diagram]",
    ),
    (
        "table of servers",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=60&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&step=125",
        "[data-tab=table]",
    ),
    (
        "four lanes of servers",
        "#/lab?v=2&clients=5&seed=1&servers=5&lag-ms=30&script=crash.s1@200,cut.s2-s5@210,stall.s3@220,restart.s1@15000,heal.s2-s5@15000,resume.s3@15000&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll&step=300",
        "[data-tab=strips]",
    ),
    ("a server", "#/lab?v=2&clients=5&seed=1&servers=5&lane=&lane=watch=poll&step=75", "[data-member=S5]"),
    ("a notice", "#/lab?clients=100000&colour=blue", "[data-tab=strips]"),
];

#[test]
fn no_words_touch_in_any_story_in_english() {
    measure_stories("en");
}

#[test]
fn no_words_touch_in_any_story_in_chinese() {
    measure_stories("zh");
}

#[test]
fn no_words_touch_in_the_first_minute() {
    let page = Page::calm();
    let mut faults = Vec::new();
    for screen in SCREENS {
        page.show_on(screen);
        for lang in ["en", "zh"] {
            page.load(&format!("#/?lang={lang}"));
            let mut look = |name: &str| {
                let found = page.box_faults();
                faults.extend(found.into_iter().map(|fault| format!("{screen} {lang} {name}: {fault}")));
            };
            look("ready");
            page.click("[data-freeze]");
            look("frozen");
            page.click("[data-wait]");
            look("asked");
            page.click("[data-guess-refused]");
            look("shown");
            page.click("[data-change-line]");
            page.wait_for(".doors");
            look("compared");
        }
    }
    assert_none(&faults);
}

#[test]
fn no_words_touch_in_what_can_be_opened() {
    let page = Page::calm();
    let mut faults = Vec::new();
    for screen in SCREENS {
        page.show_on(screen);
        for lang in ["en", "zh"] {
            for (name, route, click) in OPENED {
                let joint = if route.contains('?') { '&' } else { '?' };
                page.load(&format!("{route}{joint}lang={lang}"));
                page.click(click);
                page.wait_for_paint();
                let found = page.box_faults();
                faults.extend(found.into_iter().map(|fault| format!("{screen} {lang} {name}: {fault}")));
            }
        }
    }
    assert_none(&faults);
}

fn measure_stories(lang: &str) {
    let page = Page::calm();
    page.load(&format!("#/lab?lang={lang}"));
    page.click("[data-setup]");
    let stories =
        page.eval("return [...document.querySelectorAll('[data-story]')].map((one) => one.dataset.story)");
    let stories: Vec<&str> = stories.as_array().into_iter().flatten().filter_map(|id| id.as_str()).collect();
    assert!(stories.len() >= 8, "the ready stories are in the setup: {stories:?}");
    let mut faults = Vec::new();
    for story in stories {
        page.load(&format!("#/lab?lang={lang}"));
        page.click("[data-setup]");
        page.click(&format!("[data-story='{story}']"));
        page.wait_for_no("[data-story]");
        let stops = stops(&page);
        assert!(stops.len() >= 6, "{story} has moments: {stops:?}");
        for screen in SCREENS {
            page.show_on(screen);
            page.wait_for_paint();
            let found = page.box_faults_at(&stops);
            faults.extend(found.into_iter().map(|fault| format!("{screen} {lang} {story}, {fault}")));
        }
    }
    page.assert_clean();
    assert_none(&faults);
}

/// The start, the moments, and the stop before the consequence, where the prediction is asked.
fn stops(page: &Page) -> Vec<u32> {
    let stops = page.eval(
        "const moments = [...document.querySelectorAll('[data-moment]')].map((one) => Number(one.dataset.moment));
        const asked = [...document.querySelectorAll('.tick.consequence')].map((one) => one.dataset.moment - 1);
        return [...new Set([0, ...moments, ...asked])].sort((a, b) => a - b)",
    );
    stops.as_array().into_iter().flatten().filter_map(|stop| stop.as_u64()?.try_into().ok()).collect()
}

/// A page on which nothing glides, so that what is measured is at its place.
/// Lists each fault once, with where it was seen.
#[track_caller]
fn assert_none(faults: &[String]) {
    let mut by_what: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (place, what) in faults.iter().filter_map(|fault| fault.split_once(": ")) {
        by_what.entry(what).or_default().push(place);
    }
    let lines = by_what.iter().map(|(what, places)| {
        let more = if places.len() > 3 { format!(" and {} more", places.len() - 3) } else { String::new() };
        format!("{what}\n    at {}{more}", places[..places.len().min(3)].join("; "))
    });
    let lines: Vec<String> = lines.collect();
    assert!(faults.is_empty(), "{} faults:\n{}", lines.len(), lines.join("\n"));
}
