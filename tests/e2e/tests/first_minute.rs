//! The first minute: from the question to the doors, by keyboard and by touch, with both answers, back and again.

use lockstep_e2e::Page;

fn phase(page: &Page) -> String {
    page.attr("[data-page=first] [data-phase]", "data-phase").unwrap_or_default()
}

#[test]
fn by_keyboard_from_the_question_to_a_door() {
    let page = Page::calm();
    page.load("#/?lang=en");
    assert_eq!(phase(&page), "ready");
    page.wait_for_text("[data-question]", "Freeze A now.");
    assert_eq!(page.count(".lane"), 1);
    assert!(!page.exists(".door"), "the doors come last");

    page.tab_to("[data-freeze]");
    page.press("Enter");
    assert_eq!(phase(&page), "frozen");
    page.wait_for_text(".live", "sends no heartbeats");
    page.tab_to("[data-wait]");
    page.press("Enter");
    assert_eq!(phase(&page), "asked");
    page.wait_for_text("[data-question]", "Does its write land?");
    page.wait_for_text(".live", "Does its write land?");
    assert!(!page.exists("[data-verdict]"), "the answer is not given away");

    // The focus has not fallen off the page: the answers are a few keys away.
    page.press("Tab");
    assert_eq!(page.eval("return document.activeElement.closest('main') !== null"), true);
    page.tab_to("[data-guess-refused]");
    page.press("Space");
    assert_eq!(phase(&page), "shown");
    page.wait_for_text(".graded", "It lands all the same.");
    assert_eq!(page.attr(".lane [data-verdict]", "data-verdict").as_deref(), Some("breaks"));

    page.tab_to("[data-change-line]");
    page.press("Enter");
    assert_eq!(phase(&page), "compared");
    assert_eq!(page.count(".lane"), 2);
    let verdict = |lane: u32| page.attr(&format!(".lane[data-lane='{lane}'] [data-verdict]"), "data-verdict");
    assert_eq!((verdict(1).as_deref(), verdict(2).as_deref()), (Some("breaks"), Some("right")));

    page.tab_to(".door");
    page.press("Enter");
    page.wait_for_text("[data-question]", "Does its write land?");
    assert!(!page.exists(".notice"));
    page.back();
    assert_eq!(phase(&page), "compared", "back is where one was");
    page.assert_clean();
}

#[test]
fn by_touch_on_a_phone_with_the_right_answer() {
    let page = Page::calm();
    page.phone(390, 844);
    page.load("#/?lang=zh");
    assert!(page.is_visible("[data-freeze]"));
    page.tap("[data-freeze]");
    page.tap("[data-wait]");
    page.wait_for_text("[data-question]", "它的写入会生效吗？");
    page.tap("[data-guess-lands]");
    page.wait_for_text(".graded", "你猜对了。");
    page.tap("[data-change-line]");
    page.wait_for(".doors");
    assert_eq!(page.count(".lane"), 2);
    assert!(!page.scrolls_sideways());

    // Each door leads to its own lab, whichever was open before.
    let hrefs =
        page.eval("return [...document.querySelectorAll('.door')].map((door) => door.getAttribute('href'))");
    let hrefs: Vec<String> =
        hrefs.as_array().into_iter().flatten().filter_map(|h| h.as_str()).map(str::to_string).collect();
    assert_eq!(hrefs.len(), 3, "{hrefs:?}");
    let mut questions = Vec::new();
    for href in &hrefs {
        page.tap(&format!(".door[href='{href}']"));
        page.wait_for("[data-stage]");
        assert!(!page.exists(".notice"), "{href}");
        questions.push(page.text("[data-question]"));
        page.tap("[data-transport=moment]");
        assert!(page.lab().stop() > 0, "{href} runs");
        page.goto("#/");
        page.wait_for(".door");
    }
    questions.sort();
    questions.dedup();
    assert_eq!(questions.len(), 3, "three doors, three questions: {questions:?}");
    page.assert_clean();
}

#[test]
fn one_can_go_back_and_begin_again() {
    let page = Page::calm();
    page.load("#/?lang=en");
    let start = page.text("main");
    assert!(!page.is_visible("[data-first-back]"), "there is nothing to go back to");
    page.click("[data-freeze]");
    page.click("[data-first-back]");
    assert_eq!(phase(&page), "ready");
    assert_eq!(page.text("main"), start, "the start is as it was");

    page.click("[data-freeze]");
    page.click("[data-wait]");
    page.click("[data-guess-lands]");
    page.wait_for_text(".graded", "You were right.");
    page.click("[data-change-line]");
    page.click("[data-first-back]");
    assert_eq!(phase(&page), "shown");
    page.click("[data-first-back]");
    assert_eq!(phase(&page), "asked");
    page.click("[data-guess-refused]");
    page.wait_for_text(".graded", "It lands all the same.");
    page.click("[data-change-line]");
    page.wait_for(".doors");

    // In mid-story, language, theme and another page do not lose the place.
    page.click("[data-lang=zh]");
    page.wait_for_text("[data-question]", "只改一行");
    page.choose("[data-theme-select]", "dark");
    page.click("nav a[href='#/lab']");
    page.wait_for("[data-stage]");
    page.click(".brand a");
    assert_eq!(phase(&page), "compared");
    page.click("[data-first-again]");
    assert_eq!(phase(&page), "ready");
    assert!(!page.exists(".doors"));
    page.double_click("[data-freeze]");
    assert!(["frozen", "asked"].contains(&phase(&page).as_str()), "{}", phase(&page));
    assert!(!page.is_visible("#fallback"));
    page.assert_clean();
}
