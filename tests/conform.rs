//! Every recording of real servers replays exactly, and nothing that differs from one passes.

use std::fs;
use std::path::PathBuf;

use lockstep::conform::{Failure, check, run};
use proptest::prelude::*;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/traces")
}

/// The files whose name begins with `prefix`, sorted.
fn recordings(prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of recordings is there");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with(prefix) && name.ends_with(".jsonl")
    };
    let mut found: Vec<PathBuf> = paths.filter(is_ours).collect();
    found.sort();
    found
}

fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(name)).expect("the recording is there");
    text.lines().map(str::to_owned).collect()
}

/// Replays all files of a family and returns how many steps that were.
fn replay_family(prefix: &str, files: usize) -> u64 {
    let found = recordings(prefix);
    assert_eq!(found.len(), files, "recordings {prefix}*");
    let replayed = found.iter().map(|path| {
        let bytes = fs::read(path).expect("the recording can be read");
        check(&bytes).unwrap_or_else(|failure| panic!("{}{failure}", path.display()))
    });
    replayed.sum()
}

/// The command's exit code and report.
fn conform(args: &[&str]) -> (i32, String) {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
    let mut report = Vec::new();
    let code = run(&args, &mut report);
    (code, String::from_utf8(report).expect("the report is text"))
}

// All of them replay.

#[test]
fn the_scripted_recordings_replay() {
    assert_eq!(replay_family("s", 109), 1_181);
}

#[test]
fn the_random_recordings_replay() {
    assert_eq!(replay_family("r", 200), 14_912);
}

#[test]
fn the_recordings_of_the_counters_end_replay() {
    assert_eq!(replay_family("o_", 3), 32);
}

#[test]
fn the_recordings_of_restarts_replay() {
    assert_eq!(replay_family("p_", 2), 30);
}

#[test]
fn the_recordings_of_ensembles_replay() {
    assert_eq!(replay_family("e_", 9), 117);
}

#[test]
fn operations_that_no_recording_of_an_ensemble_has_do_what_the_reference_model_says() {
    let made = include_bytes!("made/ensemble_operations.jsonl");
    assert_eq!(check(made), Ok(43));
}

// Nothing that differs passes.

/// Checks the recording with the step on `line` (from 1) changed.
fn check_changed(name: &str, line: usize, change: impl FnOnce(&mut Value)) -> Result<u64, Failure> {
    let mut lines = lines(name);
    let mut step: Value = serde_json::from_str(&lines[line - 1]).unwrap();
    change(&mut step);
    lines[line - 1] = step.to_string();
    check(lines.join("\n").as_bytes())
}

/// Every scalar that the server answered in this value, as JSON pointers.
fn scalars(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| *name != "rk") {
                scalars(value, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                scalars(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(at.to_owned()),
    }
}

/// Something else of the same type.
fn altered(value: &Value) -> Value {
    match value {
        Value::Null => json!("A"),
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_i64().unwrap() + 1),
        Value::String(text) => json!(format!("{text}x")),
        Value::Array(_) | Value::Object(_) => unreachable!("not a scalar"),
    }
}

#[test]
fn every_single_answered_field_that_is_altered_is_noticed_on_its_line() {
    let mut altered_fields = 0;
    for path in recordings("s").iter().chain(&recordings("p_")).chain(&recordings("e_")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let steps = lines(name);
        for (line, text) in (1..).zip(&steps).skip(1) {
            let step: Value = serde_json::from_str(text).unwrap();
            // The zxid of a preset is what the replay starts from: an input.
            if step["op"] == "preset" {
                continue;
            }
            // So is that with which an ensemble goes on, and how long servers were down.
            let answered = match (step["op"].as_str(), name.starts_with("e_")) {
                (Some("kill_server"), true) => &["r", "post"][..],
                (Some("restart_server"), true) => &["post"][..],
                _ => &["r", "e", "z", "pre", "post", "tree", "data_watches"][..],
            };
            let mut fields = Vec::new();
            for answered in answered {
                if let Some(value) = step.get(answered) {
                    scalars(value, &format!("/{answered}"), &mut fields);
                }
            }
            for field in fields {
                let result = check_changed(name, line, |step| {
                    let value = step.pointer_mut(&field).unwrap();
                    *value = altered(value);
                });
                match result {
                    Err(Failure::Differs(difference)) => {
                        assert_eq!(difference.line, line as u64, "{name} {field}");
                        assert_eq!(difference.fields, [dotted(&field)], "{name}");
                    }
                    other => panic!("{name} line {line}, {field} altered: {other:?}"),
                }
                altered_fields += 1;
            }
        }
    }
    assert!(altered_fields > 7_000, "{altered_fields}");
}

/// A JSON pointer as the report names it.
fn dotted(pointer: &str) -> String {
    let mut name = String::new();
    for part in pointer[1..].split('/') {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            let dot = if name.is_empty() { "" } else { "." };
            name.push_str(&format!("{dot}{part}"));
        }
    }
    name
}

#[test]
fn an_event_too_few_or_too_many_is_noticed() {
    let mut removed = 0;
    for path in recordings("r").iter().take(40) {
        let name = path.file_name().unwrap().to_str().unwrap();
        for (line, text) in (1..).zip(&lines(name)).skip(1) {
            let step: Value = serde_json::from_str(text).unwrap();
            for key in ["pre", "post"].into_iter().filter(|key| step.get(*key).is_some()) {
                let failure = check_changed(name, line, |step| {
                    step.as_object_mut().unwrap().remove(key);
                });
                assert_eq!(failure.unwrap_err().line(), Some(line as u64), "{name}");
                removed += 1;
            }
        }
    }
    assert!(removed > 100, "{removed}");

    let event = json!([["NodeDeleted", "/t/l"]]);
    let failure = check_changed("s001_create_basic.jsonl", 4, |step| step["pre"] = event.clone());
    assert_eq!(failure.unwrap_err().line(), Some(4));
    let failure = check_changed("s001_create_basic.jsonl", 4, |step| step["post"] = json!({ "A": event }));
    assert_eq!(failure.unwrap_err().line(), Some(4));
}

#[test]
fn a_success_for_an_error_and_a_field_nobody_knows_are_noticed() {
    let failure = check_changed("s018_bad_paths.jsonl", 3, |step| {
        step.as_object_mut().unwrap().remove("e");
        step["r"] = json!({ "path": "t" });
    });
    assert!(failure.unwrap_err().to_string().contains("differs in r, e"));
    let failure = check_changed("s001_create_basic.jsonl", 3, |step| step["more"] = json!(1));
    assert!(failure.unwrap_err().to_string().contains("differs in more"));
}

#[test]
fn ranks_are_not_compared() {
    let steps = check_changed("s001_create_basic.jsonl", 3, |step| step["r"]["stat"]["rk"] = json!("?"));
    assert_eq!(steps, Ok(6));
}

#[test]
fn the_order_of_events_at_a_close_is_the_servers() {
    let names: Vec<PathBuf> = recordings("s");
    let found = names.iter().find(|path| path.to_str().unwrap().contains("close_order_is_hash_order"));
    let name = found.expect("the recording is there").file_name().unwrap().to_str().unwrap();
    let steps = lines(name);
    let is_close = |line: &String| line.contains(r#""op":"close""#) && line.contains("post");
    let at = steps.iter().position(is_close).expect("a close that somebody watches");
    let failure = check_changed(name, at + 1, |step| {
        let post = step["post"].as_object_mut().unwrap();
        post.values_mut().for_each(|events| events.as_array_mut().unwrap().reverse());
    });
    assert_eq!(failure.unwrap_err().line(), Some(at as u64 + 1));
}

// Damaged files.

/// The sentence for a recording that consists of a good header, a good first step and `line`.
fn sentence(line: &str) -> String {
    let text = format!(
        r#"{{"fmt":"zktrace/1","mode":"standalone","root":"/t","sessions":["A","B"]}}
{{"n":1,"s":"A","op":"connect","a":{{"timeout":1000}},"r":{{"timeout":1000}}}}
{line}"#
    );
    match check(text.as_bytes()) {
        Err(failure @ Failure::Damaged { line: Some(3), .. }) => failure.to_string(),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_damaged_step_gets_a_sentence_with_its_line() {
    let cut = sentence(r#"{"n":2,"s":"A","op":"cre"#);
    assert!(cut.starts_with(" line 3: this is not JSON: EOF while parsing a string"), "{cut}");
    for (line, wanted) in [
        ("[]", "[] is not a JSON object"),
        ("null", "null is not a JSON object"),
        (r#"{"n":2,"s":"A"}"#, "`op` is missing"),
        (r#"{"n":"2","s":"A","op":"ping"}"#, "`n` holds \"2\", where a 64-bit whole number belongs"),
        (r#"{"n":1e400,"s":"A","op":"ping"}"#, "this is not JSON: number out of range at column 10"),
        (r#"{"n":-2,"s":"A","op":"ping"}"#, "`n` is -2, below 1"),
        (r#"{"n":3,"s":"A","op":"ping"}"#, "`n` is 3 where 2 comes next"),
        (r#"{"n":2,"s":"A","op":7}"#, "`op` holds 7, where a text belongs"),
        (r#"{"n":2,"s":"A","op":"fly"}"#, "there is no operation \"fly\""),
        (r#"{"n":2,"s":"Z","op":"ping"}"#, "the header names no session \"Z\""),
        (r#"{"n":2,"s":null,"op":"ping"}"#, "`s` holds null, where a text belongs"),
        (r#"{"n":2,"s":"B","op":"ping"}"#, "session \"B\" is not alive here"),
        (
            r#"{"n":2,"s":"A","op":"connect","a":{"timeout":1}}"#,
            "session \"A\" connects, but it is alive already",
        ),
        (r#"{"n":2,"s":"A","op":"connect","a":{"timeout":5000000000}}"#, "a 32-bit whole number belongs"),
        (r#"{"n":2,"s":"A","op":"connect","a":[]}"#, "`a` is [], not an object"),
        (
            r#"{"n":2,"s":"A","op":"create","a":{"path":"/t/x","mode":"odd"}}"#,
            "there is no create mode \"odd\"",
        ),
        (
            r#"{"n":2,"s":"A","op":"delete","a":{"path":"/t","version":2147483648}}"#,
            "`a.version` holds 2147483648",
        ),
        (r#"{"n":2,"s":"A","op":"delete","a":{"version":0}}"#, "`a.path` is missing"),
        (r#"{"n":2,"s":"A","op":"get","a":{"path":"/t","watch":"yes"}}"#, "where true or false belongs"),
        (r#"{"n":2,"s":"A","op":"multi","a":{"ops":[{"op":"check"}]}}"#, "`a.ops[0].path` is missing"),
        (
            r#"{"n":2,"s":"A","op":"multi","a":{"ops":[{"op":"get"}]}}"#,
            "there is no operation \"get\" in a multi",
        ),
        (
            r#"{"n":2,"s":"A","op":"set_watches","a":{"rel":0,"data":[1]}}"#,
            "`a.data` holds 1, where a list of texts",
        ),
        (
            r#"{"n":2,"s":"A","op":"check_watches","a":{"path":"/t","kind":"all"}}"#,
            "there is no kind of watch",
        ),
        (r#"{"n":2,"s":"A","op":"lapse","a":{"sessions":["B"]}}"#, "session \"B\" is not alive here"),
        (r#"{"n":2,"s":"A","op":"sync","a":{"path":"/t"},"lost":"it"}"#, "`lost` holds \"it\", where"),
        (r#"{"n":2,"s":"A","op":"drop","lost":"reply"}"#, "`lost` stands on \"drop\", which is no request"),
        (r#"{"n":2,"op":"stall","a":{"server":"F1"}}"#, "belongs to an ensemble"),
        (
            r#"{"n":2,"op":"preset","a":{"path":"/no/x","creates":1,"cz":1},"z":3}"#,
            "no node can be put at \"/no/x\"",
        ),
        (r#"{"n":2,"op":"preset"}"#, "`z` is missing"),
        (r#"{"n":2,"op":"preset","z":"e1"}"#, "`z` holds \"e1\", where a number or \"eE:C\" belongs"),
        (r#"{"n":2,"s":"A","op":"sync","a":{"path":"\ud800"}}"#, "this is not JSON"),
    ] {
        let sentence = sentence(line);
        assert!(
            sentence.starts_with(" line 3: ") && sentence.contains(wanted),
            "{line}\n{sentence}\n{wanted}"
        );
    }
}

#[test]
fn a_step_that_an_ensemble_cannot_take_gets_a_sentence() {
    for (line, wanted) in [
        (r#"{"n":2,"op":"stall","a":{"server":"F9"}}"#, "there is no server \"F9\""),
        (r#"{"n":2,"op":"kill_server","a":{"server":"L+"}}"#, "there is no server \"\""),
        (r#"{"n":2,"s":"B","op":"connect","a":{"timeout":1}}"#, "`a.server` is missing"),
        (
            r#"{"n":2,"op":"old_connection","a":{"s":"A","op":"ping"}}"#,
            "session \"A\" has left no connection behind",
        ),
        (r#"{"n":2,"op":"old_connection","a":{"s":"A","op":"fly"}}"#, "there is no operation \"fly\""),
        (
            r#"{"n":2,"op":"preset","a":{"path":"/t/x","creates":1,"cz":1},"z":3}"#,
            "a node can be preset on a single server only",
        ),
        (r#"{"n":2,"s":"A","op":"lapse","a":{"sessions":["B"]}}"#, "session \"B\" is not alive here"),
        (r#"{"n":2,"s":"A","op":"reconnect","a":{"timeout":1,"server":"L","last_zxid":"5"}}"#, "\"eE:C\""),
    ] {
        let failure = check(ensemble_text(&[line]).as_bytes()).unwrap_err();
        assert_eq!(failure.line(), Some(3));
        assert!(failure.to_string().contains(wanted), "{line}\n{failure}\n{wanted}");
    }
    let stall = r#"{"n":2,"op":"stall","a":{"server":"F1"}}"#;
    let sync = r#"{"n":3,"s":"A","op":"sync","a":{"path":"/t"},"r":{"path":"/t"},"z":1}"#;
    let failure = check(ensemble_text(&[stall, sync]).as_bytes()).unwrap_err();
    assert!(failure.to_string().contains("session \"A\" would wait for its answer"), "{failure}");
}

/// A recording of an ensemble to which A is connected through F1.
fn ensemble_text(lines: &[&str]) -> String {
    let connect = r#"{"n":1,"s":"A","op":"connect","a":{"timeout":1,"server":"F1"},"r":{"timeout":1000}}"#;
    let header = r#"{"fmt":"zktrace/1","mode":"ensemble3","sessions":["A","B"]}"#;
    [&[header, connect], lines].concat().join("\n")
}

#[test]
fn without_a_quorum_no_connection_is_made_and_no_session_expires() {
    let kill = r#"{"n":2,"op":"kill_server","a":{"server":"F2+L"},"r":{"connections_closed":{"A":true},"connect_attempt":"refused"}}"#;
    let again = r#"{"n":3,"s":"A","op":"reconnect","a":{"timeout":1,"server":"F1","last_zxid":0},"e":"ConnectionLoss"}"#;
    let lapse = r#"{"n":4,"s":"A","op":"lapse","a":{"sessions":["A"]},"z":2}"#;
    let failure = check(ensemble_text(&[kill, again, lapse]).as_bytes()).unwrap_err();
    assert!(failure.to_string().contains("there is no leader to say so"), "{failure}");
}

#[test]
fn a_leader_that_dies_no_longer_holds_up_a_follower() {
    let text = ensemble_text(&[
        r#"{"n":2,"s":"B","op":"connect","a":{"timeout":1,"server":"L"},"r":{"timeout":1000}}"#,
        r#"{"n":3,"op":"stall","a":{"server":"F1"}}"#,
        r#"{"n":4,"s":"B","op":"create","a":{"path":"/t/x"},"r":{"path":"/t/x"},"z":3}"#,
        r#"{"n":5,"op":"kill_server","a":{"server":"L"},"r":{"new_leader_is_a_surviving_follower":true,"all_connections_closed":true},"z":"e1:2"}"#,
        r#"{"n":6,"s":"A","op":"reconnect","a":{"timeout":1,"server":"F1","last_zxid":2},"r":{"timeout":1000}}"#,
        r#"{"n":7,"s":"A","op":"delete","a":{"path":"/t/x"},"z":"e1:3"}"#,
        r#"{"n":8,"op":"final","z":"e1:3","tree":[{"path":"/t","data":"","stat":{"cz":0,"mz":0,"pz":"e1:3","v":0,"cv":2,"av":0,"eo":null,"len":0,"nc":0}}]}"#,
    ]);
    assert_eq!(check(text.as_bytes()), Ok(8));
}

#[test]
fn a_request_without_a_connection_is_a_damaged_step() {
    let mut lines = lines("s001_create_basic.jsonl");
    lines[2] = r#"{"n":2,"s":"A","op":"drop"}"#.into();
    let failure = check(lines.join("\n").as_bytes()).unwrap_err();
    assert_eq!(failure.to_string(), " line 4: session \"A\" asks something without a connection");
}

#[test]
fn very_deep_nesting_is_a_sentence() {
    let deep = format!(r#"{{"n":2,"s":"A","op":"ping","a":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(sentence(&deep).contains("recursion limit exceeded"));
    let path = "/x".repeat(100_000);
    let unknown = format!(r#"{{"n":2,"s":"A","op":"exists","a":{{"path":"{path}"}},"e":"NoNode","z":1}}"#);
    let header = r#"{"fmt":"zktrace/1","mode":"standalone","sessions":["A"]}"#;
    let connect = r#"{"n":1,"s":"A","op":"connect","a":{"timeout":1000},"r":{"timeout":1000}}"#;
    let failure = check(format!("{header}\n{connect}\n{unknown}").as_bytes()).unwrap_err();
    assert_eq!(failure.to_string(), ": the recording stops after 2 steps, without its `final`");
}

#[test]
fn a_foreign_file_gets_a_sentence() {
    for (bytes, wanted) in [
        (&b""[..], " line 1: the line is empty"),
        (b"\n\n", " line 1: the line is empty"),
        (b"hello", " line 1: this is not JSON: expected value at column 1"),
        (b"{}", " line 1: `fmt` is missing"),
        (br#"{"fmt":"zktrace/2"}"#, " line 1: `fmt` is \"zktrace/2\"; only \"zktrace/1\" can be replayed"),
        (br#"{"fmt":"zktrace/1","mode":"odd"}"#, " line 1: `mode` is \"odd\", neither"),
        (br#"{"fmt":"zktrace/1","mode":"standalone","root":"/x"}"#, " line 1: `root` is \"/x\""),
        (br#"{"fmt":"zktrace/1","mode":"standalone"}"#, " line 1: `sessions` is missing"),
        (
            br#"{"fmt":"zktrace/1","mode":"standalone","sessions":[],"limits":[1]}"#,
            " line 1: `limits` holds [1]",
        ),
        (br#"{"fmt":"zktrace/1","mode":"standalone","sessions":[]}"#, ": the recording stops after 0 steps"),
        (b"\xef\xbb\xbf{}", " line 1: this is not JSON"),
        (b"{}\n{}\n\xff", " line 3: this is not UTF-8 text"),
    ] {
        let failure = check(bytes).unwrap_err().to_string();
        assert!(failure.starts_with(wanted), "{failure}\n{wanted}");
    }
}

#[test]
fn a_recording_that_was_cut_short_does_not_pass() {
    let lines = lines("s001_create_basic.jsonl");
    let failure = check(lines[..6].join("\n").as_bytes()).unwrap_err();
    assert_eq!(failure.to_string(), ": the recording stops after 5 steps, without its `final`");
    let failure = check(lines.join("\n").replace("\"data_watches\"", "\n").as_bytes()).unwrap_err();
    assert_eq!(failure.line(), Some(7));
}

/// Puts `with` in the place of the `nth` scalar of a step.
fn replace_scalar(step: &mut Value, nth: usize, with: &Value) {
    let mut fields = Vec::new();
    scalars(step, "", &mut fields);
    if let Some(value) = step.pointer_mut(&fields[nth % fields.len()]) {
        *value = with.clone();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_bytes_makes_it_panic(
        file in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        cut in 0usize..30,
        bytes in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let files = recordings("");
        let mut text = fs::read(file.get(&files)).unwrap();
        let at = at.index(text.len());
        let end = text.len().min(at + cut);
        text.splice(at..end, bytes);
        let _ = check(&text);
    }

    #[test]
    fn no_value_anywhere_makes_it_panic(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<usize>(), 0usize..12), 1..4),
    ) {
        let with = [
            json!(null), json!(true), json!(-1), json!(0), json!(i64::MAX), json!(i64::MIN), json!(u64::MAX),
            json!(i32::MAX), json!(1e300), json!(""), json!("/t"), json!([[[{}]]]),
        ];
        let files = recordings("");
        let text = fs::read_to_string(file.get(&files)).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (line, nth, which) in changes {
            let line = line.index(lines.len());
            replace_scalar(&mut lines[line], nth, &with[which]);
        }
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let _ = check(text.join("\n").as_bytes());
    }
}

// The command.

#[test]
fn the_command_shows_the_first_line_that_differs_and_counts() {
    let dir = std::env::temp_dir().join(format!("lockstep-conform-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let changed = dir.join("changed.jsonl");
    let text = fs::read_to_string(folder().join("s001_create_basic.jsonl")).unwrap();
    fs::write(&changed, text.replace(r#""r":{"path":"/t/a"},"z":2"#, r#""r":{"path":"/t/a"},"z":3"#))
        .unwrap();
    let good = folder().join("s001_create_basic.jsonl");
    let missing = dir.join("missing.jsonl");
    let [changed, good, missing] = [&changed, &good, &missing].map(|path| path.to_str().unwrap());

    let (code, report) = conform(&[changed, good, missing]);
    fs::remove_dir_all(&dir).unwrap();
    let expected = format!(
        r#"{changed} line 4 (n 3): differs in z
  wanted {{"a":{{"data":"hi","mode":"persistent","path":"/t/a"}},"n":3,"op":"create","r":{{"path":"/t/a"}},"s":"A","z":3}}
  got    {{"a":{{"data":"hi","mode":"persistent","path":"/t/a"}},"n":3,"op":"create","r":{{"path":"/t/a"}},"s":"A","z":2}}
{missing}: the file cannot be read: "#
    );
    assert!(report.starts_with(&expected), "{report}\n{expected}");
    assert!(report.ends_with("\n1 passed, 2 failed\n"), "{report}");
    assert_eq!(code, 1);
    assert_eq!(conform(&[good]), (0, "1 passed, 0 failed\n".into()));
}

#[test]
fn a_wrong_call_ends_with_two_and_says_how() {
    for args in [&[][..], &["--fast"], &["--fast", "file"]] {
        let (code, report) = conform(args);
        assert_eq!(code, 2);
        assert!(report.contains("usage: lockstep conform FILE..."));
    }
    assert_eq!(conform(&["--help"]).0, 0);
}
