//! A client that leaves a session which lives, and a clock that jumps, told by their events.
//!
//! Curator's own timer says LOST when it has been without a connection for a session timeout, and opens a new session;
//! the server may not have ended the old one (Curator's Tech Note 14).

use lockstep::play::{Timeline, decode};
use lockstep::recipe::Verdict;
use lockstep::world::{ClientId, Cut, Deletion, Event, Fault};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

/// The events of the one lane of a link, in order, with their virtual times.
fn events(query: &str) -> (Timeline, Vec<(u64, Event)>) {
    let decoded = decode(query);
    assert_eq!(decoded.problems, []);
    let run = Timeline::run(&decoded.scenario, 0);
    assert_eq!(run.missed(), None, "the script fits");
    let steps = run.steps().iter();
    let events = steps.flat_map(|step| step.events.iter().map(|event| (step.at_ms, event.clone()))).collect();
    (run, events)
}

/// When something first happens, counted in events.
fn first(events: &[(u64, Event)], what: &str, wanted: impl Fn(&Event) -> bool) -> usize {
    events.iter().position(|(_, event)| wanted(event)).unwrap_or_else(|| panic!("never: {what}"))
}

/// What happened, in this order.
fn in_order(places: &[(usize, &str)]) {
    for pair in places.windows(2) {
        assert!(pair[0].0 < pair[1].0, "“{}” comes before “{}”", pair[0].1, pair[1].1);
    }
}

fn left(event: &Event) -> bool {
    matches!(event, Event::FaultInjected { fault: Fault::LeaveSession, .. })
}

fn old_session_ended(event: &Event) -> bool {
    matches!(event, Event::SessionExpired { client: A, old: true })
}

#[test]
fn whoever_leaves_a_living_session_waits_behind_its_own_node_until_that_session_ends() {
    let (run, events) = events("v=2&clients=2&timeout-ms=4000&hold-ms=3000&script=leave-session.A@300&lane=");
    let deleted =
        |event: &Event| matches!(event, Event::NodeDeleted { client: A, why: Deletion::Expired, .. });
    let left = first(&events, "leaves", left);
    let later = |from: usize, wanted: &dyn Fn(&Event) -> bool| from + first(&events[from..], "later", wanted);
    let new = later(left, &|e| matches!(e, Event::Connected { client: A, new: true, .. }));
    let second = later(new, &|e| matches!(e, Event::NodeCreated { client: A, old: false, .. }));
    let ended = later(left, &old_session_ended);
    let gone = later(ended, &deleted);
    let next = later(left, &|e| matches!(e, Event::Acquired { .. }));
    in_order(&[
        (left, "A leaves its session"),
        (new, "A has a new one"),
        (second, "A has a second node"),
        (ended, "the old session ends"),
        (gone, "its node goes"),
        (next, "the lock is taken"),
    ]);
    assert!(matches!(events[next].1, Event::Acquired { client: B, .. }), "B came before A's second node");
    assert!(events[ended].0 - events[left].0 >= 2_000, "the old session lives on for its time");
    assert_eq!(run.measures().oversold, 0);
    assert!(matches!(run.judgement().verdict, Verdict::Right | Verdict::Costs));
}

#[test]
fn whoever_believes_on_in_a_new_session_is_a_second_holder_when_the_old_one_ends() {
    // CURATOR-696: the client goes on as the leader by a node of its old session, which then goes.
    let story = "v=2&clients=2&timeout-ms=4000&hold-ms=9000&script=leave-session.A@300";
    let (run, events) = events(&format!("{story}&lane=expired=reuse,resource=open"));
    let ended = first(&events, "the old session ends", old_session_ended);
    let taken = first(&events, "B takes the lock", |e| matches!(e, Event::Acquired { client: B, .. }));
    let released = first(&events, "A lets go", |e| matches!(e, Event::Released { client: A }));
    in_order(&[(ended, "the old session ends"), (taken, "B takes the lock"), (released, "A lets go")]);
    assert!(
        events.iter().all(|(_, e)| !matches!(e, Event::LostLock { client: A, .. })),
        "A knows of nothing"
    );
    assert_eq!(run.judgement().verdict, Verdict::Breaks);
    let (right, _) = self::events(&format!("{story}&lane=resource=open"));
    assert!(right.judgement().verdict != Verdict::Breaks);
}

#[test]
fn a_clock_that_jumps_ahead_costs_a_connection_and_no_lock() {
    let (run, events) = events("v=2&clients=2&hold-ms=3000&script=clock-ahead.A@300&lane=");
    let quiet = |e: &Event| matches!(e, Event::Disconnected { client: A, why: Cut::Quiet });
    let cut = first(&events, "A takes its connection for lost", quiet);
    let again = first(&events[cut..], "the same session", |e| {
        matches!(e, Event::Connected { client: A, new: false, .. })
    });
    let taken = first(&events, "B takes the lock", |e| matches!(e, Event::Acquired { client: B, .. }));
    let released = first(&events, "A lets go", |e| matches!(e, Event::Released { client: A }));
    in_order(&[(cut, "cut"), (cut + again, "connected again"), (released, "released"), (taken, "B's turn")]);
    assert!(events[cut].0 < 400, "long before two thirds of the session timeout have passed");
    assert_eq!(run.judgement().verdict, Verdict::Right);
}
