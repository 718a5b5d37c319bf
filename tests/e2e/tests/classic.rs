//! The classic story, walked by keyboard: forward, back, and by moments. Lane 1 watches the one just ahead, lane 2
//! the holder.

use lockstep_e2e::{Lab, Page};

/// The lab at its start with the focus on the page, in English.
fn lab(page: &Page) -> Lab<'_> {
    page.load("#/lab?lang=en");
    page.wait_for("[data-stage]");
    page.lab()
}

/// A page on which nothing glides.
/// Steps forward until something holds of the lab.
fn step_until(page: &Page, wish: &str, holds: impl Fn(Lab<'_>) -> bool) {
    for _ in 0..80 {
        if holds(page.lab()) {
            return;
        }
        page.press("ArrowRight");
    }
    panic!("After 80 steps it is still not so that {wish}.");
}

#[test]
fn every_step_of_the_recipe_is_on_the_screen_as_it_happens() {
    let page = Page::calm();
    let lab = lab(&page);
    page.wait_for_text("[data-question]", "A lets go. Who should wake up?");
    assert_eq!(lab.stop(), 0);
    assert!(lab.nodes(1).is_empty(), "the queue is empty: {:?}", lab.nodes(1));
    assert_eq!(lab.steps(1).values().filter(|step| *step == "idle").count(), 5);
    assert_eq!(lab.bubble(1, "A"), "A: not here, yet");

    // Create: the request is on its way, then the node is there and the key on it.
    page.press("ArrowRight");
    assert_eq!(lab.caption(1), "A wants the lock. It sends create2(EPHEMERAL_SEQUENTIAL).");
    assert_eq!(lab.step_of(1, "A"), "creating");
    assert!(lab.lit().starts_with("me = create("), "{}", lab.lit());
    assert!(lab.messages(1).concat().contains("create"), "{:?}", lab.messages(1));
    page.press("ArrowRight");
    assert_eq!(lab.caption(1), "The server creates node 0000 for A.");
    assert_eq!(lab.nodes(1), ["0000*"]);

    // List.
    step_until(&page, "A lists", |lab| lab.step_of(1, "A") == "listing");
    assert!(lab.caption(1).contains("It sends getChildren."), "{}", lab.caption(1));
    assert_eq!(lab.lit(), "kids = getChildren(dir)");

    // Sort, and hold.
    step_until(&page, "A sorts", |lab| lab.step_of(1, "A") == "sorting");
    assert!(lab.lit().starts_with("sort kids"), "{}", lab.lit());
    assert!(!lab.bubble(1, "A").contains("hold"), "A does not know yet: {}", lab.bubble(1, "A"));
    step_until(&page, "A holds", |lab| lab.step_of(1, "A") == "reading");
    assert!(
        lab.caption(1).contains("its own node is first. A holds the lock; its token is"),
        "{}",
        lab.caption(1)
    );
    assert!(lab.bubble(1, "A").contains("I hold the lock"), "{}", lab.bubble(1, "A"));
    assert_eq!(lab.lit(), "n = ledger.read(token)");

    // Watch: C watches B's node in lane 1 and A's in lane 2.
    step_until(&page, "C watches", |lab| lab.step_of(1, "C") == "watching");
    assert!(lab.caption(1).contains("getData(0001, watch)"), "{}", lab.caption(1));
    assert!(lab.caption(2).contains("getData(0000, watch)"), "{}", lab.caption(2));
    assert!(lab.lit().contains("getData(ahead, watch)"), "{}", lab.lit());
    step_until(&page, "all four sleep", |lab| {
        ["B", "C", "D", "E"].iter().all(|client| lab.step_of(1, client) == "asleep")
    });
    assert_eq!((lab.arcs(1, "armed"), lab.arcs(2, "armed")), (4, 4));
    assert_eq!(lab.nodes(1), ["0000*", "0001", "0002", "0003", "0004"]);
    assert_eq!(lab.bubble(1, "E"), "E: asleep, undisturbed");

    // A's deletion fires one watch in lane 1 and four in lane 2; the key moves.
    step_until(&page, "A's node is gone", |lab| lab.nodes(1).first().is_some_and(|node| node == "0001*"));
    assert_eq!((lab.arcs(1, "fired"), lab.arcs(1, "armed")), (1, 3));
    assert_eq!((lab.arcs(2, "fired"), lab.arcs(2, "armed")), (4, 0));
    assert!(lab.caption(2).contains("The watches of 4 clients fire"), "{}", lab.caption(2));
    assert_eq!(lab.step_of(1, "B"), "asleep", "B has not heard of it yet");

    // Wake, and look again before believing anything.
    step_until(&page, "B wakes", |lab| lab.step_of(1, "B") == "listing");
    assert!(lab.caption(1).contains("B hears NodeDeleted and wakes."), "{}", lab.caption(1));
    assert_eq!(lab.bubble(1, "B"), "B: woken, looks again");
    step_until(&page, "B holds", |lab| lab.step_of(1, "B") == "reading");
    assert!(
        lab.caption(1).contains("B sorts the list: its own node is first. B holds the lock; its token is")
    );
    assert_eq!(lab.step_of(1, "C"), "asleep", "in lane 1 nobody else was woken");

    page.press("End");
    assert_eq!((lab.verdict(1).as_deref(), lab.verdict(2).as_deref()), (Some("right"), Some("costs")));
    assert!(lab.nodes(1).is_empty());
    assert_eq!(page.texts(".lane[data-lane='1'] [data-stock]"), ["0"]);
    page.assert_clean();
}

#[test]
fn the_keys_go_by_steps_by_moments_and_to_both_ends() {
    let page = Page::calm();
    let lab = lab(&page);
    let last = lab.last();
    page.press("End");
    assert_eq!(lab.stop(), last);
    page.press("ArrowRight");
    assert_eq!(lab.stop(), last, "there is nothing after the end");
    page.press("Home");
    assert_eq!(lab.stop(), 0);
    page.press("ArrowLeft");
    assert_eq!(lab.stop(), 0, "there is nothing before the start");

    // Space goes from moment to moment and stops once more where a prediction is asked.
    let moments = page.eval(
        "return [...document.querySelectorAll('[data-moment]')].map((one) => Number(one.dataset.moment))",
    );
    let moments: Vec<u32> =
        moments.as_array().into_iter().flatten().filter_map(|m| m.as_u64()?.try_into().ok()).collect();
    assert!((6..=8).contains(&moments.len()), "a story has six to eight moments: {moments:?}");
    let mut forward = Vec::new();
    let mut asked = None;
    while lab.stop() < last {
        page.press("Space");
        if page.exists("[data-prediction=asked]") {
            asked = Some(lab.stop());
        }
        forward.push(lab.stop());
    }
    let asked = asked.expect("the story asks for a prediction");
    assert!(moments.contains(&(asked + 1)), "it is asked just before a moment: {asked} of {moments:?}");
    assert_eq!(forward.iter().filter(|stop| **stop != asked).copied().collect::<Vec<_>>(), moments);

    let mut back = Vec::new();
    while lab.stop() > 0 {
        page.press("Shift+Space");
        back.push(lab.stop());
    }
    let expected: Vec<u32> = moments.iter().rev().skip(1).copied().chain([0]).collect();
    assert_eq!(back, expected);

    // On the stage, letters are commands as well.
    page.focus("[data-stage]");
    page.press("v");
    assert!(moments.contains(&lab.stop()), "V goes to the first consequence");
    page.press("c");
    let cause = lab.stop();
    assert!(lab.caption(1) != lab.caption(2), "C goes to where the lanes part: {}", lab.caption(1));
    page.press("2");
    assert_eq!(page.attr("[data-stage]", "data-focus").as_deref(), Some("2"));
    page.press("p");
    page.wait_until(
        "it plays",
        &format!("return Number(document.querySelector('[data-scrubber]').value) > {cause}"),
    );
    page.press("p");
    assert_eq!(page.attr("[data-transport=play]", "aria-pressed").as_deref(), Some("false"));
    page.press("?");
    page.wait_for("dialog[open]");
    page.press("Escape");
    page.wait_for_no("dialog[open]");
}

#[test]
fn going_back_shows_exactly_what_was_shown_before() {
    let page = Page::calm();
    let lab = lab(&page);
    let stops = [0, 1, 7, 22, 30, 43, 44, 45, 56, 85];
    let mut seen = Vec::new();
    for stop in stops {
        while lab.stop() < stop {
            page.press("ArrowRight");
        }
        assert_eq!(lab.stop(), stop);
        seen.push(lab.stages());
    }
    let pictures = seen.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(pictures, stops.len(), "each stop shows something else");
    for (stop, picture) in stops.iter().zip(&seen).rev() {
        while lab.stop() > *stop {
            page.press("ArrowLeft");
        }
        assert_same(&lab.stages(), picture, &format!("step {stop}, back from later ones"));
    }
    page.press("End");
    for (stop, picture) in stops.iter().zip(&seen) {
        lab.seek(*stop);
        assert_same(&lab.stages(), picture, &format!("step {stop}, by the scrubber"));
    }
    page.assert_clean();
}

#[test]
fn holding_a_key_runs_on_and_the_live_region_says_only_where_it_ended() {
    let page = Page::calm();
    let lab = lab(&page);
    page.wait_until("it has said where it is", "return document.querySelector('.live').textContent !== null");
    page.eval(
        "window.said = []; new MutationObserver(() => window.said.push(document.querySelector('.live').textContent))
            .observe(document.querySelector('.live'), { childList: true, characterData: true, subtree: true })",
    );
    page.hold("ArrowRight", 30);
    assert_eq!(lab.stop(), 30);
    let caption = lab.caption(1);
    page.wait_until("the last step is said", "return window.said.length > 0");
    let said = page.eval("return window.said");
    assert_eq!(said.as_array().map(Vec::len), Some(1), "nothing is said on the way: {said}");
    assert!(lab.said().contains(&caption), "`{}` says `{caption}`", lab.said());
    page.hold("ArrowLeft", 12);
    assert_eq!(lab.stop(), 18);
    page.wait_for_text(".live", &lab.caption(1));
    page.press("Home");
    page.wait_for_text(".live", "5 clients will want one lock.");
}

/// Says which lines are there only once.
#[track_caller]
fn assert_same(is: &str, was: &str, what: &str) {
    let only = |these: &str, those: &str| -> Vec<String> {
        let mut those: Vec<&str> = those.lines().collect();
        let mut only = Vec::new();
        for line in these.lines() {
            match those.iter().position(|other| *other == line) {
                Some(at) => drop(those.swap_remove(at)),
                None => only.push(line.to_string()),
            }
        }
        only
    };
    let (now, before) = (only(is, was), only(was, is));
    assert!(now.is_empty() && before.is_empty(), "{what}: now only {now:?}, before only {before:?}");
    assert_eq!(is, was, "{what}: the same lines in another order");
}
