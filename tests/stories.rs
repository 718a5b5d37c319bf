//! What each answer to each decision does, told as stories.

mod stage;

use lockstep::judge::Violation;
use lockstep::play::{Choice, Chosen, Comparison, End, Scenario, Timeline, luck};
use lockstep::recipe::{Step, Verdict};
use lockstep::world::{ClientId, Event, LOCK_DIR};
use lockstep::zookeeper::{ErrorCode, EventType, Request, WatchTable};
use stage::{Stage, client, decisions, events, holders, run, scenario};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const C: ClientId = ClientId(2);

fn verdict(run: &Timeline) -> Verdict {
    run.judgement().verdict
}

/// How many events each release sent to clients that wait.
fn events_per_release(run: &Timeline) -> Vec<u32> {
    run.measures().releases.iter().map(|release| release.events).collect()
}

// Decision 2: whom to watch.

#[test]
fn with_the_right_answers_each_release_wakes_the_next_in_line_and_nobody_else() {
    let run = run(5, "");
    assert_eq!(verdict(&run), Verdict::Right);
    assert_eq!(holders(&run), "ABCDE");
    assert_eq!(events_per_release(&run), [1, 1, 1, 1, 0]);
    assert_eq!(run.measures().stock, Some(0));
    assert_eq!(run.end(), End::AtRest);
    assert!(run.measures().waits_for_ever.is_empty());
}

#[test]
fn watching_the_holder_wakes_everybody_who_waits() {
    let run = run(5, "watch=holder");
    assert_eq!(verdict(&run), Verdict::Costs);
    assert_eq!(events_per_release(&run), [4, 3, 2, 1, 0]);
    // All but one go back to sleep: 3 + 2 + 1.
    assert_eq!(run.measures().wake_ups_in_vain, 6);
    assert_eq!(holders(&run), "ABCDE");
}

#[test]
fn who_watches_the_holder_in_vain_watches_the_new_one_next() {
    let mut stage = Stage::of(3, "watch=holder");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Asleep);
    stage.bring("C", Step::Asleep);
    stage.bring("A", Step::Done);
    stage.go("zk.C");
    stage.bring("C", Step::Asleep);
    let watched = |stage: &Stage| -> Vec<String> {
        stage.world.server().watchers().map(|watch| watch.path.to_string()).collect()
    };
    assert!(watched(&stage)[0].ends_with("0000000001"), "C watches B now: {:?}", watched(&stage));
}

#[test]
fn watching_the_parent_wakes_at_each_release_and_at_each_arrival() {
    let run = run(5, "watch=parent");
    assert_eq!(verdict(&run), Verdict::Costs);
    assert_eq!(events_per_release(&run), [4, 3, 2, 1, 0]);
    let woken_by_arrival = run.steps().iter().filter(|step| {
        let created = step.events.iter().any(|event| matches!(event, Event::NodeCreated { .. }));
        let fired = |event: &Event| {
            matches!(event, Event::WatchFired { event, .. } if event.kind == EventType::NodeChildrenChanged)
        };
        created && step.events.iter().any(fired)
    });
    assert!(woken_by_arrival.count() >= 3);
    assert!(run.measures().wake_ups_in_vain > 6, "more than the releases alone cost");
}

#[test]
fn a_client_that_polls_is_never_woken_and_mostly_asks_in_vain() {
    let run = run(3, "watch=poll");
    let m = run.measures();
    assert_eq!(verdict(&run), Verdict::Costs);
    assert_eq!((m.events, m.wake_ups_in_vain), (0, 0));
    assert!(m.polls_in_vain > 3, "{}", m.polls_in_vain);
    assert_eq!(run.world_at(run.len()).server().watchers().count(), 0);
    assert_eq!(m.stock, Some(0));
}

#[test]
fn polling_more_rarely_leaves_the_lock_free_for_longer() {
    let free_ms = |poll_ms| {
        let mut scenario = scenario(3, "watch=poll");
        scenario.timings.poll_ms = poll_ms;
        let run = Timeline::run(&scenario, 0);
        run.measures().releases.iter().filter_map(|release| release.hand_over_ms).sum::<u64>()
    };
    assert!(free_ms(2_000) > free_ms(20));
}

// Decisions 3 and 4: how to watch, and what a missing node means.

/// B has sent its watching request; the holder goes before the server takes it.
fn the_holder_goes_before_b_watches(words: &str) -> Stage {
    let mut stage = Stage::of(2, words);
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Watching);
    stage.bring("A", Step::Done);
    stage
}

#[test]
fn get_data_on_a_vanished_node_leaves_no_watch_and_lists_again() {
    let mut stage = the_holder_goes_before_b_watches("check=get-data");
    let taken = stage.go("B.zk");
    let is_no_node = |event: &Event| {
        matches!(
            event,
            Event::RequestTaken { error: Some(ErrorCode::NoNode), request: Request::GetData { .. }, .. }
        )
    };
    assert!(taken.iter().any(is_no_node));
    assert!(!taken.iter().any(|event| matches!(event, Event::WatchSet { .. })));
    assert_eq!(stage.watches(), 0);
    stage.go("zk.B");
    assert_eq!(stage.step_of("B"), Step::Listing);
    let run = stage.play_on();
    assert_eq!((holders(&run).as_str(), verdict(&run)), ("AB", Verdict::Right));
    assert_eq!(run.measures().left_over_watches, 0);
}

#[test]
fn exists_on_a_vanished_node_leaves_a_watch_that_never_fires() {
    let mut stage = the_holder_goes_before_b_watches("check=exists");
    let taken = stage.go("B.zk");
    assert!(taken.iter().any(|event| matches!(event, Event::WatchSet { on_missing: true, .. })));
    assert_eq!(stage.watches(), 1);
    let run = stage.play_on();
    assert_eq!((holders(&run).as_str(), verdict(&run)), ("AB", Verdict::Right));
    assert_eq!(run.measures().left_over_watches, 1);
    assert_eq!(run.world_at(run.len()).server().watchers().count(), 1);
}

#[test]
fn with_two_requests_a_deletion_between_them_lets_the_client_sleep_beside_a_free_lock() {
    let mut stage = Stage::of(2, "check=separate");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Watching);
    // The first of the two, exists, has found A's node; the second is on its way.
    stage.bring("A", Step::Done);
    let run = stage.play_on();
    assert_eq!(verdict(&run), Verdict::Sticks);
    assert_eq!(run.measures().waits_for_ever, ["B"]);
    let stuck = Violation::Stuck { clients: vec![B] };
    assert!(run.findings().iter().any(|finding| finding.violation == stuck));
    let (world, _) = run.at(run.len());
    assert_eq!(world.server().children(LOCK_DIR).count(), 1, "only B's node: the lock is free");
}

#[test]
fn with_two_requests_a_deletion_before_or_after_them_does_no_harm() {
    let mut before = Stage::of(2, "check=separate");
    before.bring("A", Step::Working);
    before.bring("B", Step::Checking);
    before.bring("A", Step::Done);
    assert_eq!(verdict(&before.play_on()), Verdict::Right);

    let mut after = Stage::of(2, "check=separate");
    after.bring("A", Step::Working);
    after.bring("B", Step::Watching);
    after.go("B.zk");
    after.bring("A", Step::Done);
    assert_eq!(verdict(&after.play_on()), Verdict::Right);
}

#[test]
fn who_ignores_that_the_node_is_gone_sleeps_for_ever() {
    // ZooKeeper's shipped Java WriteLock: exists, and NoNode is only logged.
    for words in ["missing=ignore", "missing=ignore,check=exists", "missing=ignore,watch=holder"] {
        let run = the_holder_goes_before_b_watches(words).play_on();
        assert_eq!(verdict(&run), Verdict::Sticks, "{words}");
        assert_eq!(run.measures().waits_for_ever, ["B"], "{words}");
    }
}

#[test]
fn without_the_race_ignoring_does_no_harm() {
    assert_eq!(verdict(&run(3, "missing=ignore")), Verdict::Right);
    assert_eq!(verdict(&run(3, "check=separate")), Verdict::Right);
}

#[test]
fn who_queues_again_is_overtaken_by_the_one_behind() {
    let mut stage = Stage::of(3, "missing=requeue");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Watching);
    stage.bring("C", Step::Asleep);
    stage.bring("A", Step::Done);
    let run = stage.play_on();
    assert_eq!(holders(&run), "ACB");
    assert_eq!(run.measures().places_given_up, 1);
    assert_eq!(verdict(&run), Verdict::Costs);
}

// Decision 5: what a wake-up means.

#[test]
fn who_takes_a_wake_up_for_the_lock_beside_others_who_do_holds_it_with_them() {
    // Without a fence, so that what two holders do is done.
    let run = run(3, "watch=holder,wake=assume,resource=open");
    assert_eq!(verdict(&run), Verdict::Breaks);
    let breaks = |wanted: fn(&Violation) -> bool| run.findings().iter().any(|f| wanted(&f.violation));
    assert!(breaks(|v| matches!(v, Violation::TwoHold { .. } | Violation::FalseOwner { .. })));
    assert!(breaks(|v| matches!(v, Violation::LostUpdate { .. })));
    // Three writes of one item each, and the stock is not used up: an update is lost.
    assert_eq!((run.measures().writes, run.measures().stock), (3, Some(1)));
    assert!(events(&run).any(|event| matches!(event, Event::Acquired { looked: false, .. })));
}

#[test]
fn assuming_happens_to_hold_while_the_predecessor_is_watched_and_nobody_gives_up() {
    // The node ahead goes only when its owner releases: nothing here leaves the queue otherwise.
    for clients in 1..6 {
        assert_eq!(verdict(&run(clients, "wake=assume")), Verdict::Right);
    }
}

#[test]
fn looking_again_after_a_wake_up_finds_that_somebody_else_is_first() {
    let mut stage = Stage::of(3, "watch=holder");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Asleep);
    stage.bring("C", Step::Asleep);
    stage.bring("A", Step::Done);
    stage.bring("C", Step::Watching);
    let run = stage.play_on();
    assert_eq!((holders(&run).as_str(), run.measures().wake_ups_in_vain), ("ABC", 1));
    assert!(run.findings().is_empty());
}

// Decision 13: how to order the children.

/// A scenario in which the GUIDs of A and B are in this order.
fn with_guids_in_order(in_order: bool) -> Scenario {
    let seed = (0..).find(|&seed| (luck::guid(seed, A) < luck::guid(seed, B)) == in_order).unwrap();
    Scenario { seed, ..scenario(2, "order=name") }
}

#[test]
fn sorting_by_the_whole_name_lets_a_late_client_in_beside_the_holder() {
    let run = Timeline::run(&with_guids_in_order(false), 0);
    assert_eq!(verdict(&run), Verdict::Breaks);
    let first = &run.findings()[0].violation;
    assert_eq!(*first, Violation::TwoHold { client: B, other: A });
}

#[test]
fn sorting_by_the_whole_name_goes_well_by_luck_alone() {
    assert_eq!(verdict(&Timeline::run(&with_guids_in_order(true), 0)), Verdict::Right);
}

// Decision 1: what node to create.

#[test]
fn an_ephemeral_node_belongs_to_its_session_and_a_persistent_one_to_nobody() {
    let owner = |words| {
        let mut stage = Stage::of(1, words);
        stage.bring("A", Step::Working);
        let server = stage.world.server();
        let name = server.children(LOCK_DIR).next().unwrap();
        let owner = server.stat(&format!("{LOCK_DIR}/{name}")).unwrap().ephemeral_owner;
        owner.map(|session| stage.world.client_of(session).unwrap())
    };
    assert_eq!(owner("node=ephemeral-sequential"), Some(A));
    assert_eq!(owner("node=ephemeral-single"), Some(A));
    // Nothing would delete it if A died: the leak that sticks, once clients can die.
    assert_eq!(owner("node=persistent-sequential"), None);
}

#[test]
fn a_persistent_node_does_no_harm_while_nobody_dies() {
    assert_eq!(verdict(&run(3, "node=persistent-sequential")), Verdict::Right);
}

#[test]
fn one_single_name_is_fought_for_at_each_release() {
    for watch in ["predecessor", "holder", "parent", "poll"] {
        let run = run(4, &format!("node=ephemeral-single,watch={watch}"));
        let m = run.measures();
        assert_eq!(verdict(&run), Verdict::Costs, "{watch}");
        assert!(m.fights_lost > 3, "{watch}: {}", m.fights_lost);
        assert_eq!((m.acquisitions.len(), m.stock), (4, Some(0)), "{watch}");
    }
}

#[test]
fn with_one_single_name_a_late_client_may_overtake_one_that_waits() {
    let mut stage = Stage::of(3, "node=ephemeral-single");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Asleep);
    stage.bring("A", Step::Done);
    stage.bring("C", Step::Working);
    let run = stage.play_on();
    assert_eq!(holders(&run), "ACB");
}

#[test]
fn assuming_beside_one_single_name_takes_a_lock_that_has_no_node() {
    let run = run(3, "node=ephemeral-single,wake=assume");
    assert_eq!(verdict(&run), Verdict::Breaks);
}

// Events and replies that cross.

#[test]
fn an_event_between_the_list_and_the_sleep_is_not_slept_through() {
    let mut stage = Stage::of(2, "watch=parent");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Listing);
    stage.go("B.zk");
    stage.bring("A", Step::Done);
    // B hears the old list, then the event, and only then sorts.
    stage.go("zk.B");
    assert_eq!(stage.step_of("B"), Step::Sorting);
    let heard = stage.go("zk.B");
    assert!(matches!(heard, [Event::EventHeard { client: B, .. }]), "{heard:?}");
    let sorted = stage.go("sort.B");
    assert!(sorted.iter().any(|event| matches!(event, Event::Woke { client: B })), "{sorted:?}");
    assert_eq!(stage.step_of("B"), Step::Listing);
    let run = stage.play_on();
    assert_eq!((holders(&run).as_str(), run.measures().waits_for_ever.len()), ("AB", 0));
}

#[test]
fn an_event_that_was_heard_before_the_list_is_older_than_the_list() {
    let mut stage = Stage::of(3, "node=ephemeral-single,watch=parent");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Listing);
    stage.bring("A", Step::Done);
    // B's list is empty and leaves a watch; before B can create the name, C does.
    stage.bring("B", Step::Creating);
    stage.go("arrive.C C.zk B.zk");
    let heard = stage.go("zk.B");
    assert!(matches!(heard, [Event::EventHeard { client: B, .. }]), "{heard:?}");
    // The list that B asks for now already shows C's node: B may sleep, and C's release wakes it.
    let slept = stage.bring("B", Step::Asleep);
    assert!(matches!(slept, [.., Event::Slept { client: B, .. }]), "{slept:?}");
    let run = stage.play_on();
    assert_eq!((holders(&run).as_str(), run.measures().waits_for_ever.len()), ("ACB", 0));
}

#[test]
fn an_event_for_a_client_that_already_holds_changes_nothing() {
    let mut stage = Stage::of(2, "watch=parent");
    stage.bring("A", Step::Working);
    // A listed with a watch; B's node fires it while A works.
    stage.go("arrive.B B.zk");
    let heard = stage.go("zk.A");
    assert!(matches!(heard, [Event::EventHeard { client: A, .. }]), "{heard:?}");
    assert_eq!(stage.step_of("A"), Step::Working);
}

#[test]
fn the_event_of_ones_own_release_comes_before_the_reply_and_changes_nothing() {
    let mut stage = Stage::of(1, "watch=parent");
    stage.bring("A", Step::Releasing);
    stage.go("A.zk");
    let heard = stage.go("zk.A");
    assert!(matches!(heard, [Event::EventHeard { client: A, .. }]), "{heard:?}");
    assert_eq!(stage.step_of("A"), Step::Releasing);
    stage.go("zk.A");
    assert_eq!(stage.step_of("A"), Step::Done);
}

#[test]
fn the_watch_of_one_client_is_one_watch_however_often_it_asks() {
    let mut stage = Stage::of(2, "node=ephemeral-single,watch=parent");
    stage.bring("A", Step::Working);
    stage.bring("B", Step::Asleep);
    let watches: Vec<WatchTable> = stage.world.server().watchers().map(|watch| watch.table).collect();
    assert_eq!(watches, [WatchTable::Children]);
}

// Runs and hands.

#[test]
fn a_run_done_twice_is_the_same_run() {
    for words in ["", "watch=parent", "watch=poll", "node=ephemeral-single", "wake=assume,watch=holder"] {
        let (one, two) = (run(6, words), run(6, words));
        assert_eq!(one.steps(), two.steps());
        assert_eq!(one.measures(), two.measures());
    }
}

#[test]
fn what_a_hand_holds_back_waits_until_it_lets_go() {
    let mut scenario = scenario(2, "");
    let free = Timeline::run(&scenario, 0);
    let wakes = |step: &lockstep::play::TimelineStep| {
        step.events.iter().any(|event| matches!(event, Event::WatchFired { client: B, .. }))
    };
    let at = free.steps().iter().position(wakes).unwrap() as u32 + 1;
    let news = "zk.B".parse().unwrap();
    scenario.lanes[0].choices = vec![Choice { at, what: Chosen::Hold(news) }];
    let held = Timeline::run(&scenario, 0);
    assert_eq!((held.end(), holders(&held).as_str()), (End::Held, "A"));
    assert!(held.end_note().is_some());
    assert_eq!(held.steps()[..at as usize], free.steps()[..at as usize]);
    // Nobody waits for ever: a hand holds the news back.
    assert!(held.findings().is_empty());
    assert_eq!(held.at(at).1.held().collect::<Vec<_>>(), [news]);

    scenario.lanes[0].choices.push(Choice { at: held.len(), what: Chosen::LetGo(news) });
    let went_on = Timeline::run(&scenario, 0);
    assert_eq!((went_on.end(), holders(&went_on).as_str()), (End::AtRest, "AB"));
}

#[test]
fn a_choice_for_a_step_that_the_run_never_reaches_is_told() {
    let mut scenario = scenario(2, "");
    let end = Timeline::run(&scenario, 0).len();
    let choice = Choice { at: end + 1, what: Chosen::Take("zk.B".parse().unwrap()) };
    scenario.lanes[0].choices = vec![choice];
    let run = Timeline::run(&scenario, 0);
    assert_eq!(run.misfit().map(|misfit| misfit.choice), Some(choice));
    assert_eq!((run.len(), run.end()), (end, End::AtRest));
}

#[test]
fn a_hand_cannot_take_two_actions_at_one_step() {
    let mut scenario = scenario(2, "");
    let take = |action: &str| Choice { at: 0, what: Chosen::Take(action.parse().unwrap()) };
    scenario.lanes[0].choices = vec![take("arrive.B"), take("arrive.A")];
    let run = Timeline::run(&scenario, 0);
    assert_eq!(run.misfit().map(|misfit| misfit.choice), Some(take("arrive.A")));
    // It runs as if neither had been there.
    assert_eq!(run.steps()[0].action, "arrive.A".parse().unwrap());
}

#[test]
fn a_client_alone_takes_the_lock_without_waiting() {
    for words in ["", "watch=poll", "watch=parent", "node=ephemeral-single"] {
        let run = run(1, words);
        let m = run.measures();
        assert_eq!((m.acquisitions.len(), m.acquisitions[0].wake_ups, m.stock), (1, 0, Some(0)), "{words}");
        assert_eq!(run.findings(), [], "{words}");
    }
}

#[test]
fn the_first_story_parts_where_the_third_client_chooses_whom_to_watch() {
    let comparison = Comparison::run(&Scenario::default());
    let difference = comparison.first_difference().unwrap();
    assert_eq!(difference.lane, 1);
    let at = difference.common_steps as usize;
    let watched: Vec<&Event> = comparison
        .lanes()
        .iter()
        .map(|lane| {
            let is_watch =
                |event: &&Event| matches!(event, Event::RequestSent { request: Request::GetData { .. }, .. });
            lane.steps()[at].events.iter().find(is_watch).unwrap()
        })
        .collect();
    assert_eq!((watched[0].client(), watched[1].client()), (Some(C), Some(C)));
    assert_ne!(watched[0], watched[1]);
    assert_eq!(comparison.lanes()[0].steps()[..at], comparison.lanes()[1].steps()[..at]);
}

#[test]
fn names_of_clients_and_decisions_are_those_of_the_links() {
    assert_eq!(client("C"), C);
    assert_eq!(decisions("watch=holder").watch.info().word, "holder");
}
