//! The page arrives: from any static host, under any path, asking nobody else; or it says why it could not.

use std::time::{Duration, Instant};

use lockstep_e2e::{Page, Site};

/// What comes after the first minute has started, or with it where the address names the lab.
const SECOND: &str = "lockstep_second.wasm";

/// From the first question to the doors.
const TO_THE_DOORS: [&str; 4] = ["[data-freeze]", "[data-wait]", "[data-guess-lands]", "[data-change-line]"];

#[test]
fn the_empty_page_loads_without_errors() {
    let page = Page::open("#/");
    page.wait_for_text("h1", "Lockstep");
    page.assert_clean();
    assert!(!page.is_visible("#fallback"));
}

#[test]
fn every_file_comes_from_the_folder_of_the_page() {
    let site = Site::shared();
    let page = Page::blank(site);
    page.load_whole("#/");
    let requests = page.requests();
    let mut own: Vec<_> = requests.iter().filter(|url| url.starts_with("http")).collect();
    let all = own.len();
    own.sort();
    own.dedup();
    assert_eq!(own.len(), all, "what is preloaded is used, so nothing is asked for twice: {requests:?}");
    assert!(own.len() >= 6, "index, style, loader, glue and both parts of the wasm are asked for: {own:?}");
    assert!(own.iter().all(|url| url.starts_with(site.address())), "{own:?}");
}

#[test]
fn a_page_whose_wasm_does_not_arrive_says_so_in_both_languages() {
    let page = Page::blank(&Site::without(&["lockstep_bg.wasm"]));
    page.load("#/lab?seed=7");
    page.wait_for_text("#fallback", "could not be loaded");
    page.wait_for_text("#fallback", "没有完整加载");
    assert!(
        page.eval("return document.querySelector('#fallback-link').value")
            .to_string()
            .contains("#/lab?seed=7")
    );
}

#[test]
fn the_first_minute_needs_the_first_part_alone_and_a_door_without_the_second_says_what_is_missing() {
    let site = Site::without(&[SECOND]);
    for (lang, other) in [("en", "zh"), ("zh", "en")] {
        for phone in [false, true] {
            let page = Page::blank(&site);
            page.prefers(&[("prefers-reduced-motion", "reduce")]);
            if phone {
                page.phone(390, 844);
            }
            page.load(&format!("#/?lang={lang}"));
            for css in TO_THE_DOORS {
                page.click(css);
            }
            page.click("[data-first-back]");
            page.click("[data-change-line]");
            page.click(&format!("[data-lang={other}]"));
            page.choose("[data-theme-select]", "dark");
            page.wait_for(".doors");
            page.wait_for_text(".live", if other == "en" { "a higher one" } else { "更大的" });
            assert!(!page.is_visible("#fallback"), "{}", page.text("#fallback-reason"));
            assert_eq!(page.csp_violations(), Vec::<String>::new());
            assert!(page.requests().iter().any(|url| url.contains(SECOND)), "the other part was asked for");
            page.click(".door");
            page.wait_for_text("#fallback", "could not be loaded completely");
            page.wait_for_text("#fallback", "页面没有完整加载");
            assert!(!page.is_visible("#fallback-panic") && !page.is_visible("#app"));
            assert!(page.text("#fallback-reason").contains(SECOND));
        }
    }
}

/// All that the page is, after each step of the first minute.
fn drawn(site: &Site, whole: bool, lang: &str, phone: bool) -> Vec<String> {
    let page = Page::blank(site);
    if phone {
        page.phone(390, 844);
    }
    let route = format!("#/?lang={lang}");
    if whole {
        page.load_whole(&route)
    } else {
        page.load(&route)
    }
    let look = || page.eval("return document.querySelector('main').outerHTML").to_string();
    let mut drawn = vec![look()];
    for css in TO_THE_DOORS {
        page.click(css);
        drawn.push(look());
    }
    drawn
}

#[test]
fn the_first_minute_draws_and_says_the_same_with_the_first_part_alone() {
    let without = Site::without(&[SECOND]);
    for (lang, phone) in [("en", false), ("zh", true)] {
        let (alone, whole) = (drawn(&without, false, lang, phone), drawn(Site::shared(), true, lang, phone));
        assert_eq!(alone.len(), 5);
        assert!(alone.iter().all(|html| html.len() > 2000), "a picture is drawn at each step");
        assert_eq!(alone, whole);
    }
}

#[test]
fn a_link_to_the_lab_without_the_second_part_says_so_too() {
    let page = Page::blank(&Site::without(&[SECOND]));
    page.load("#/lab?v=2&clients=3&lane=");
    page.wait_for_text("#fallback", "could not be loaded completely");
    assert!(!page.is_visible("#fallback-panic"));
}

#[test]
fn a_door_that_is_opened_before_the_second_part_has_come_waits_for_it() {
    let late = Duration::from_secs(3);
    let page = Page::blank(&Site::slow(SECOND, late));
    page.prefers(&[("prefers-reduced-motion", "reduce")]);
    let started = Instant::now();
    page.load("#/?lang=en");
    for css in TO_THE_DOORS {
        page.click(css);
    }
    assert!(started.elapsed() < late, "the first minute has not waited");
    assert!(!page.exists("[data-complete]"), "what is late is not there yet");
    page.click(".door");
    page.wait_for("[data-stage]");
    page.wait_for_text("[data-question]", "Does its write land?");
    page.press("End");
    assert_eq!(page.lab().stop(), page.lab().last());
    page.assert_clean();
}

#[test]
fn a_panic_leaves_the_link_and_a_way_back() {
    let page = Page::blank(Site::shared());
    page.load("#/lab?seed=7");
    page.eval("localStorage.setItem('kept', 'yes')");
    // The app panics if its place in the document is missing; once only, so that starting again works.
    page.before_load(
        "if (location.hash.includes('seed=7')) document.addEventListener('readystatechange', () => \
         document.querySelector('#app')?.remove())",
    );
    page.load("#/lab?seed=7");
    page.wait_for_text("#fallback", "What you saved in this browser is kept");
    page.wait_for_text("#fallback", "保存在浏览器里的内容都还在");
    page.wait_for_text("#fallback-reason", "#app");
    assert!(
        page.eval("return document.querySelector('#fallback-link').value")
            .to_string()
            .contains("#/lab?seed=7")
    );

    page.click("#fallback-home");
    page.wait_for_text("#app h1", "Lockstep");
    assert_eq!(page.route(), "");
    assert_eq!(page.eval("return localStorage.getItem('kept')"), "yes");
}

#[test]
fn axe_finds_no_fault_on_any_screen() {
    let page = Page::open("#/");
    page.assert_accessible();
    page.phone(390, 844);
    page.prefers(&[("prefers-color-scheme", "dark")]);
    page.load("#/?lang=zh");
    page.assert_accessible();
    assert!(!page.scrolls_sideways());
    page.assert_clean();
}
