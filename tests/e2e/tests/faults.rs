//! Faults in the lab: a fault a press away, by pointer and by keyboard; heartbeats in and out of sight; the
//! gate; the script; a library's way.

use lockstep_e2e::Page;

/// A holds the lock and works.
const HOLDS: &str = "#/lab?v=2&clients=2&seed=1&stock=1&lane=resource=open&lane=&lang=en&step=11";
/// A stood still while B sold; its order comes late.
const LATE: &str = "#/lab?v=2&clients=2&seed=1&stock=1&script=pause.A@505,resume.A@23000&lane=resource=open&lane=&lang=en&step=9999";

#[test]
fn a_client_is_paused_by_keyboard_and_goes_on_again() {
    let page = Page::calm_at(HOLDS);
    page.tab_to(".faults [data-fault='pause.A']");
    page.press("Enter");
    page.wait_for(".lane[data-lane='1'] .client.paused[data-client='A']");
    page.wait_for("[data-branch='1'][aria-pressed=true]");
    page.lab().wait_for_address("=pause.A");
    assert!(page.lab().bubble(1, "A").contains("stands still"));
    assert!(page.exists(".lane[data-lane='1'] .node .fuse"), "its fuse is lit");
    assert!(!page.exists(".lane[data-lane='2'] .paused"), "in this lane alone");
    page.focus(".faults [data-fault='resume.A']");
    page.press("Enter");
    page.wait_for_no(".lane[data-lane='1'] .client.paused");
    page.assert_clean();
}

#[test]
fn a_fault_can_be_injected_in_every_lane_at_once() {
    let page = Page::calm_at(HOLDS);
    page.choose("[data-where]", "all");
    page.click(".faults [data-fault='pause.A']");
    page.wait_for(".lane[data-lane='1'] .client.paused");
    page.wait_for(".lane[data-lane='2'] .client.paused");
    page.lab().wait_for_address("script=pause.A@");
}

#[test]
fn a_late_order_is_stored_at_an_open_gate_and_bounces_off_a_shut_one() {
    let page = Page::calm_at(LATE);
    assert_eq!(page.text(".lane[data-lane='1'] [data-stock]"), "−1");
    assert_eq!(page.text(".lane[data-lane='2'] [data-stock]"), "0");
    assert!(page.exists(".lane[data-lane='2'] .card.refused"));
    page.click(".lane[data-lane='1'] [data-found=stale-owner]");
    page.wait_until(
        "the step where it went wrong",
        "return document.querySelector('.node .gone-word')?.textContent === 'expired'",
    );
    page.click("[data-client='A'] .letter");
    page.wait_for("[data-card=inspector]");
    page.assert_clean();
    page.assert_accessible();
}

#[test]
fn heartbeats_are_out_of_sight_until_they_are_asked_for_and_that_is_remembered() {
    let page = Page::calm_at(&LATE.replace("9999", "19"));
    page.press("ArrowRight");
    page.press("ArrowRight");
    let hidden = page.lab().stop();
    assert!(hidden > 21, "heartbeats are stepped over: {hidden}");
    page.click("[data-setup]");
    page.click("[data-heartbeats]");
    page.reload();
    page.click("[data-setup]");
    page.wait_until("the switch is on", "return document.querySelector('[data-heartbeats]').checked");
}

#[test]
fn the_script_and_a_librarys_way_are_set_in_the_panel() {
    let page = Page::calm_at(HOLDS);
    page.click("[data-setup]");
    page.choose("[data-draft-what]", "stall");
    page.choose("[data-draft-client]", "B");
    page.fill("[data-draft-at]", "900");
    page.click("[data-add-script]");
    page.wait_for("[data-scripted='stall.B']");
    page.lab().wait_for_address("script=stall.B@900");
    page.choose("[data-preset='2']", "curator-5");
    page.wait_for_text(".lane[data-lane='2'] [data-preset-name]", "Curator 5");
    page.click("[data-scripted='stall.B'] button");
    page.wait_for_no("[data-scripted]");
    page.assert_accessible();
}
