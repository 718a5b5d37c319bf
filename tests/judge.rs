//! What went wrong is named at its step, and what it cost is counted: detectors, measures and verdicts over
//! runs that are driven by hand.

use lockstep::explore::{Budget, Outcome, Search};
use lockstep::judge::{Detective, Detector, Measures, Meter, Monitor, Property, Violation, judge};
use lockstep::recipe::{Decisions, Key, Step, Verdict};
use lockstep::text::Lang;
use lockstep::world::{Action, Cast, Class, ClientId, World};

/// A world, and all that watches it.
struct Watched {
    world: World,
    detective: Detective,
    meter: Meter,
    monitor: Monitor,
    violations: Vec<Violation>,
    step: u32,
    at_ms: u64,
}

impl Watched {
    fn new(cast: &Cast) -> Watched {
        let (world, _) = World::new(cast);
        Watched {
            world,
            detective: Detective::default(),
            meter: Meter::default(),
            monitor: Monitor::of(&Property::ALL),
            violations: Vec::new(),
            step: 0,
            at_ms: 0,
        }
    }

    fn of(clients: u32, words: &str) -> Watched {
        Watched::new(&cast(clients, words))
    }

    fn take(&mut self, action: Action) {
        let events = self.world.step(action).unwrap_or_else(|e| panic!("{e}"));
        self.detective.see_step(self.step, self.at_ms, &events);
        self.meter.see_step(self.at_ms, &events);
        self.violations.extend(events.iter().flat_map(|event| self.monitor.see(event)));
        self.step += 1;
    }

    fn go(&mut self, actions: &str) -> &mut Watched {
        actions.split_whitespace().for_each(|action| self.take(action.parse().unwrap()));
        self
    }

    /// What moves the story of these clients on, as long as there is anything, 1 ms a step, or until the
    /// first of them stands at `step`.
    fn play_until(&mut self, clients: &str, step: Option<Step>) -> &mut Watched {
        let who: Vec<ClientId> = clients.chars().map(client).collect();
        let first = |world: &World| world.actor(who[0]).unwrap().client.step();
        while step.is_none_or(|step| first(&self.world) != step) {
            let world = &self.world;
            let mut actions = world.enabled().into_iter().filter(|action| {
                action.client().is_some_and(|c| who.contains(&c)) && world.class(*action) == Class::Progress
            });
            let Some(action) = actions.next() else { break };
            drop(actions);
            self.at_ms += 1;
            self.take(action);
        }
        assert!(step.is_none_or(|step| first(&self.world) == step), "{clients} never came to {step:?}");
        self
    }

    fn play(&mut self, clients: &str) -> &mut Watched {
        self.play_until(clients, None)
    }

    fn wait(&mut self, ms: u64) -> &mut Watched {
        self.at_ms += ms;
        self
    }

    fn rest(mut self) -> Rested {
        self.detective.at_rest(&self.world);
        self.violations.extend(self.monitor.at_rest(&self.world));
        let measures = self.meter.at_rest(&self.world);
        Rested { detective: self.detective, measures, violations: self.violations }
    }
}

struct Rested {
    detective: Detective,
    measures: Measures,
    violations: Vec<Violation>,
}

impl Rested {
    /// The sentences of one kind.
    fn says(&self, kind: Detector) -> Vec<String> {
        says(&self.detective, kind)
    }

    fn verdict(&self) -> (Verdict, String) {
        let judgement = judge(&self.violations, &self.measures);
        (judgement.verdict, judgement.because.en.to_string())
    }
}

fn says(detective: &Detective, kind: Detector) -> Vec<String> {
    let found = detective.detections().iter().filter(|detection| detection.kind == kind);
    found.map(|detection| detection.sentence.get(Lang::En).to_string()).collect()
}

fn client(letter: char) -> ClientId {
    letter.to_string().parse().unwrap()
}

fn cast(clients: u32, words: &str) -> Cast {
    let decisions =
        words.split(',').filter(|word| !word.is_empty()).fold(Decisions::default(), |all, word| {
            let (key, word) = word.split_once('=').unwrap();
            all.with(Key::from_word(key).unwrap(), word).unwrap()
        });
    Cast::of(clients).deciding(decisions)
}

/// The shortest run that breaks or sticks, with all that the detectors say of it.
fn shortest(clients: u32, words: &str, faults: &str) -> Rested {
    let cast = cast(clients, words);
    let faults = Budget::parse(faults).unwrap();
    let Outcome::Broken { run, .. } = (Search { faults, ..Search::new(cast.clone()) }).run().outcome else {
        panic!("nothing breaks: {words}");
    };
    let mut watched = Watched::new(&cast);
    run.into_iter().for_each(|action| watched.take(action));
    watched.rest()
}

#[test]
fn a_stale_owner_is_named_when_its_node_goes() {
    let mut run = Watched::of(2, "");
    run.play_until("A", Some(Step::Working)).go("pause.A timeout.A");
    let said = run.detective.detections().last().unwrap();
    assert_eq!((said.kind, said.step), (Detector::StaleOwner, run.step - 1));
    assert_eq!(said.sentence.en, "A still believes that it holds: its node 0000 is gone.");
}

#[test]
fn a_false_owner_is_named_with_whose_node_stands_first() {
    let said = shortest(2, "order=name", "").says(Detector::FalseOwner);
    assert_eq!(said, ["A takes the lock, but its node 0001 has never stood first; B's node 0000 does."]);
    let said = shortest(2, "lost-reply=any-guid", "crash=1,restart=1").says(Detector::FalseOwner);
    assert_eq!(said, ["A takes the lock for node 0000 of its old session, which is dying."]);
    let said = shortest(2, "expired=reuse", "expire=1").says(Detector::FalseOwner);
    assert_eq!(said, ["A has heard Expired and still acts under the old lock."]);
}

#[test]
fn a_lost_wake_up_is_named_where_the_run_has_come_to_rest() {
    let missing = "B's watch was left on node 0000, which was gone already: only a new node of that name would fire it.";
    assert_eq!(shortest(2, "check=separate", "").says(Detector::LostWakeUp), [missing]);
    let never = "B's request found no node 0000, so it left no watch: nothing wakes B.";
    assert_eq!(shortest(2, "missing=ignore", "").says(Detector::LostWakeUp), [never]);
    let forgot = shortest(2, "reconnect=forget,watch=parent", "reset=1").says(Detector::LostWakeUp);
    let lost = "B's watch on order-123 has fired, but the event was lost with the connection.";
    assert_eq!(forgot, [lost]);
    // Whoever waits behind an orphan would be told of its end.
    assert_eq!(shortest(2, "lost-reply=again", "lost-reply=1").says(Detector::LostWakeUp), [""; 0]);
}

#[test]
fn a_herd_is_named_where_one_change_wakes_three() {
    for (words, herd) in [("watch=holder", true), ("", false)] {
        let mut run = Watched::of(4, words);
        run.play_until("A", Some(Step::Working)).play("BCD").play("ABCD");
        let said = run.rest().says(Detector::Herd);
        let first = said.first().map(String::as_str);
        assert_eq!(first, herd.then_some("Node 0000 goes, and 3 clients are woken at once."), "{words}");
    }
    let mut run = Watched::of(5, "watch=parent");
    run.play_until("A", Some(Step::Working)).play("BCD").play("E");
    assert_eq!(says(&run.detective, Detector::Herd), ["Node 0004 comes, and 3 clients are woken at once."]);
}

#[test]
fn an_orphan_and_a_leak_are_told_apart() {
    let orphan = shortest(2, "lost-reply=again", "lost-reply=1");
    assert_eq!(orphan.says(Detector::Orphan), ["Node 0000 of A stays, and nobody counts it as their own."]);
    assert_eq!(orphan.measures.orphans.len(), 1);
    let left = shortest(2, "give-up=leave", "give-up=1");
    assert_eq!(left.says(Detector::Leak), ["A walked away from node 0000: it stays, and blocks the queue."]);
    assert_eq!(left.says(Detector::Orphan), [""; 0]);
    let dead = shortest(2, "node=persistent-sequential", "crash=1").says(Detector::Leak);
    assert_eq!(dead, ["Node 0000 of A is persistent: it stays, and blocks the queue."]);
}

#[test]
fn whoever_waits_for_its_own_node_is_named_once() {
    let mut run = Watched::of(1, "disconnect=requeue");
    run.play_until("A", Some(Step::Working)).go("reset.A").play("A");
    let said = run.rest().says(Detector::WaitingForOneself);
    assert_eq!(said, ["A waits for node 0000, which it has made itself."]);
}

#[test]
fn starvation_is_named_when_a_fourth_later_client_has_had_the_lock() {
    let mut run = Watched::of(6, "");
    run.go("arrive.A");
    for later in ["B", "C", "D"] {
        run.play(later);
    }
    assert_eq!(says(&run.detective, Detector::Starvation), [""; 0]);
    run.play("E").play("F").play("A");
    let said = run.rest().says(Detector::Starvation);
    assert_eq!(said, ["A still waits: 4 who came later have had the lock."]);
}

#[test]
fn an_early_release_is_named() {
    let mut run = Watched::of(1, "commit=after-release");
    run.play("A");
    assert_eq!(
        run.rest().says(Detector::EarlyRelease),
        ["A lets the lock go before its write is committed."]
    );
    let mut run = Watched::of(1, "");
    run.play("A");
    assert_eq!(run.rest().detective.detections(), []);
}

#[test]
fn a_slow_take_over_is_named_with_how_long_the_lock_was_blocked() {
    let mut run = Watched::of(2, "");
    run.play_until("A", Some(Step::Working)).play("B").go("pause.A").wait(20_100).go("timeout.A").play("B");
    // It works on before it reads what it has been sent.
    run.go("resume.A work.A").play("AB");
    let run = run.rest();
    assert_eq!(
        run.says(Detector::SlowTakeOver),
        ["The lock was blocked for 20.1 s: A's node 0000 stood first, and nothing came of it."]
    );
    assert_eq!(run.measures.blocked_ms, 20_100);
    assert!(run.measures.take_over_ms.is_some_and(|ms| (20_100..20_110).contains(&ms)));
    assert_eq!((run.measures.stale_tried, run.measures.stale_refused, run.measures.stale_taken), (1, 1, 0));
    assert_eq!((run.measures.tokens_refused, run.measures.sessions_expired), (1, 1));
    assert_eq!(run.violations, []);
    // The fence has done its work; how long it took is in the bill.
    assert_eq!(run.verdict(), (Verdict::Right, "1 stale request refused".to_string()));
}

#[test]
fn a_lock_that_is_blocked_for_long_is_dear() {
    let mut run = Watched::of(2, "");
    run.play_until("A", Some(Step::Working)).play("B").go("crash.A").wait(20_100).go("timeout.A").play("B");
    assert_eq!(run.rest().verdict(), (Verdict::Costs, "blocked 20.1 s".to_string()));
}

#[test]
fn a_refused_stale_request_is_no_fault_and_is_counted() {
    let mut run = Watched::of(2, "");
    run.play_until("A", Some(Step::Working)).go("pause.A timeout.A").play("B");
    run.go("resume.A work.A").play("AB");
    assert_eq!(run.rest().verdict(), (Verdict::Right, "1 stale request refused".to_string()));
}

#[test]
fn without_a_fence_more_is_sold_than_there_is() {
    let mut run = Watched::of(2, "resource=open");
    run.play_until("A", Some(Step::Working)).go("pause.A timeout.A").play("B");
    run.go("resume.A work.A A.ledger ledger.A A.ledger").play("AB");
    let run = run.rest();
    assert_eq!((run.measures.orders, run.measures.oversold, run.measures.stock), (2, 1, Some(1)));
    assert!(run.measures.stale_taken > 0 && run.measures.stale_refused == 0);
    assert_eq!(run.verdict().0, Verdict::Breaks);
}

#[test]
fn the_lock_stands_free_while_somebody_waits_and_nobody_holds() {
    let mut run = Watched::of(1, "");
    run.play("A");
    let free = run.meter.measures().free_ms;
    // From its arrival, which is the first step, until it held.
    assert_eq!(free, u64::from(run.meter.measures().acquisitions[0].waited_ms as u32));
    assert_eq!(run.meter.measures().blocked_ms, 0);
}

#[test]
fn readers_in_single_file_cost() {
    for (words, verdict) in [("", Verdict::Right), ("reader-waits=node-ahead", Verdict::Costs)] {
        let mut cast = cast(2, words);
        cast.readers = ['A', 'B'].into_iter().map(client).collect();
        let mut run = Watched::new(&cast);
        run.play_until("A", Some(Step::Working)).play("B").play("AB");
        assert_eq!(run.rest().verdict().0, verdict, "{words}");
    }
}

#[test]
fn every_detector_has_a_word_and_a_label_of_its_own() {
    for (at, one) in Detector::ALL.into_iter().enumerate() {
        assert_eq!(one as usize, at);
        for other in &Detector::ALL[..at] {
            assert!(one.word() != other.word() && one.label() != other.label());
        }
    }
    for property in Property::ALL {
        assert_eq!(Property::from_word(property.word()), Some(property));
    }
}

#[test]
fn a_connection_that_only_the_client_believes_in_is_not_taken_for_rest() {
    // The link carried nothing when the server restarted, so nobody told the client. A heartbeat would.
    let mut run = Watched::of(2, "");
    run.play_until("A", Some(Step::Working)).play("B").go("stall.B restart.zk").play("A").go("heal.B");
    assert!(!run.world.at_rest());
    run.play("B");
    assert!(run.world.at_rest());
    assert_eq!(run.rest().violations, []);
}

#[test]
fn the_worst_violation_is_the_headline() {
    let query = "v=2&clients=3&seed=5&hold-ms=60&lane=order=name";
    let run = lockstep::play::Timeline::run(&lockstep::play::decode(query).scenario, 0);
    let worst = run.findings().iter().map(|finding| finding.violation.severity()).max().unwrap();
    let violations: Vec<Violation> = run.findings().iter().map(|finding| finding.violation.clone()).collect();
    assert!(violations.iter().any(|found| matches!(found, Violation::Overtakes { .. })));
    let headline = run.judgement().because;
    assert!(!headline.en.contains("overtakes"), "{headline:?} of {violations:?}");
    let of_the_worst = violations.iter().filter(|found| found.severity() == worst);
    assert!(of_the_worst.map(Violation::short).any(|short| short == headline));
    // What breaks is worse than what sticks.
    let stuck = Violation::Stuck { clients: vec![] };
    let overtakes = Violation::Overtakes { client: ClientId(0), other: ClientId(1) };
    assert!(stuck.severity() < overtakes.severity());
}
