//! Six ready stories, from the list to their verdicts, by keyboard alone: four on a desk, one in Chinese, one on a
//! phone's screen.

use lockstep_e2e::{Page, Site};

fn calm(route: &str) -> Page {
    let page = Page::blank(Site::shared());
    page.prefers(&[("prefers-reduced-motion", "reduce")]);
    page.resize(1440, 900);
    page.load(route);
    page
}

/// Opens a story from the list, walks to its end, and reads the verdict of each lane.
fn verdicts(page: &Page, story: &str, lanes: usize) -> Vec<String> {
    page.wait_for("[data-stage]");
    page.tab_to("[data-setup]");
    page.press("Enter");
    let button = format!("[data-story='{story}']");
    page.wait_for(&button);
    page.tab_to(&button);
    page.press("Enter");
    page.wait_for(&format!("{button}[aria-current=true]"));
    // A moment first: one predicts or walks past. Then to the end.
    page.tab_to("[data-transport=moment]");
    page.press("Enter");
    assert!(page.lab().stop() > 0, "{story} moves on");
    page.tab_to("[data-transport=last]");
    page.press("Enter");
    assert_eq!(page.lab().stop(), page.lab().last());
    (1..=lanes).map(|lane| page.lab().verdict(lane).unwrap_or_default()).collect()
}

#[test]
fn the_owner_comes_back_to_four_gates() {
    let page = calm("#/lab?lang=en");
    assert_eq!(verdicts(&page, "five-gates", 4), ["breaks", "breaks", "breaks", "right"]);
    page.assert_clean();
}

#[test]
fn a_lost_create_reply_has_four_answers() {
    let page = calm("#/lab?lang=en");
    assert_eq!(verdicts(&page, "lost-create", 4), ["right", "right", "right", "sticks"]);
    page.assert_clean();
}

#[test]
fn a_short_reset_does_not_free_the_lock() {
    let page = calm("#/lab?lang=en");
    assert_eq!(verdicts(&page, "short-reset", 3), ["right", "right", "sticks"]);
    page.assert_clean();
}

#[test]
fn four_libraries_stand_side_by_side() {
    let page = calm("#/lab?lang=en");
    assert_eq!(verdicts(&page, "libraries", 4), ["right", "right", "sticks", "costs"]);
    page.wait_for_text(".lane[data-lane='1']", "Curator 5");
    page.assert_clean();
}

#[test]
fn the_old_handle_in_chinese() {
    let page = calm("#/lab?lang=zh");
    assert_eq!(verdicts(&page, "old-handle", 2), ["costs", "breaks"]);
    page.wait_for_text("[data-question]", "会话过期");
    page.wait_for_text(".lane[data-lane='2'] [data-verdict]", "出错");
    page.assert_clean();
}

#[test]
fn the_watch_that_died_with_the_connection_on_a_phone() {
    let page = calm("#/lab?lang=en");
    page.phone(390, 844);
    page.load("#/lab?lang=en");
    let story = verdicts(&page, "dead-watch", 1);
    assert_eq!(story, ["right"]);
    page.tab_to("[data-lane-tab='2']");
    page.press("Enter");
    page.wait_for_text("main", "waits for ever");
    assert!(!page.scrolls_sideways());
    page.assert_clean();
}
