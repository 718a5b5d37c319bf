//! The address and what the browser keeps: they bring back the place, and nothing in them breaks the page.

use lockstep_e2e::Page;

/// The first story stands, and a sentence says why.
#[track_caller]
fn assert_notice(page: &Page, words: &str) {
    page.wait_for_text(".notice", words);
    assert!(!page.is_visible("#fallback"), "the app has not stopped");
    let longest = page.texts(".notice").iter().map(|notice| notice.len()).max().unwrap_or(0);
    assert!(longest < 500, "a sentence, not the link: {longest} bytes");
}

#[test]
fn the_address_holds_scenario_and_stop_after_a_pause_and_brings_them_back() {
    let page = Page::calm();
    page.before_load(
        "window.writes = 0; const write = history.replaceState;
        history.replaceState = function (...all) { window.writes += 1; return write.apply(this, all); };",
    );
    page.load("#/lab?lang=en");
    let lab = page.lab();
    page.press("ArrowRight");
    page.hold("ArrowRight", 40);
    assert_eq!(lab.stop(), 41);
    lab.wait_for_address("step=41");
    let writes = page.eval("return window.writes").as_u64().unwrap_or(u64::MAX);
    assert!(writes <= 3, "the address is written when things pause, not {writes} times");
    assert_eq!(page.route(), "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&step=41");

    page.choose(".lane[data-lane='2'] .lane-head select[data-key=watch]", "parent");
    lab.wait_for_address("lane=watch=parent");
    let (stages, route) = (lab.stages(), page.route());
    page.reload();
    page.click("[data-lang=en]");
    assert_eq!(lab.stages(), stages, "{route} brings back what was shown");
    assert_eq!(page.route(), route);

    // A link inside the page, and back: each is where it was.
    page.goto("#/lab?v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume&step=20");
    page.wait_for_text("[data-question]", "Is the lock C's?");
    assert_eq!(lab.stop(), 20);
    page.back();
    page.wait_for_text("[data-question]", "Whom does a waiting client watch?");
    assert_eq!(lab.stages(), stages, "back is where it was");

    // The button copies the same link, even where the browser forbids the clipboard.
    page.click("[data-copy-link]");
    assert!(page.address().ends_with(&route), "{}", page.address());
    page.assert_clean();
}

#[test]
fn a_reload_at_a_branch_comes_back_to_the_branch() {
    let page = Page::calm();
    page.load("#/lab?lang=en&step=46");
    let lab = page.lab();
    page.focus(".lane[data-lane='2'] [data-message='zk.D']");
    page.press("Enter");
    page.click("[data-take]");
    page.wait_for("[data-branch='1'][aria-pressed=true]");
    lab.wait_for_address("take@");
    page.press("Escape");
    let stages = lab.stages();
    page.reload();
    page.click("[data-lang=en]");
    assert_eq!(lab.stages(), stages, "both stages are the same");

    // A choice that no longer fits is said, and the scenario is kept.
    page.load("#/lab?v=2&clients=5&seed=1&lane=take@3=zk.E&lane=watch=holder&lang=en&step=10");
    page.wait_for_text(".lane-note", "which cannot happen there. The scenario is kept");
    assert_eq!(lab.stop(), 10);
    page.assert_clean();
}

#[test]
fn a_damaged_link_gives_a_sentence_and_the_rest_of_it_stands() {
    let page = Page::calm();
    let lab = page.lab();
    page.load("#/lab?lang=en&%%%=&&&=\u{1}");
    assert_notice(&page, "means nothing here");
    page.wait_for_text("[data-question]", "A lets go. Who should wake up?");

    page.load("#/lab?v=2&clients=many&seed=5&lane=watch=nobody&lane=&step=3&lang=en");
    assert_notice(
        &page,
        "“watch” has no “nobody”. It keeps its default; the words are: predecessor, holder, parent, poll.",
    );
    assert_notice(&page, "“clients” is “many”, which is not a whole number");
    assert_eq!(lab.stop(), 3);
    page.wait_for_text("[data-setup]", "seed 5");

    page.load("#/lab?v=99&clients=7&lang=en");
    assert_notice(&page, "The link is of version “99”");
    page.load("#/lab?v=1&lane=&lane=&lane=&lane=&lane=&lane=&lang=en");
    assert_notice(&page, "more than 4 lanes");
    assert_eq!(page.count(".lane"), 4);
    page.load("#/lab?lang=fr&theme=pink&step=-1");
    assert_notice(&page, "lang=fr");
    page.load("#/lab?step=99999999&lang=en");
    assert_eq!(lab.stop(), lab.last(), "a step beyond the end is the end");

    page.load("#/nowhere/at/all?lang=en");
    assert_notice(&page, "There is no page “/nowhere/at/all”.");
    page.wait_for_text("[data-page=first]", "Freeze A");
    page.load("#/<img src=x onerror=alert(1)>?lang=en");
    assert_notice(&page, "There is no page");
    assert!(!page.exists("#app img"), "foreign text stays text");
    page.load("#/lab?lang=zh&lane=watch=nobody");
    assert_notice(&page, "“watch” 没有");
    page.assert_clean();
}

#[test]
fn a_link_may_be_huge_or_ask_for_too_much() {
    let page = Page::calm();
    page.load("#/lab?lang=en&clients=100000");
    assert_notice(&page, "“clients” is “100000”, which is not a whole number from 1 to 10000.");
    page.load("#/lab?lang=en&clients=10000&lane=clients=5000&lane=");
    assert_notice(&page, "The page shows 2 to 200 clients in a lane");
    page.wait_for_text(".dots", "200 clients");
    page.load("#/lab?lang=en&v=2&clients=0&lane=clients=1&hold-ms=99999999999999999999");
    assert_notice(&page, "hold-ms");

    // Longer than the browser driver takes in an address: by script.
    page.load("#/");
    for (name, link) in [
        ("one long word", "'#/lab?v=1&lane=watch=' + 'x'.repeat(200_000)"),
        ("many pairs", "'#/lab?v=1' + '&lane=watch=holder'.repeat(12_000)"),
        ("many choices", "'#/lab?v=1&lane=' + 'take@1=zk.A,'.repeat(17_000)"),
    ] {
        page.goto("#/");
        page.eval(&format!("location.hash = {link}"));
        page.wait_for_text(".notice", "longer than any");
        assert!(page.exists("[data-stage]"), "{name}: the lab stands");
        page.click("[data-lang=en]");
        assert_notice(&page, "The link is longer than any that Lockstep makes.");
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn language_and_theme_in_a_link_win_until_the_reader_chooses() {
    let page = Page::calm();
    page.load("#/lab");
    page.click("[data-lang=zh]");
    page.choose("[data-theme-select]", "dark");
    let shown = "const root = document.documentElement; return `${root.lang} ${root.dataset.theme}`";
    assert_eq!(page.eval(shown), "zh-Hans dark");
    page.load("#/lab?lang=en&theme=contrast");
    assert_eq!(page.eval(shown), "en contrast", "the link wins");
    page.load("#/lab");
    assert_eq!(page.eval(shown), "zh-Hans dark", "a link does not change what was chosen");
    page.load("#/lab?lang=en&theme=contrast");
    page.choose("[data-theme-select]", "light");
    assert_eq!(page.eval(shown), "en light");

    // A second tab shares the settings, and neither disturbs the other.
    let place = "#/lab?step=30";
    page.load(place);
    page.in_second_tab("#/lab", |other| {
        other.choose("[data-theme-select]", "contrast");
        other.click("[data-lang=en]");
        assert_eq!(other.eval(shown), "en contrast");
    });
    assert_eq!(page.eval(shown), "zh-Hans light");
    assert_eq!(page.lab().stop(), 30);
    page.click("[data-tab=table]");
    page.load(place);
    assert_eq!(page.attr("[data-tab=table]", "aria-pressed").as_deref(), Some("true"));

    // Without a choice the system's theme and the browser's language hold.
    page.forget();
    page.prefers(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    page.load("#/lab");
    assert_eq!(page.eval(shown), "en dark");
    page.prefers(&[("prefers-color-scheme", "light"), ("prefers-reduced-motion", "reduce")]);
    page.wait_until(
        "the page follows the system",
        "return document.documentElement.dataset.theme === 'light'",
    );
    page.assert_clean();
}

#[test]
fn settings_that_cannot_be_read_give_a_sentence_and_keep_the_page() {
    let page = Page::calm();
    page.load("#/lab?lang=en");
    for line in
        ["{\"theme\":\"dark\"}", "v=7&theme=light", "theme=dark&predict=perhaps", "\u{0}\u{ffff}", "%E0%A4%A"]
    {
        page.eval_with("localStorage.setItem('lockstep.settings', arguments[0])", &[line.into()]);
        page.load("#/lab?lang=en&step=5");
        page.wait_for_text(".notice", "Some settings that this browser had kept could not be read.");
        assert_eq!(page.lab().stop(), 5);
    }
    page.eval("localStorage.setItem('lockstep.settings', 'v=1&theme=dark&predict=perhaps')");
    page.load("#/lab?lang=en");
    assert_eq!(
        page.eval("return document.documentElement.dataset.theme"),
        "dark",
        "what can be read is kept"
    );
    // The next choice writes a line that can be read.
    page.choose("[data-theme-select]", "contrast");
    page.load("#/lab?lang=en");
    assert!(!page.exists(".notice"));
    assert_eq!(page.eval("return document.documentElement.dataset.theme"), "contrast");
    page.assert_clean();
}

#[test]
fn storage_that_is_full_or_forbidden_costs_only_the_remembered_settings() {
    for (kind, script) in [
        (
            "full",
            "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
        ),
        (
            "forbidden",
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });",
        ),
        (
            "unreadable",
            "Storage.prototype.getItem = () => { throw new DOMException('no', 'SecurityError'); };",
        ),
    ] {
        let page = Page::calm();
        page.before_load(script);
        page.load("#/lab?lang=en");
        page.choose("[data-theme-select]", "dark");
        assert_eq!(page.eval("return document.documentElement.dataset.theme"), "dark", "{kind}");
        page.click("[data-tab=table]");
        page.click("[data-lang=zh]");
        page.wait_for_text("[data-question]", "A 释放了锁，该唤醒谁？");
        page.press("End");
        assert!(!page.is_visible("#fallback"), "{kind}: the page goes on");
        assert_eq!(page.console_errors(), Vec::<String>::new(), "{kind}");
    }
}
