//! The page as data: what it does with what the reader does, without a browser.

use lockstep::app::scene::Pick;
use lockstep::app::{
    Effect, FirstMsg, FocusIn, Guess, Model, Msg, PredictionScene, Theme, dispatch, first_scene, inspector,
    lab_address, lab_scene, opening_story, takes_long, update,
};
use lockstep::play::Chosen;
use lockstep::recipe::{Key, Verdict};
use lockstep::teach::story;
use lockstep::text::Lang;
use lockstep::world::{Action, ClientId, Link};

const LOST: &str = "#/lab?v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=separate";

fn decide(model: &mut Model, lane: usize, key: Key, word: &str) {
    update(model, Msg::Decide { lane, key, word: word.to_string() });
}

#[test]
fn a_change_keeps_the_readers_place_in_virtual_time() {
    let mut model = Model::open("#/lab?step=60");
    let before = model.lab.run.comparison.at_ms(model.lab.stop);
    decide(&mut model, 1, Key::Watch, "parent");
    let run = &model.lab.run.comparison;
    assert!(run.at_ms(model.lab.stop) <= before);
    assert!(run.at_ms(model.lab.stop + 1) > before);
}

#[test]
fn what_the_hand_chose_is_dropped_with_the_run_it_belonged_to_and_undo_brings_it_back() {
    let mut model = Model::open("#/lab?step=46");
    let hold = Chosen::Hold(Action::Deliver(Link::ToClient(ClientId(4))));
    update(&mut model, Msg::Choose { lane: 1, what: hold });
    assert_eq!(model.lab.scenario.lanes[1].choices.len(), 1);
    decide(&mut model, 1, Key::Watch, "parent");
    assert!(model.lab.scenario.lanes[1].choices.is_empty());
    assert_eq!(model.notices.len(), 1, "a sentence says so");
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario.lanes[1].choices.len(), 1);
}

#[test]
fn a_lane_that_did_not_change_is_not_run_again() {
    let mut model = Model::open("#/lab");
    let kept = model.lab.run.comparison.lanes()[0].clone();
    decide(&mut model, 1, Key::Watch, "poll");
    assert!(std::sync::Arc::ptr_eq(&kept, &model.lab.run.comparison.lanes()[0]));
    let fresh = Model::open("#/lab?v=2&clients=5&seed=1&lane=&lane=watch=poll");
    assert_eq!(fresh.lab.run.comparison.lanes()[1].steps(), model.lab.run.comparison.lanes()[1].steps());
}

#[test]
fn the_prediction_is_asked_once_before_its_consequence_in_the_lane_that_it_is_about() {
    let mut model = Model::open(LOST);
    while !matches!(lab_scene(&model).prediction, Some(PredictionScene::Asked { .. })) {
        let before = model.lab.stop;
        update(&mut model, Msg::NextMoment);
        assert!(model.lab.stop > before, "the story ends without a question");
    }
    assert_eq!(model.lab.focus, 1);
    let prediction = model.lab.run.landmarks().predictions[0].clone();
    let labels: Vec<String> =
        lab_scene(&model).transport.ticks.iter().map(|t| t.label.en.to_string()).collect();
    assert!(labels.contains(&"what follows?".to_string()), "the track does not tell: {labels:?}");
    update(&mut model, Msg::Guess(Guess::Made(prediction.right)));
    update(&mut model, Msg::NextMoment);
    assert!(matches!(lab_scene(&model).prediction, Some(PredictionScene::Graded { good: true, .. })));
}

#[test]
fn who_walks_past_the_question_is_told_all_the_same() {
    let mut model = Model::open(LOST);
    let prediction = model.lab.run.landmarks().predictions[0].clone();
    update(&mut model, Msg::Seek(prediction.stop));
    update(&mut model, Msg::Step(1));
    assert!(matches!(lab_scene(&model).prediction, Some(PredictionScene::Told { .. })));
}

#[test]
fn who_waits_for_ever_is_shown_stuck_from_its_last_sleep_on() {
    let mut model = Model::open(LOST);
    update(&mut model, Msg::ToConsequence);
    let scene = lab_scene(&model);
    let (verdict, _) = scene.lanes[1].verdict.clone().expect("a verdict");
    assert_eq!(verdict, Verdict::Sticks);
    assert!(scene.lanes[1].stage.clients.iter().any(|c| c.line1.en == "asleep" && c.line2.en == "for ever"));
    assert_eq!(scene.lanes[0].verdict, None, "a run is right only once it is over");
}

#[test]
fn nothing_is_dear_beside_a_lane_that_sticks_or_breaks() {
    for link in [LOST, "#/lab?v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume"] {
        let mut model = Model::open(link);
        update(&mut model, Msg::Last);
        for row in lab_scene(&model).bill.expect("the bill is open").rows {
            assert!(!row.cells[0].dear, "{} in {link}", row.key);
        }
    }
}

#[test]
fn the_bill_compares_the_same_release_in_every_lane() {
    let mut model = Model::open("#/lab");
    for stop in 0..=model.lab.run.comparison.last_stop() {
        update(&mut model, Msg::Seek(stop));
        let reached: Vec<usize> =
            (0..2).map(|lane| model.lab.lane_state(lane).measures.releases.len()).collect();
        let bill = lab_scene(&model).bill.expect("the bill is open");
        let dash = |key: &str| {
            let row = bill.rows.iter().find(|row| row.key == key).expect("the row is there");
            row.cells.iter().filter(|cell| cell.text == "–").count()
        };
        if reached.iter().all(|n| *n > 0) {
            assert_eq!(dash("woken"), 0, "stop {stop}");
        }
    }
}

#[test]
fn a_number_that_cannot_be_shown_is_answered_beside_its_field_and_the_one_before_is_kept() {
    let mut model = Model::open("#/lab");
    for word in ["0", "1", "201", "999999999999", "-3", "", "5.5", "five"] {
        update(&mut model, Msg::Number { key: "clients", word: word.to_string() });
        assert_eq!(model.lab.scenario.clients, 5, "{word:?}");
        assert_eq!(model.lab.field.as_ref().map(|(key, _)| *key), Some("clients"), "{word:?}");
    }
    update(&mut model, Msg::Number { key: "clients", word: "8".to_string() });
    assert_eq!(model.lab.scenario.clients, 8);
    assert_eq!(model.lab.field, None);
}

#[test]
fn the_inspector_offers_what_could_happen_next_and_nothing_else() {
    let mut model = Model::open("#/lab?step=46");
    update(&mut model, Msg::Focus(1));
    update(&mut model, Msg::Pick(Some(Pick::Client(ClientId(1)))));
    let shown = inspector(&model.lab).expect("something is picked");
    let world = model.lab.lane_state(1).world;
    let could: Vec<Action> =
        world.enabled().into_iter().filter(|a| a.client() == Some(ClientId(1))).collect();
    assert_eq!(shown.next.iter().map(|next| next.action).collect::<Vec<_>>(), could);
    assert!(shown.watches.is_some());
}

#[test]
fn undo_goes_back_one_by_one_to_the_trunk() {
    let mut model = Model::open("#/lab?step=46");
    let trunk = model.lab.scenario.clone();
    for client in [1, 2, 3] {
        let what = Chosen::Take(Action::Deliver(Link::ToClient(ClientId(client))));
        update(&mut model, Msg::Choose { lane: 1, what });
    }
    assert_eq!(model.lab.branches.len(), 4);
    for left in [3, 2, 1] {
        update(&mut model, Msg::Undo);
        assert_eq!(model.lab.branches.len(), left);
    }
    assert_eq!(model.lab.scenario, trunk);
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario, trunk);
}

#[test]
fn no_more_branches_are_kept_than_can_be_shown_and_the_shown_one_stays() {
    let mut model = Model::open("#/lab");
    for step in 0..40 {
        update(&mut model, Msg::Seek(step));
        let first = model.lab.lane_state(0).world.enabled()[0];
        update(&mut model, Msg::Choose { lane: 0, what: Chosen::Take(first) });
        assert!(model.lab.branch < model.lab.branches.len());
        assert_eq!(model.lab.branches[model.lab.branch].scenario, model.lab.scenario);
        let parents = model.lab.branches.iter().filter_map(|branch| branch.parent);
        assert!(parents.into_iter().all(|parent| parent < model.lab.branches.len()));
    }
}

#[test]
fn the_help_opens_by_its_key_wherever_no_field_needs_it() {
    let open = Some(Msg::Help(true));
    assert_eq!(dispatch("Slash", true, FocusIn::Page, true), open);
    assert_eq!(dispatch("Slash", true, FocusIn::Stage { button: true }, true), open);
    assert_eq!(dispatch("Slash", true, FocusIn::Control, true), None);
    assert_eq!(dispatch("Slash", true, FocusIn::Page, false), None);
}

#[test]
fn play_stops_at_the_end_and_starts_over_from_there() {
    let mut model = Model::open(LOST);
    update(&mut model, Msg::Predictions(false));
    update(&mut model, Msg::Play);
    let last = model.lab.run.comparison.last_stop();
    for _ in 0..last + 5 {
        update(&mut model, Msg::Tick);
    }
    assert_eq!((model.lab.stop, model.lab.playing), (last, false));
    update(&mut model, Msg::Play);
    assert_eq!((model.lab.stop, model.lab.playing), (0, true));
}

#[test]
fn nothing_in_the_first_minute_takes_long() {
    let mut model = Model::open("#/");
    for msg in
        [FirstMsg::Freeze, FirstMsg::Wait, FirstMsg::Guess(true), FirstMsg::ChangeLine, FirstMsg::Again]
    {
        update(&mut model, Msg::FirstMinute(msg));
        first_scene(&model.first);
    }
    for msg in [Msg::Lang(Lang::Zh), Msg::Theme(Theme::Dark), Msg::Help(true), Msg::Close] {
        assert!(!takes_long(&model, &msg));
        update(&mut model, msg);
    }
    update(&mut model, Msg::Address("#/?lang=en".to_string()));
}

#[test]
fn the_lab_opens_with_the_opening_story_or_with_what_the_link_says() {
    let mut model = Model::open("#/");
    let effects = update(&mut model, Msg::Address("#/lab".to_string()));
    assert_eq!(model.lab.scenario, opening_story());
    assert_eq!(effects, [Effect::WriteAddress(lab_address(&opening_story(), 0, 0))]);

    let mut model = Model::open("#/");
    update(&mut model, Msg::Address("#/lab?v=2&clients=3&lane=&step=7".to_string()));
    assert_eq!((model.lab.scenario.clients, model.lab.stop), (3, 7));
    update(&mut model, Msg::Address("#/".to_string()));
    update(&mut model, Msg::Address("#/lab".to_string()));
    assert_eq!((model.lab.scenario.clients, model.lab.stop), (3, 7), "it keeps the story it has");
    update(&mut model, Msg::Pace(16));
    update(&mut model, Msg::Story("who-wakes"));
    assert_eq!(model.lab.pace, 16, "the pace is the reader's");

    let model = Model::open("#/?v=2&clients=4&lane=");
    assert_eq!(model.lab.scenario.clients, 4, "a link may say it beforehand");
}

#[test]
fn the_doors_of_the_first_minute_lead_to_stories_of_the_list() {
    let hrefs: Vec<String> =
        first_scene(&Model::open("#/").first).doors.into_iter().map(|d| d.href).collect();
    let of = |id| format!("#/lab?{}", story(id).expect("it is in the list").query);
    assert_eq!(hrefs, ["gc-pause", "make-it-sleep", "who-wakes"].map(of));
}

#[test]
fn the_lane_in_focus_is_in_the_address_and_comes_back() {
    const THREE: &str = "#/lab?v=2&clients=3&seed=1&lane=&lane=watch=holder&lane=watch=poll";
    let mut model = Model::open(&format!("{THREE}&step=9"));
    let written = update(&mut model, Msg::Focus(2));
    let address = format!("{THREE}&step=9&focus=3");
    assert_eq!(written, [Effect::WriteAddress(address.clone())]);
    assert_eq!(Model::open(&address).lab.focus, 2);
    update(&mut model, Msg::Focus(0));
    update(&mut model, Msg::Address(address));
    assert_eq!(model.lab.focus, 2, "a link inside the page, too");
    assert!(model.notices.is_empty());

    for wrong in ["0", "4", "-1", "two", ""] {
        let model = Model::open(&format!("{THREE}&focus={wrong}"));
        assert_eq!((model.lab.focus, model.notices.len()), (0, 1), "{wrong:?} is answered with a sentence");
    }
    let of_its_own = Model::open("#/lab?focus=4");
    assert_eq!(of_its_own.lab.focus, 1, "the story that the lab has has two lanes");
}

#[test]
fn what_runs_many_clients_anew_is_announced_and_nothing_else_is() {
    let number = |word: &str| Msg::Number { key: "clients", word: word.to_string() };
    let decide = Msg::Decide { lane: 0, key: Key::Watch, word: "holder".to_string() };
    let few = Model::open("#/lab");
    assert!(takes_long(&few, &number("200")));
    assert!(takes_long(&few, &Msg::Address("#/lab?v=2&clients=200&lane=".to_string())));
    for msg in [number("8"), number("201"), number("many"), decide.clone(), Msg::Step(1)] {
        assert!(!takes_long(&few, &msg), "{msg:?} with five clients");
    }
    let many = Model::open("#/lab?v=2&clients=60&lane=");
    assert!(takes_long(&many, &decide) && takes_long(&many, &Msg::Undo));
    for msg in [Msg::Step(1), Msg::Seek(700), Msg::Focus(0), Msg::Story("who-wakes")] {
        assert!(!takes_long(&many, &msg), "{msg:?} runs no lane of many clients");
    }
}
