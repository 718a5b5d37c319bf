//! The page with several servers: the bar, the queue as one of them has it, their faults, the settings.

mod stage;

use lockstep::app::scene::{EnsembleView, Pick, ServerState};
use lockstep::app::{LabScene, Model, Msg, Tab, inspector, lab_scene, update};
use lockstep::play::Chosen;
use lockstep::teach::story;
use lockstep::world::{Action, ServerFault};
use lockstep::zookeeper::{EnsembleSize, ServerId};
use stage::{first_scene, page_at};

const S2: ServerId = ServerId(1);
const S3: ServerId = ServerId(2);

fn bar(model: &Model, lane: usize) -> EnsembleView {
    lab_scene(model).lanes[lane].stage.ensemble.clone().expect("several servers")
}

/// The first bar of lane 1 of which something holds.
fn first(model: &mut Model, holds: impl Fn(&EnsembleView) -> bool) -> EnsembleView {
    let bar = |scene: &LabScene| scene.lanes[0].stage.ensemble.clone().expect("several servers");
    bar(&first_scene(model, |scene| holds(&bar(scene))))
}

#[test]
fn one_server_has_no_bar_and_no_tab() {
    let mut model = Model::open("#/lab");
    update(&mut model, Msg::Tab(Tab::Servers));
    assert_eq!(model.tab(), Tab::Strips);
    assert!(lab_scene(&model).lanes.iter().all(|lane| lane.stage.ensemble.is_none()));
}

#[test]
fn the_bar_says_who_leads_and_who_serves_whom() {
    let model = page_at("lagging-follower");
    let view = bar(&model, 0);
    let states: Vec<ServerState> = view.servers.iter().map(|server| server.state).collect();
    assert_eq!(states, [ServerState::Following, ServerState::Following, ServerState::Leading]);
    assert_eq!(view.servers[0].clients.len(), 1);
    assert_eq!(view.seen_by, S3, "nobody has acted: the leader's queue");
    assert!(lab_scene(&model).lanes[0].stage.sentence.en.starts_with("S1 follows, serves A. "));
}

#[test]
fn a_stalled_server_falls_behind_and_its_queue_shows_what_is_gone() {
    let mut model = page_at("lagging-follower");
    let view =
        first(&mut model, |view| view.servers[1].behind > 0 && view.servers[1].state == ServerState::Stalled);
    assert!(view.sentence.en.contains("S2 stalled, −"), "{}", view.sentence.en);
    assert!(view.sentence.zh.contains("S2 停滞，落后 1 个事务"), "{}", view.sentence.zh);
    update(&mut model, Msg::Pick(Some(Pick::Member(S2))));
    let view = first(&mut model, |view| !view.still.is_empty());
    assert_eq!(view.seen_by, S2);
    assert!(view.queue.en.contains("gone by now: 0000"), "{}", view.queue.en);
}

#[test]
fn a_proposal_and_its_acknowledgement_are_seen_under_way() {
    let mut model = page_at("lagging-follower");
    for word in ["proposal", "ack", "commit"] {
        first(&mut model, |view| {
            view.between.iter().any(|way| way.messages.iter().any(|message| message.en.starts_with(word)))
        });
    }
}

#[test]
fn the_inspector_of_a_server_offers_its_faults_and_one_is_a_branch() {
    let mut model = page_at("lagging-follower");
    update(&mut model, Msg::Pick(Some(Pick::Member(S3))));
    let shown = inspector(&model.lab).expect("something is picked");
    let words: Vec<String> = shown.faults.iter().map(|(action, _)| action.to_string()).collect();
    assert_eq!(words, ["cut.s1-s3", "cut.s2-s3", "crash.s3", "stall.s3"]);
    let crash = Action::ServerFault(ServerFault::Crash(S3));
    update(&mut model, Msg::Choose { lane: 0, what: Chosen::Take(crash) });
    assert_eq!(model.lab.branches.len(), 2);
    assert_eq!(bar(&model, 0).servers[2].state, ServerState::Down);
    let shown = inspector(&model.lab).expect("it is still picked");
    assert!(shown.faults.iter().any(|(action, _)| action.to_string() == "restart.s3"));
}

/// The others are at other servers, which carry the deletion out in steps of their own.
#[test]
fn the_question_of_the_herd_counts_whom_all_servers_wake() {
    let model = Model::open("#/lab?v=2&clients=7&gap-ms=0&hold-ms=2000&servers=3&lane=&lane=watch=holder");
    let prediction = model.lab.run.landmarks().predictions[0].clone();
    let release = &model.lab.run.comparison.lanes()[1].measures().releases[0];
    assert_eq!((release.events, prediction.answer(prediction.right).unwrap().text.en.as_ref()), (6, "6"));
    let asked = format!("{}'s deletion reaches the server.", release.by);
    assert!(prediction.question.en.starts_with(&asked), "{}", prediction.question.en);
}

#[test]
fn servers_and_lag_are_settings() {
    let mut model = Model::open("#/lab");
    update(&mut model, Msg::List { key: "servers", word: "5".into() });
    update(&mut model, Msg::Number { key: "lag-ms", word: "200".into() });
    assert_eq!(model.lab.scenario.servers, EnsembleSize::Five);
    assert_eq!(model.lab.scenario.timings.lag_ms, 200);
    assert_eq!(bar(&model, 0).servers.len(), 5);
    update(&mut model, Msg::List { key: "servers", word: "4".into() });
    assert_eq!(model.lab.scenario.servers, EnsembleSize::Five, "the one before is kept");
    assert!(model.lab.field.is_some());
}

#[test]
fn heartbeats_between_servers_are_stepped_over() {
    let mut model = page_at("lagging-follower");
    let run = model.lab.run.clone();
    while model.lab.stop < run.comparison.last_stop() {
        update(&mut model, Msg::Step(1));
        assert!(model.lab.stop == run.comparison.last_stop() || !run.is_beat(model.lab.stop));
    }
}

#[test]
fn a_node_is_marked_where_the_shown_server_lags() {
    use lockstep::app::scene::Lag;
    let mut model = page_at("lagging-follower");
    update(&mut model, Msg::Pick(Some(Pick::Member(S2))));
    first(&mut model, |view| !view.still.is_empty());
    let scene = lab_scene(&model);
    let node = scene.lanes[0].stage.nodes.iter().find(|node| node.lag.is_some()).expect("a marked node");
    assert_eq!((node.lag, node.deleted), (Some(Lag::StillOn(S2)), true));
    assert!(scene.lanes[1].stage.nodes.iter().all(|node| node.lag.is_none()), "the pick is in lane 1");
}

#[test]
fn a_story_of_several_servers_is_opened_from_the_list() {
    let mut model = Model::open("#/lab");
    for id in ["lagging-follower", "minority-holder", "quorum-lost"] {
        update(&mut model, Msg::Story(id));
        assert_eq!(story(id).map(|story| story.scenario()), Some(model.lab.scenario.clone()));
    }
}
