//! The reader as scheduler: deliver a message now, hold one back, let it go; a branch begins, and one can return.

use lockstep_e2e::{Page, Site};

/// Just after A's deletion: in lane 2 four events are on their way.
const FIRED: u32 = 46;

fn at_the_herd() -> Page {
    Page::calm_at(&format!("#/lab?lang=en&step={FIRED}"))
}

/// Picks the message to a client by keyboard.
fn pick(page: &Page, lane: u32, client: &str) {
    let css = format!(".lane[data-lane='{lane}'] [data-message$='.{client}']");
    page.focus(&css);
    page.press("Enter");
    page.wait_for("[data-card=inspector]");
}

/// Presses a button of the inspector by keyboard.
fn press(page: &Page, button: &str) {
    page.focus(&format!("[data-card=inspector] {button}"));
    page.press("Enter");
}

#[test]
fn a_message_is_delivered_now_and_the_branch_left_is_a_click_away() {
    let page = at_the_herd();
    let lab = page.lab();
    let before = lab.stages();
    let scheduled = lab.caption(2);
    pick(&page, 2, "E");
    page.wait_for_text("[data-card=inspector]", "in lane 2");
    page.wait_for_text("[data-card=inspector] .facts", "NodeDeleted");
    assert!(!page.exists("[data-branch]"), "looking at it begins no branch");
    press(&page, "[data-take]");

    page.wait_for("[data-branch='1'][aria-pressed=true]");
    assert_eq!(page.count("[data-branch]"), 2);
    assert_eq!(lab.stop(), FIRED + 1, "it has just happened");
    assert_eq!(lab.caption(2), "E hears NodeDeleted and wakes. It sends getChildren.");
    assert_eq!(lab.step_of(2, "E"), "listing");
    lab.wait_for_address("take@");

    // Back to the branch that was left, where it was left.
    page.click("[data-branch='0']");
    assert_eq!((lab.stop(), lab.caption(2)), (FIRED, scheduled));
    assert_eq!(page.attr("[data-branch='0']", "aria-pressed").as_deref(), Some("true"));
    page.press("Escape");
    assert_eq!(lab.stages(), before, "as it was before the hand");
    page.click("[data-branch='1']");
    assert_eq!(lab.step_of(2, "E"), "listing", "and the branch is still there");

    // Undo: first the returns, then the branch itself.
    page.click("[data-undo]");
    page.click("[data-undo]");
    assert_eq!(page.count("[data-branch]"), 2);
    page.click("[data-undo]");
    page.wait_for_no("[data-branch]");
    assert_eq!(lab.stop(), FIRED);
    assert_eq!(lab.stages(), before);
    assert!(!page.exists("[data-undo]"), "nothing is left to undo");
    page.assert_clean();
}

#[test]
fn a_message_is_held_back_and_let_go_again() {
    let page = at_the_herd();
    let lab = page.lab();
    pick(&page, 1, "B");
    press(&page, "[data-hold]");
    page.wait_for("[data-branch='1'][aria-pressed=true]");
    page.wait_for_text("[data-branch='1']", "held back");
    assert_eq!(lab.stop(), FIRED, "holding back takes no time");
    page.wait_for_text("[data-card=inspector]", "held back");
    page.wait_for("[data-card=inspector] [data-let-go]");
    assert!(lab.picture().contains("held back"), "the pill says so");

    // The run goes on without it until nothing else is left.
    page.press("End");
    assert_eq!(lab.step_of(1, "B"), "asleep");
    page.wait_for_text(".lane[data-lane='1'] .lane-note", "What is left is held back by hand.");
    assert_eq!(lab.verdict(1), None, "a run that waits for the hand has no verdict");
    assert_eq!(lab.verdict(2).as_deref(), Some("costs"), "lane 2 has gone its way");

    // Let it go from there, and everybody gets the lock.
    pick(&page, 1, "B");
    press(&page, "[data-let-go]");
    page.wait_for("[data-branch='2'][aria-pressed=true]");
    page.press("End");
    assert_eq!(lab.step_of(1, "B"), "done");
    assert_eq!(lab.verdict(1).as_deref(), Some("right"));

    // By key, on the stage: undo.
    page.focus("[data-stage]");
    page.press("u");
    page.wait_for_no("[data-branch='2']");
    page.press("u");
    page.wait_for_no("[data-branch]");
    page.press("u");
    assert_eq!(lab.stop(), FIRED, "there is nothing more to undo, and nothing happens");
    page.assert_clean();
}

#[test]
fn the_learner_can_bring_about_the_lost_wake_up() {
    let page = Page::blank(Site::shared());
    page.resize(1440, 900);
    // B's first request of two has been answered; the second, which watches, is on its way.
    page.load("#/lab?lang=en&v=2&clients=2&seed=1&lane=check=separate");
    let lab = page.lab();
    for _ in 0..60 {
        if lab.step_of(1, "B") == "watching" && lab.step_of(1, "A") == "working" {
            break;
        }
        page.press("ArrowRight");
    }
    assert_eq!(lab.step_of(1, "B"), "watching");
    page.wait_for_text("[data-caption='1']", "watch");
    page.focus(".lane[data-lane='1'] [data-message='B.zk']");
    page.press("Enter");
    press(&page, "[data-hold]");
    // A works, lets go, and is gone before the watch arrives.
    for _ in 0..60 {
        if lab.step_of(1, "A") == "done" {
            break;
        }
        page.press("ArrowRight");
    }
    assert_eq!(lab.step_of(1, "A"), "done");
    page.focus(".lane[data-lane='1'] [data-message='B.zk']");
    page.press("Enter");
    press(&page, "[data-let-go]");
    page.press("End");
    assert_eq!(lab.verdict(1).as_deref(), Some("sticks"));
    assert!(lab.bubble(1, "B").contains("asleep, for ever"), "{}", lab.bubble(1, "B"));
    page.assert_clean();
}

#[test]
fn a_double_click_does_no_more_than_was_meant() {
    let page = at_the_herd();
    let lab = page.lab();
    pick(&page, 2, "E");
    page.double_click("[data-card=inspector] [data-take]");
    page.wait_for("[data-branch='1']");
    assert!(page.count("[data-branch]") <= 3);
    assert!(!page.is_visible("#fallback"));
    while page.eval("return document.querySelector('[data-undo]:not([disabled])') !== null") == true {
        page.double_click("[data-undo]");
    }
    assert!(!page.exists("[data-branch]"));
    assert_eq!(lab.stop(), FIRED);

    // What folds may move what is clicked: the page is short enough not to scroll.
    page.press("Escape");
    for css in [
        "[data-card=code] .fold",
        "[data-setup]",
        ".lane[data-lane='1'] [data-client='C'] .letter",
        "[data-tab=table]",
    ] {
        page.double_click(css);
    }
    assert!(page.exists(".code"), "folded and unfolded");
    assert_eq!(page.attr("[data-setup]", "aria-expanded").as_deref(), Some("false"));
    page.double_click("[data-transport=forward]");
    assert_eq!(lab.stop(), FIRED + 2, "two clicks are two steps");
    page.double_click("[data-transport=play]");
    assert_eq!(page.attr("[data-transport=play]", "aria-pressed").as_deref(), Some("false"));
    page.double_click("[data-add-lane]");
    assert_eq!(page.count(".lane"), 4);

    // A hand that never rests: nine branches are kept, and none of them breaks anything.
    page.load(&format!("#/lab?lang=en&step={FIRED}"));
    for client in ["B", "C", "D", "E"].iter().cycle().take(12) {
        lab.seek(FIRED);
        let css = format!(".lane[data-lane='2'] [data-message$='.{client}']");
        if page.exists(&css) {
            pick(&page, 2, client);
            press(&page, "[data-take]");
            page.wait_until(
                "it is taken",
                &format!("return Number(document.querySelector('[data-scrubber]').value) === {}", FIRED + 1),
            );
        }
    }
    assert!(page.count("[data-branch]") <= 9);
    page.assert_clean();
}
