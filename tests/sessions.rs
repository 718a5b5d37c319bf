//! Sessions, lost contact and the fence, told as stories. Times are those of `zookeeper-facts.md`, section 4.

use lockstep::judge::Detector;
use lockstep::play::{Scenario, Timeline, TimelineStep, decode};
use lockstep::recipe::{Loss, ResourceReply, Verdict};
use lockstep::world::{Action, ClientId, Cut, Event, Fault, Handshake, World};
use lockstep::zookeeper::EventType;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

fn scenario(query: &str) -> Scenario {
    let decoded = decode(query);
    assert_eq!(decoded.problems, [], "{query}");
    decoded.scenario
}

fn run(query: &str) -> Timeline {
    let run = Timeline::run(&scenario(query), 0);
    assert_eq!(run.missed(), None, "{query}: the script fits");
    run
}

/// When each event of a kind happened, in virtual ms.
fn times(run: &Timeline, wanted: impl Fn(&Event) -> bool) -> Vec<u64> {
    let has = |step: &&TimelineStep| step.events.iter().any(&wanted);
    run.steps().iter().filter(has).map(|step| step.at_ms).collect()
}

fn time(run: &Timeline, wanted: impl Fn(&Event) -> bool) -> u64 {
    *times(run, wanted).first().expect("it happens")
}

// Heartbeats and the two clocks.

#[test]
fn a_library_that_is_idle_pings_every_third_of_the_timeout() {
    let run = run("v=2&clients=1&timeout-ms=30000&hold-ms=40000&lane=");
    let pings = times(&run, |e| matches!(e, Event::PingSent { client: A }));
    assert!(pings.len() >= 3);
    assert!(pings.windows(2).all(|two| two[1] - two[0] == 10_000), "{pings:?}");
    let long = self::run("v=2&clients=1&timeout-ms=40000&hold-ms=60000&lane=");
    let pings = times(&long, |e| matches!(e, Event::PingSent { client: A }));
    assert!(pings.windows(2).all(|two| two[1] - two[0] == 10_000), "at least every 10 s: {pings:?}");
}

#[test]
fn a_client_that_is_cut_off_is_told_so_after_two_thirds_of_the_timeout() {
    let run = run("v=2&clients=1&timeout-ms=30000&hold-ms=1000&script=stall.A@200&lane=");
    let mut heard = run.steps().iter().filter(|step| step.at_ms < 200);
    let from_server = |e: &Event| matches!(e, Event::ReplyHeard { .. });
    let last = heard.rfind(|step| step.events.iter().any(from_server)).unwrap().at_ms;
    let told = time(&run, |e| matches!(e, Event::Disconnected { client: A, why: Cut::Quiet }));
    assert_eq!(told, last + 20_000);
}

#[test]
fn the_server_ends_a_session_at_the_next_tick_after_its_timeout() {
    for (timeout, tick) in [(4_000, 2_000), (20_000, 2_000), (10_000, 500), (2_000, 500)] {
        let run = run(&format!("v=2&clients=2&timeout-ms={timeout}&tick-ms={tick}&script=crash.A@200&lane="));
        let touched = run.steps().iter().take_while(|step| step.at_ms < 200);
        let by_a = |e: &Event| matches!(e, Event::RequestTaken { client: A, .. });
        let last = touched.filter(|step| step.events.iter().any(by_a)).last().unwrap().at_ms;
        let ended = time(&run, |e| matches!(e, Event::SessionExpired { client: A, .. }));
        assert_eq!(ended % tick, 0);
        assert!(ended > last + timeout && ended <= last + timeout + tick, "{timeout} {tick}: {last} {ended}");
    }
}

#[test]
fn timeouts_are_cut_to_between_2_and_20_ticks() {
    for (wanted, negotiated) in [(100, 4_000), (4_000, 4_000), (39_999, 39_999), (3_600_000, 40_000)] {
        let (_, events) = World::new(&scenario(&format!("v=2&clients=1&timeout-ms={wanted}&lane=")).cast(0));
        let got = events.iter().find_map(|event| match event {
            Event::Connected { timeout_ms, .. } => Some(*timeout_ms),
            _ => None,
        });
        assert_eq!(got, Some(negotiated));
    }
}

#[test]
fn a_cut_connection_does_not_free_the_lock() {
    let run = run("v=2&clients=2&hold-ms=2000&script=reset.A@300,stall.A@300,heal.A@5300&lane=");
    let back = time(&run, |e| matches!(e, Event::Connected { client: A, new: false, .. }));
    let b_holds = time(&run, |e| matches!(e, Event::Acquired { client: B, .. }));
    let released = time(&run, |e| matches!(e, Event::Released { client: A }));
    assert!(back < released && released < b_holds);
    assert_eq!(run.judgement().verdict, Verdict::Right);
    assert_eq!(times(&run, |e| matches!(e, Event::SessionExpired { .. })).len(), 0);
}

#[test]
fn expiry_is_decided_by_the_server_and_learnt_when_it_is_reached_again() {
    let run = run("v=2&clients=2&hold-ms=25000&script=stall.A@300,heal.A@60000&lane=");
    let ended = time(&run, |e| matches!(e, Event::SessionExpired { client: A, .. }));
    let told = time(&run, |e| matches!(e, Event::Disconnected { client: A, .. }));
    let learnt = time(&run, |e| matches!(e, Event::ExpiredHeard { client: A }));
    assert!(told < ended && ended < 23_000 && learnt > 60_000, "{told} {ended} {learnt}");
    let refused =
        |e: &Event| matches!(e, Event::ConnectTaken { client: A, handshake: Handshake::Expired, .. });
    assert!(time(&run, refused) < learnt);
    let lost = |e: &Event| matches!(e, Event::LostLock { client: A, why: Loss::Expired });
    assert_eq!(times(&run, lost), [learnt]);
}

#[test]
fn a_paused_client_reads_old_events_first_then_the_end_then_expired() {
    let run = run("v=2&clients=3&hold-ms=1000&script=pause.B@500,resume.B@25000&lane=");
    let after: Vec<&Event> =
        run.steps().iter().filter(|s| s.at_ms >= 25_000).flat_map(|s| &s.events).collect();
    let at = |wanted: &dyn Fn(&Event) -> bool| after.iter().position(|e| wanted(e)).expect("it happens");
    let old_news =
        at(&|e| matches!(e, Event::EventHeard { client: B, event } if event.kind == EventType::NodeDeleted));
    let end = at(&|e| matches!(e, Event::Disconnected { client: B, why: Cut::EndOfFile }));
    let expired = at(&|e| matches!(e, Event::ExpiredHeard { client: B }));
    assert!(old_news < end && end < expired);
}

#[test]
fn a_restarted_server_gives_every_session_its_full_time_again_and_has_no_watches() {
    let calm = run("v=2&clients=2&script=crash.A@200&lane=");
    let restarted = run("v=2&clients=2&script=crash.A@200,restart.zk@15000&lane=");
    let ended = |run: &Timeline| time(run, |e| matches!(e, Event::SessionExpired { client: A, .. }));
    assert!(ended(&calm) <= 22_100 && ended(&restarted) >= 35_000);
    let at = restarted.steps().iter().position(|step| step.action.to_string() == "restart.zk").unwrap();
    assert_eq!(restarted.world_at(at as u32 + 1).server().watchers().count(), 0);
    assert_eq!(restarted.judgement().verdict, Verdict::Costs);
}

// Watches after a reconnect.

#[test]
fn set_watches_tells_what_was_missed_by_comparing_states() {
    let query = "v=2&clients=2&hold-ms=1000&script=reset.B@300,stall.B@300,heal.B@4000&lane=";
    let run = run(query);
    let back = time(&run, |e| matches!(e, Event::Connected { client: B, new: false, .. }));
    let heard = time(&run, |e| matches!(e, Event::EventHeard { client: B, .. }));
    assert!(heard > back);
    assert_eq!(run.judgement().verdict, Verdict::Right);
    let forgets = self::run(&query.replace("lane=", "lane=reconnect=forget"));
    assert_eq!(forgets.judgement().verdict, Verdict::Sticks);
    assert!(forgets.detections().iter().any(|found| found.kind == Detector::LostWakeUp));
}

// The fence.

#[test]
fn an_expired_holder_cannot_write_with_an_old_token() {
    let run = run("v=2&clients=2&stock=1&script=pause.A@505,resume.A@23000&lane=");
    let refused = run.steps().iter().flat_map(|step| &step.events).any(|event| {
        matches!(
            event,
            Event::ResourceTaken { client: A, reply: ResourceReply::Refused { highest: Some(_) }, .. }
        )
    });
    assert!(refused);
    let m = run.measures();
    assert_eq!((m.stale_tried, m.stale_refused, m.stale_taken, m.oversold), (1, 1, 0, 0));
    assert!(run.detections().iter().any(|found| found.kind == Detector::StaleOwner));
}

#[test]
fn without_a_fence_one_item_is_sold_twice() {
    let run = run("v=2&clients=2&stock=1&script=pause.A@505,resume.A@23000&lane=resource=open");
    assert_eq!(run.judgement().verdict, Verdict::Breaks);
    assert_eq!((run.measures().orders, run.measures().oversold), (2, 1));
}

#[test]
fn the_token_comes_with_create2_and_is_the_nodes_czxid() {
    let run = run("v=2&clients=2&lane=");
    let world = run.world_at(20);
    let actor = world.actor(A).unwrap();
    let path = world.node_of(actor).unwrap();
    assert_eq!(actor.client.token(), Some(world.server().stat(&path).unwrap().czxid.0));
    let by_number = self::run("v=2&clients=2&counter=41&lane=token=sequence");
    assert_eq!(by_number.world_at(20).actor(A).unwrap().client.token(), Some(41));
}

#[test]
fn a_transaction_that_checks_the_lock_node_sets_nothing_once_the_node_is_gone() {
    let run = run("v=2&clients=2&script=delete.A@200&lane=resource=multi");
    let refused = |e: &Event| {
        matches!(
            e,
            Event::ResourceTaken { client: A, reply: ResourceReply::Refused { .. }, in_zookeeper: true, .. }
        )
    };
    assert_eq!(times(&run, refused).len(), 1);
    assert_eq!((run.judgement().verdict, run.measures().oversold), (Verdict::Right, 0));
}

// Every fault does something, and can be undone where it has an opposite.

#[test]
fn every_fault_can_strike_in_some_run_and_every_repair_follows_its_fault() {
    let mut world = World::new(&scenario("v=2&clients=2&lane=").cast(0)).0;
    for action in ["arrive.A", "A.zk", "zk.A", "A.zk", "zk.A", "sort.A", "arrive.B", "B.zk"] {
        world.step(action.parse().unwrap()).unwrap();
    }
    let can = |world: &World, fault| world.is_enabled(Action::Fault(fault, B));
    for (fault, repair) in [
        (Fault::Pause, Fault::Resume),
        (Fault::Stall, Fault::Heal),
        (Fault::Hang, Fault::Unhang),
        (Fault::Crash, Fault::Restart),
    ] {
        let mut world = world.clone();
        assert!(can(&world, fault) && !can(&world, repair), "{fault:?}");
        let before = world.fingerprint();
        world.step(Action::Fault(fault, B)).unwrap();
        assert_ne!(world.fingerprint(), before, "{fault:?} changes something");
        assert!(!can(&world, fault) && can(&world, repair), "{repair:?}");
        world.step(Action::Fault(repair, B)).unwrap();
        assert!(can(&world, fault));
    }
    for fault in [
        Fault::Reset,
        Fault::LostReply,
        Fault::GiveUp,
        Fault::Expire,
        Fault::Close,
        Fault::LeaveSession,
        Fault::ClockAhead,
    ] {
        assert!(can(&world, fault), "{fault:?}");
    }
    assert!(!can(&world, Fault::LostRequest), "nothing of B is on its way to the server");
}

#[test]
fn readers_do_not_shut_each_other_out_and_shut_out_an_old_writer() {
    let run = run("v=2&clients=4&readers=B,C&lane=");
    assert_eq!(run.measures().tokens_refused, 0);
    let through = times(&run, |e| matches!(e, Event::Finished { worked: true, .. }));
    assert_eq!(through.len(), 4, "everybody's work is done");
    // A, a writer, is frozen; B and C read after it; A's commit comes late.
    let late = self::run("v=2&clients=3&readers=B,C&script=pause.A@505,resume.A@25000&lane=");
    assert_eq!((late.measures().stale_taken, late.measures().stale_refused), (0, 1));
    assert!(times(&late, |e| matches!(e, Event::Finished { worked: true, .. })).len() >= 2);
}
