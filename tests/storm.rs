//! The storm: random faults by seed, told as what survives them and what does not.
//!
//! The seeds are fixed, so a failure comes again; it prints the seed, the link and the shortened script.

use lockstep::judge::Property;
use lockstep::play::{Storm, StormFailure, decode, encode, without};

/// Seeds a configuration of right answers.
const SEEDS: u64 = 20_000;

/// A storm over the one lane of a link.
fn storm(query: &str) -> Storm {
    let decoded = decode(query);
    assert_eq!(decoded.problems, [], "{query}");
    Storm::new(decoded.scenario, 0)
}

fn told(failure: &StormFailure) -> String {
    let what =
        failure.violation.as_ref().map_or("it does not end, or the ledger is not exact".into(), |found| {
            found.sentence().en.to_string()
        });
    format!("seed {}: {what}\n{}", failure.seed, encode(&failure.scenario))
}

/// Nothing is wrong, nobody waits for ever, nothing is left, and the ledger is exact.
fn survives(query: &str, seeds: u64) {
    if let Some(failure) = storm(query).first_failure(0..seeds) {
        panic!("{query}\n{}", told(&failure));
    }
}

/// Prints after how many seeds the fault of an answer is found.
fn is_found(answer: &str, around: &str, property: Property, within: u64) {
    let storm = storm(&format!("v=2&{around}&lane={answer}"));
    let found = (0..within).find_map(|seed| storm.failure(seed).map(|failure| (seed + 1, failure)));
    let Some((seeds, failure)) = found else { panic!("{answer}: nothing in {within} seeds") };
    println!("{answer}: after {seeds} seeds; {}", told(&failure));
    let broken = failure.violation.as_ref().map(|found| found.property());
    assert_eq!(broken, Some(property), "{answer}: {}", told(&failure));
}

#[test]
fn the_right_answers_survive_with_three_clients() {
    survives("v=2&clients=3&lane=", SEEDS);
}

#[test]
fn the_right_answers_survive_with_five_clients_and_slow_messages() {
    survives("v=2&clients=5&hop-ms=300&spread-ms=900&lane=", SEEDS);
}

#[test]
fn the_right_answers_survive_with_readers() {
    survives("v=2&clients=4&readers=B,C&lane=", SEEDS);
}

#[test]
fn the_right_answers_survive_with_a_short_timeout() {
    survives("v=2&clients=3&timeout-ms=4000&lane=", SEEDS);
}

#[test]
fn zookeeper_itself_as_the_resource_survives() {
    survives("v=2&clients=3&lane=resource=multi", SEEDS);
}

#[test]
fn the_right_answers_survive_broken_servers_too() {
    survives("v=2&clients=3&servers=3&lane=", SEEDS);
    survives("v=2&clients=3&servers=5&lag-ms=200&lane=", SEEDS);
}

#[test]
fn what_is_right_and_dear_survives_too() {
    for answer in [
        "watch=holder",
        "watch=parent",
        "watch=poll",
        "check=exists",
        "missing=requeue",
        "node=ephemeral-single",
        "node=ephemeral-single,watch=parent",
    ] {
        survives(&format!("v=2&clients=3&lane={answer}"), 5_000);
    }
    survives("v=2&clients=4&readers=B,C&lane=reader-waits=node-ahead", 5_000);
}

#[test]
fn each_other_answer_is_found_out() {
    use Property::*;
    let three = "clients=3";
    for (answer, around, property) in [
        ("node=persistent-sequential", three, NeverStuck),
        ("check=separate", three, NeverStuck),
        ("missing=ignore", three, NeverStuck),
        ("wake=assume", three, NoFalseOwner),
        ("order=name", three, NoFalseOwner),
        ("lost-reply=again", three, NeverStuck),
        ("lost-reply=any-guid", "clients=3&timeout-ms=4000&hold-ms=3000", NoFalseOwner),
        ("give-up=leave", three, NoOrphan),
        ("resource=writes-only", three, NoStaleRequest),
        ("resource=forgetful", three, NoStaleRequest),
        ("resource=client-check", three, NoStaleRequest),
        ("resource=open", three, NoStaleRequest),
        ("token=sequence", three, NoStaleRequest),
        ("resource=open,commit=after-release", three, NoStaleRequest),
        ("resource=open,disconnect=continue", three, NoStaleRequest),
        ("disconnect=requeue", three, NeverStuck),
        ("reconnect=forget", three, NeverStuck),
        ("expired=reuse", three, NoFalseOwner),
        ("reader-waits=any-writer", "clients=4&readers=B,C", NeverStuck),
        ("resource=open", "clients=3&counter=2147483646", NoFalseOwner),
    ] {
        is_found(answer, around, property, SEEDS);
    }
}

#[test]
fn a_failure_is_shortened_to_what_it_needs() {
    let storm = storm("v=2&clients=3&lane=reconnect=forget");
    let failure = storm.first_failure(0..1_000).expect("a fault that is found soon");
    let whole = storm.scenario(failure.seed).script.len();
    let script = &failure.scenario.script;
    assert!(!script.is_empty() && script.len() <= whole);
    for at in 0..script.len() {
        let Some(shorter) = without(&failure.scenario, at) else { continue };
        let run = lockstep::play::Timeline::run(&shorter, 0);
        let property = failure.violation.as_ref().map(|found| found.property());
        assert!(run.findings().first().map(|found| found.violation.property()) != property);
    }
}
