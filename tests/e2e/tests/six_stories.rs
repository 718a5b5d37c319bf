//! Six ready stories, from the list to their verdicts, by keyboard alone: four on a desk, one in Chinese, one on a
//! phone's screen.

use lockstep_e2e::Page;

#[test]
fn the_owner_comes_back_to_four_gates() {
    let page = Page::calm_at("#/lab?lang=en");
    assert_eq!(
        page.lab().verdicts_of_story("five-gates", &[1, 2, 3, 4]),
        ["breaks", "breaks", "breaks", "right"]
    );
    page.assert_clean();
}

#[test]
fn a_lost_create_reply_has_four_answers() {
    let page = Page::calm_at("#/lab?lang=en");
    assert_eq!(
        page.lab().verdicts_of_story("lost-create", &[1, 2, 3, 4]),
        ["right", "right", "right", "sticks"]
    );
    page.assert_clean();
}

#[test]
fn a_short_reset_does_not_free_the_lock() {
    let page = Page::calm_at("#/lab?lang=en");
    assert_eq!(page.lab().verdicts_of_story("short-reset", &[1, 2, 3]), ["right", "right", "sticks"]);
    page.assert_clean();
}

#[test]
fn four_libraries_stand_side_by_side() {
    let page = Page::calm_at("#/lab?lang=en");
    assert_eq!(
        page.lab().verdicts_of_story("libraries", &[1, 2, 3, 4]),
        ["right", "right", "sticks", "costs"]
    );
    page.wait_for_text(".lane[data-lane='1']", "Curator 5");
    page.assert_clean();
}

#[test]
fn the_old_handle_in_chinese() {
    let page = Page::calm_at("#/lab?lang=zh");
    assert_eq!(page.lab().verdicts_of_story("old-handle", &[1, 2]), ["costs", "breaks"]);
    page.wait_for_text("[data-question]", "会话过期");
    page.wait_for_text(".lane[data-lane='2'] [data-verdict]", "出错");
    page.assert_clean();
}

#[test]
fn the_watch_that_died_with_the_connection_on_a_phone() {
    let page = Page::calm_at("#/lab?lang=en");
    page.phone(390, 844);
    page.load("#/lab?lang=en");
    let story = page.lab().verdicts_of_story("dead-watch", &[1]);
    assert_eq!(story, ["right"]);
    page.tab_to("[data-lane-tab='2']");
    page.press("Enter");
    page.wait_for_text("main", "waits for ever");
    assert!(!page.scrolls_sideways());
    page.assert_clean();
}
