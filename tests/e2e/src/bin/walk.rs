//! Walks through all of the first minute on a site that marks the functions it enters, and prints their numbers.
//! `cargo xtask build` runs this, and puts what is not entered into the second part of the wasm.
//!
//! What is left out here still works: its functions come a moment later. So this is about what most visits do: every
//! phase, both answers, back and again, in both languages, on every kind of screen, by pointer, finger and key.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use lockstep_e2e::{Page, Site};

/// Longer than anything that the page puts off: what the live region says, that a link was copied.
const AFTER_A_WHILE: Duration = Duration::from_millis(600);
const COPIED: Duration = Duration::from_millis(2600);

/// From the first question to the doors, with both answers, back and again.
const STORY: [&str; 16] = [
    "[data-freeze]",
    "[data-first-back]",
    "[data-freeze]",
    "[data-wait]",
    "[data-first-back]",
    "[data-wait]",
    "[data-guess-lands]",
    "[data-first-back]",
    "[data-guess-refused]",
    "[data-change-line]",
    "[data-first-back]",
    "[data-change-line]",
    "[data-first-again]",
    "[data-freeze]",
    "[data-wait]",
    "[data-guess-lands]",
];

fn main() {
    let page = Page::blank(Site::shared());
    let mut entered = BTreeSet::new();
    for phone in [false, true] {
        for lang in ["en", "zh"] {
            if phone {
                page.phone(390, 844);
                page.prefers(&[("prefers-color-scheme", "dark")]);
            } else {
                page.resize(1440, 900);
                page.prefers(&[("prefers-reduced-motion", "reduce")]);
            }
            // A first visit has nothing stored, and the address says nothing.
            page.load("#/");
            page.forget();
            page.load("");
            speak(&page, lang);
            for css in STORY {
                // The second of two quick taps does not lead back.
                if phone && !css.starts_with("[data-first") { page.tap(css) } else { page.click(css) }
            }
            note(&page, &mut entered);
            // Another visit, with what the last one stored, and by keyboard.
            page.load("#/");
            page.tab_to(".skip");
            page.press("Enter");
            for (css, key) in
                [("[data-freeze]", "Enter"), ("[data-wait]", "Space"), ("[data-guess-refused]", "Enter")]
            {
                page.tab_to(css);
                page.press(key);
            }
            page.press("ArrowRight");
            page.press("Escape");
            page.click("[data-change-line]");
            for theme in ["dark", "contrast", "light"] {
                page.choose("[data-theme-select]", theme);
            }
            for lang in ["zh", "en"] {
                speak(&page, lang);
            }
            // The same scene on every screen, and at night.
            for (width, height) in [(1024, 768), (390, 844), (1440, 900)] {
                page.resize(width, height);
                note(&page, &mut entered);
            }
            page.prefers(&[("prefers-color-scheme", "light")]);
            page.prefers(&[("prefers-color-scheme", "dark")]);
            note(&page, &mut entered);
        }
    }
    // What else a link to the first minute may say, and what stays in the bar.
    page.forget();
    page.load("#/?lang=zh&theme=dark");
    page.goto("#/?lang=en");
    page.click("[data-copy-link]");
    thread::sleep(COPIED);
    note(&page, &mut entered);
    page.press("Shift+Tab");
    page.double_click("[data-freeze]");
    note(&page, &mut entered);
    for error in page.console_errors() {
        eprintln!("The console shows an error: {error}");
    }
    println!("{}", entered.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
}

/// Chooses a language. A phone shows only the one that is not chosen.
fn speak(page: &Page, lang: &str) {
    let css = format!("[data-lang={lang}]");
    if page.is_visible(&css) {
        page.click(&css);
    }
}

/// Adds what has been entered since the page was loaded.
fn note(page: &Page, entered: &mut BTreeSet<u64>) {
    thread::sleep(AFTER_A_WHILE);
    let numbers = page.eval("return entered()");
    entered.extend(numbers.as_array().into_iter().flatten().filter_map(|number| number.as_u64()));
}
