//! Faults of several servers: the row offers each and all of them; a split is one press, and so is its end.

mod stage;

use lockstep::app::scene::Pick;
use lockstep::app::{LabScene, Model, Msg, Target, lab_scene, update};
use lockstep::world::ClientId;
use lockstep::zookeeper::ServerId;
use stage::{first_scene, page_at};

const A: ClientId = ClientId(0);
const S1: ServerId = ServerId(0);
const S3: ServerId = ServerId(2);
const FIVE: &str = "#/lab?v=2&clients=5&seed=1&servers=5&lane=";

/// Presses a button of the row.
fn press(model: &mut Model, word: &str) {
    let row = lab_scene(model).faults;
    let button = row.buttons.iter().find(|button| button.word == word).unwrap_or_else(|| panic!("{row:?}"));
    assert!(button.is_possible(), "{word}");
    update(model, Msg::Inject(button.injection.clone()));
}

fn words(model: &Model, possible: bool) -> Vec<String> {
    let row = lab_scene(model).faults;
    let some = row.buttons.iter().filter(|button| button.is_possible() == possible);
    some.map(|button| button.word.clone()).collect()
}

fn cut(model: &Model, lane: usize) -> Vec<Vec<ServerId>> {
    let bar = lab_scene(model).lanes[lane].stage.ensemble.clone().expect("several servers");
    bar.servers.iter().map(|server| server.cut_from.clone()).collect()
}

#[test]
fn the_row_offers_the_servers_and_crashes_the_leader_in_two_presses() {
    let mut model = page_at("lagging-follower");
    let row = lab_scene(&model).faults;
    let names: Vec<&str> = row.servers.iter().map(|(_, name)| &*name.en).collect();
    assert_eq!(names, ["S1, follows", "S2, follows", "S3, leads"]);
    update(&mut model, Msg::Target("servers".into()));
    press(&mut model, "crash.s3");
    let bar = lab_scene(&model).lanes[0].stage.ensemble.clone().unwrap();
    assert_eq!(bar.servers[2].state.word(), "down");
    update(&mut model, Msg::Target("s3".into()));
    assert_eq!(words(&model, true)[0], "restart.s3");
    press(&mut model, "restart.s3");
    assert!(lab_scene(&Model::open("#/lab")).faults.servers.is_empty(), "one server is no ensemble");
}

#[test]
fn a_server_that_is_picked_has_the_row_until_another_is_chosen() {
    let mut model = page_at("lagging-follower");
    update(&mut model, Msg::Pick(Some(Pick::Member(S3))));
    assert_eq!(lab_scene(&model).faults.target, Target::Server(S3));
    assert_eq!(words(&model, true), ["crash.s3", "stall.s3", "split.s3"]);
    assert_eq!(words(&model, false), ["heal.s3"]);
    update(&mut model, Msg::Target("A".into()));
    assert_eq!(lab_scene(&model).faults.target, Target::Client(A));
    assert_eq!(model.lab.pick, Some(Pick::Client(A)), "the inspector goes with it");
    update(&mut model, Msg::Target("servers".into()));
    assert_eq!((lab_scene(&model).faults.target, model.lab.pick.clone()), (Target::Ensemble, None));
}

#[test]
fn a_split_is_one_press_its_end_is_one_and_undo_takes_each_back_whole() {
    let mut model = page_at("lagging-follower");
    let trunk = model.lab.scenario.clone();
    update(&mut model, Msg::Target("s1".into()));
    press(&mut model, "split.s1");
    assert_eq!(cut(&model, 0), [vec![ServerId(1), S3], vec![S1], vec![S1]]);
    assert_eq!(cut(&model, 1), [[], [], []], "in the lane with the focus alone");
    assert_eq!((model.lab.branches.len(), model.lab.scenario.lanes[0].choices.len()), (2, 2));
    let split = model.lab.scenario.clone();
    press(&mut model, "heal.s1");
    assert_eq!(cut(&model, 0), [[], [], []]);
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario, split);
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario, trunk);
}

#[test]
fn a_split_of_every_lane_stands_in_the_script_as_its_cuts() {
    let mut model = page_at("lagging-follower");
    update(&mut model, Msg::Where("all".into()));
    update(&mut model, Msg::Pick(Some(Pick::Member(S3))));
    let before = model.lab.scenario.script.len();
    press(&mut model, "split.s3");
    assert_eq!(lab_scene(&model).faults.target, Target::Server(S3), "the row stays where it is");
    let script = lockstep::play::encode(&model.lab.scenario);
    let at = model.lab.scenario.script[0].at_ms;
    assert!(script.contains(&format!("cut.s1-s3@{at},cut.s2-s3@{at}")), "{script}");
    for lane in 0..2 {
        assert_eq!(cut(&model, lane)[2], [S1, ServerId(1)], "lane {lane}");
    }
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario.script.len(), before);
}

#[test]
fn five_servers_split_with_the_leader_in_the_minority_or_in_the_majority() {
    let mut model = Model::open(FIVE);
    update(&mut model, Msg::Target("servers".into()));
    press(&mut model, "split.minority");
    let part = |cut: &[ServerId]| cut.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = cut(&model, 0).iter().map(|cut| part(cut)).collect();
    assert_eq!(parts, ["S2 S3 S4", "S1 S5", "S1 S5", "S1 S5", "S2 S3 S4"], "S5 leads");
    assert!(words(&model, false).contains(&"split.majority".to_string()), "nobody leads a quorum now");
    update(&mut model, Msg::Undo);
    press(&mut model, "split.majority");
    let parts: Vec<String> = cut(&model, 0).iter().map(|cut| part(cut)).collect();
    assert_eq!(parts, ["S3 S4 S5", "S3 S4 S5", "S1 S2", "S1 S2", "S1 S2"]);
    let name = model.lab.branches.last().and_then(|branch| branch.name.clone()).expect("it has a name");
    assert_eq!(name.en, "lane 1, now: split S1 and S2 from S3, S4 and S5");
}

#[test]
fn all_that_are_down_start_again_with_one_press() {
    let mut model = page_at("quorum-lost");
    update(&mut model, Msg::Target("servers".into()));
    let no_leader = |scene: &LabScene| {
        let bar = scene.lanes[0].stage.ensemble.as_ref().expect("several servers");
        bar.servers.iter().all(|server| matches!(server.state.word(), "down" | "looking"))
    };
    first_scene(&mut model, no_leader);
    assert_eq!(words(&model, true), ["restart.all"]);
    press(&mut model, "restart.all");
    let bar = lab_scene(&model).lanes[0].stage.ensemble.clone().unwrap();
    assert!(bar.servers.iter().all(|server| server.state.word() == "looking"));
}

#[test]
fn a_split_and_its_end_are_written_into_the_script_at_once() {
    let mut model = Model::open(FIVE);
    let write = |model: &mut Model, what: &str, at: &str| {
        update(model, Msg::DraftAt(at.into()));
        update(model, Msg::DraftWhat(what.into()));
        update(model, Msg::AddToScript);
        model.lab.scenario.script.iter().map(|scripted| scripted.action.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(write(&mut model, "heal.all", "100"), [""; 0], "nothing is cut");
    let cuts = ["cut.s1-s2", "cut.s2-s3", "cut.s2-s4", "cut.s2-s5"];
    assert_eq!(write(&mut model, "split.s2", "300"), cuts);
    let healed = write(&mut model, "heal.all", "900");
    assert_eq!(healed[4..], ["heal.s1-s2", "heal.s2-s3", "heal.s2-s4", "heal.s2-s5"]);
    assert_eq!(write(&mut model, "heal.all", "950").len(), 8, "they are healed by then");
}
