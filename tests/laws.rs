//! What holds for every run, whatever the scenario: replay, seek, links, lanes, links in order, time.

use std::collections::BTreeSet;

use std::collections::{BTreeMap, VecDeque};

use lockstep::play::{
    CLIENTS, Choice, Chosen, Comparison, Fold, Lane, MAX_LANES, MAX_MS, Next, Scenario, Scripted, Timeline,
    TimelineStep, Timings, decode, encode,
};
use lockstep::recipe::{Decisions, Key};
use lockstep::world::{Action, Class, ClientId, Event, Fault, Link, Operator, ServerFault, Timer, World};
use lockstep::zookeeper::{CounterEnd, EnsembleSize, Request, ServerAction, ServerId};
use proptest::prelude::*;

/// Long enough for five clients, short enough for a test: runs that poll are cut off here.
const LIMIT: u32 = 300;

/// Any answer to each decision.
fn decisions() -> impl Strategy<Value = Decisions> {
    prop::collection::vec(any::<prop::sample::Index>(), Key::ALL.len()).prop_map(|picks| {
        picks.iter().zip(Key::ALL).fold(Decisions::default(), |decisions, (pick, key)| {
            let option = pick.get(key.options());
            decisions.with(key, option.word).unwrap()
        })
    })
}

/// Faults in the first two seconds, and what puts them right again.
fn script() -> impl Strategy<Value = Vec<Scripted>> {
    let fault = (0..2_000u64, prop::sample::select(&Fault::ALL[..]), (0..5u32).prop_map(ClientId))
        .prop_map(|(at_ms, fault, client)| Scripted { at_ms, action: Action::Fault(fault, client) });
    let operator = prop_oneof![
        Just(Operator::DeleteDir),
        Just(Operator::RestartServer),
        Just(Operator::RestartResource),
        (0..5u32).prop_map(|c| Operator::DeleteNode(ClientId(c))),
    ];
    let operator = (0..2_000u64, operator)
        .prop_map(|(at_ms, operator)| Scripted { at_ms, action: Action::Operator(operator) });
    prop::collection::vec(prop_oneof![3 => fault, 1 => operator], 0..5).prop_map(|mut script| {
        script.sort_by_key(|scripted| scripted.at_ms);
        script
    })
}

/// Any number of servers.
fn servers() -> impl Strategy<Value = EnsembleSize> {
    prop::sample::select(&EnsembleSize::ALL[..])
}

/// Anything that servers do, or that happens to them.
fn of_servers() -> impl Strategy<Value = Action> {
    let server = || (0..5u8).prop_map(ServerId);
    prop_oneof![
        (server(), server()).prop_map(|(from, to)| Action::Server(ServerAction::Deliver { from, to })),
        (server(), server())
            .prop_map(|(server, leader)| Action::Server(ServerAction::Join { server, leader })),
        server().prop_map(|s| Action::Server(ServerAction::GiveUp(s))),
        server().prop_map(|s| Action::Server(ServerAction::Elect(s))),
        server().prop_map(Action::Beat),
        prop::sample::select(ServerFault::all(5)).prop_map(Action::ServerFault),
    ]
}

/// Faults of servers in the first two seconds.
fn server_script() -> impl Strategy<Value = Vec<Scripted>> {
    let fault = (0..2_000u64, prop::sample::select(ServerFault::all(3)))
        .prop_map(|(at_ms, fault)| Scripted { at_ms, action: Action::ServerFault(fault) });
    prop::collection::vec(fault, 0..6)
}

fn readers() -> impl Strategy<Value = BTreeSet<ClientId>> {
    prop::collection::vec((0..5u32).prop_map(ClientId), 0..3)
        .prop_map(|readers| readers.into_iter().collect())
}

fn timings_of(
    (arrival_gap_ms, hold_ms, poll_ms, hop_ms, hop_spread_ms): (u64, u64, u64, u64, u64),
) -> Timings {
    Timings { arrival_gap_ms, hold_ms, poll_ms, hop_ms, hop_spread_ms, ..Timings::default() }
}

/// Timings in which races are likely.
fn timings() -> impl Strategy<Value = Timings> {
    (0..60u64, 0..120u64, 1..60u64, 0..20u64, 0..40u64).prop_map(timings_of)
}

/// A scenario of one lane, without choices: calm or with faults.
fn story() -> impl Strategy<Value = Scenario> {
    let faults = prop_oneof![Just(Vec::new()), script()];
    let alone = Just((EnsembleSize::One, 0, Vec::new()));
    let together = (servers(), prop_oneof![Just(0), 0..300u64], server_script());
    let ensemble = prop_oneof![alone, together];
    (1..=5u32, any::<u64>(), timings(), decisions(), readers(), faults, ensemble).prop_map(
        |(clients, seed, timings, decisions, readers, mut script, (servers, lag_ms, of_servers))| {
            script.extend(of_servers);
            script.sort_by_key(|scripted| scripted.at_ms);
            Scenario {
                clients,
                seed,
                timings: Timings { lag_ms, ..timings },
                readers,
                script,
                servers,
                ..Scenario::single(decisions)
            }
        },
    )
}

/// A scenario of one lane with choices that fit: at some steps a hand takes, holds or lets go.
fn story_by_hand() -> impl Strategy<Value = Scenario> {
    let hands = prop::collection::vec((0..25u32, any::<prop::sample::Index>(), 0..4u8), 0..6);
    (story(), hands).prop_map(|(mut scenario, hands)| {
        let mut at = 0;
        for (later, which, verb) in hands {
            at += later + 1;
            let run = Timeline::run_to(&scenario, 0, LIMIT);
            if at > run.len() {
                break;
            }
            let (world, schedule) = run.at(at);
            let (enabled, held) = (world.enabled(), schedule.held().collect::<Vec<_>>());
            let choices = &mut scenario.lanes[0].choices;
            if !enabled.is_empty() {
                let action = enabled[which.index(enabled.len())];
                let what = if verb < 2 { Chosen::Take(action) } else { Chosen::Hold(action) };
                choices.push(Choice { at, what });
            }
            if verb == 3 && !held.is_empty() {
                choices.push(Choice { at: at + 1, what: Chosen::LetGo(held[which.index(held.len())]) });
                at += 1;
            }
        }
        // A later choice may have made an earlier one meaningless.
        while let Some(unfit) = run(&scenario).misfit() {
            scenario.lanes[0].choices.retain(|choice| choice.at < unfit.choice.at);
        }
        scenario
    })
}

fn run(scenario: &Scenario) -> Timeline {
    Timeline::run_to(scenario, 0, LIMIT)
}

/// Any scenario that a link can hold, with any choices, whether they fit or not.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let client = || prop_oneof![0..30u32, any::<u32>()].prop_map(ClientId);
    let action = prop_oneof![
        client().prop_map(Action::Arrive),
        client().prop_map(Action::Sort),
        client().prop_map(Action::Work),
        client().prop_map(Action::Poll),
        client().prop_map(|c| Action::Deliver(Link::ToServer(c))),
        client().prop_map(|c| Action::Deliver(Link::ToClient(c))),
        client().prop_map(|c| Action::Deliver(Link::ToResource(c))),
        client().prop_map(|c| Action::Deliver(Link::FromResource(c))),
        client().prop_map(Action::Ping),
        client().prop_map(Action::Suspend),
        client().prop_map(Action::Reconnect),
        client().prop_map(Action::Expire),
        client().prop_map(Action::ExpireOld),
        (prop::sample::select(&Fault::ALL[..]), client()).prop_map(|(fault, c)| Action::Fault(fault, c)),
        client().prop_map(|c| Action::Operator(Operator::DeleteNode(c))),
        of_servers(),
        Just(Action::Operator(Operator::DeleteDir)),
        Just(Action::Operator(Operator::RestartServer)),
        Just(Action::Operator(Operator::RestartResource)),
    ];
    let choice = (any::<u32>(), action, 0..3u8).prop_map(|(at, action, verb)| {
        let what = [Chosen::Take, Chosen::Hold, Chosen::LetGo][verb as usize](action);
        Choice { at, what }
    });
    let choices = prop::collection::vec(choice, 0..8).prop_map(|mut choices| {
        choices.sort_by_key(|choice| choice.at);
        choices
    });
    let end = || prop::sample::select(vec![CounterEnd::Sticks, CounterEnd::Wraps]);
    let timeout = || 1..=MAX_MS as u32;
    let lane = (
        decisions(),
        prop::option::of(CLIENTS),
        prop::option::of(timeout()),
        prop::option::of(end()),
        choices,
    )
        .prop_map(|(decisions, clients, timeout_ms, server, choices)| Lane {
            decisions,
            clients,
            timeout_ms,
            server,
            choices,
        });
    let ms = || 0..=MAX_MS;
    let timings = (ms(), ms(), 1..=MAX_MS, ms(), ms()).prop_map(timings_of);
    let lanes = prop::collection::vec(lane, 1..=MAX_LANES);
    let numbers = (CLIENTS, any::<u64>(), timeout(), 0..=i32::MAX as u32, servers(), ms());
    (numbers, prop::option::of(0..1000u32), timings, end(), readers(), script(), lanes).prop_map(
        |(
            (clients, seed, timeout_ms, counter, servers, lag_ms),
            stock,
            timings,
            server,
            readers,
            script,
            lanes,
        )| Scenario {
            clients,
            readers,
            stock,
            seed,
            timings: Timings { lag_ms, ..timings },
            timeout_ms,
            counter,
            server,
            servers,
            script,
            lanes,
        },
    )
}

/// Text that looks a little like a link.
fn near_link() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "v=1",
        "v=2",
        "&",
        "&&",
        "clients=",
        "clients=0",
        "clients=3",
        "seed=",
        "-1",
        "lane=",
        "lane",
        "watch=",
        "watch=holder",
        "watch=%68older",
        ",",
        "=",
        "@",
        "take@",
        "take@3=zk.B",
        "hold@1=arrive.A",
        "go@99999999999=poll.Z",
        "zk.Ä",
        "%",
        "%ff",
        "%00",
        "+",
        "hop-ms=9",
        "poll-ms=0",
        "锁",
        "\0",
        "\u{202e}",
        "order=name",
        "clients=10001",
        "servers=3",
        "servers=2",
        "script=crash.s2@300",
        "18446744073709551616",
        "A1",
        ".",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn assert_valid(scenario: &Scenario) {
    assert!(CLIENTS.contains(&scenario.clients));
    assert!((1..=MAX_LANES).contains(&scenario.lanes.len()));
    let t = &scenario.timings;
    for ms in [t.arrival_gap_ms, t.hold_ms, t.poll_ms, t.hop_ms, t.hop_spread_ms] {
        assert!(ms <= MAX_MS);
    }
    assert!(t.poll_ms > 0);
    for lane in &scenario.lanes {
        assert!(lane.clients.is_none_or(|clients| CLIENTS.contains(&clients)));
        assert!(lane.choices.is_sorted_by_key(|choice| choice.at));
    }
}

/// How long each message was on its way, where nothing on its link was before it. The key is what
/// luck is keyed by, but for the direction: the client, the step of the recipe, how often.
fn delays(steps: &[TimelineStep]) -> BTreeMap<(ClientId, String, u32), u64> {
    let mut sent: BTreeMap<Link, VecDeque<(String, u64)>> = BTreeMap::new();
    let mut counts: BTreeMap<(ClientId, String), u32> = BTreeMap::new();
    let mut delays = BTreeMap::new();
    for step in steps {
        if let Action::Deliver(link) = step.action
            && let Some((what, at_ms)) = sent.entry(link).or_default().pop_front()
        {
            let count = counts.entry((link.client(), what.clone())).or_default();
            delays.insert((link.client(), what, *count), step.at_ms - at_ms);
            *count += 1;
        }
        for event in &step.events {
            let what = match event {
                Event::RequestSent { request, .. } => match request {
                    Request::Exists { watch: false, .. } => "check".to_string(),
                    Request::Exists { .. } | Request::GetData { watch: true, .. } => "watch".to_string(),
                    Request::GetData { path, .. } if path.ends_with("stock") => "read".to_string(),
                    other => lockstep::teach::call_name(other).to_string(),
                },
                Event::ResourceAsked { request, .. } => {
                    format!("use {request:?}").replace(char::is_numeric, "")
                }
                // Replies wait behind events on their link; the others have it to themselves.
                _ => continue,
            };
            if let Some(link) = event.message_on() {
                sent.entry(link).or_default().push_back((what, step.at_ms));
            }
        }
    }
    delays
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn running_twice_gives_the_same_run(scenario in story_by_hand()) {
        let (one, two) = (run(&scenario), run(&scenario));
        prop_assert_eq!(one.steps(), two.steps());
        prop_assert_eq!(one.findings(), two.findings());
        prop_assert_eq!(one.measures(), two.measures());
        prop_assert_eq!((one.end(), one.misfit()), (two.end(), two.misfit()));
    }

    #[test]
    fn replaying_the_recorded_actions_gives_the_recorded_events(scenario in story_by_hand()) {
        let run = run(&scenario);
        let (mut world, _) = World::new(&scenario.cast(0));
        for step in run.steps() {
            prop_assert_eq!(&world.step(step.action).unwrap(), &step.events);
        }
        prop_assert_eq!(world, run.world_at(run.len()));
    }

    #[test]
    fn seeking_commutes_with_stepping(scenario in story_by_hand()) {
        let run = run(&scenario);
        prop_assert_eq!(run.misfit(), None);
        let mut world = run.world_at(0);
        for at in 0..run.len() {
            let (sought, mut sought_schedule) = run.at(at);
            prop_assert_eq!(&sought, &world);
            let step = &run.steps()[at as usize];
            if !step.by_hand {
                let next = std::iter::repeat_with(|| sought_schedule.next(&sought))
                    .find(|next| !matches!(next, Next::Missed(_)));
                prop_assert_eq!(next, Some(Next::Take(step.action)));
            }
            // One step on from where the seek led, by the world and the schedule alone.
            let mut schedule = sought_schedule;
            world = sought;
            schedule.take(step.action, step.by_hand);
            prop_assert_eq!(schedule.now_ms(), step.at_ms);
            let events = world.step(step.action).unwrap();
            prop_assert_eq!(&events, &step.events);
            schedule.see(&events);
            let next = run.at(at + 1).1;
            for action in world.enabled() {
                prop_assert_eq!(schedule.due_ms(action), next.due_ms(action));
            }
        }
        prop_assert_eq!(world.fingerprint(), run.world_at(u32::MAX).fingerprint());
    }

    #[test]
    fn what_was_asked_for_before_changes_no_answer(scenario in story_by_hand(), order in prop::collection::vec(any::<u32>(), 1..40)) {
        let run = run(&scenario);
        let events: fn(&mut usize, &TimelineStep) = |sum, step| *sum += step.events.len();
        let fold = Fold::over(&run, 0, events);
        for at in order {
            // Far and near, forward and back.
            let at = at % (run.len() + 1);
            for at in [at, at, at + 1, at.saturating_sub(2)] {
                // A clone was never asked before.
                let ((world, mut schedule), (alone, mut its)) = (run.at(at), run.clone().at(at));
                prop_assert_eq!(schedule.held().collect::<Vec<_>>(), its.held().collect::<Vec<_>>());
                prop_assert_eq!(schedule.next(&world), its.next(&alone));
                prop_assert_eq!(schedule.now_ms(), its.now_ms());
                prop_assert_eq!(world, alone);
                let sum: usize = run.steps().iter().take(at as usize).map(|step| step.events.len()).sum();
                prop_assert_eq!(fold.at(&run, at), sum);
            }
        }
    }

    #[test]
    fn what_is_enabled_is_scheduled_and_the_reverse(scenario in story_by_hand()) {
        let run = run(&scenario);
        for at in 0..=run.len() {
            let (world, mut schedule) = run.at(at);
            for action in world.enabled() {
                prop_assert!(schedule.due_ms(action).is_some(), "{} is not scheduled at {}", action, at);
            }
            if let Next::Take(action) = schedule.next(&world) {
                prop_assert!(world.is_enabled(action));
            }
        }
    }

    #[test]
    fn a_run_cut_off_is_the_beginning_of_the_whole(scenario in story_by_hand(), limit in 0..LIMIT) {
        let (whole, part) = (run(&scenario), Timeline::run_to(&scenario, 0, limit));
        prop_assert_eq!(part.steps(), &whole.steps()[..part.len() as usize]);
        prop_assert_eq!(part.len(), limit.min(whole.len()));
        prop_assert_eq!(&whole.measures_after(limit), &if limit < whole.len() {
            part.measures().clone()
        } else {
            whole.measures().clone()
        });
    }

    #[test]
    fn a_choice_that_does_not_fit_keeps_the_run_before_it(scenario in story(), at in 0..60u32) {
        // Nobody is called Z here.
        let mut unfit = scenario.clone();
        let choice = Choice { at, what: Chosen::Take("zk.Z".parse().unwrap()) };
        unfit.lanes[0].choices = vec![choice];
        let (plain, unfit) = (run(&scenario), run(&unfit));
        prop_assert_eq!(unfit.misfit().map(|misfit| misfit.choice), Some(choice));
        prop_assert_eq!(plain.steps(), unfit.steps());
        prop_assert_eq!(plain.world_at(at), unfit.world_at(at));
    }

    #[test]
    fn links_round_trip(scenario in any_scenario()) {
        let link = encode(&scenario);
        let decoded = decode(&link);
        prop_assert_eq!(&decoded.problems, &[]);
        prop_assert_eq!(&decoded.rest, &[]);
        prop_assert_eq!(decoded.scenario, scenario);
    }

    #[test]
    fn any_text_is_read_as_a_scenario_within_bounds(text in prop_oneof![any::<String>(), near_link()]) {
        let decoded = decode(&text);
        assert_valid(&decoded.scenario);
        for problem in &decoded.problems {
            prop_assert!(!problem.sentence().en.is_empty());
        }
        // What was read can be written, and reads the same again.
        let again = decode(&encode(&decoded.scenario));
        prop_assert_eq!(again.scenario, decoded.scenario);
        prop_assert_eq!(again.problems, vec![]);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let percent: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
        assert_valid(&decode(&String::from_utf8_lossy(&bytes)).scenario);
        assert_valid(&decode(&percent).scenario);
        assert_valid(&decode(&format!("lane={percent}&clients={percent}")).scenario);
    }

    #[test]
    fn a_lane_runs_as_if_it_were_alone(story in story_by_hand(), other in story_by_hand()) {
        let alone = run(&story);
        let mut both = story.clone();
        both.lanes.extend(other.lanes);
        let first = Timeline::run_to(&both, 0, LIMIT);
        prop_assert_eq!(alone.steps(), first.steps());
        both.lanes.swap(0, 1);
        let second = Timeline::run_to(&both, 1, LIMIT);
        prop_assert_eq!(alone.steps(), second.steps());
    }

    #[test]
    fn lanes_share_every_step_until_they_part(story in story(), other in decisions()) {
        let mut scenario = story;
        scenario.lanes.push(Lane::of(other));
        let lanes = [0, 1].map(|lane| Timeline::run_to(&scenario, lane, LIMIT));
        let same = lanes[0].steps() == lanes[1].steps();
        let comparison = Comparison::of(lanes.map(Into::into).into());
        let [a, b] = comparison.lanes() else { unreachable!("two lanes") };
        match comparison.first_difference() {
            None => prop_assert!(same),
            Some(difference) => {
                let common = difference.common_steps as usize;
                prop_assert_eq!(&a.steps()[..common], &b.steps()[..common]);
                prop_assert_ne!(a.steps().get(common), b.steps().get(common));
                // They walk in step until then.
                let before = comparison.steps_at(difference.stop - 1);
                prop_assert_eq!(before, vec![difference.common_steps; 2]);
            }
        }
        // Each stop moves somebody, time never goes back, and the last stop is the end of all.
        for stop in 1..=comparison.last_stop() {
            prop_assert!(comparison.moved_to(stop) != 0);
            prop_assert!(comparison.at_ms(stop - 1) <= comparison.at_ms(stop));
        }
        prop_assert_eq!(comparison.steps_at(u32::MAX), vec![a.len(), b.len()]);
    }

    #[test]
    fn the_same_message_is_equally_lucky_in_every_lane(story in story(), other in decisions()) {
        // What is kept up by a fault is late for another reason than luck.
        let mut scenario = Scenario { script: Vec::new(), ..story };
        scenario.lanes.push(Lane::of(other));
        let [a, b] = [0, 1].map(|lane| delays(Timeline::run_to(&scenario, lane, LIMIT).steps()));
        for (key, delay_ms) in &a {
            prop_assert_eq!(b.get(key).unwrap_or(delay_ms), delay_ms, "{:?}", key);
        }
    }

    #[test]
    fn messages_on_one_link_arrive_in_the_order_in_which_they_were_sent(scenario in story_by_hand()) {
        let mut under_way: BTreeMap<Link, VecDeque<String>> = BTreeMap::new();
        for step in run(&scenario).steps() {
            if let Action::Deliver(link) = step.action {
                let sent = under_way.entry(link).or_default().pop_front();
                prop_assert!(sent.is_some());
                // What arrives at an end that has closed is not looked at.
                if let Some(arrived) = step.events.iter().find_map(arrival) {
                    prop_assert_eq!(sent, Some(arrived));
                }
            }
            for event in &step.events {
                if let Event::LinkLost { link, messages } = event {
                    let lost = under_way.remove(link).unwrap_or_default();
                    prop_assert_eq!(lost.len(), *messages as usize);
                }
                if let Some(link) = event.message_on() {
                    let message = departure(event).unwrap_or_else(|| "about the connection".to_string());
                    under_way.entry(link).or_default().push_back(message);
                }
            }
        }
    }

    #[test]
    fn virtual_time_never_goes_back(scenario in story_by_hand()) {
        let run = run(&scenario);
        prop_assert!(run.steps().is_sorted_by_key(|step| step.at_ms));
    }

    #[test]
    fn timers_go_off_when_they_are_armed_and_once(scenario in story_by_hand()) {
        let run = run(&scenario);
        let (_, start) = World::new(&scenario.cast(0));
        let mut armed: Vec<Action> = start.iter().filter_map(timer).collect();
        for step in run.steps() {
            if matches!(step.action, Action::Arrive(_) | Action::Work(_) | Action::Poll(_)) {
                let at = armed.iter().position(|armed| *armed == step.action);
                prop_assert!(at.is_some(), "{} was not armed", step.action);
                armed.swap_remove(at.unwrap());
            }
            armed.extend(step.events.iter().filter_map(timer));
        }
    }

    #[test]
    fn equal_worlds_have_equal_fingerprints_and_one_step_changes_them(scenario in story_by_hand()) {
        let run = run(&scenario);
        for at in 0..run.len() {
            let world = run.world_at(at);
            prop_assert_eq!(world.fingerprint(), world.clone().fingerprint());
            // A poll, a heartbeat or a blow may lead nowhere at once; every other action moves the world on.
            let action = run.steps()[at as usize].action;
            let moves = world.class(action) == Class::Progress && !action.is_from_outside();
            if moves {
                prop_assert_ne!(world.fingerprint(), run.world_at(at + 1).fingerprint());
            }
        }
    }
}

fn timer(event: &Event) -> Option<Action> {
    match event {
        Event::TimerSet {
            timer: timer @ (Timer::Arrive(_) | Timer::Work(_) | Timer::Poll(_) | Timer::Reconnect(_)),
        } => Some(Action::fire(*timer)),
        _ => None,
    }
}

/// What an event puts on a link, as text.
fn departure(event: &Event) -> Option<String> {
    Some(match event {
        Event::RequestSent { request, .. } => format!("{request:?}"),
        Event::RequestTaken { request, error, .. } => format!("{request:?} {error:?}"),
        Event::WatchFired { event, lost: false, .. } => format!("{event:?}"),
        Event::ResourceAsked { request, .. } => format!("{request:?}"),
        Event::ResourceTaken { reply, in_zookeeper: false, .. } => format!("{reply:?}"),
        _ => return None,
    })
}

/// What an event takes off a link, as the same text.
fn arrival(event: &Event) -> Option<String> {
    Some(match event {
        Event::RequestTaken { request, .. } => format!("{request:?}"),
        Event::ReplyHeard { request, error, .. } => format!("{request:?} {error:?}"),
        Event::EventHeard { event, .. } => format!("{event:?}"),
        Event::ResourceTaken { request, in_zookeeper: false, .. } => format!("{request:?}"),
        Event::ResourceHeard { reply, .. } => format!("{reply:?}"),
        _ => return None,
    })
}
