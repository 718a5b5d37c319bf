//! What is measured and found with several servers is what is measured and found with one: each server carries
//! out a change in its own time, and what it cost is the same.

mod stage;

use lockstep::judge::{Detector, Release};
use lockstep::play::{End, Timeline, decode};

fn run(query: &str) -> Timeline {
    let decoded = decode(query);
    assert_eq!(decoded.problems, [], "{query}");
    Timeline::run(&decoded.scenario, 0)
}

/// The story with this many servers.
fn with(servers: u32, lag_ms: u32, story: &str) -> Timeline {
    run(&format!("v=2&servers={servers}&lag-ms={lag_ms}&{story}"))
}

fn kinds(run: &Timeline) -> Vec<Detector> {
    run.detections().iter().map(|detection| detection.kind).collect()
}

/// How many each herd has woken, as its sentence says.
fn herds(run: &Timeline) -> Vec<u32> {
    let herds = run.detections().iter().filter(|detection| detection.kind == Detector::Herd);
    let woken = herds.map(|herd| {
        let (_, tail) = herd.sentence.en.split_once("goes, and ").unwrap();
        tail.strip_suffix(" clients are woken at once.").unwrap().parse().unwrap()
    });
    woken.collect()
}

/// What a release costs, without its times.
fn costs(release: &Release) -> (&str, u32, u32, u32, u32) {
    (&release.by, release.events, release.in_vain, release.requests, release.reads)
}

#[test]
fn a_release_costs_with_several_servers_what_it_costs_with_one() {
    for watch in ["predecessor", "parent", "holder"] {
        // Everybody comes at once, and the holder works until the herd has settled.
        let story = format!("clients=10&gap-ms=0&hold-ms=3000&lane=watch={watch}");
        let one = with(1, 0, &story);
        let events: Vec<u32> = one.measures().releases.iter().map(|release| release.events).collect();
        let expected: Vec<u32> =
            (0..10).rev().map(|left| if watch == "predecessor" { left.min(1) } else { left }).collect();
        assert_eq!(events, expected, "{watch}");
        for (servers, lag_ms) in [(3, 0), (3, 30), (3, 700), (5, 0), (5, 30)] {
            let many = with(servers, lag_ms, &story);
            let label = format!("{watch}, {servers} servers, lag {lag_ms} ms");
            // Who comes first is luck; how many wake is not.
            let sorted = |run: &Timeline| {
                run.measures()
                    .releases
                    .iter()
                    .map(costs)
                    .map(|(_, a, b, c, d)| (a, b, c, d))
                    .collect::<Vec<_>>()
            };
            assert_eq!(sorted(&many), sorted(&one), "{label}");
            // Whether the first holder watches the parent still depends on who came when.
            let (many, one) = (herds(&many), herds(&one));
            assert_eq!(many.get(1..), one.get(1..), "{label}");
        }
    }
}

#[test]
fn a_herd_is_named_once_with_all_whom_it_wakes_at_whatever_server() {
    let story = "clients=10&gap-ms=0&hold-ms=3000&lane=watch=holder";
    for (servers, lag_ms) in [(1, 0), (3, 0), (3, 700), (5, 30)] {
        let run = with(servers, lag_ms, story);
        let said = herds(&run);
        // Ten come; from nine who wait down to three it is a herd.
        assert_eq!(said, [9, 8, 7, 6, 5, 4, 3], "{servers} servers");
        assert!(run.detections().is_sorted_by_key(|detection| detection.step));
    }
}

#[test]
fn each_detector_speaks_with_several_servers_where_it_speaks_with_one() {
    let stories = [
        (
            Detector::StaleOwner,
            "clients=2&hold-ms=3000&tick-ms=500&timeout-ms=4000&script=pause.A@1500,resume.A@9000&lane=",
        ),
        (Detector::FalseOwner, "clients=2&hold-ms=3000&script=expire.A@1500&lane=expired=reuse"),
        (Detector::LostWakeUp, "clients=2&hold-ms=3000&script=reset.B@1700&lane=reconnect=forget"),
        (
            Detector::LostWakeUp,
            "clients=2&hold-ms=3000&script=reset.B@1700&lane=reconnect=forget,watch=parent",
        ),
        (Detector::Herd, "clients=4&gap-ms=0&hold-ms=3000&lane=watch=parent"),
        (Detector::Orphan, "clients=2&hold-ms=3000&script=reset.A@20&lane=lost-reply=again"),
        (Detector::Leak, "clients=3&hold-ms=3000&script=give-up.B@1700&lane=give-up=leave"),
        (Detector::Leak, "clients=2&hold-ms=3000&script=crash.A@1700&lane=node=persistent-sequential"),
        (Detector::WaitingForOneself, "clients=1&hold-ms=3000&script=reset.A@1700&lane=disconnect=requeue"),
        (Detector::Starvation, "clients=9&hold-ms=100&timeout-ms=40000&script=stall.A@1,heal.A@20000&lane="),
        (Detector::EarlyRelease, "clients=2&lane=commit=after-release"),
        (Detector::SlowTakeOver, "clients=2&hold-ms=3000&script=crash.A@1700&lane="),
    ];
    for detector in Detector::ALL {
        assert!(stories.iter().any(|(speaks, _)| *speaks == detector), "{detector:?} has no story");
    }
    for (detector, story) in stories {
        for (servers, lag_ms) in [(1, 0), (3, 0), (3, 200), (5, 0)] {
            let run = with(servers, lag_ms, story);
            assert!(kinds(&run).contains(&detector), "{detector:?}, {servers} servers, lag {lag_ms} ms");
            assert_eq!(run.end(), End::AtRest);
        }
    }
}

#[test]
fn nothing_is_found_in_a_right_run_whatever_the_servers() {
    for story in ["clients=6&lane=", "clients=6&hold-ms=50&lane=", "clients=4&readers=B,C&lane="] {
        for (servers, lag_ms) in [(1, 0), (3, 0), (3, 200), (5, 0), (5, 200)] {
            let run = with(servers, lag_ms, story);
            assert_eq!(run.detections(), [], "{story}, {servers} servers, lag {lag_ms} ms");
            assert_eq!(run.findings(), [], "{story}");
        }
    }
}

/// The reply that would say what kind of node it is comes to nobody; and where the process before has left a
/// create under way, its node comes after the new session.
#[test]
fn a_node_that_is_made_when_its_process_is_gone_is_known_for_what_it_is() {
    let persistent =
        "clients=1&script=crash.A@20,restart.A@500&lane=node=persistent-sequential,lost-reply=any-guid";
    assert_eq!(kinds(&with(3, 0, persistent)), []);
    let late = "clients=1&script=crash.A@14,restart.A@15&lane=lost-reply=any-guid,hold@2=s1.s3,go@14=s1.s3";
    for ephemeral in ["clients=1&script=crash.A@20,restart.A@500&lane=lost-reply=any-guid", late] {
        let run = with(3, 0, ephemeral);
        assert_eq!((run.misfit(), kinds(&run)), (None, vec![Detector::FalseOwner]), "{ephemeral}");
    }
}

/// Nothing tells its client, and those behind it wait on.
#[test]
fn whoever_stands_first_at_a_server_that_hears_nothing_blocks_the_lock() {
    let blocked = |script: &str| {
        let run = with(3, 0, &format!("clients=3&hold-ms=3000&tick-ms=3000&script={script}&lane="));
        (kinds(&run), run.measures().blocked_ms)
    };
    // B's server, for 12 s from A's release on; then the leader, to which nothing can be said any more. Either would
    // give up after five ticks of 3 s.
    for script in ["stall.s2@2000,resume.s2@15000", "stall.s3@2000,resume.s3@15000"] {
        let (found, blocked_ms) = blocked(script);
        assert_eq!(found, [Detector::SlowTakeOver], "{script}");
        assert!((10_000..13_000).contains(&blocked_ms), "{script}: {blocked_ms}");
    }
    // While a holder works, a fault of its server blocks nobody.
    assert_eq!(blocked("stall.s1@1000,resume.s1@2500"), (vec![], 0));
}

#[test]
fn whoever_sleeps_at_a_server_that_hears_nothing_any_more_has_lost_no_wake_up() {
    let run = with(3, 0, "clients=2&script=stall.s2@450&lane=");
    assert_eq!((run.end(), run.detections()), (End::AtRest, &[][..]));
}
