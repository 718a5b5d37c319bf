//! Nothing is taken silently: a word that is greyed, misspelt, lost behind another, or names nobody gets a sentence,
//! on the command line and on the page, and the rest is kept.

use std::process::{Command, Output};

use lockstep::app::{Model, read_address};
use lockstep::play::{LISTS, PLACE, SCALARS, decode};
use lockstep::recipe::Key;
use lockstep::world::{FAULTS, Fault};

fn lockstep(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).args(line.split_whitespace()).output().unwrap()
}

/// It runs, and says this beside.
fn goes_on_and_says(line: &str, words: &[&str]) {
    let output = lockstep(line);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    for word in words {
        assert!(said.contains(word), "{line}: {word} is not in: {said}");
    }
}

/// It is not carried out, and a sentence says why.
fn is_refused(line: &str, words: &[&str]) {
    let output = lockstep(line);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    for word in words {
        assert!(said.contains(word), "{line}: {word} is not in: {said}");
    }
}

/// What the page says about a link.
fn notices(query: &str) -> Vec<String> {
    Model::open(&format!("#/lab?{query}")).notices.iter().map(|notice| notice.en.to_string()).collect()
}

#[test]
fn a_decision_that_means_nothing_beside_the_others_is_named_with_the_reason_and_kept() {
    let words = ["lost-reply=again", "changes nothing", "One single name carries no GUID"];
    goes_on_and_says("run --clients 2 --set node=ephemeral-single,lost-reply=again", &words);
    let said = notices("v=2&clients=2&lane=node=ephemeral-single,lost-reply=again");
    assert!(said.len() == 1 && words.iter().all(|word| said[0].contains(word)), "{said:?}");
    goes_on_and_says("run --clients 2 --set node=ephemeral-single,missing=requeue", &["no queue"]);
    goes_on_and_says("run --set reader-waits=any-writer", &["Nobody here only reads"]);
    assert_eq!(notices("v=2&clients=2&lane=as=go-zookeeper"), [""; 0], "a library decides as it does");
}

#[test]
fn a_misspelt_key_of_a_link_is_named() {
    is_refused("run --link v=2&clients=2&scirpt=pause.A@300&lane=", &["scirpt", "script"]);
    let said = notices("v=2&clients=2&scirpt=pause.A@300&lane=");
    assert!(said.len() == 1 && said[0].contains("scirpt"), "{said:?}");
    let output = lockstep("run --link v=2&clients=2&lane=&step=3&focus=1&lang=zh&theme=dark");
    assert_eq!(output.status.code(), Some(0), "the reader's place, language and theme are no mistake");
}

#[test]
fn a_library_is_set_for_all_lanes_and_what_it_overrules_is_said() {
    let by_set = lockstep("run --clients 2 --set as=kazoo-2.11");
    let by_lane = lockstep("run --clients 2 --lane as=kazoo-2.11");
    assert!(by_set.status.success() && by_set.stdout == by_lane.stdout);
    let words = ["disconnect=requeue", "is lost", "as=kazoo-2.11"];
    goes_on_and_says("run --clients 2 --lane disconnect=requeue,as=kazoo-2.11", &words);
    goes_on_and_says("run --clients 2 --set disconnect=requeue --lane as=kazoo-2.11", &words);
    let said = notices("v=2&clients=2&lane=disconnect=requeue,as=kazoo-2.11");
    assert!(said.len() == 1 && words.iter().all(|word| said[0].contains(word)), "{said:?}");
    assert_eq!(notices("v=2&clients=2&lane=as=kazoo-2.11,disconnect=requeue"), [""; 0]);
    is_refused("run --set clients=3", &["clients", "--lane"]);
}

#[test]
fn a_word_that_a_later_one_overrules_is_said() {
    goes_on_and_says("run --clients 2 --clients 3", &["clients=2", "is lost", "clients=3"]);
    goes_on_and_says("run --set watch=holder,watch=poll", &["watch=holder", "is lost"]);
    assert_eq!(notices("v=2&clients=2&seed=4&seed=5&lane=").len(), 1);
    assert_eq!(notices("v=2&clients=2&lane=watch=holder,watch=holder"), [""; 0], "twice the same is no loss");
    is_refused("explore --clients 2 --faults pause=1,pause=2", &["pause", "twice"]);
}

#[test]
fn a_reader_and_a_fault_of_nobody_are_said() {
    goes_on_and_says("run --clients 3 --readers Z", &["Z", "the clients are A to C"]);
    goes_on_and_says("run --clients 3 --script pause.D@300", &["pause.D", "the clients are A to C"]);
    goes_on_and_says("run --script crash.s2@300", &["crash.s2", "there is one"]);
    goes_on_and_says("run --servers 3 --script cut.s1-s4@300", &["cut.s1-s4", "s1 to s3"]);
    goes_on_and_says("run --servers 3 --script restart.zk@300", &["restart.zk", "crash.s1"]);
    goes_on_and_says("run --lag-ms 50", &["lag-ms", "one server"]);
    assert_eq!(
        notices("v=2&clients=3&readers=Z&script=crash.s2@300,pause.A@400,resume.A@500&lane=").len(),
        2
    );
}

#[test]
fn a_search_says_what_it_ignores() {
    goes_on_and_says(
        "explore --clients 2 --script pause.A@300,resume.A@500",
        &["ignores the script", "--faults"],
    );
}

#[test]
fn the_parts_of_a_script_beyond_the_last_are_not_called_misspelt() {
    let script: Vec<String> = (0..201).map(|n| format!("give-up.A@{n}")).collect();
    let said = decode(&format!("v=2&script={}", script.join(","))).problems;
    assert!(said.len() == 1 && said[0].sentence().en.contains("at most"), "{said:?}");
}

/// A word with a letter less, a letter twice, and two letters the other way round.
fn near_misses(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut all = Vec::new();
    for at in 0..letters.len() {
        let mut less = letters.clone();
        less.remove(at);
        let mut twice = letters.clone();
        twice.insert(at, letters[at]);
        let mut turned = letters.clone();
        turned.swap(at, (at + 1) % letters.len());
        all.extend([less, twice, turned].map(|word| word.into_iter().collect::<String>()));
    }
    all.retain(|miss| miss != word && !miss.is_empty());
    all
}

#[test]
fn every_key_that_is_nearly_right_is_named_and_the_rest_is_kept() {
    let known: Vec<&str> = ["v", "lane"].into_iter().chain(SCALARS).chain(LISTS).chain(PLACE).collect();
    for word in &known {
        for miss in near_misses(word).into_iter().filter(|miss| !known.contains(&miss.as_str())) {
            let address = read_address(&format!("#/lab?v=2&clients=2&{miss}=1&lane=watch=poll"));
            let said = address.problems.iter().filter(|said| said.en.contains(&miss)).count();
            assert_eq!((said, address.problems.len()), (1, 1), "{miss}: {:?}", address.problems);
            assert_eq!(address.scenario, Some(decode("v=2&clients=2&lane=watch=poll").scenario), "{miss}");
        }
    }
}

#[test]
fn every_word_of_a_lane_or_a_script_that_is_nearly_right_is_named_and_the_rest_is_kept() {
    let own = ["clients", "timeout-ms", "server", "as"];
    let known: Vec<&str> = Key::ALL.map(Key::word).into_iter().chain(own).collect();
    for miss in known.iter().flat_map(|word| near_misses(word)).filter(|miss| !known.contains(&&**miss)) {
        let decoded = decode(&format!("v=2&lane=watch=poll,{miss}=1"));
        assert!(decoded.problems.len() == 1 && decoded.problems[0].sentence().en.contains(&miss), "{miss}");
        assert_eq!(decoded.scenario, decode("v=2&lane=watch=poll").scenario);
    }
    for key in Key::ALL {
        let options: Vec<&str> = key.options().iter().map(|option| option.word).collect();
        for miss in options.iter().flat_map(|word| near_misses(word)).filter(|m| !options.contains(&&**m)) {
            let decoded = decode(&format!("v=2&lane={}={miss}", key.word()));
            // A sentence shows the first letters of a long word.
            let shown: String = miss.chars().take(24).collect();
            let said = &decoded.problems[0].sentence().en;
            assert!(decoded.problems.len() == 1 && said.contains(&shown), "{miss}: {said}");
        }
    }
    let faults: Vec<&str> = FAULTS.iter().map(|fault| fault.word).collect();
    for miss in Fault::ALL.iter().flat_map(|fault| near_misses(fault.word())) {
        if !faults.contains(&&*miss) && !miss.starts_with('-') {
            let decoded = decode(&format!("v=2&script=pause.A@1,{miss}.A@300"));
            assert!(decoded.problems[0].sentence().en.contains(&miss), "{miss}");
            assert_eq!(decoded.scenario.script.len(), 1, "{miss}");
        }
    }
}
