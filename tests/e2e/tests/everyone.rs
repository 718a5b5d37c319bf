//! For everyone: no fault that axe-core knows, all by keyboard, in sight, large enough, without motion, at any zoom.

use lockstep_e2e::{Page, SCREENS, Screen, Site};

const LANGS: [&str; 2] = ["en", "zh"];
const THEMES: [&str; 3] = ["light", "dark", "contrast"];

/// In mid-story: two lanes, watches, messages, a client woken in vain.
const MID: &str = "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=60";
const FOUR: &str =
    "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll&step=226";

/// What can be opened, and what is clicked to open it.
const OPENED: &[(&str, &str, &[&str])] = &[
    ("help", MID, &["[data-help]"]),
    ("setup", MID, &["[data-setup]"]),
    ("setup with greyed decisions", FOUR, &["[data-setup]"]),
    ("inspector", MID, &[".lane[data-lane='1'] [data-client='B'] :is(.letter, .tall-letter)"]),
    ("diagram", MID, &["[data-tab=diagram]"]),
    ("table", MID, &["[data-tab=table]"]),
    ("strips", MID, &["[data-tab=strips]", ".real summary"]),
    ("prediction", "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=45", &[]),
    (
        "answered",
        "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=45",
        &["[data-answer='0']", "[data-transport=forward]"],
    ),
    ("sticks", "#/lab?v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=separate&step=9999", &[]),
    ("breaks", "#/lab?v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume&step=31", &[]),
    ("branch", "#/lab?v=2&clients=5&seed=1&lane=hold@46=zk.B&lane=watch=holder&step=60", &[]),
    ("four", FOUR, &[]),
    ("many", "#/lab?v=2&clients=200&seed=1&lane=&lane=watch=holder&step=3000", &[]),
    ("alone", "#/lab?v=2&clients=3&seed=1&lane=&step=20", &[]),
    ("notice", "#/lab?clients=many&colour=blue", &[]),
    ("asked", "#/", &["[data-first-again], [data-freeze]", "[data-freeze], main"]),
];

fn with(route: &str, lang: &str, theme: &str) -> String {
    let joint = if route.contains('?') { '&' } else { '?' };
    format!("{route}{joint}lang={lang}&theme={theme}")
}

#[test]
fn axe_finds_no_fault_in_the_lab_in_any_language_theme_or_size() {
    let page = Page::calm();
    page.load(MID);
    let mut faults = Vec::new();
    for screen in SCREENS {
        page.show_on(screen);
        for theme in THEMES {
            for lang in LANGS {
                page.goto(&with(MID, lang, theme));
                page.wait_for_paint();
                let found = page.axe();
                faults.extend(found.into_iter().map(|fault| format!("{screen} {lang} {theme}: {fault}")));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn axe_finds_no_fault_in_the_first_minute_in_any_language_theme_or_size() {
    let page = Page::calm();
    page.load("#/");
    let mut faults = Vec::new();
    for screen in SCREENS {
        page.show_on(screen);
        for theme in THEMES {
            for lang in LANGS {
                page.goto(&with("#/", lang, theme));
                page.wait_for_paint();
                let found = page.axe();
                faults.extend(found.into_iter().map(|fault| format!("{screen} {lang} {theme}: {fault}")));
                // Each time another of its five phases.
                for next in [
                    "[data-freeze]",
                    "[data-wait]",
                    "[data-guess-refused]",
                    "[data-change-line]",
                    "[data-first-again]",
                ] {
                    if page.exists(next) && page.is_visible(next) {
                        page.click(next);
                        break;
                    }
                }
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn axe_finds_no_fault_in_what_can_be_opened() {
    let page = Page::calm();
    let mut faults = Vec::new();
    for (at, (name, route, clicks)) in OPENED.iter().enumerate() {
        // Every state once, in turn on another screen, in another language and theme.
        let (screen, lang, theme) = (SCREENS[at % 3], LANGS[at % 2], THEMES[(at / 2) % 3]);
        page.show_on(screen);
        page.load(&with(route, lang, theme));
        for click in clicks.iter().filter(|css| page.exists(css)) {
            page.click(click);
        }
        page.wait_for_paint();
        let found = page.axe();
        faults.extend(found.into_iter().map(|fault| format!("{name}, {screen} {lang} {theme}: {fault}")));
    }
    page.assert_clean();
    assert_none(&faults);
}

#[test]
fn everything_is_reached_by_tab_in_order_and_the_focus_is_seen() {
    let page = Page::calm();
    for screen in SCREENS {
        page.show_on(screen);
        for route in [MID, "#/"] {
            page.load(&with(route, "en", "light"));
            let passed = page.tab_order(150);
            let name = |one: &serde_json::Value| format!("{} {} `{}`", one["tag"], one["class"], one["what"]);
            let faint: Vec<String> = passed.iter().filter(|one| one["seen"] != true).map(name).collect();
            assert!(faint.is_empty(), "{screen} {route}: focus cannot be seen on\n{}", faint.join("\n"));
            let hidden: Vec<String> = passed.iter().filter(|one| one["covered"] == true).map(name).collect();
            assert!(
                hidden.is_empty(),
                "{screen} {route}: focus is behind the foot on\n{}",
                hidden.join("\n")
            );

            // As many as there are, and region by region, never back.
            let all = page.eval(
                "return [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex=\"0\"]')]
                    .filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })).length",
            );
            assert_eq!(all.as_u64(), Some(passed.len() as u64), "{screen} {route}: all are reached once");
            let mut regions: Vec<&str> = passed.iter().filter_map(|one| one["region"].as_str()).collect();
            regions.dedup();
            let mut once = regions.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), regions.len(), "{screen} {route}: {regions:?}");
        }
    }
    page.assert_clean();
}

#[test]
fn the_skip_link_comes_first_and_leads_to_the_content() {
    let page = Page::calm();
    page.load(&with(MID, "en", "light"));
    page.press("Tab");
    let skip = page.eval(
        "const one = document.activeElement, box = one.getBoundingClientRect();
        return [one.className, box.left >= 0 && box.right <= innerWidth && box.top >= 0]",
    );
    assert_eq!(skip, serde_json::json!(["skip", true]), "it is first, and in sight");
    let route = page.route();
    page.press("Enter");
    assert_eq!(page.eval("return document.activeElement.id"), "main");
    assert_eq!(page.route(), route, "the address is a route, not an anchor");
    page.press("Tab");
    assert_eq!(page.eval("return document.activeElement.closest('main') !== null"), true);
}

#[test]
fn before_the_stage_a_link_skips_to_the_transport() {
    let page = Page::calm_at(&with(MID, "en", "light"));
    page.tab_to("main .skip");
    let in_sight = "const box = document.activeElement.getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth && box.top >= 0";
    assert_eq!(page.eval(in_sight), true);
    let route = page.route();
    page.press("Enter");
    assert_eq!(page.eval("return document.activeElement.dataset.transport"), "moment");
    assert_eq!(page.route(), route);
    page.assert_clean();
}

#[test]
fn the_inspector_and_the_hand_are_reached_by_keys_alone() {
    let page = Page::calm();
    page.resize(1440, 900);
    page.load("#/lab?lang=en&step=46");
    page.tab_to("[data-stage]");
    page.tab_to(".lane[data-lane='2'] [data-message='zk.C']");
    page.press("Enter");
    page.wait_for("[data-card=inspector]");
    page.tab_to("[data-card=inspector] [data-take]");
    page.press("Enter");
    page.wait_for("[data-branch='1'][aria-pressed=true]");
    assert_eq!(page.lab().step_of(2, "C"), "listing");
    // The button is gone with the message; the next key still has a place to go on from.
    assert_eq!(page.eval("return document.activeElement.closest('main') !== null"), true);
    page.press("ArrowRight");
    assert_eq!(page.lab().stop(), 48);
    page.press("Escape");
    page.wait_for_no("[data-card=inspector]");

    // The help opens by key, keeps the focus inside, and gives it back.
    page.focus("[data-help]");
    page.press("Enter");
    page.wait_for("dialog[open]");
    for _ in 0..12 {
        page.press("Tab");
        let inside = page.eval("return document.activeElement === document.body || document.activeElement.closest('dialog') !== null");
        assert_eq!(inside, true, "the focus stays in the dialog");
    }
    page.press("Escape");
    page.wait_for_no("dialog[open]");
    assert_eq!(page.eval("return document.activeElement.hasAttribute('data-help')"), true);

    // A table that scrolls sideways keeps the arrows for itself.
    page.resize(390, 844);
    page.click("[data-tab=table]");
    let stop = page.lab().stop();
    page.focus(".scroll");
    page.press("ArrowRight");
    page.wait_until("the table scrolls", "return document.querySelector('.scroll').scrollLeft > 0");
    assert_eq!(page.lab().stop(), stop);
}

#[test]
fn those_who_dislike_motion_see_none() {
    let page = Page::blank(Site::shared());
    let moving = "return [...document.querySelectorAll('*')].filter((one) => {
            const style = getComputedStyle(one);
            const lasts = style.transitionDuration.split(',').some((time) => parseFloat(time) > 0);
            return lasts || style.animationName !== 'none' || style.scrollBehavior === 'smooth';
        }).map((one) => `${one.tagName} ${one.getAttribute('class')}`)";
    let many = "#/lab?v=2&clients=12&seed=1&lane=&lane=watch=holder&step=150";
    page.prefers(&[("prefers-reduced-motion", "no-preference")]);
    page.load(many);
    assert_ne!(page.eval(moving), serde_json::json!([]), "others see things glide");
    page.prefers(&[("prefers-reduced-motion", "reduce")]);
    for route in [many, "#/"] {
        page.load(route);
        assert_eq!(page.eval(moving), serde_json::json!([]), "{route}");
        page.click("[data-help]");
        assert_eq!(page.eval(moving), serde_json::json!([]), "{route} with the help");
    }
}

#[test]
fn at_four_hundred_percent_nothing_is_lost_and_nothing_scrolls_sideways() {
    let page = Page::calm();
    let mut faults = Vec::new();
    for (width, height) in [(320, 256), (320, 640)] {
        page.resize(width, height);
        for (route, lang) in [(MID, "en"), (MID, "zh"), (FOUR, "en"), ("#/", "en"), ("#/", "zh")] {
            page.load(&with(route, lang, "light"));
            let name = format!("{width}x{height} {lang} {}", &route[..route.len().min(5)]);
            if page.scrolls_sideways() {
                faults.push(format!("{name}: the page scrolls sideways"));
            }
            let outside = page.eval(
                "const scrolls = (one) => one.closest('.scroll, .scroller, .branches') !== null;
                return [...document.querySelectorAll('a[href], button, select, input, summary, h1, h2, h3, p')]
                    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !scrolls(one)
                        && one.closest('.sr, .live, .skip, .said, .caption:not([data-focus])') === null)
                    .filter((one) => { const box = one.getBoundingClientRect();
                        return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1); })
                    .map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)} stands outside the screen`)",
            );
            let outside = outside.as_array().into_iter().flatten().filter_map(|line| line.as_str());
            faults.extend(outside.map(|line| format!("{name}: {line}")));
            // The foot leaves room to see what is above it.
            let foot = page.eval(
                "const foot = document.querySelector('.foot');
                return foot === null || getComputedStyle(foot).position !== 'sticky' ? 0
                    : Math.round(100 * foot.getBoundingClientRect().height / innerHeight)",
            );
            if foot.as_u64().is_none_or(|share| share > 55) {
                faults.push(format!("{name}: the foot takes {foot} % of the screen"));
            }
        }
        page.load(&with(MID, "en", "light"));
        let wanted = [
            "[data-transport=moment]",
            "[data-transport=forward]",
            "[data-scrubber]",
            "[data-setup]",
            "[data-help]",
            "[data-copy-link]",
            "[data-theme-select]",
            "[data-add-lane]",
            "[data-tab=code]",
            "[data-lane-tab='2']",
            "[data-lang=zh]",
        ];
        let lost = wanted.iter().filter(|css| !page.is_visible(css) && **css != "[data-theme-select]");
        faults.extend(lost.map(|css| format!("{width}x{height}: {css} is lost")));
    }
    assert_none(&faults);
}

#[test]
fn what_is_pressed_is_large_enough_to_hit() {
    let page = Page::calm();
    let small = "const shown = (one) => one.checkVisibility({ opacityProperty: false, visibilityProperty: true });
        const all = document.querySelectorAll('a[href], button, select, input, summary, [role=button], label.check, label.bar-select');
        return [...all].filter((one) => shown(one) && one.closest('.skip, label.check input') === null)
            .filter((one) => !(one.tagName === 'INPUT' && one.closest('label.check')))
            .map((one) => {
                const box = one.getBoundingClientRect();
                const least = one.closest('svg') === null ? 44 : 24;
                const good = Math.max(box.width, box.height) >= least - 0.5 && Math.min(box.width, box.height) >= 23.5;
                return good ? '' : `${one.tagName.toLowerCase()}.${(one.getAttribute('class') ?? '').split(' ')[0]} `
                    + `${Math.round(box.width)}x${Math.round(box.height)} ${(one.getAttribute('aria-label') ?? one.textContent).slice(0, 30)}`;
            }).filter(Boolean)";
    let mut faults = Vec::new();
    for screen in SCREENS {
        page.show_on(screen);
        for (name, route, clicks) in OPENED.iter().filter(|(name, ..)| *name != "answered") {
            page.load(&with(route, "en", "light"));
            for click in clicks.iter().filter(|css| page.exists(css)) {
                page.click(click);
            }
            let found = page.eval(small);
            let found = found.as_array().into_iter().flatten().filter_map(|line| line.as_str());
            faults.extend(found.map(|line| format!("{name}, {screen}: {line}")));
        }
    }
    assert_none(&faults);
}

#[test]
fn every_picture_is_told_in_words_and_as_a_table() {
    let page = Page::calm();
    let phone = Screen { width: 390, height: 844, phone: true };
    for screen in [SCREENS[0], phone] {
        page.show_on(screen);
        page.load(&with("#/lab?step=46", "en", "light"));
        page.lab().seek(46);
        let sentence = page.eval("return document.querySelector('.lane [data-sentence]').textContent");
        let sentence = sentence.as_str().unwrap_or_default();
        assert!(
            sentence.starts_with("Queue: 0001 (B), 0002 (C)") && sentence.contains("C watches 0001."),
            "{sentence}"
        );
        page.click("[data-tab=table]");
        assert_eq!(page.count("[data-under=table] tbody tr"), 5);
        page.wait_for_text("[data-under=table] tbody", "asleep, undisturbed");
        let nameless = page.eval(
            "return [...document.querySelectorAll('.lane button, .lane [role=button]')]
                .filter((one) => (one.getAttribute('aria-label') ?? one.innerText ?? '').trim() === '').length",
        );
        assert_eq!(nameless, 0, "everything on the stage has a name");
    }
}

/// Lists each fault once, with where it was seen.
#[track_caller]
fn assert_none(faults: &[String]) {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for (place, what) in faults.iter().filter_map(|fault| fault.split_once(": ")) {
        match lines.iter_mut().find(|(known, _)| *known == what) {
            Some((_, places)) => places.push(place),
            None => lines.push((what, vec![place])),
        }
    }
    let text: Vec<String> = lines
        .iter()
        .map(|(what, places)| {
            format!("{what}\n    at {} ({} times)", places[..places.len().min(3)].join("; "), places.len())
        })
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", lines.len(), text.join("\n"));
}
