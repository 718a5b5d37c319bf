//! A run ends when only attempts are left that cannot succeed, says so, and is not cut before.

mod stage;

use std::hash::{Hash, Hasher};

use lockstep::judge::Detector;
use lockstep::play::{End, Timeline, TimelineStep, decode};
use lockstep::recipe::Verdict;
use lockstep::world::{ClientId, Event, ServerFact, StableHasher};

fn run(query: &str) -> Timeline {
    let decoded = decode(query);
    assert_eq!(decoded.problems, [], "{query}");
    Timeline::run_to(&decoded.scenario, 0, LIMIT)
}

/// No run here needs as many steps; one that does not end needs any number.
const LIMIT: u32 = 20_000;

const NO_QUORUM: &str =
    "Nobody can ever get the lock: there is no quorum. What is left are attempts that cannot succeed.";
#[test]
fn without_a_quorum_for_ever_the_run_ends_and_says_why() {
    for (script, servers, note) in [
        ("crash.s2@1000,crash.s3@1000", 3, NO_QUORUM),
        ("crash.s1@1000,crash.s2@1000,crash.s3@1000", 3, NO_QUORUM),
        ("crash.s1@1000,crash.s3@1000,crash.s5@1000", 5, NO_QUORUM),
        ("cut.s1-s2@1000,cut.s1-s3@1000,cut.s2-s3@1000", 3, NO_QUORUM),
        ("stall.s1@1000,stall.s2@1000", 3, NO_QUORUM),
        // Who is connected to the leader waits in vain as well.
        ("crash.s2@1000,stall.s1@1050", 3, NO_QUORUM),
        // Its leader hears A each time it comes round, and never lets its session go.
        ("stall.s3@1000,crash.s1@1500", 3, NO_QUORUM),
    ] {
        for clients in [2, 10] {
            for answers in ["", "watch=poll", "disconnect=requeue", "lost-reply=again", "reconnect=forget"] {
                let query = format!(
                    "v=2&clients={clients}&hold-ms=3000&servers={servers}&script={script}&lane={answers}"
                );
                let run = run(&query);
                assert_eq!(run.end(), End::AtRest, "{query}");
                assert_eq!(run.end_note().unwrap().en, note, "{query}");
                // Nothing of it is the recipe's doing; it costs, as it does where it is only cut off.
                assert_eq!(run.judgement().verdict, Verdict::Costs, "{query}");
                assert_eq!((run.findings(), run.measures().orphans.len()), (&[][..], 0), "{query}");
            }
        }
    }
}

/// `syncLimit` is five ticks of 2 s.
#[test]
fn a_leader_that_hears_nothing_gives_up_and_another_is_elected() {
    let run = run("v=2&clients=3&hold-ms=3000&servers=3&script=stall.s3@1000&lane=");
    let fact = |wanted: fn(&ServerFact) -> bool| {
        let has =
            |events: &[Event]| events.iter().any(|e| matches!(e, Event::Server { fact } if wanted(fact)));
        run.steps().iter().find(|step| has(&step.events)).map(|step| step.at_ms)
    };
    assert_eq!(
        fact(|fact| matches!(fact, ServerFact::GaveUp { server } if server.to_string() == "S3")),
        Some(11_000)
    );
    let elected = fact(|fact| matches!(fact, ServerFact::Elected { .. })).expect("an election");
    assert!((11_000..12_000).contains(&elected), "{elected}");
    assert_eq!((stage::holders(&run).as_str(), run.end(), run.end_note()), ("ABC", End::AtRest, None));
}

/// What it had to wait for it learns at once when it goes on: its leader died meanwhile.
#[test]
fn a_server_that_goes_on_learns_at_once_what_it_has_missed() {
    let run =
        run("v=2&clients=2&hold-ms=3000&servers=3&script=stall.s1@1000,crash.s3@1100,resume.s1@4000&lane=");
    let gave_up = |e: &Event| matches!(e, Event::Server { fact: ServerFact::GaveUp { server } } if server.to_string() == "S1");
    let at = run.steps().iter().find(|step| step.events.iter().any(gave_up)).map(|step| step.at_ms);
    assert!(at.is_some_and(|at| (4_000..4_200).contains(&at)), "{at:?}");
    assert_eq!(stage::holders(&run), "AB");
}

/// Its attempt has waited in the link that stalled, and brings the news that its session is over.
#[test]
fn an_attempt_that_brings_news_is_not_in_vain() {
    let query =
        "v=2&clients=3&seed=11842&lag-ms=200&servers=5&script=stall.B@244,give-up.B@1003,heal.B@25535&lane=";
    let run = run(query);
    let heard = |step: &TimelineStep| {
        step.events.iter().any(|e| matches!(e, Event::ExpiredHeard { client: ClientId(1) }))
    };
    assert!(run.steps().iter().any(heard));
    assert_eq!((run.findings(), run.measures().waits_for_ever.len()), (&[][..], 0));
}

/// A leader told B that its session was over, and lost its quorum before that was decided: at the next leader the session
/// has its full time again, and B's node stands in the way until it has passed.
#[test]
fn a_session_whose_end_was_told_and_not_decided_ends_at_the_next_leader() {
    let script = "cut.s2-s3@166,stall.s1@348,expire.B@3951,heal.s2-s3@9582,resume.s1@10938";
    let run = run(&format!("v=2&clients=3&seed=52987&servers=3&script={script}&lane="));
    let at = |wanted: fn(&Event) -> bool| {
        run.steps().iter().filter(|step| step.events.iter().any(wanted)).map(|step| step.at_ms).next_back()
    };
    let heard = at(|e| matches!(e, Event::ExpiredHeard { client: ClientId(1) })).unwrap();
    let elected = at(|e| matches!(e, Event::Server { fact: ServerFact::Elected { .. } })).unwrap();
    let ended = at(|e| matches!(e, Event::SessionExpired { client: ClientId(1), old: true })).unwrap();
    assert!(heard < elected && ended > elected + 20_000, "{heard}, {elected}, {ended}");
    assert_eq!((stage::holders(&run).as_str(), run.findings()), ("ACB", &[][..]));
}

#[test]
fn whoever_is_cut_off_for_ever_does_not_keep_the_others_run_from_ending() {
    let run_of = |servers: u32, script: &str, answers: &str| {
        run(&format!("v=2&clients=3&hold-ms=3000&servers={servers}&script={script}&lane={answers}"))
    };
    for script in ["stall.A@1000", "stall.C@1000"] {
        let (one, many) = (run_of(1, script, ""), run_of(3, script, ""));
        assert_eq!(
            (many.end(), many.judgement().verdict),
            (End::AtRest, one.judgement().verdict),
            "{script}"
        );
        assert_eq!(stage::holders(&many), stage::holders(&one), "{script}");
    }
    let note = run_of(3, "stall.C@1000", "").end_note().unwrap();
    assert_eq!(note.en, "C can never get the lock: nothing that is decided gets there.");
    // B's watch died with its connection. That C tries on does not hide it.
    let stuck = run_of(3, "reset.B@1700,stall.C@1800", "reconnect=forget");
    assert_eq!(stuck.judgement().verdict, Verdict::Sticks);
    assert!(stuck.detections().iter().any(|detection| detection.kind == Detector::LostWakeUp));
}

#[test]
fn what_can_still_happen_is_waited_for() {
    let late_ms = 600_000;
    for (script, holders) in [
        // A server comes up, and with it a quorum; one hears again; a link carries again.
        (format!("crash.s2@1000,crash.s3@1000,restart.s3@{late_ms}"), "ABC"),
        (format!("stall.s3@1000,resume.s3@{late_ms}"), "ABC"),
        (format!("stall.B@1000,heal.B@{late_ms}"), "ABC"),
        // A dead holder's session has still to end, while somebody else tries in vain.
        ("stall.C@1000,crash.A@1200".to_string(), "AB"),
    ] {
        let query = format!("v=2&clients=3&hold-ms=3000&servers=3&script={script}&lane=");
        let run = Timeline::run(&decode(&query).scenario, 0);
        let mut had: Vec<char> = stage::holders(&run).chars().collect();
        had.sort_unstable();
        assert_eq!((run.end(), String::from_iter(had).as_str()), (End::AtRest, holders), "{script}");
    }
    // A client is asked to give up long after.
    let late = format!("crash.s2@1000,crash.s3@1000,give-up.B@{late_ms}");
    let run = Timeline::run(
        &decode(&format!("v=2&clients=2&hold-ms=3000&servers=3&script={late}&lane=")).scenario,
        0,
    );
    assert!(stage::events(&run).any(|event| matches!(event, Event::FaultInjected { .. })), "it is asked");
    assert!(run.steps().last().unwrap().at_ms >= late_ms);
}

/// Whatever goes wrong with servers and links: a run ends, and if it is driven on from there, by the same
/// schedule, nothing more happens that anybody could see.
#[test]
fn after_the_end_nothing_happens_that_lasts() {
    let mut in_vain = 0;
    // Three stories in which a session could still end have been found among many more.
    for seed in (0..CASES).chain([2167, 3655, 4923]) {
        let query = script_of(seed);
        let run = run(&query);
        assert_eq!(run.end(), End::AtRest, "{query}");
        in_vain += u32::from(run.end_note().is_some());
        let (mut world, mut scheduler) = run.at(run.len());
        let put_off = scheduler.now_ms() > 300_000;
        for _ in 0..BEYOND {
            let due =
                world.enabled().into_iter().filter_map(|action| Some((scheduler.due_ms(action)?, action)));
            let Some((_, action)) = due.min() else { break };
            scheduler.take(action, false);
            let events = world.step(action).unwrap();
            scheduler.see(&events);
            let own = |event: &Event| matches!(event, Event::Server { fact: ServerFact::Untracked { .. } });
            let mut lasting =
                events.iter().filter(|event| event.lasts() || matches!(event, Event::Acquired { .. }));
            // What was put off so long may come at last, to be seen by one client alone.
            let lasts = lasting.find(|event| !(put_off && own(event)));
            assert_eq!(lasts, None, "{query}");
        }
    }
    assert!(in_vain * 5 > CASES as u32, "{in_vain}");
}

const CASES: u64 = 250;
const BEYOND: u32 = 600;

/// A story with a few faults, most of them of servers, some of them put right.
fn script_of(seed: u64) -> String {
    let mut thrown = 0u64;
    let mut below = |end: u64| {
        let mut hasher = StableHasher::default();
        (seed, thrown).hash(&mut hasher);
        thrown += 1;
        hasher.finish() % end
    };
    let servers = [3, 5][below(2) as usize];
    let clients = 2 + below(3);
    let mut script = Vec::new();
    for _ in 0..2 + below(3) {
        let at_ms = below(4_000);
        let later_ms = at_ms + 1 + below(9_000);
        let (a, b) = (1 + below(servers), 1 + below(servers));
        let client = char::from(b'A' + below(clients) as u8);
        let (bad, good) = match below(7) {
            0 | 1 => (format!("crash.s{a}"), format!("restart.s{a}")),
            2 | 3 => (format!("stall.s{a}"), format!("resume.s{a}")),
            4 if a != b => {
                (format!("cut.s{}-s{}", a.min(b), a.max(b)), format!("heal.s{}-s{}", a.min(b), a.max(b)))
            }
            5 => (format!("stall.{client}"), format!("heal.{client}")),
            _ => (format!("reset.{client}"), format!("give-up.{client}")),
        };
        script.push(format!("{bad}@{at_ms}"));
        if below(4) == 0 {
            script.push(format!("{good}@{later_ms}"));
        }
    }
    let answers = ["", "watch=poll", "disconnect=requeue", "lost-reply=again", "watch=holder,expired=reuse"];
    let (answer, script) = (answers[below(5) as usize], script.join(","));
    format!(
        "v=2&clients={clients}&seed={seed}&hold-ms=900&poll-ms=700&tick-ms=500&timeout-ms=4000&servers={servers}&script={script}&lane={answer}"
    )
}
