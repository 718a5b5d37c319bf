//! Several servers under the world, told as stories. The times are those of the recordings.

mod stage;

use lockstep::judge::Property;
use lockstep::play::{End, Scenario, Timeline, decode};
use lockstep::world::{Event, Matter, ServerFact};
use lockstep::zookeeper::ConnectionLoss;

fn run(query: &str) -> Timeline {
    let decoded = decode(query);
    assert_eq!(decoded.problems, []);
    Timeline::run(&decoded.scenario, 0)
}

/// When an event first happens, in virtual ms.
fn when(run: &Timeline, is: impl Fn(&Event) -> bool) -> Option<u64> {
    run.steps().iter().find(|step| step.events.iter().any(&is)).map(|step| step.at_ms)
}

fn expired(run: &Timeline) -> Option<u64> {
    when(run, |event| matches!(event, Event::SessionExpired { .. }))
}

/// Measured with a timeout of 2 s and ticks of 0.5 s, for sessions on a follower: 2091 to 2539 ms.
#[test]
fn a_dead_clients_session_on_a_follower_ends_a_little_after_its_timeout() {
    let run = run("v=2&clients=2&tick-ms=500&servers=3&timeout-ms=2000&script=crash.A@300&lane=");
    let heard = |step: &&lockstep::play::TimelineStep| step.at_ms <= 300 && step.action.to_string() == "A.zk";
    let last_ms = run.steps().iter().rfind(heard).unwrap().at_ms;
    let after_ms = expired(&run).unwrap() - last_ms;
    assert!((2_000..=2_600).contains(&after_ms), "{after_ms}");
    assert_eq!(stage::holders(&run), "AB");
}

#[test]
fn a_new_leader_gives_a_dead_holder_its_full_timeout_again() {
    let calm = run("v=2&clients=2&tick-ms=500&servers=3&timeout-ms=4000&script=crash.A@300&lane=");
    let lost =
        run("v=2&clients=2&tick-ms=500&servers=3&timeout-ms=4000&script=crash.A@300,crash.s3@4000&lane=");
    let elected = when(&lost, |event| matches!(event, Event::Server { fact: ServerFact::Elected { .. } }));
    let (calm_ms, lost_ms, elected_ms) = (expired(&calm).unwrap(), expired(&lost).unwrap(), elected.unwrap());
    assert!(calm_ms < 5_000 && lost_ms >= elected_ms + 4_000, "{calm_ms} {lost_ms} {elected_ms}");
    assert_eq!((calm.end(), lost.end()), (End::AtRest, End::AtRest));
}

#[test]
fn without_a_quorum_nothing_expires_and_the_holder_is_still_the_holder() {
    let run = run(
        "v=2&clients=2&hold-ms=2000&tick-ms=500&servers=3&timeout-ms=4000&script=crash.s2@300,crash.s3@300,restart.s2@12000,restart.s3@12000&lane=",
    );
    assert_eq!(expired(&run), None);
    assert_eq!(stage::holders(&run), "AB");
    // An outage of twelve seconds costs, and breaks nothing.
    assert!(run.findings().is_empty());
}

/// `e_lock_on_lagging_follower`: a stale list can only show too many nodes.
#[test]
fn staleness_delays_and_never_grants() {
    let run = run("v=2&clients=2&servers=3&script=stall.s2@450,resume.s2@3000&lane=");
    let acquired = |event: &Event| matches!(event, Event::Acquired { client, .. } if client.0 == 1);
    let deleted = |event: &Event| matches!(event, Event::NodeDeleted { .. });
    assert!(when(&run, deleted).unwrap() < 1_000 && when(&run, acquired).unwrap() > 3_000);
    assert!(run.findings().is_empty());
}

#[test]
fn without_sync_a_lagging_server_hides_the_node_and_a_second_one_is_made() {
    let story = |answer: &str| {
        run(&format!("v=2&clients=2&lag-ms=1500&servers=3&script=reset.A@40&lane=lost-reply={answer}"))
    };
    assert!(story("guid").findings().is_empty());
    let orphan = |finding: &lockstep::play::Finding| finding.violation.property() == Property::NoOrphan;
    assert!(story("guid-no-sync").findings().iter().any(orphan));
}

#[test]
fn what_comes_through_a_server_that_the_session_has_left_is_refused() {
    let run = run("v=2&clients=2&servers=3&script=reset.A@20&lane=hold@2=s1.s3,go@42=s1.s3");
    assert_eq!(run.misfit(), None);
    let moved = |event: &Event| {
        matches!(
            event,
            Event::Server { fact: ServerFact::Applied { matter: Matter::Moved, first: true, .. } }
        )
    };
    assert!(when(&run, moved).is_some());
    let created = stage::events(&run).filter(|event| matches!(event, Event::NodeCreated { .. })).count();
    assert_eq!(created, 2, "one for each");
}

#[test]
fn a_lost_leader_takes_every_connection_and_no_session_with_it() {
    let run = run("v=2&clients=3&servers=3&script=crash.s3@300&lane=");
    let dropped = stage::events(&run).filter(|event| {
        matches!(event, Event::Server { fact: ServerFact::Dropped { why: ConnectionLoss::ServerLost, .. } })
    });
    assert_eq!(dropped.count(), 3);
    assert_eq!((expired(&run), stage::holders(&run).as_str()), (None, "ABC"));
}

/// A new leader counts from 1 again: between 0.30 and 1.2 lie more than two.
#[test]
fn what_a_server_lacks_is_counted_across_an_election() {
    let run =
        run("v=2&clients=10&servers=5&script=stall.s1@60,crash.s5@500,resume.s1@6000,restart.s5@7000&lane=");
    let mut history = Vec::new();
    let mut most = 0;
    for (steps, step) in (1..).zip(run.steps()) {
        history.extend(step.events.iter().filter_map(|event| match event {
            Event::Server { fact: ServerFact::Applied { zxid, first: true, .. } } => Some(*zxid),
            _ => None,
        }));
        let world = run.world_at(steps);
        let ensemble = world.ensemble().unwrap();
        for (id, server) in ensemble.servers() {
            let own = server.member().zxid();
            let lacks = history.iter().filter(|zxid| **zxid > own).count();
            assert_eq!(ensemble.missing(id).count(), lacks, "{id} after {steps} steps");
            if own.epoch() < ensemble.server(ensemble.furthest()).epoch() {
                most = lacks.max(most);
            }
        }
    }
    assert!(most > 8, "{most}");
}

#[test]
fn one_server_says_nothing_of_servers() {
    let run = Timeline::run(&Scenario::default(), 0);
    assert!(!stage::events(&run).any(|event| matches!(event, Event::Server { .. })));
}
