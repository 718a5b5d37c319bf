//! Decisions and the other controls: changed where they stand, each once; what means nothing says why; the reader
//! keeps the place.

use lockstep_e2e::{Lab, Page};

const TITLE: &str = ".lane[data-lane='2'] .lane-head select[data-key=watch]";
const CODE: &str = ".code select[data-key=check][data-lane='2']";

fn lab_at(stop: u32) -> Page {
    Page::calm_at(&format!("#/lab?lang=en&step={stop}"))
}

/// The decision of a lane in the table of the setup.
fn in_table(key: &str, lane: u32) -> String {
    format!(".decisions select[data-key='{key}'][data-lane='{lane}']")
}

fn chosen(page: &Page, css: &str) -> String {
    page.eval_with("return document.querySelector(arguments[0])?.value ?? 'nothing'", &[css.into()])
        .as_str()
        .unwrap_or_default()
        .to_string()
}

/// The place is kept: the newest stop that is not later, a step's length away at most.
#[track_caller]
fn assert_kept(lab: Lab<'_>, before_ms: u32, what: &str) {
    let now = lab.at_ms();
    assert!(now <= before_ms && before_ms - now <= 40, "{what}: from {before_ms} ms to {now} ms");
}

#[test]
fn a_decision_is_changed_in_the_lane_title_the_code_and_the_table_and_the_place_is_kept() {
    let page = lab_at(40);
    let lab = page.lab();
    let before = lab.at_ms();
    assert_eq!(lab.arcs(2, "armed"), 4, "four watch the holder");

    page.choose(TITLE, "parent");
    assert_kept(lab, before, "the title");
    assert!(lab.arcs(2, "armed") >= 1);
    lab.wait_for_address("lane=watch=parent");
    page.choose(TITLE, "holder");
    assert_kept(lab, before, "and back");
    assert_eq!((lab.stop(), lab.arcs(2, "armed")), (40, 4), "the same as before");

    // The code is that of the lane with the focus, which the change above gave to lane 2.
    page.wait_for(CODE);
    page.choose(CODE, "separate");
    assert_kept(lab, before, "the code");
    lab.wait_for_address("check=separate");
    page.wait_for_text(".lane[data-lane='2'] .lane-head", "exists(ahead), then watch");

    page.click("[data-setup]");
    assert_eq!(chosen(&page, &in_table("check", 2)), "separate", "the table shows the same");
    page.choose(&in_table("wake", 1), "assume");
    assert_kept(lab, before, "the table");
    lab.wait_for_address("lane=wake=assume");
    assert_eq!(page.attr("[data-setup]", "aria-expanded").as_deref(), Some("true"), "the table stays open");

    // Undo goes back through all of them.
    for _ in 0..4 {
        page.click("[data-undo]");
    }
    assert_eq!(chosen(&page, TITLE), "holder");
    assert_eq!(lab.stop(), 40);
    lab.wait_for_address("v=2&clients=5&seed=1&lane=&lane=watch=holder&step=40");

    // Where the lanes part, the marks on the track follow.
    let cause = page.count(".tick.cause");
    page.choose(TITLE, "predecessor");
    assert_eq!((cause, page.count(".tick.cause")), (1, 0), "equal lanes do not part");
    page.assert_clean();
}

#[test]
fn a_decision_that_means_nothing_is_greyed_and_says_why() {
    let page = lab_at(0);
    page.click("[data-setup]");
    page.choose(&in_table("watch", 2), "parent");
    for key in ["check", "missing"] {
        let css = in_table(key, 2);
        assert_eq!(
            page.eval_with("return document.querySelector(arguments[0]).disabled", &[css.as_str().into()]),
            true
        );
        let why = "Listing the children already sets the watch.";
        page.wait_for_text(
            &format!(".decisions td:has({css}) .slot-why", css = css.trim_start_matches(".decisions ")),
            why,
        );
    }
    page.choose(&in_table("watch", 2), "poll");
    let wake = ".decisions td:has(select[data-key=wake][data-lane='2']) .slot-why";
    page.wait_for_text(wake, "A client that polls is never woken.");

    page.choose(&in_table("watch", 2), "holder");
    page.wait_for_no(wake);
    page.choose(&in_table("node", 2), "ephemeral-single");
    page.wait_for_text(
        ".decisions td:has(select[data-key=order][data-lane='2']) .slot-why",
        "One single name has no order.",
    );
    let option = page.eval_with(
        "const one = document.querySelector(arguments[0]).querySelector('option[value=predecessor]');
        return `${one.disabled}: ${one.textContent}`",
        &[in_table("watch", 2).into()],
    );
    let option = option.as_str().unwrap_or_default();
    assert!(option.starts_with("true: ") && option.contains("the one ahead is the holder"), "{option}");

    // In the code, a line is there only where its decision means something.
    page.click("[data-focus-lane='2'], [data-stage]");
    page.press("2");
    assert!(page.exists(".code select[data-key=check]") && !page.exists(".code select[data-key=order]"));

    page.click("[data-lang=zh]");
    page.wait_for_text(".decisions .slot-why", "只有一个名字，无须排序。");
    page.assert_clean();
}

#[test]
fn what_is_half_typed_stays_while_the_page_goes_on() {
    let page = lab_at(30);
    let lab = page.lab();
    page.click("[data-setup]");
    page.click("[data-transport=play]");
    page.focus("[data-number=clients]");
    page.eval("document.querySelector('[data-number=clients]').select()");
    page.type_text("8");
    let stop = lab.stop();
    page.wait_until(
        "it has gone on",
        &format!("return Number(document.querySelector('[data-scrubber]').value) > {}", stop + 1),
    );
    assert_eq!(chosen(&page, "[data-number=clients]"), "8");
    page.press("Enter");
    page.wait_for_text("[data-setup]", "8 clients");
    page.assert_clean();
}

#[test]
fn every_number_and_every_lane_can_be_changed() {
    let page = lab_at(30);
    let lab = page.lab();
    page.click("[data-setup]");
    let at = lab.at_ms();
    page.fill("[data-number=clients]", "8");
    page.wait_until(
        "there are eight",
        "return document.querySelectorAll('.lane:first-child [data-client]').length === 8",
    );
    assert_kept(lab, at, "clients");
    page.wait_for_text("[data-setup]", "8 clients");
    for (key, value) in [("seed", "42"), ("gap-ms", "10"), ("hold-ms", "50"), ("poll-ms", "30")] {
        page.fill(&format!("[data-number={key}]"), value);
        lab.wait_for_address(&format!("{key}={value}"));
    }
    page.fill("[data-lane-clients='2']", "3");
    assert_eq!((lab.steps(1).len(), lab.steps(2).len()), (8, 3));
    page.fill("[data-lane-clients='2']", "");
    assert_eq!(lab.steps(2).len(), 8, "empty means as many as the others");

    // What makes no sense is refused with a sentence, and the number before stays.
    page.fill("[data-number=clients]", "201");
    page.wait_for_text(".setup [role=alert]", "“201” clients cannot be shown: a lane has 2 to 200.");
    assert_eq!(page.attr("[data-number=clients]", "aria-invalid").as_deref(), Some("true"));
    assert_eq!(chosen(&page, "[data-number=clients]"), "8", "the field shows what is so");
    assert_eq!(lab.steps(1).len(), 8);
    page.fill("[data-number=hold-ms]", "99999999");
    page.wait_for_text(".setup [role=alert]", "99999999");
    page.fill("[data-number=hold-ms]", "60");
    page.wait_for_no(".setup [role=alert]");

    // Lanes: up to four, down to one.
    page.click("[data-add-lane]");
    page.click("[data-add-lane]");
    assert_eq!(page.count(".lane"), 4);
    assert!(!page.exists("[data-add-lane]"), "four are the most");
    page.choose(&in_table("watch", 4), "poll");
    page.wait_for_text(".lane[data-lane='4']", "nobody: poll");
    for left in [3, 2, 1] {
        page.click(&format!("[data-remove-lane='{left}'], .lane[data-lane='{left}'] [data-remove-lane]"));
        assert_eq!(page.count(".lane"), left);
    }
    assert!(!page.exists("[data-remove-lane]"), "one lane stays");
    page.wait_for_text(".lane[data-lane='1']", "nobody: poll");
    page.assert_clean();
}

#[test]
fn every_story_opens_and_every_view_and_switch_answers() {
    let page = lab_at(0);
    let lab = page.lab();
    page.click("[data-setup]");
    let stories = page.eval("return [...document.querySelectorAll('[data-story]')].map((one) => [one.dataset.story, one.querySelector('b').innerText])");
    let stories = stories.as_array().cloned().unwrap_or_default();
    assert!(stories.len() >= 8, "{stories:?}");
    for story in stories {
        let (id, question) = (story[0].as_str().unwrap_or_default(), story[1].as_str().unwrap_or_default());
        if !page.exists("[data-story]") {
            page.click("[data-setup]");
        }
        page.click(&format!("[data-story='{id}']"));
        page.wait_for_text("[data-question]", question);
        assert_eq!(lab.stop(), 0, "{id} begins at its start");
    }

    // The pace.
    page.load("#/lab?lang=en");
    page.choose("[data-pace]", "32");
    page.click("[data-transport=play]");
    page.wait_until("it runs", "return Number(document.querySelector('[data-scrubber]').value) > 8");
    page.click("[data-transport=play]");
    let stop = lab.stop();
    page.click("[data-transport=forward]");
    assert_eq!(lab.stop(), stop + 1);
    page.click("[data-transport=back]");
    page.click("[data-transport=back]");
    assert_eq!(lab.stop(), stop - 1);
    page.click("[data-transport=last]");
    assert_eq!(lab.stop(), lab.last());
    page.click("[data-transport=first]");
    assert_eq!(lab.stop(), 0);
    page.click("[data-transport=moment]");
    assert!(lab.stop() > 0);
    let moment =
        page.attr("button[data-moment]:not([data-here])", "data-moment").expect("there is another moment");
    page.click(&format!("[data-moment='{moment}']"));
    assert_eq!(lab.stop().to_string(), moment);

    // The views.
    for tab in ["diagram", "table", "strips"] {
        page.click(&format!("[data-tab={tab}]"));
        page.wait_for(&format!("[data-under={tab}]"));
        assert_eq!(page.attr(&format!("[data-tab={tab}]"), "aria-pressed").as_deref(), Some("true"));
    }
    for (card, body) in [("code", ".code"), ("bill", "table.bill")] {
        let fold = format!("[data-card={card}] .fold");
        page.click(&fold);
        page.wait_for_no(body);
        assert_eq!(page.attr(&fold, "aria-expanded").as_deref(), Some("false"));
        page.click(&fold);
        page.wait_for(body);
    }
    // What a real server charged would give the answer away before the consequence.
    lab.seek(46);
    page.click(".real summary");
    page.wait_for_text(".real", "489.5");

    // Language and theme, in mid-story.
    page.click("[data-lang=zh]");
    page.wait_for_text("[data-caption='1']", "服务器应 A 的请求删除节点 0000。");
    assert_eq!(page.eval("return document.documentElement.lang"), "zh-Hans");
    assert!(page.eval("return document.title").to_string().contains("实验室"));
    page.click("[data-lang=en]");
    page.wait_for_text("[data-caption='1']", "The server deletes node 0000 for A.");
    for theme in ["dark", "contrast", "light"] {
        page.choose("[data-theme-select]", theme);
        assert_eq!(page.eval("return document.documentElement.dataset.theme"), theme);
    }
    assert_eq!(lab.stop(), 46, "the place is kept");

    // The switches in the help.
    page.click("[data-help]");
    page.click("[data-predictions]");
    page.click("[data-letters]");
    page.press("Escape");
    page.wait_for_no("dialog[open]");
    lab.seek(45);
    assert!(!page.exists("[data-prediction]"), "predictions are off");
    page.focus("[data-stage]");
    page.press("v");
    assert_eq!(lab.stop(), 45, "letters are off");
    page.press("ArrowRight");
    assert_eq!(lab.stop(), 46, "arrows are not letters");
    page.click("[data-help]");
    page.click("[data-predictions]");
    page.click("[data-letters]");
    page.press("Escape");
    lab.seek(45);
    page.wait_for("[data-prediction=asked]");
    page.focus("[data-stage]");
    page.press("v");
    assert_eq!(lab.stop(), 46);
    page.assert_clean();
}

#[test]
fn a_prediction_is_answered_or_skipped_and_graded_by_running_on() {
    let page = lab_at(45);
    let lab = page.lab();
    page.wait_for("[data-prediction=asked]");
    assert!((3..=4).contains(&page.count("[data-answer]")));
    // Only one of the answers is right, and each is told what it was worth.
    let answers = page.count("[data-answer]");
    let mut right = Vec::new();
    for answer in 0..answers {
        page.load("#/lab?lang=en&step=45");
        let css = format!("[data-answer='{answer}']");
        let words = page.text(&css);
        let words = words.split_once(' ').map_or(words.as_str(), |(_, words)| words);
        page.click(&css);
        page.wait_for_text("[data-prediction=waiting]", &format!("“{words}”"));
        page.focus("[data-stage]");
        page.press("ArrowRight");
        page.wait_for_text("[data-prediction=graded]", &format!("“{words}”"));
        if page.attr("[data-prediction]", "data-good").as_deref() == Some("true") {
            right.push(words.to_string());
            page.wait_for_text("[data-prediction=graded]", "✓");
        }
    }
    assert_eq!(right.len(), 1, "{right:?}");
    assert!(right[0].contains('4'), "four are woken: {right:?}");

    page.load("#/lab?lang=en&step=45");
    page.click("[data-skip]");
    page.wait_for_no("[data-prediction]");
    page.click("[data-transport=moment]");
    assert_eq!(lab.stop(), 46);

    // Play waits at it.
    page.load("#/lab?lang=en&step=38");
    page.choose("[data-pace]", "32");
    page.click("[data-transport=play]");
    page.wait_for("[data-prediction=asked]");
    page.wait_until(
        "it waits",
        "return document.querySelector('[data-transport=play]').ariaPressed === 'false'",
    );
    assert_eq!(lab.stop(), 45);
}
