//! What the narration claims is so: each sentence that was once false, beside the events that it tells of.

use lockstep::play::{Scenario, Storm, Timeline, TimelineStep, decode};
use lockstep::recipe::{ResourceReply, Verdict};
use lockstep::teach::{narrate, stories};
use lockstep::text::Text;
use lockstep::world::{Action, ClientId, Cut, Deletion, Event, Fault};
use lockstep::zookeeper::ErrorCode;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

fn run(query: &str) -> Timeline {
    let decoded = decode(query);
    assert!(decoded.problems.is_empty(), "{query}: {:?}", decoded.problems);
    Timeline::run(&decoded.scenario, 0)
}

/// The first step in which this happens, from 0, and what it says.
fn first(timeline: &Timeline, is: impl Fn(&Event) -> bool) -> (usize, Text) {
    let at = timeline.steps().iter().position(|step| step.events.iter().any(&is)).expect("it happens");
    (at, narrate(&timeline.steps()[at].events))
}

fn happens(steps: &[TimelineStep], is: impl Fn(&Event) -> bool) -> bool {
    steps.iter().any(|step| step.events.iter().any(&is))
}

/// Every ready story in every lane, and storms over right and wrong answers with one server and with three.
fn many_runs() -> Vec<Timeline> {
    let mut scenarios: Vec<Scenario> = stories().map(|story| story.scenario()).collect();
    for lane in ["", "watch=poll", "resource=multi", "resource=client-check", "node=ephemeral-single"] {
        for servers in ["", "&servers=3"] {
            let storm = Storm::new(decode(&format!("v=2&clients=3{servers}&lane={lane}")).scenario, 0);
            scenarios.extend((0..30).map(|seed| storm.scenario(seed)));
        }
    }
    let lanes = |s: &Scenario| (0..s.lanes.len()).map(|lane| Timeline::run(s, lane)).collect::<Vec<_>>();
    scenarios.iter().flat_map(lanes).collect()
}

#[test]
fn a_multi_whose_reply_was_lost_is_refused_since_the_stock_has_changed_and_the_node_is_there() {
    let timeline = run("v=2&clients=2&script=lost-reply.A@505&lane=resource=multi");
    let (at, said) = first(&timeline, |event| {
        matches!(event, Event::ResourceTaken { client: A, reply: ResourceReply::Refused { .. }, .. })
    });
    assert!(said.en.contains("the stock has changed since it was read (BadVersion)"), "{}", said.en);
    assert!(said.zh.contains("库存在读取之后已经变过（BadVersion）"), "{}", said.zh);
    let (before, this) = (&timeline.steps()[..at], &timeline.steps()[at..=at]);
    assert!(!happens(before, |event| matches!(event, Event::NodeDeleted { client: A, .. })));
    let committed =
        |e: &Event| matches!(e, Event::ResourceTaken { client: A, reply: ResourceReply::Committed, .. });
    assert!(happens(before, committed), "the first multi was not carried out");
    let version =
        |e: &Event| matches!(e, Event::RequestTaken { client: A, error: Some(ErrorCode::BadVersion), .. });
    assert!(happens(this, version));
}

#[test]
fn a_multi_whose_lock_node_is_gone_is_refused_for_that() {
    let timeline = run("v=2&clients=2&hold-ms=2000&script=delete.A@500&lane=resource=multi");
    let (at, said) = first(&timeline, |event| {
        matches!(event, Event::ResourceTaken { client: A, reply: ResourceReply::Refused { .. }, .. })
    });
    assert!(said.en.contains("its lock node is not there"), "{}", said.en);
    assert!(said.zh.contains("锁节点已经不在"), "{}", said.zh);
    let deleted = |e: &Event| matches!(e, Event::NodeDeleted { client: A, why: Deletion::Operator, .. });
    assert!(happens(&timeline.steps()[..at], deleted));
}

#[test]
fn with_the_stock_in_zookeeper_nobody_speaks_of_another_store_and_nobody_asks_again() {
    let timeline = run("v=2&clients=1&lane=resource=multi");
    let all: Vec<Text> = timeline.steps().iter().map(|step| narrate(&step.events)).collect();
    assert!(all.iter().any(|said| said.en.contains("ZooKeeper tells A: stock")));
    assert!(all.iter().any(|said| said.zh.contains("ZooKeeper 告诉 A：库存")));
    for said in all {
        for wrong in ["ledger", "asks again"] {
            assert!(!said.en.contains(wrong), "{}", said.en);
        }
        assert!(!said.zh.contains("再次询问"), "{}", said.zh);
    }
}

#[test]
fn a_session_that_is_ended_before_its_time_is_not_said_to_have_been_silent() {
    let timeline = run("v=2&clients=2&script=expire.A@300&lane=");
    let (_, said) =
        first(&timeline, |event| matches!(event, Event::FaultInjected { fault: Fault::Expire, .. }));
    assert!(said.en.starts_with("The server ends A's session before its time."), "{}", said.en);
    assert!(!said.en.contains("too long") && !said.zh.contains("太久"), "{} {}", said.en, said.zh);
    // A session that is left alone ends by silence, and that is said.
    let silent = run("v=2&clients=2&script=crash.A@300&lane=");
    let (_, said) = first(&silent, |event| matches!(event, Event::SessionExpired { client: A, .. }));
    assert!(said.en.contains("has heard nothing of A for too long"), "{}", said.en);
}

#[test]
fn who_does_not_find_its_node_in_the_list_is_said_to_miss_it() {
    let timeline = run("v=2&clients=3&script=delete.B@150&lane=");
    let (at, said) = first(&timeline, |event| matches!(event, Event::GaveUpPlace { client: B }));
    assert!(said.en.contains("B does not find its own node in the list"), "{}", said.en);
    assert!(said.zh.contains("B 在列表里找不到自己的节点"), "{}", said.zh);
    let deleted = |e: &Event| matches!(e, Event::NodeDeleted { client: B, why: Deletion::Operator, .. });
    assert!(happens(&timeline.steps()[..at], deleted));
    assert!(matches!(timeline.steps()[at].action, Action::Sort(B)));
}

#[test]
fn a_place_that_is_given_up_is_lost_in_the_way_that_is_said() {
    for timeline in many_runs() {
        for step in timeline.steps() {
            if !step.events.iter().any(|event| matches!(event, Event::GaveUpPlace { .. })) {
                continue;
            }
            let said = narrate(&step.events);
            let expired = step.events.iter().any(|event| matches!(event, Event::ExpiredHeard { .. }));
            assert_eq!(said.en.contains("is gone with its session"), expired, "{}", said.en);
            assert_eq!(said.zh.contains("随会话一起没了"), expired, "{}", said.zh);
            let sorted = matches!(step.action, Action::Sort(_));
            assert_eq!(said.en.contains("does not find its own node"), sorted, "{}", said.en);
            assert_eq!(said.zh.contains("找不到自己的节点"), sorted, "{}", said.zh);
        }
    }
}

#[test]
fn two_thirds_of_the_timeout_are_said_of_a_connection_and_not_of_an_attempt() {
    let mut attempts = 0;
    for timeline in many_runs() {
        let clients = timeline.steps().iter().flat_map(|step| &step.events).filter_map(Event::client);
        let most = clients.map(|client| client.0 as usize + 1).max().unwrap_or_default();
        // All start with a connection.
        let mut connected = vec![true; most];
        for step in timeline.steps() {
            for event in &step.events {
                match event {
                    Event::Connected { client, .. } => connected[client.0 as usize] = true,
                    Event::Disconnected { client, why } => {
                        let said = narrate(&step.events);
                        let two_thirds = said.en.contains("two thirds");
                        assert_eq!(two_thirds, *why == Cut::Quiet, "{}", said.en);
                        if matches!(why, Cut::Quiet | Cut::NoAnswer) {
                            assert_eq!(connected[client.0 as usize], two_thirds, "{}", said.en);
                            attempts += u32::from(!two_thirds);
                        }
                        connected[client.0 as usize] = false;
                    }
                    Event::ExpiredHeard { client } => connected[client.0 as usize] = false,
                    _ => {}
                }
            }
        }
    }
    assert!(attempts > 0, "no attempt failed");
}

#[test]
fn no_step_is_silent() {
    let mut held_back = 0;
    for timeline in many_runs() {
        for step in timeline.steps() {
            let said = narrate(&step.events);
            assert!(!said.en.is_empty() && !said.zh.is_empty(), "{}: {:?}", step.action, step.events);
            held_back += step.events.iter().filter(|e| matches!(e, Event::HeldBack { .. })).count();
        }
    }
    assert!(held_back > 0, "nobody ever holds its hand");
    let timeline = run("v=2&clients=2&hold-ms=25000&script=stall.A@300,heal.A@60000&lane=");
    let (at, said) = first(&timeline, |event| matches!(event, Event::HeldBack { client: A }));
    assert!(said.en.contains("A has no connection"), "{}", said.en);
    assert!(said.zh.contains("先停手"), "{}", said.zh);
    assert!(happens(&timeline.steps()[..at], |e| matches!(e, Event::Disconnected { client: A, .. })));
}

#[test]
fn a_number_is_not_said_never_to_come_again() {
    let mut left = 0;
    for timeline in many_runs() {
        for step in timeline.steps() {
            let said = narrate(&step.events);
            assert!(!said.en.contains("never comes again"), "{}", said.en);
            let numbered = said.en.contains("comes again only if the directory is made anew");
            left += u32::from(numbered);
            assert!(!numbered || !said.en.contains("2147483647"), "{}", said.en);
        }
    }
    assert!(left > 0, "no watch is left on a node that is gone");
}

#[test]
fn one_create_in_vain_is_counted_as_one() {
    let timeline = run("v=2&clients=2&lane=node=ephemeral-single");
    let judged = timeline.judgement();
    assert_eq!(judged.verdict, Verdict::Costs);
    let lost = |e: &&Event| matches!(e, Event::RequestTaken { error: Some(ErrorCode::NodeExists), .. });
    let fights = timeline.steps().iter().flat_map(|step| &step.events).filter(lost).count();
    let s = if fights == 1 { "" } else { "s" };
    assert_eq!(judged.because.en, format!("{fights} create{s} in vain"));
}
