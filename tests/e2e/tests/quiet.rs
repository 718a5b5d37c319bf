//! Quiet and robust: nothing in the console, nothing asked of others, and whatever stops the page says so.

use lockstep_e2e::Page;

#[test]
fn a_whole_story_played_is_quiet() {
    let page = Page::calm();
    page.load("#/lab?v=2&clients=2&seed=1&hold-ms=20&lane=&lane=watch=parent&lang=en");
    let lab = page.lab();
    page.choose("[data-pace]", "32");
    page.click("[data-transport=play]");
    let over = format!("return Number(document.querySelector('[data-scrubber]').value) >= {}", lab.last());
    for _ in 0..2 {
        // Play waits where a prediction is asked.
        let waits = "return document.querySelector('[data-transport=play]').ariaPressed === 'false'";
        page.wait_until("it has come to its end, or asks", waits);
        if page.exists("[data-skip]") {
            page.click("[data-skip]");
            page.click("[data-transport=play]");
        }
    }
    page.wait_until("the story has come to its end", &over);
    assert_eq!(
        page.attr("[data-transport=play]", "aria-pressed").as_deref(),
        Some("false"),
        "play stops at the end"
    );
    page.assert_clean();
}

#[test]
fn every_route_is_quiet_in_every_language_and_theme() {
    let page = Page::calm();
    page.load("#/");
    for route in [
        "#/",
        "#/lab",
        "#/lab?v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll&step=100",
        "#/lab?v=2&clients=40&seed=1&lane=node=ephemeral-single&step=500",
        "#/lab?v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume&step=99999",
        "#/nowhere",
    ] {
        page.goto(route);
        for lang in ["zh", "en"] {
            page.click(&format!("[data-lang={lang}]"));
            for theme in ["dark", "contrast", "light"] {
                page.choose("[data-theme-select]", theme);
            }
        }
        page.click("[data-help]");
        page.press("Escape");
    }
    page.assert_clean();
}

#[test]
fn without_a_network_the_loaded_page_goes_on() {
    let page = Page::calm();
    page.load("#/?lang=en");
    page.offline(true);
    page.click("[data-freeze]");
    page.click("[data-wait]");
    page.click("[data-guess-lands]");
    page.click("[data-change-line]");
    page.click(".door");
    page.wait_for("[data-stage]");
    page.press("End");
    page.click("[data-lang=zh]");
    for tab in ["diagram", "table", "strips"] {
        page.click(&format!("[data-tab={tab}]"));
    }
    page.click("[data-help]");
    page.press("Escape");
    page.click("[data-setup]");
    page.click("[data-story=four-ways]");
    page.wait_for_text("[data-question]", "等待的四种办法");
    let before = page.requests().len();
    page.press("Space");
    assert_eq!(page.requests().len(), before, "nothing is asked of the network");
    page.assert_clean();
}

#[test]
fn a_panic_shows_the_panel_with_the_link_and_a_way_back() {
    let page = Page::calm();
    page.load("#/lab?lang=en");
    page.choose("[data-theme-select]", "dark");
    page.click("[data-tab=table]");
    page.press("End");
    page.lab().wait_for_address(&format!("step={}", page.lab().last()));
    let route = page.route();
    page.eval(
        "dispatchEvent(new CustomEvent('lockstep-panic', { detail: 'a test has asked for it <b>here</b>' }))",
    );

    page.wait_for_text("#fallback", "A fault in the program ended it.");
    page.wait_for_text("#fallback", "保存在浏览器里的内容都还在");
    assert!(!page.is_visible("#app"), "what has stopped is not shown");
    assert_eq!(page.text("#fallback-reason"), "a test has asked for it <b>here</b>");
    let link = page.eval("return document.querySelector('#fallback-link').value");
    assert!(link.as_str().unwrap_or_default().ends_with(&route), "{link} leads to {route}");
    assert_eq!(page.eval("return document.activeElement.id"), "fallback", "those who cannot see it are told");
    page.assert_accessible();

    // The same link again: the place and the settings are there.
    page.click("#fallback-retry");
    page.wait_for("[data-stage]");
    assert_eq!(page.lab().stop(), page.lab().last());
    assert_eq!(page.eval("return document.documentElement.dataset.theme"), "dark");
    assert_eq!(page.attr("[data-tab=table]", "aria-pressed").as_deref(), Some("true"));

    page.eval("dispatchEvent(new CustomEvent('lockstep-panic', { detail: 'again' }))");
    page.click("#fallback-home");
    page.wait_for("[data-page=first]");
    assert_eq!(page.eval("return document.documentElement.dataset.theme"), "dark");
    page.assert_clean();
}

#[test]
fn a_real_fault_inside_the_program_ends_in_the_panel_too() {
    let page = Page::calm();
    page.load("#/lab?lang=en&step=12");
    page.choose("[data-theme-select]", "contrast");
    // A browser whose timers fail: the program cannot go on, and must not pretend to.
    page.eval("window.setTimeout = () => { throw new Error('no timers today'); }");
    page.focus("[data-stage]");
    page.press("ArrowRight");
    page.press("ArrowRight");
    page.wait_for_text("#fallback", "A fault in the program ended it.");
    assert!(!page.text("#fallback-reason").is_empty());
    assert!(!page.is_visible("#app"));
    let link = page.eval("return document.querySelector('#fallback-link').value");
    assert!(link.as_str().unwrap_or_default().contains("#/lab?"), "{link}");
    page.click("#fallback-retry");
    page.wait_for("[data-stage]");
    assert_eq!(
        page.eval("return document.documentElement.dataset.theme"),
        "contrast",
        "what was stored is kept"
    );
    page.press("ArrowRight");
    assert_eq!(page.lab().stop(), 13, "and it runs again");
    assert!(!page.is_visible("#fallback"));
}
