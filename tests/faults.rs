//! The lab with faults injected by hand, fuses, torn messages, the gate, and three truths.

use lockstep::app::scene::{Fate, Gate, Pick, duration};
use lockstep::app::{Injection, LabScene, LaneScene, Model, Msg, inspector, lab_scene, update};
use lockstep::play::Chosen;
use lockstep::recipe::Key;
use lockstep::world::{Action, ClientId, Event, Fault, Operator, Process};

/// A reads stock 1 and stands still; its session expires, B sells; A goes on. Without a fence and with one.
const PAUSE: &str = "#/lab?v=2&clients=2&stock=1&script=pause.A@100,resume.A@30000\
                     &lane=resource=open,disconnect=continue&lane=disconnect=continue";
const A: ClientId = ClientId(0);

/// The first scene in which something holds in lane `lane`.
fn first(model: &mut Model, lane: usize, holds: impl Fn(&LaneScene) -> bool) -> LabScene {
    for stop in 0..=model.lab.run.comparison.last_stop() {
        update(model, Msg::Seek(stop));
        let scene = lab_scene(model);
        if holds(&scene.lanes[lane]) {
            return scene;
        }
    }
    panic!("it never comes to that");
}

fn end(link: &str) -> LabScene {
    let mut model = Model::open(link);
    update(&mut model, Msg::Last);
    lab_scene(&model)
}

#[test]
fn a_fault_that_is_pressed_is_a_branch_of_its_lane_and_undo_takes_it_back() {
    let mut model = Model::open("#/lab?v=2&clients=2&lane=&lane=watch=holder&step=12");
    let trunk = model.lab.scenario.clone();
    update(&mut model, Msg::Inject(Injection::of(Action::Fault(Fault::Pause, A))));
    assert_eq!(model.lab.scenario.lanes[0].choices.len(), 1);
    assert!(model.lab.scenario.lanes[1].choices.is_empty());
    assert_eq!(model.lab.branches.len(), 2);
    let row = lab_scene(&model).faults;
    let actions: Vec<Action> = row.buttons.iter().flat_map(|b| b.injection.actions.clone()).collect();
    assert!(actions.contains(&Action::Fault(Fault::Resume, A)), "{actions:?}");
    assert!(!actions.contains(&Action::Fault(Fault::Pause, A)));
    update(&mut model, Msg::Undo);
    assert_eq!(model.lab.scenario, trunk);
}

#[test]
fn a_fault_in_every_lane_goes_into_the_script_and_keeps_what_has_been_seen() {
    let mut model = Model::open("#/lab?v=2&clients=2&lane=&lane=watch=holder&step=12");
    let before = model.lab.run.comparison.lanes()[0].steps()[..12].to_vec();
    update(&mut model, Msg::Where("all".into()));
    update(&mut model, Msg::Inject(Injection::of(Action::Fault(Fault::Pause, A))));
    assert_eq!(model.lab.scenario.script.len(), 1);
    let lanes = model.lab.run.comparison.lanes();
    assert_eq!(lanes[0].steps()[..12], before[..]);
    assert!(lanes.iter().all(|lane| lane.steps().iter().any(|s| s.action == Action::Fault(Fault::Pause, A))));
    let scene = lab_scene(&model);
    assert!(scene.lanes.iter().any(|lane| lane.stage.clients[0].process == Process::Paused));
}

#[test]
fn the_inspector_offers_every_fault_that_can_happen_and_no_other() {
    let mut model = Model::open("#/lab?v=2&clients=2&lane=&step=12");
    update(&mut model, Msg::Pick(Some(Pick::Client(A))));
    let shown = inspector(&model.lab).expect("something is picked");
    let world = model.lab.lane_state(0).world;
    let can = Fault::ALL.map(|fault| Action::Fault(fault, A)).into_iter().filter(|a| world.is_enabled(*a));
    assert_eq!(shown.faults.iter().map(|(a, _)| *a).collect::<Vec<_>>(), can.collect::<Vec<_>>());
    update(&mut model, Msg::Pick(Some(Pick::Ledger)));
    let shown = inspector(&model.lab).expect("something is picked");
    assert_eq!(shown.faults[0].0, Action::Operator(Operator::RestartResource));
    update(&mut model, Msg::Choose { lane: 0, what: Chosen::Take(shown.faults[0].0) });
    assert_eq!(model.lab.branches.len(), 2);
}

#[test]
fn hidden_heartbeats_are_stepped_over_and_no_moment_points_at_one() {
    let mut model = Model::open(PAUSE);
    let run = model.lab.run.clone();
    assert!((1..run.comparison.last_stop()).any(|stop| run.is_beat(stop)));
    assert!(run.landmarks().moments.len() <= 8);
    assert!(run.landmarks().moments.iter().all(|moment| !run.is_beat(moment.stop)));
    let walk = |model: &mut Model| {
        update(model, Msg::First);
        let mut stops = vec![0];
        while model.lab.stop < model.lab.run.comparison.last_stop() {
            update(model, Msg::Step(1));
            stops.push(model.lab.stop);
        }
        stops
    };
    let hidden = walk(&mut model);
    assert!(hidden.iter().all(|stop| !run.is_beat(*stop)));
    update(&mut model, Msg::Heartbeats(true));
    assert_eq!(walk(&mut model).len() as u32, run.comparison.last_stop() + 1);
    update(&mut model, Msg::Heartbeats(false));
    update(&mut model, Msg::Step(-1));
    assert!(hidden.contains(&model.lab.stop));
}

#[test]
fn a_process_that_stands_still_keeps_its_belief_while_its_fuse_burns() {
    let mut model = Model::open(PAUSE);
    let scene = first(&mut model, 0, |lane| lane.stage.clients[0].process == Process::Paused);
    let node = &scene.lanes[0].stage.nodes[0];
    assert!(node.first && node.fuse.is_some_and(|fuse| fuse.percent > 90));
    let scene = first(&mut model, 0, |lane| lane.stage.nodes.first().is_some_and(|node| node.expired));
    let a = &scene.lanes[0].stage.clients[0];
    assert_eq!((a.line1.en.as_ref(), a.line2.en.as_ref()), ("I hold the lock", "stands still"));
    assert_eq!(a.wrong_ms, Some(0));
    assert!(a.contact.as_ref().is_some_and(|contact| contact.en.contains("its session is over")));
    let scene = first(&mut model, 0, |lane| lane.stage.clients[0].wrong_ms.is_some_and(|ms| ms > 1000));
    assert!(scene.lanes[0].stage.sentence.en.contains("A: I hold the lock, stands still."));
    assert!(!scene.lanes[0].stage.nodes[0].first, "the key is on a node, and never on who only believes");
}

#[test]
fn a_calm_story_shows_no_fuse() {
    let mut model = Model::open("#/lab?v=2&clients=5&lane=&lane=watch=holder");
    for stop in 0..=model.lab.run.comparison.last_stop() {
        update(&mut model, Msg::Seek(stop));
        for lane in lab_scene(&model).lanes {
            assert!(lane.stage.nodes.iter().all(|node| node.fuse.is_none()), "stop {stop}");
            assert!(
                lane.stage.clients.iter().all(|c| c.fuse.is_none() && c.contact.is_none()),
                "stop {stop}"
            );
        }
    }
}

#[test]
fn a_late_order_bounces_off_the_gate_and_without_one_the_stock_is_less_than_nothing() {
    let scene = end(PAUSE);
    let (open, fenced) = (&scene.lanes[0].stage.ledger, &scene.lanes[1].stage.ledger);
    assert_eq!((open.gate, open.stock, open.stored, open.orders), (Gate::Open, -1, 0, 2));
    assert!(open.harm.is_some() && open.entries.last().is_some_and(|card| card.harm));
    assert!(scene.lanes[0].stage.sentence.en.contains("Stock: -1. The ledger says 0. Oversold by 1."));
    assert_eq!(fenced.gate, Gate::Tokens { on_disk: true, reads: true });
    assert_eq!((fenced.stock, fenced.orders, &fenced.harm), (0, 1, &None));
    let last = fenced.entries.last().expect("a card");
    assert_eq!((last.client, last.fate), (A, Fate::Refused));
    assert!(last.text.en.starts_with("refused: 6 < "), "{}", last.text.en);
}

#[test]
fn three_truths_stand_one_above_the_other_and_the_disagreement_has_a_length() {
    let mut model = Model::open(PAUSE);
    update(&mut model, Msg::Pick(Some(Pick::Client(A))));
    update(&mut model, Msg::Last);
    let strips = lab_scene(&model).strips;
    for (row, last) in strips.rows.iter().zip([Fate::Stale, Fate::Refused]) {
        let alone: u64 = row.belief.iter().filter(|bar| bar.alone).map(|bar| bar.to_ms - bar.from_ms).sum();
        assert_eq!(alone, row.wrong_ms);
        assert!((7_000..9_000).contains(&alone), "from the expiry to the truth: {alone}");
        assert!(row.note.en.ends_with(&format!("wrong for {}", duration(alone))), "{}", row.note.en);
        assert_eq!(row.taken.first().map(|took| took.fate), Some(Fate::Taken));
        assert_eq!(row.taken.last().map(|took| took.fate), Some(last));
    }
}

#[test]
fn who_holds_its_hand_while_disconnected_is_in_doubt() {
    let link = "#/lab?v=2&clients=2&hold-ms=3000&script=reset.A@400&lane=&lane=disconnect=continue";
    let mut model = Model::open(link);
    let scene = first(&mut model, 0, |lane| lane.stage.clients[0].cut);
    assert_eq!(scene.lanes[0].stage.clients[0].line1.en, "I hold?");
    let scene = first(&mut model, 1, |lane| lane.stage.clients[0].cut);
    assert_eq!(scene.lanes[1].stage.clients[0].line1.en, "I hold the lock");
}

#[test]
fn what_a_broken_connection_carried_is_torn_where_it_was_lost() {
    let mut model = Model::open("#/lab?v=2&clients=2&script=lost-request.B@43&lane=");
    let scene = first(&mut model, 0, |lane| lane.stage.messages.iter().any(|m| m.lost));
    let torn: Vec<&str> =
        scene.lanes[0].stage.messages.iter().filter(|m| m.lost).map(|m| m.label.en.as_ref()).collect();
    assert_eq!(torn, ["create2 lost"]);
    assert!(scene.lanes[0].stage.sentence.en.contains("Torn: B create2 lost."));
    update(&mut model, Msg::Step(1));
    assert!(lab_scene(&model).lanes[0].stage.messages.iter().all(|m| !m.lost), "for one beat");
}

#[test]
fn a_node_that_was_left_over_stands_in_the_queue_without_a_client() {
    let scene = end("#/lab?v=2&clients=3&script=lost-reply.B@56&lane=lost-reply=again");
    let nodes = &scene.lanes[0].stage.nodes;
    let orphan = nodes.iter().find(|node| node.left_over).expect("the first create was carried out");
    assert!(orphan.first && orphan.owner == ClientId(1));
    assert!(scene.lanes[0].stage.clients.iter().all(|client| client.column != orphan.column));
}

#[test]
fn watches_go_with_the_connection_at_the_server_and_stay_in_the_clients_table() {
    let mut model = Model::open("#/lab?v=2&clients=2&hold-ms=3000&script=reset.B@400&lane=reconnect=forget");
    let armed = |lane: &LaneScene| !lane.stage.watches.is_empty();
    first(&mut model, 0, armed);
    first(&mut model, 0, |lane| lane.stage.clients.iter().any(|client| client.cut));
    assert!(lab_scene(&model).lanes[0].stage.watches.is_empty());
    update(&mut model, Msg::Pick(Some(Pick::Client(ClientId(1)))));
    let (own, server) = inspector(&model.lab).and_then(|shown| shown.watches).expect("two tables");
    assert_eq!((own.len(), server.len()), (1, 0));
}

#[test]
fn a_lane_that_decides_as_a_library_says_its_name() {
    let mut model = Model::open("#/lab?v=2&clients=2&lane=&lane=");
    update(&mut model, Msg::Preset { lane: 1, word: "curator-5".into() });
    let names: Vec<Option<&str>> = lab_scene(&model).lanes.iter().map(|lane| lane.preset).collect();
    assert_eq!(names, [None, Some("Curator 5 InterProcessMutex")]);
    assert_eq!(model.lab.scenario.lanes[1].decisions.chosen(Key::Expired).word, "reuse");
    update(&mut model, Msg::Preset { lane: 1, word: String::new() });
    assert_eq!(model.lab.scenario.lanes[1].decisions, model.lab.scenario.lanes[0].decisions);
}

#[test]
fn the_script_is_a_list_to_add_to_and_to_take_from() {
    let mut model = Model::open("#/lab?v=2&clients=2&lane=");
    update(&mut model, Msg::DraftAt("90".into()));
    update(&mut model, Msg::DraftWhat("stall".into()));
    update(&mut model, Msg::DraftClient("B".into()));
    update(&mut model, Msg::AddToScript);
    update(&mut model, Msg::DraftWhat("restart.zk".into()));
    update(&mut model, Msg::AddToScript);
    let names = |model: &Model| -> Vec<String> {
        model.lab.scenario.script.iter().map(|s| format!("{}@{}", s.action, s.at_ms)).collect()
    };
    assert_eq!(names(&model), ["stall.B@90", "restart.zk@90"]);
    update(&mut model, Msg::RemoveFromScript(0));
    assert_eq!(names(&model), ["restart.zk@90"]);
    update(&mut model, Msg::Undo);
    assert_eq!(names(&model).len(), 2);
}

#[test]
fn what_the_script_asks_for_in_vain_is_said() {
    let scene = end("#/lab?v=2&clients=2&script=resume.A@50&lane=");
    let note = scene.lanes[0].note.as_ref().expect("a note");
    assert!(note.en.contains("cannot happen then"), "{}", note.en);
}

#[test]
fn readers_are_set_by_their_letters_and_a_stranger_is_refused() {
    let mut model = Model::open("#/lab?v=2&clients=3&lane=");
    update(&mut model, Msg::List { key: "readers", word: "B,C".into() });
    assert_eq!(model.lab.scenario.readers.len(), 2);
    update(&mut model, Msg::List { key: "readers", word: "B,Z".into() });
    assert_eq!(model.lab.scenario.readers.len(), 2);
    assert_eq!(model.lab.field.as_ref().map(|(key, _)| *key), Some("readers"));
    let scene = first(&mut model, 0, |lane| lane.stage.nodes.iter().filter(|node| node.first).count() == 2);
    assert!(scene.lanes[0].stage.clients.iter().filter(|client| client.reads).count() == 2);
}

#[test]
fn lines_about_faults_are_shown_once_there_is_one() {
    let calm = lab_scene(&Model::open("#/lab?v=2&clients=2&lane=")).code.expect("the code is open");
    let mut model = Model::open(PAUSE);
    let faulty = lab_scene(&model).code.expect("the code is open");
    assert!(calm.hidden > faulty.hidden);
    update(&mut model, Msg::WholeCode(true));
    assert_eq!(lab_scene(&model).code.expect("the code is open").hidden, 0);
}

#[test]
fn everything_that_happens_has_a_sentence() {
    for link in
        [PAUSE, "#/lab?v=2&clients=3&script=reset.A@60,restart.zk@200,delete.dir@300,crash.B@310&lane="]
    {
        let model = Model::open(link);
        for lane in model.lab.run.comparison.lanes() {
            for step in lane.steps() {
                let quiet = step.events.iter().all(|e| matches!(e, Event::ResourceHeard { .. }));
                let said = lockstep::teach::narrate(&step.events);
                assert!(quiet || !said.en.is_empty(), "{:?}", step.events);
            }
        }
    }
}
