//! The command line as a shell sees it: words in, text and an exit code out.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Output, Stdio};

use lockstep::play::decode;
use serde_json::Value;

fn lockstep<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).args(args).output().unwrap()
}

/// Runs a command line that is written as in a shell, without quotes.
fn sh(line: &str) -> Output {
    lockstep(line.split_whitespace())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json_lines(line: &str) -> Vec<Value> {
    let output = sh(line);
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts that a command line is refused with a sentence that has these words, and nothing else.
fn assert_refused<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, words: &[&str]) {
    let output = lockstep(args);
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{sentence}");
    assert!(output.stdout.is_empty());
    assert!(!sentence.contains("panicked"), "{sentence}");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    for word in words {
        assert!(sentence.contains(word), "{word:?} is not in: {sentence}");
    }
}

#[test]
fn help_is_short_complete_and_a_success_if_it_was_asked_for() {
    for line in ["help", "--help", "-h", "run --help", "explore -h"] {
        let output = sh(line);
        assert_eq!(output.status.code(), Some(0), "{line}");
        let help = stdout(&output);
        for word in [
            "run",
            "compare",
            "explore",
            "conform",
            "--clients",
            "--seed",
            "--set",
            "--lane",
            "--link",
            "--json",
            "--steps",
            "--limit",
            "--property",
            "--lang",
            "--hold-ms",
            "predecessor",
            "ephemeral-single",
            "get-data",
            "requeue",
            "assume",
            "order",
            "no-false-owner",
            "no-stale-request",
            "--faults",
            "--script",
            "lost-reply",
            "curator-5",
            "storm",
            "before-3.6",
            "Exit codes",
        ] {
            assert!(help.contains(word), "{line}: {word}");
        }
        assert!(help.lines().count() < 90 && help.lines().all(|line| line.chars().count() <= 100));
    }
    let nothing = sh("");
    assert_eq!(nothing.status.code(), Some(2));
    assert_eq!(stdout(&nothing), stdout(&sh("help")));
}

#[test]
fn a_run_tells_each_step_the_costs_the_verdict_and_the_link() {
    let output = sh("run --clients 2 --seed 7 --set watch=holder");
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    for words in [
        "2 clients, seed 7",
        "arrive.A   A wants the lock.",
        "B hears NodeDeleted and wakes.",
        "requests to ZooKeeper",
        "✓ right",
        "Nobody waits for ever.",
        "Link: v=2&clients=2&seed=7&lane=watch=holder",
    ] {
        assert!(text.contains(words), "{words:?} is not in:\n{text}");
    }
}

#[test]
fn a_run_without_a_quorum_says_so_once_and_not_that_nobody_waits() {
    let text = stdout(&sh("run --servers 3 --script crash.s2@200,crash.s3@220"));
    assert_eq!(text.matches("Nobody can ever get the lock: there is no quorum.").count(), 1, "{text}");
    assert!(!text.contains("Nobody waits for ever"), "{text}");
    let text = stdout(&sh("compare --servers 3 --script crash.s2@200,crash.s3@220"));
    assert!(text.contains("blocked for ever") && !text.contains("Nobody waits for ever"), "{text}");
}

#[test]
fn a_run_that_breaks_shows_it_and_is_a_success() {
    let output = sh("run --set watch=holder,wake=assume");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("✗ breaks"));
}

#[test]
fn narration_comes_in_chinese_too() {
    let text = stdout(&sh("run --lang zh"));
    assert!(text.contains("A 开始抢锁。") && text.contains("正确"), "{text}");
}

#[test]
fn a_comparison_shows_the_first_difference() {
    let output = sh("compare --lane watch=predecessor --lane watch=holder");
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("First difference: lanes 1 and 2 part at step"), "{text}");
    assert!(text.contains("[1] ✓ right") && text.contains("[2] ▲ costs"), "{text}");
    assert!(text.contains("lane=&lane=watch=holder"), "{text}");
    // Without lanes it compares the same two.
    assert_eq!(text, stdout(&sh("compare")));
    let same = stdout(&sh("compare --lane watch=holder --lane watch=holder"));
    assert!(same.contains("The lanes do the same"), "{same}");
}

#[test]
fn a_lane_comes_on_top_of_what_is_set_for_all() {
    let text = stdout(&sh("compare --set check=exists,watch=parent --lane watch=holder --lane clients=2"));
    assert!(
        text.contains("lane=watch=holder,check=exists&lane=watch=parent,check=exists,clients=2"),
        "{text}"
    );
}

#[test]
fn every_event_is_one_json_line_and_the_last_line_has_the_result() {
    let lines = json_lines("run --clients 2 --seed 18446744073709551615 --json");
    let (last, events) = lines.split_last().unwrap();
    for event in events {
        assert_eq!(event["lane"], 1);
        assert!(event["step"].is_u64() && event["at_ms"].is_u64());
        assert!(event["action"].is_string() && event["event"].is_string(), "{event}");
    }
    let created = events.iter().find(|event| event["event"] == "node-created").unwrap();
    assert!(created["czxid"].is_string(), "64-bit numbers are text: {created}");
    let sent = events.iter().find(|event| event["event"] == "request-sent").unwrap();
    assert_eq!(sent["request"]["call"], "create2");
    assert_eq!(sent["request"]["mode"], "ephemeral-sequential");
    let heard = events.iter().find(|event| event["event"] == "event-heard").unwrap();
    assert_eq!(heard["watched"]["kind"], "NodeDeleted");
    assert_eq!(last["measures"]["acquisitions"].as_array().unwrap().len(), 2);
    assert_eq!(last["verdicts"]["verdict"], "right");
    assert_eq!(last["link"], "v=2&clients=2&seed=18446744073709551615&lane=");
    let steps = events.last().unwrap()["step"].as_u64().unwrap() + 1;
    assert_eq!(last["steps"], steps);
}

#[test]
fn every_lane_has_its_last_line() {
    let lines = json_lines("compare --json --lane= --lane watch=poll --lane watch=holder,wake=assume");
    let ends: Vec<&Value> = lines.iter().filter(|line| line.get("measures").is_some()).collect();
    let verdicts: Vec<&str> = ends.iter().map(|end| end["verdicts"]["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["right", "costs", "breaks"]);
    assert!(
        ends.iter().all(|end| end["first_difference"]["step"].is_u64() && end["link"] == ends[0]["link"])
    );
    let lanes: Vec<u64> = lines.iter().map(|line| line["lane"].as_u64().unwrap()).collect();
    assert!(lanes.is_sorted());
}

#[test]
fn the_printed_link_gives_the_same_output_again() {
    for line in [
        "run --clients 4 --seed 9 --set node=ephemeral-single,watch=parent --hold-ms 33 --poll-ms 7",
        "compare --gap-ms 0 --hop-ms 1 --spread-ms 99 --lane clients=5 --lane take@3=arrive.B,hold@9=zk.A",
    ] {
        let first = stdout(&sh(line));
        let link = first.lines().find_map(|line| line.strip_prefix("Link: ")).unwrap();
        assert_eq!(decode(link).problems, []);
        let command = line.split_whitespace().next().unwrap();
        assert_eq!(stdout(&lockstep([command, "--link", link])), first);
        let address = format!("https://example.org/lockstep/#/lab?{link}&step=4");
        assert_eq!(stdout(&lockstep([command, "--link", &address])), first);
    }
}

#[test]
fn a_search_that_finds_nothing_says_how_far_it_looked() {
    let output = sh("explore --clients 2");
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("states, depth 30") && text.contains("Exhaustive"), "{text}");
    let lines = json_lines("explore --clients 2 --json");
    let [end] = lines.as_slice() else { panic!("one line: {lines:?}") };
    assert_eq!((&end["verdict"], &end["exhaustive"]), (&Value::from("right"), &Value::from(true)));
}

#[test]
fn a_search_that_finds_something_prints_a_run_whose_link_replays_it() {
    for (set, verdict) in
        [("check=separate", "sticks"), ("missing=ignore", "sticks"), ("order=name", "breaks")]
    {
        let line = format!("explore --clients 2 --set {set} --json");
        assert_eq!(sh(&line).status.code(), Some(1), "{set}");
        let lines = json_lines(&line);
        let end = lines.last().unwrap();
        assert_eq!((&end["verdict"], &end["exhaustive"]), (&Value::from(verdict), &Value::from(false)));
        let run = end["run"].as_array().unwrap();
        assert_eq!(lines[lines.len() - 2]["step"], run.len() as u64 - 1);
        let link = end["link"].as_str().unwrap();
        let replayed = stdout(&lockstep(["run", "--json", "--link", link]));
        let replayed: Value = serde_json::from_str(replayed.lines().last().unwrap()).unwrap();
        assert_eq!(replayed["verdicts"]["verdict"], verdict, "{set}");
        assert_eq!(replayed["verdicts"]["findings"][0]["sentence"], end["violation"]["sentence"], "{set}");
        assert_eq!(replayed.get("misfit"), None);
    }
    let text = stdout(&sh("explore --clients 2 --set check=separate"));
    assert!(text.contains("∞ sticks: B waits for ever") && text.contains("sort.B"), "{text}");
}

#[test]
fn a_search_stopped_at_its_limit_exits_with_2() {
    let output = sh("explore --limit 50");
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("Stopped at the limit of 50 states"));
    assert_eq!(json_lines("explore --limit 50 --json")[0]["verdict"], "stopped");
}

#[test]
fn a_search_looks_only_for_the_asked_properties() {
    let code = |line: &str| sh(line).status.code();
    assert_eq!(code("explore --clients 2 --set check=separate --property no-false-owner"), Some(0));
    assert_eq!(
        code("explore --clients 2 --set check=separate --property no-lost-update,never-stuck"),
        Some(1)
    );
}

#[test]
fn a_search_with_faults_finds_what_they_break_and_its_link_replays_it() {
    let line =
        "explore --clients 2 --set resource=open --faults pause=1,expire=1 --property no-stale-request";
    let output = sh(line);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("faults pause=1,expire=1") && text.contains("✗ breaks"), "{text}");
    let link = text.lines().find_map(|line| line.strip_prefix("Link: ")).unwrap();
    assert!(stdout(&lockstep(["run", "--link", link])).contains("takes a stale request"));
    assert_eq!(sh("explore --clients 2 --faults pause=1,expire=1").status.code(), Some(0));
}

#[test]
fn a_script_happens_in_every_lane_and_stands_in_the_link() {
    let line = "run --clients 2 --stock 1 --script pause.A@505,resume.A@23000 --lane resource=open --lane=";
    let text = stdout(&sh(line));
    assert_eq!(text.matches("A's process stands still").count(), 2, "{text}");
    assert!(text.contains("✗ breaks") && text.contains("stale request refused"), "{text}");
    assert!(text.contains("&stock=1&script=pause.A@505,resume.A@23000&lane=resource=open&lane="));
}

#[test]
fn what_went_wrong_has_its_name_and_step() {
    let line = "run --clients 2 --script pause.A@505,resume.A@23000";
    let text = stdout(&sh(line));
    assert!(text.contains("stale owner: A still believes that it holds"), "{text}");
    let lines = json_lines(&format!("{line} --json"));
    let kinds: Vec<&str> = lines.last().unwrap()["detections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["stale-owner", "slow-take-over"]);
    let missed = stdout(&sh("run --clients 2 --script resume.A@100"));
    assert!(missed.contains("the script asks for resume.A"), "{missed}");
}

#[test]
fn a_library_is_a_word_in_a_lane() {
    let lines = json_lines("compare --json --lane as=curator-5 --lane as=c-lock");
    let link = lines.last().unwrap()["link"].as_str().unwrap().to_string();
    assert_eq!(link, "v=2&clients=3&seed=1&lane=as=curator-5&lane=as=c-lock");
    assert_refused(["run", "--lane", "as=zab"], &["zab", "curator-5", "kazoo-2.11"]);
}

#[test]
fn a_storm_says_how_many_seeds_held_or_which_one_did_not_and_its_link() {
    let output = sh("storm --seeds 200");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("✓ 200 seeds"), "{}", stdout(&output));
    let broken = sh("storm --seeds 200 --set resource=open --json");
    assert_eq!(broken.status.code(), Some(1));
    let line: Value = serde_json::from_str(stdout(&broken).trim()).unwrap();
    assert_eq!((&line["verdict"], &line["property"]), (&"breaks".into(), &"no-stale-request".into()));
    let link = line["link"].as_str().unwrap();
    assert!(stdout(&lockstep(["run", "--link", link])).contains("✗ breaks"));
}

#[test]
fn a_word_of_a_script_or_a_budget_that_is_none_is_refused() {
    assert_refused(["run", "--script", "pause.A"], &["pause.A", "pause.A@300"]);
    assert_refused(["run", "--script", "zk.A@300"], &["zk.A@300", "not a fault"]);
    assert_refused(["run", "--readers", "B,x"], &["readers", "B,x"]);
    assert_refused(["run", "--server", "4.0"], &["4.0", "since-3.6, before-3.6"]);
    assert_refused(["explore", "--faults", "gremlin=1"], &["gremlin", "pause"]);
    assert_refused(["storm", "--seeds", "0"], &["seeds is “0”"]);
}

#[test]
fn a_run_may_be_cut_off() {
    let lines = json_lines("run --steps 5 --json");
    let end = lines.last().unwrap();
    assert_eq!((&end["steps"], &end["end"]), (&Value::from(5), &Value::from("limit")));
}

#[test]
fn a_wrong_word_is_answered_with_the_words_there_are() {
    for command in ["run", "compare", "explore"] {
        let refused = |more: &str, words: &[&str]| {
            assert_refused(format!("{command} {more}").split_whitespace(), words);
        };
        refused("--set watch=everybody", &["everybody", "predecessor, holder, parent, poll"]);
        refused(
            "--set wtach=holder",
            &["wtach", "node, lost-reply, guid, order, reader-waits, absent, dir-gone, watch"],
        );
        refused("--set watch", &["watch has no", "predecessor"]);
        refused("--lane check=twice", &["twice", "get-data, exists, separate"]);
        refused("--lane take@x=zk.B", &["take@x=zk.B", "take@12=zk.B"]);
        refused("--lang fr", &["fr", "en, zh"]);
        refused("--sett watch=holder", &["--sett", "--set"]);
        refused("holder", &["holder", "--set"]);
        refused("-c 3", &["-c", "--clients"]);
    }
    assert_refused(["ruin"], &["ruin", "run, compare, explore, storm, conform, help"]);
    assert_refused(["--json", "run"], &["--json", "run, compare, explore, storm, conform, help"]);
    assert_refused(
        "explore --property fair".split(' '),
        &["fair", "no-false-owner, no-stale-request, no-lost-update, fifo, never-stuck, no-orphan"],
    );
    assert_refused("explore --steps 5".split(' '), &["--steps", "--limit"]);
    assert_refused("run --limit 5".split(' '), &["--limit", "--steps"]);
}

#[test]
fn absurd_numbers_are_refused_with_their_range() {
    for word in ["0", "-1", "10001", "1000000000000", "18446744073709551616", "1e3", "+3", "", "٣", "3 "] {
        assert_refused(["run", "--clients", word], &["clients is", "1 to 10000"]);
    }
    for word in ["-1", "18446744073709551616", "0x10"] {
        assert_refused(["run", "--seed", word], &["seed is", "0 to 18446744073709551615"]);
    }
    assert_refused(["run", "--poll-ms", "0"], &["poll-ms", "1 to 3600000"]);
    assert_refused(["run", "--hold-ms", "3600001"], &["hold-ms", "0 to 3600000"]);
    assert_refused(["run", "--steps", "0"], &["steps", "1 to 300000"]);
    assert_refused(["explore", "--limit", "0"], &["limit"]);
    assert_refused(["explore", "--limit", "4294967296"], &["limit"]);
    assert_refused(["explore", "--clients", "9"], &["9 clients", "1 to 8"]);
    assert_refused(["run", "--lane", "clients=0"], &["clients is", "1 to 10000"]);
}

#[test]
fn missing_and_surplus_values_are_refused() {
    for option in ["--clients", "--seed", "--set", "--lane", "--link", "--lang", "--steps", "--hop-ms"] {
        assert_refused(["run", option], &[option, "needs a value"]);
    }
    assert_refused(["run", "--json=yes"], &["--json takes no value"]);
    assert_refused("compare --lane= --lane= --lane= --lane= --lane=".split(' '), &["4 lanes"]);
}

#[test]
fn a_link_that_cannot_be_read_is_refused() {
    assert_refused(["run", "--link", "v=3&clients=3"], &["version “3”", "version 2"]);
    assert_refused(["run", "--link", "v=1&clients=0"], &["clients is “0”"]);
    assert_refused(["run", "--link", "v=1&lane=watch=nobody"], &["nobody", "predecessor"]);
    assert_refused(["run", "--link", "http://example.org/#/lab"], &["holds no scenario"]);
    assert_refused(["run", "--link", ""], &["holds no scenario"]);
    assert_refused(["run", "--link", &"x".repeat(100_000)], &["longer"]);
    assert_refused(["run", "--set", &format!("watch={}", "x\u{7}".repeat(5_000))], &["…"]);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let no_text = OsStr::from_bytes(b"watch=\xff");
    for before in [&["run", "--set"][..], &["run", "--lane"], &["run", "--link"], &["run"], &[]] {
        let args: Vec<&OsStr> = before.iter().map(|arg| arg.as_ref()).chain([no_text]).collect();
        assert_refused(args, &["UTF-8"]);
    }
    assert_refused([OsStr::new("run"), OsStr::from_bytes(b"--\xff")], &["option"]);
}

#[test]
fn a_reader_that_goes_away_is_told_about_without_a_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .args(["run", "--clients", "300"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "lockstep: The output was not read to its end.\n");
}

#[test]
fn recordings_are_replayed_by_conform() {
    let output = lockstep(["conform", "tests/traces/s001_create_basic.jsonl", "no such file"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).lines().last(), Some("1 passed, 1 failed"));
    assert_eq!(sh("conform").status.code(), Some(2));
}
