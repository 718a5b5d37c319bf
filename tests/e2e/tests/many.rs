//! Many: four lanes, two hundred clients, one lane alone, a run that is cut off, a narrow window.

use lockstep_e2e::Page;

const FOUR: &str = "v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll";

fn calm(width: u32, height: u32) -> Page {
    let page = Page::calm();
    page.resize(width, height);
    page
}

#[test]
fn of_four_lanes_one_is_in_focus_and_three_are_strips() {
    let page = calm(1440, 900);
    page.load(&format!("#/lab?{FOUR}&step=107&lang=en"));
    let lab = page.lab();
    assert_eq!((page.count(".lane"), page.count(".strip-lane")), (4, 3));
    assert_eq!(page.count(".captions .caption"), 4, "every lane says what happened");
    assert!(page.exists(".lane[data-lane='1'] svg.stage-picture"));
    for lane in [2, 3, 4] {
        page.click(&format!("[data-focus-lane='{lane}']"));
        assert_eq!(page.attr("[data-stage]", "data-focus").as_deref(), Some(lane.to_string().as_str()));
        assert_eq!(page.count(".strip-lane"), 3);
        page.wait_for_text("[data-card=code] h3", &format!("in lane {lane}"));
        assert!(page.exists(&format!(".lane[data-lane='{lane}'] [data-client='A']")));
    }
    page.focus("[data-stage]");
    page.press("1");
    assert_eq!(page.attr("[data-stage]", "data-focus").as_deref(), Some("1"));
    page.press("End");
    let verdicts: Vec<Option<String>> = (1..=4).map(|lane| lab.verdict(lane)).collect();
    let expected = ["right", "costs", "costs", "costs"].map(|word| Some(word.to_string()));
    assert_eq!(verdicts, expected);
    page.press("4");
    page.wait_for_text("[data-card=bill]", "polls in vain");
    assert_eq!(page.count("table.bill thead th"), 4);
    // A hand may act in any of them.
    lab.seek(107);
    page.focus(".lane[data-lane='4'] [data-message], .lane[data-lane='4'] .client");
    page.press("Enter");
    page.wait_for_text("[data-card=inspector]", "in lane 4");
    page.assert_clean();
}

#[test]
fn two_hundred_clients_are_dots_with_counts_in_words() {
    let page = calm(1440, 900);
    page.load("#/lab?v=2&clients=200&seed=1&lane=&lane=watch=holder&lang=en");
    let lab = page.lab();
    assert!(lab.last() > 5_000, "a long run: {}", lab.last());
    page.wait_for_text(".lane[data-lane='1'] .dots", "200 clients");
    assert_eq!(lab.steps(1).len(), 8, "eight are drawn in full");

    // After the first release with a full queue, lane 2 has woken far more than lane 1.
    page.press("End");
    page.wait_for_text("[data-caption='1']", "");
    page.focus("[data-stage]");
    page.press("v");
    let woken = |lane: u32| {
        let text = page.text(&format!(".lane[data-lane='{lane}'] .dots p"));
        let part = text.split(" · ").find(|part| part.contains("woken (ringed)")).unwrap_or("0").to_string();
        part.split(' ').next().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0)
    };
    assert!(woken(2) > woken(1), "lane 1 woke {}, lane 2 {}", woken(1), woken(2));
    assert!(woken(1) <= 1);
    page.click("[data-tab=diagram]");
    page.wait_for("[data-under=diagram] svg");
    page.click("[data-tab=table]");
    page.wait_for("[data-under=table] table");
    page.click("[data-lang=zh]");
    page.wait_for_text(".lane[data-lane='1'] .dots", "200 个客户端");
    page.press("Home");
    assert_eq!(lab.stop(), 0);
    page.assert_clean();
}

#[test]
fn one_lane_alone_has_the_stage_to_itself() {
    let page = calm(1440, 900);
    page.load("#/lab?v=2&clients=3&seed=1&lane=&lang=en&step=20");
    let lab = page.lab();
    assert_eq!((page.count(".lane"), page.count(".caption")), (1, 1));
    page.wait_for_text("[data-question]", "Who gets the lock, and how?");
    assert!(!page.exists("[data-remove-lane]") && !page.exists(".tick.cause"));
    let wide = page
        .eval("return document.querySelector('.lane').getBoundingClientRect().width")
        .as_f64()
        .unwrap_or(0.0);
    assert!(wide > 900.0, "{wide} px");
    page.press("End");
    assert_eq!(lab.verdict(1).as_deref(), Some("right"));
    page.click("[data-add-lane]");
    assert_eq!(page.count(".lane"), 2);
    assert_eq!(lab.stop(), lab.last(), "the place is kept");
    page.assert_clean();
}

#[test]
fn a_run_that_reaches_its_limit_says_so() {
    let page = calm(1440, 900);
    // Everybody polls every millisecond while each in turn works for an hour.
    page.load("#/lab?v=2&clients=200&seed=1&hold-ms=3600000&poll-ms=1&lane=watch=poll&lang=en");
    let lab = page.lab();
    let limit = lab.last();
    assert!(limit > 100_000, "{limit} steps");
    page.wait_for_text(".lane-note", &format!("The run was cut off after {limit} steps."));
    page.press("End");
    assert_eq!(lab.stop(), limit);
    assert_ne!(lab.verdict(1).as_deref(), Some("right"), "a run that was cut off is not right");
    page.press("ArrowLeft");
    assert_eq!(lab.stop(), limit - 1);
    page.press("Home");
    page.assert_clean();
}

#[test]
fn on_a_phone_one_lane_is_shown_at_a_time() {
    let page = calm(1440, 900);
    page.phone(390, 844);
    page.load(&format!("#/lab?{FOUR}&step=107&lang=en"));
    let lab = page.lab();
    assert_eq!((page.count(".lane"), page.count("[data-lane-tab]")), (1, 4));
    assert_eq!(lab.steps(1).len(), 5);
    page.tap("[data-lane-tab='3']");
    page.wait_for(".lane[data-lane='3']");
    assert_eq!(page.attr("[data-lane-tab='3']", "aria-pressed").as_deref(), Some("true"));
    page.tap("[data-transport=forward]");
    assert_eq!(lab.stop(), 108);

    // Code and bill are views, since there is no rail.
    assert!(!page.exists(".rail aside, aside.rail"));
    page.tap("[data-tab=code]");
    page.wait_for("[data-under=code] .code");
    page.choose(".code select[data-key=watch][data-lane='3']", "holder");
    page.wait_for_text(".lane[data-lane='3'] .lane-head", "the holder");
    page.tap("[data-tab=bill]");
    page.wait_for("[data-under=bill] table.bill");
    page.tap("[data-tab=diagram]");
    page.wait_for("[data-under=diagram] svg");
    page.tap(".tall-client");
    page.wait_for("[data-card=inspector]");
    page.tap("[data-close-inspector]");
    page.wait_for_no("[data-card=inspector]");

    // A window that is made narrower, and wider again, goes on where it was.
    for (width, height) in [(700, 900), (1024, 768), (1440, 900), (320, 640)] {
        page.resize(width, height);
        page.wait_until("the layout follows", &format!("return innerWidth === {width}"));
        page.wait_for_paint();
        assert!(!page.scrolls_sideways(), "at {width} px");
        assert_eq!(page.attr("[data-stage]", "data-focus").as_deref(), Some("3"), "at {width} px");
    }
    page.assert_clean();
}

#[test]
fn running_many_clients_is_announced_before_the_page_stands_still() {
    let page = Page::calm();
    page.load("#/lab?v=2&clients=8&seed=1&lane=&lane=watch=holder&lang=en");
    page.click("[data-setup]");
    // What stood on the screen when a frame was painted, and what the live region said.
    page.eval(
        "window.seen = new Set();
        const look = () => {
            const chip = document.querySelector('.working');
            if (chip) seen.add(chip.textContent).add('live: ' + document.querySelector('.live').textContent);
            requestAnimationFrame(look);
        };
        look();",
    );
    page.fill(".setup [data-number=clients]", "200");
    page.wait_for_text(".lane[data-lane='1'] .dots", "200 clients");
    let seen = page.eval("return [...seen].sort()");
    let words = "Running every lane; with so many clients it takes some seconds.";
    assert_eq!(seen, serde_json::json!([words, format!("live: {words}")]));
    assert!(!page.exists(".working"), "it goes when the work is done");
    page.assert_clean();
}
