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
    page.wait_for("[data-card=inspector] [data-fault='crash.s2']");
    page.focus("[data-card=inspector] [data-fault='crash.s2']");
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

#[test]
fn the_leader_is_crashed_from_the_row_by_keyboard_in_two_presses() {
    let page = Page::calm_at("#/lab?v=2&clients=2&seed=1&servers=3&lane=&lane=watch=poll&lang=en&step=30");
    page.tab_to("[data-target]");
    // The ensemble stands first among the servers.
    page.choose("[data-target]", "servers");
    page.tab_to(".faults [data-fault='crash.s3']");
    page.press("Enter");
    page.wait_for(".lane[data-lane='1'] [data-member='S3'][data-state=down]");
    page.wait_for(".lane[data-lane='2'] [data-member='S3'][data-state=leading]");
    page.lab().wait_for_address("=crash.s3");
    page.choose("[data-target]", "s3");
    page.focus(".faults [data-fault='restart.s3']");
    page.press("Enter");
    page.wait_for(".lane[data-lane='1'] [data-member='S3'][data-state=looking]");
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn five_servers_are_split_in_every_lane_with_one_press_and_healed_with_another() {
    let page = Page::calm_at("#/lab?v=2&clients=2&seed=1&servers=5&lane=&lane=watch=poll&lang=zh&step=40");
    page.choose("[data-where]", "all");
    page.tab_to(".lane[data-lane='1'] [data-member='S1']");
    page.press("Enter");
    page.wait_for(".faults [data-fault='split.s1']");
    page.focus(".faults [data-fault='split.s1']");
    page.press("Enter");
    for lane in [1, 2] {
        page.wait_for(&format!(".lane[data-lane='{lane}'] [data-member='S1'][data-state=cut-off]"));
        page.wait_for_text(&format!(".lane[data-lane='{lane}'] [data-member='S1']"), "≠ S2 S3 S4 S5");
    }
    page.lab().wait_for_address("cut.s1-s2@");
    page.wait_until(
        "the list says what the server does",
        "return document.querySelector('[data-target] option[value=s1]').textContent.includes('失联')",
    );
    page.focus(".faults [data-fault='heal.s1']");
    page.press("Enter");
    page.lab().wait_for_address("heal.s1-s5@");
    page.wait_for(".faults [data-fault='heal.s1'][disabled]");
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn small_lanes_have_their_servers_and_their_watches() {
    let four = "lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll";
    let page = Page::calm();
    page.resize(1024, 768);
    page.load(&format!("#/lab?v=2&clients=5&seed=1&servers=5&script=crash.s1@250&{four}&lang=en&step=131"));
    for lane in [2, 3, 4] {
        assert_eq!(page.count(&format!(".strip-lane[data-lane='{lane}'] [data-mini]")), 5);
        page.wait_for(&format!(".strip-lane[data-lane='{lane}'] [data-mini='S1'][data-state=down]"));
        page.wait_for(&format!(".strip-lane[data-lane='{lane}'] [data-mini='S5'][data-state=leading]"));
    }
    assert_eq!(page.count(".strip-lane[data-lane='2'] .tie"), 4, "four watch the holder");
    assert_eq!(page.count(".strip-lane[data-lane='3'] .tie.dir"), 4, "four watch the directory");
    assert_eq!(page.count(".strip-lane[data-lane='4'] .tie"), 0);
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn the_diagram_has_a_line_for_each_server_and_the_table_a_column_and_rows() {
    let page = Page::calm();
    for (width, phone) in [(1440, false), (390, true)] {
        match phone {
            false => page.resize(width, 900),
            true => page.phone(width, 844),
        }
        page.load("#/lab?v=2&clients=5&seed=1&servers=5&lane=&lang=en&step=75");
        page.click("[data-tab=diagram]");
        page.wait_for("[data-under=diagram] svg .slant.between.event");
        assert_eq!(page.count("[data-under=diagram] .life.server.leading"), 1);
        assert_eq!(page.count("[data-under=diagram] .life.server.following"), 4);
        page.assert_accessible();
        page.click("[data-tab=table]");
        page.wait_for_text("[data-under=table] thead", "connected to");
        assert_eq!(page.count("[data-under=table] table"), 2);
        page.assert_accessible();
        assert!(!page.scrolls_sideways(), "at {width} px");
    }
    page.assert_clean();
}
