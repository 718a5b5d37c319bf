//! The page with several servers, beside the bar: small lanes, the space-time diagram, the table.

mod stage;

use lockstep::app::scene::{Befell, Diagram, ServerPhase, Slant, SmallQueue, Tie, Watched, small_queue};
use lockstep::app::{LabScene, Model, Msg, Tab, lab_scene, update};
use lockstep::world::{ClientId, ServerWord};
use lockstep::zookeeper::ServerId;
use stage::{first_scene, page_at};

const A: ClientId = ClientId(0);
const S3: ServerId = ServerId(2);
const FIVE: &str = "#/lab?v=2&clients=5&seed=1&servers=5&lane=";

fn diagram(scene: &LabScene) -> &Diagram {
    scene.diagram.as_ref().expect("the tab is open")
}

// Small lanes.

#[test]
fn a_small_lane_shows_who_watches_whom() {
    let mut model =
        Model::open("#/lab?v=2&clients=3&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll");
    let queued = |strip: &SmallQueue, watches: usize| strip.boxes.len() == 3 && strip.ties.len() == watches;
    let ties = |model: &mut Model, lane: usize, watches: usize| {
        let scene = first_scene(model, |scene| queued(&small_queue(&scene.lanes[lane].stage), watches));
        small_queue(&scene.lanes[lane].stage).ties
    };
    let to = |from, at| Tie { from, to: Watched::Box(at) };
    assert_eq!(ties(&mut model, 0, 2), [to(1, 0), to(2, 1)], "a chain");
    assert_eq!(ties(&mut model, 1, 2), [to(1, 0), to(2, 0)], "a fan");
    assert!(ties(&mut model, 2, 2).iter().all(|tie| tie.to == Watched::Dir));
    assert_eq!(ties(&mut model, 3, 0), [], "nobody");
}

#[test]
fn a_watch_on_a_node_that_is_gone_hangs_in_the_air() {
    let mut model = Model::open("#/lab?v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=check=exists&lane=");
    let hangs = |scene: &LabScene| {
        small_queue(&scene.lanes[0].stage).ties.iter().any(|tie| tie.to == Watched::Missing)
    };
    first_scene(&mut model, hangs);
}

// The diagram.

#[test]
fn with_one_server_the_diagram_is_one_line_and_the_newest_160_ms() {
    let mut model = Model::open("#/lab");
    update(&mut model, Msg::Tab(Tab::Diagram));
    update(&mut model, Msg::Last);
    let scene = lab_scene(&model);
    let diagram = diagram(&scene);
    assert!(diagram.servers.is_empty() && diagram.phases.is_empty() && diagram.between.is_empty());
    assert_eq!(diagram.to_ms() - diagram.from_ms(), 160);
    assert!(diagram.slants.iter().all(|slant| slant.server == 0));
}

#[test]
fn a_create_is_forwarded_proposed_acknowledged_and_committed_on_the_servers_lines() {
    let mut model = Model::open(FIVE);
    update(&mut model, Msg::Tab(Tab::Diagram));
    let done = |scene: &LabScene| {
        let mut replies = diagram(scene).slants.iter().filter(|slant| !slant.up && slant.client == A);
        replies.any(|reply| reply.label == "create2" && reply.to_ms.is_some())
    };
    let scene = first_scene(&mut model, done);
    let diagram = diagram(&scene);
    assert_eq!(diagram.servers.len(), 5);
    let of_a = |what: ServerWord| {
        let all = diagram.between.iter().filter(move |one| one.client == Some(A) && one.what == what);
        all.map(|one| (one.from, one.to)).collect::<Vec<_>>()
    };
    assert_eq!(of_a(ServerWord::Forward), [(0, 4)], "A is connected to S1, S5 leads");
    assert_eq!(of_a(ServerWord::Propose), [(4, 0), (4, 1), (4, 2), (4, 3)]);
    assert!(of_a(ServerWord::Ack).contains(&(0, 4)));
    assert!(of_a(ServerWord::Commit).contains(&(4, 0)));
    // What leaves together has one name.
    let named = diagram.between.iter().filter(|one| one.label.is_some() && one.client == Some(A));
    assert_eq!(named.filter(|one| one.what == ServerWord::Propose).count(), 1);
    // A request ends where its server takes it, not where it is answered.
    let of_b = |up: bool| move |slant: &&Slant| slant.up == up && slant.client == ClientId(1);
    let asked = diagram.slants.iter().find(of_b(true)).and_then(|slant| slant.to_ms);
    let answered = diagram.slants.iter().find(of_b(false)).map(|slant| slant.from_ms);
    assert!(asked.is_some() && answered.is_none_or(|at| Some(at) > asked), "{asked:?} {answered:?}");
    // Each client's messages end at its own server's line.
    assert!(diagram.slants.iter().all(|slant| slant.server == slant.client.0));
}

#[test]
fn heartbeats_between_servers_are_drawn_only_where_they_are_asked_for() {
    let mut model = page_at("minority-holder");
    update(&mut model, Msg::Tab(Tab::Diagram));
    let beats = |scene: &LabScene| diagram(scene).between.iter().any(|one| one.what.is_beat());
    for stop in 0..=model.lab.run.comparison.last_stop() {
        update(&mut model, Msg::Seek(stop));
        assert!(!beats(&lab_scene(&model)));
    }
    update(&mut model, Msg::Heartbeats(true));
    first_scene(&mut model, beats);
}

#[test]
fn a_leader_that_dies_and_the_next_are_on_one_diagram_with_the_silence_between_them_cut() {
    let mut model = page_at("leader-dies-in-create");
    update(&mut model, Msg::Tab(Tab::Diagram));
    let befell = |scene: &LabScene, what: fn(&Befell) -> bool| {
        diagram(scene).marks.iter().find(|mark| what(&mark.what)).map(|mark| mark.server)
    };
    let scene =
        first_scene(&mut model, |scene| befell(scene, |what| matches!(what, Befell::Elected(_))).is_some());
    assert_eq!(befell(&scene, |what| *what == Befell::Crashed), Some(S3));
    assert!(befell(&scene, |what| *what == Befell::GaveUp).is_some());
    let diagram = diagram(&scene);
    let shown: u64 = diagram.stretches.iter().map(|stretch| stretch.shown_ms).sum();
    assert!(shown <= 160 && diagram.to_ms() - diagram.from_ms() > 160);
    assert!(diagram.stretches.windows(2).all(|pair| pair[0].to_ms == pair[1].from_ms), "no gaps");
    let last = |row: u32| diagram.phases.iter().rfind(|stay| stay.row == row).map(|stay| stay.phase);
    assert_eq!(
        [last(0), last(1), last(2)].map(Option::unwrap),
        [ServerPhase::Following, ServerPhase::Leading, ServerPhase::Down]
    );
    // What was under way to the dead leader is lost.
    assert!(diagram.between.iter().any(|one| one.lost));
}

#[test]
fn a_clients_messages_end_at_the_server_that_it_has_turned_to() {
    let mut model = page_at("minority-client");
    update(&mut model, Msg::Tab(Tab::Diagram));
    let turned = |scene: &LabScene| {
        let connects =
            diagram(scene).slants.iter().filter(|slant| slant.client == A && slant.label == "connect");
        connects.map(|slant| slant.server).max()
    };
    let scene = first_scene(&mut model, |scene| turned(scene).is_some());
    assert_eq!(turned(&scene), Some(1), "S2 is the next in its list");
    let before = diagram(&scene).slants.iter().filter(|slant| slant.client == A && slant.label != "connect");
    assert!(before.into_iter().all(|slant| slant.server == 0));
}

// The table.

#[test]
fn the_table_says_where_each_client_is_connected_and_the_title_how_many_servers_there_are() {
    let mut model = page_at("minority-client");
    let at =
        |scene: &LabScene| scene.lanes[0].stage.rows[0].at.clone().expect("several servers").en.to_string();
    assert_eq!(at(&lab_scene(&model)), "S1");
    first_scene(&mut model, |scene| at(scene) == "none; before: S1");
    first_scene(&mut model, |scene| at(scene) == "asks S2");
    first_scene(&mut model, |scene| at(scene) == "S2");
    let scene = lab_scene(&model);
    assert!(scene.about.en.starts_with("2 clients, 3 servers, "), "{}", scene.about.en);
    assert!(scene.about.zh.contains("3 台服务器"), "{}", scene.about.zh);
    let one = lab_scene(&Model::open("#/lab"));
    assert!(one.lanes[0].stage.rows.iter().all(|row| row.at.is_none()));
    assert!(!one.about.en.contains("server"), "{}", one.about.en);
}
