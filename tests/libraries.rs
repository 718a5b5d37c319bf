//! What real clients do when something fails, each held by what happens: which node, which watch, which
//! request. The sources are named in `recipe::PRESETS`.

use lockstep::play::{End, Timeline, decode};
use lockstep::recipe::{PRESETS, Step as At, Verdict, last_part};
use lockstep::world::{ClientId, Event, LOCK_DIR};
use lockstep::zookeeper::{ErrorCode, Request};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const C: ClientId = ClientId(2);

fn run(query: &str, library: &str) -> Timeline {
    let query = format!("v=2&{query}&lane=as={library}");
    let decoded = decode(&query);
    assert_eq!(decoded.problems, [], "{query}");
    let run = Timeline::run(&decoded.scenario, 0);
    assert_eq!(run.missed(), None, "{query}: the script fits");
    assert_eq!(run.end(), End::AtRest, "{query}");
    run
}

fn events(run: &Timeline) -> impl Iterator<Item = &Event> {
    run.steps().iter().flat_map(|step| &step.events)
}

fn happens(run: &Timeline, wanted: impl Fn(&Event) -> bool) -> usize {
    events(run).filter(|event| wanted(event)).count()
}

fn verdict(run: &Timeline) -> Verdict {
    run.judgement().verdict
}

/// The lock nodes that a client made, in order.
fn made(run: &Timeline, by: ClientId) -> Vec<String> {
    let of = |event: &Event| match event {
        Event::NodeCreated { client, path, .. } if *client == by && &**path != LOCK_DIR => {
            Some(last_part(path).to_string())
        }
        _ => None,
    };
    events(run).filter_map(of).collect()
}

/// The lock nodes that are there at the end.
fn left(run: &Timeline) -> Vec<String> {
    run.world_at(run.len()).server().children(LOCK_DIR).map(|name| name.to_string()).collect()
}

fn step_of(run: &Timeline, client: ClientId) -> At {
    run.world_at(run.len()).actor(client).unwrap().client.step()
}

fn requests(run: &Timeline, by: ClientId, wanted: impl Fn(&Request) -> bool) -> usize {
    happens(run, |e| matches!(e, Event::RequestSent { client, request } if *client == by && wanted(request)))
}

#[test]
fn nobody_syncs_before_the_search_for_the_guid_so_a_server_that_lags_makes_them_create_twice() {
    for library in ["recipe", "curator-5", "kazoo-2.11", "go-zookeeper", "java-writelock", "c-lock"] {
        let run = run("clients=2&seed=1&lag-ms=1500&servers=3&script=reset.A@40", library);
        assert_eq!(requests(&run, A, |r| matches!(r, Request::Sync { .. })), 0, "{library}");
        assert_eq!(happens(&run, |e| matches!(e, Event::Found { client: A, node: None })), 1, "{library}");
        let mut nodes = made(&run, A);
        // Each of several servers carries a create out.
        nodes.dedup();
        assert_eq!(nodes.len(), 2, "{library}: {nodes:?}");
        assert!(left(&run).contains(&nodes[0]), "{library}: the first stands ahead of everybody");
        assert_eq!(verdict(&run), Verdict::Sticks, "{library}");
    }
}

#[test]
fn a_process_that_starts_again_does_not_take_the_node_of_the_one_before_for_its_own() {
    for library in ["recipe", "curator-5", "kazoo-2.11", "go-zookeeper", "java-writelock", "c-lock"] {
        let run = run("clients=2&seed=1&script=crash.A@300,restart.A@1000", library);
        let nodes = made(&run, A);
        assert_eq!(nodes.len(), 2, "{library}: {nodes:?}");
        assert_ne!(nodes[0][..8], nodes[1][..8], "{library}: another process, another name");
        let trusts_the_old =
            |e: &Event| matches!(e, Event::Found { node: Some(node), .. } if **node == *nodes[0]);
        assert_eq!(happens(&run, trusts_the_old), 0, "{library}");
        assert_eq!(happens(&run, |e| matches!(e, Event::Acquired { .. })), 3, "{library}: A, B, and A again");
        assert_eq!(verdict(&run), Verdict::Costs, "{library}: B waits for the end of the old session");
    }
}

#[test]
fn whoever_keeps_the_guid_and_trusts_it_takes_a_dying_session_s_node_for_its_own() {
    let words = "any-guid-no-sync";
    let query = format!(
        "v=2&clients=2&seed=1&hold-ms=25000&script=crash.A@300,restart.A@1000&lane=lost-reply={words}&lane=lost-reply={words},guid=process"
    );
    let scenario = decode(&query).scenario;
    let verdicts = [0, 1].map(|lane| Timeline::run(&scenario, lane).judgement().verdict);
    assert_eq!(verdicts, [Verdict::Breaks, Verdict::Costs]);
}

#[test]
fn an_unlock_that_deletes_once_leaves_its_node_when_the_request_is_lost() {
    for (library, deletes) in
        [("java-writelock", 1), ("go-zookeeper", 1), ("c-lock", 1), ("kazoo-2.11", 2), ("curator-5", 2)]
    {
        let run = run("clients=2&seed=1&script=lost-request.A@535", library);
        assert_eq!(requests(&run, A, |r| matches!(r, Request::Delete { .. })), deletes, "{library}");
        let nodes = made(&run, A);
        let stays = left(&run).contains(&nodes[0]);
        assert_eq!(stays, deletes == 1, "{library}");
        assert_eq!(step_of(&run, A), At::Done, "{library}: A is through");
        let gave_up = Event::RequestFailed { client: A, error: ErrorCode::ConnectionLoss };
        assert_eq!(happens(&run, |e| *e == gave_up), usize::from(stays), "{library}");
        if stays {
            assert!(step_of(&run, B).waits(), "{library}: B waits for A's node");
            assert_eq!(verdict(&run), Verdict::Sticks, "{library}");
        } else {
            assert_eq!(step_of(&run, B), At::Done, "{library}");
        }
    }
}

#[test]
fn go_s_lock_returns_the_error_of_a_broken_connection_and_leaves_its_node() {
    let run = run("clients=3&seed=1&hold-ms=3000&script=reset.B@65", "go-zookeeper");
    let error = Event::RequestFailed { client: B, error: ErrorCode::ConnectionLoss };
    assert_eq!(happens(&run, |e| *e == error), 1);
    assert_eq!(happens(&run, |e| matches!(e, Event::GaveUp { client: B, leaves: true })), 1);
    assert_eq!(left(&run)[..1], made(&run, B)[..], "B's node is first in the queue, and B has gone");
    assert_eq!(step_of(&run, C), At::Asleep);
    assert_eq!(verdict(&run), Verdict::Sticks);
    for library in ["kazoo-2.11", "curator-5", "c-lock"] {
        let run = self::run("clients=3&seed=1&hold-ms=3000&script=reset.B@65", library);
        assert_eq!(happens(&run, |e| matches!(e, Event::Acquired { .. })), 3, "{library} asks again");
    }
}

#[test]
fn go_takes_the_lock_without_a_node() {
    let run = run("clients=3&seed=1&script=delete.B@150", "go-zookeeper");
    let node = &made(&run, B)[0];
    let acquired = |step: &lockstep::play::TimelineStep| {
        step.events.iter().any(|e| matches!(e, Event::Acquired { client: B, .. }))
    };
    let at = run.steps().iter().position(acquired).expect("B takes it") as u32;
    assert!(!run.world_at(at).server().children(LOCK_DIR).any(|name| &**name == node));
    assert_eq!(made(&run, B).len(), 1, "it does not queue again");
    assert_eq!(verdict(&run), Verdict::Breaks);
}

#[test]
fn writelock_waits_for_ever_when_its_node_is_not_in_the_list() {
    let run = run("clients=3&seed=1&script=delete.B@150", "java-writelock");
    assert_eq!(made(&run, B).len(), 1, "it does not queue again");
    assert_eq!(step_of(&run, B), At::Asleep);
    let world = run.world_at(run.len());
    let session = world.actor(B).unwrap().session;
    assert!(world.watchers().all(|watch| Some(watch.session) != session), "nothing will wake it");
    let why = lockstep::judge::why_waits(&world, &lockstep::judge::WaitLog::default(), B).expect("it waits");
    assert!(matches!(why.end, lockstep::judge::Reason::OwnNodeGone { client: B, .. }), "{why:?}");
    assert_eq!(verdict(&run), Verdict::Sticks);
}

#[test]
fn the_others_queue_again_when_their_node_is_not_in_the_list() {
    for library in ["kazoo-2.11", "curator-5", "c-lock"] {
        let run = run("clients=3&seed=1&script=delete.B@150", library);
        assert_eq!(made(&run, B).len(), 2, "{library}");
        assert_eq!(step_of(&run, B), At::Done, "{library}");
    }
}

#[test]
fn a_reset_cures_the_lost_wake_up_of_writelock_since_a_session_event_is_a_wake_up_too() {
    let query = "clients=3&seed=5&gap-ms=55&hold-ms=20";
    let lost = run(query, "java-writelock");
    assert_eq!(verdict(&lost), Verdict::Sticks, "without the reset");
    let cured = run(&format!("{query}&script=reset.B@2000"), "java-writelock");
    assert_eq!(happens(&cured, |e| matches!(e, Event::Acquired { .. })), 3);
    assert_ne!(verdict(&cured), Verdict::Sticks);
}

#[test]
fn after_a_reset_curator_and_kazoo_look_again_and_kazoo_sets_no_watches_again() {
    for (library, set_watches) in [("curator-5", 1), ("kazoo-2.11", 0)] {
        let run = run("clients=2&seed=1&hold-ms=3000&script=reset.B@300", library);
        assert_eq!(requests(&run, B, |r| matches!(r, Request::SetWatches { .. })), set_watches, "{library}");
        let lists = requests(&run, B, |r| matches!(r, Request::GetChildren { .. }));
        assert_eq!(lists, 3, "{library}: on arrival, after the reset, when it is woken");
        assert_eq!(step_of(&run, B), At::Done, "{library}");
    }
}

#[test]
fn kazoo_and_go_return_an_error_when_the_directory_is_gone() {
    for library in ["kazoo-2.11", "go-zookeeper"] {
        let run = run("clients=3&seed=1&script=delete.dir@300", library);
        let error = |e: &Event| matches!(e, Event::RequestFailed { error: ErrorCode::NoNode, .. });
        assert!(happens(&run, error) >= 1, "{library}");
        assert_eq!(made(&run, B).len(), 1, "{library}: B does not queue again");
        assert_eq!(happens(&run, |e| matches!(e, Event::Acquired { client: B, .. })), 0, "{library}");
    }
    for library in ["curator-5", "java-writelock", "c-lock"] {
        let run = run("clients=3&seed=1&script=delete.dir@300", library);
        assert_eq!(made(&run, B).len(), 2, "{library} makes the directory and queues again");
    }
}

#[test]
fn an_unlock_of_the_java_and_c_recipes_deletes_the_node_of_whoever_waits() {
    for library in ["java-writelock", "c-lock", "curator-5", "kazoo-2.11"] {
        let run = run("clients=3&seed=1&script=give-up.B@250", library);
        assert_eq!(requests(&run, B, |r| matches!(r, Request::Delete { .. })), 1, "{library}");
        assert!(left(&run).is_empty(), "{library}");
        assert_eq!(step_of(&run, C), At::Done, "{library}");
    }
}

#[test]
fn kazoo_and_go_let_everybody_in_whose_number_is_the_last_one() {
    for library in ["kazoo-2.11", "go-zookeeper"] {
        let run = run("clients=3&seed=1&counter=2147483647&hold-ms=3000", library);
        let at_once = (0..=run.len()).map(|at| {
            let world = run.world_at(at);
            world.actors().filter(|(_, actor)| actor.client.step().believes()).count()
        });
        assert_eq!(at_once.max(), Some(3), "{library}: three hold at once");
        assert_eq!(verdict(&run), Verdict::Breaks, "{library}");
    }
}

#[test]
fn without_a_fault_every_library_gives_everybody_the_lock() {
    for preset in PRESETS {
        let run = run("clients=3&seed=1", preset.word);
        assert_eq!(happens(&run, |e| matches!(e, Event::Acquired { .. })), 3, "{}", preset.word);
        assert!(left(&run).is_empty(), "{}", preset.word);
    }
}
