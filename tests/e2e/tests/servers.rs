//! Several servers on the page, by keyboard alone: three stories from the list to their verdicts, one in Chinese and
//! one on a phone's screen; the bar, a server's inspector and its faults; the settings.

use lockstep_e2e::Page;

#[test]
fn a_lagging_server_delays_its_client_and_the_bar_says_so() {
    let page = Page::calm_at("#/lab?lang=en");
    assert_eq!(page.lab().verdicts_of_story("lagging-follower", &[1, 2]), ["right", "costs"]);
    assert_eq!(page.count(".lane[data-lane='1'] [data-member]"), 3);
    page.tab_to(".lane[data-lane='1'] [data-member='S2']");
    page.press("Enter");
    page.wait_for("[data-card=inspector] [data-trouble='crash.s2']");
    page.focus("[data-card=inspector] [data-trouble='crash.s2']");
    page.press("Enter");
    page.wait_for(".lane[data-lane='1'] [data-member='S2'][data-state=down]");
    page.wait_for(".lane[data-lane='2'] [data-member='S2'][data-state=following]");
    page.tab_to("[data-tab=servers]");
    page.press("Enter");
    page.wait_for("[data-between]");
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn a_holder_behind_a_minority_is_told_in_chinese() {
    let page = Page::calm_at("#/lab?lang=zh");
    assert_eq!(page.lab().verdicts_of_story("minority-holder", &[1, 2]), ["breaks", "right"]);
    assert!(page.texts(".lane[data-lane='1'] [data-state=leading]")[0].contains("Leader"));
    page.assert_clean();
}

#[test]
fn a_lost_quorum_is_shown_on_a_phone() {
    let page = Page::calm();
    page.phone(390, 844);
    page.load("#/lab?lang=en");
    assert_eq!(page.lab().verdicts_of_story("quorum-lost", &[1]), ["right"]);
    assert_eq!(page.count("[data-member]"), 3, "one row over the queue");
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn servers_are_a_setting_and_with_one_the_lag_is_greyed() {
    let page = Page::calm_at("#/lab?lang=en");
    page.click("[data-setup]");
    page.wait_for("[data-number='lag-ms'][disabled]");
    assert!(!page.exists("[data-member]") && !page.exists("[data-tab=servers]"));
    page.choose("[data-ensemble]", "5");
    page.wait_for("[data-member='S5']");
    page.fill("[data-number='lag-ms']", "50");
    page.lab().wait_for_address("lag-ms=50");
    page.assert_accessible();
}
