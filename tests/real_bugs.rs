//! Every row of docs/real-bugs.md ends as it says, and by the mechanism that it says: each lane's events are asked for
//! what the report tells of nodes, watches and replies.

use std::collections::BTreeSet;

use lockstep::play::{Comparison, Timeline, decode};
use lockstep::world::Event;
use serde_json::Value;

/// A row of the table: its reports, its link, the verdicts of its lanes.
struct Row {
    reports: String,
    link: String,
    verdicts: String,
}

impl Row {
    /// The first of its reports, by which [`MECHANISMS`] knows it.
    fn name(&self) -> &str {
        self.reports.split(", ").next().unwrap_or_default()
    }
}

fn rows() -> Vec<Row> {
    let table = include_str!("../docs/real-bugs.md");
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains("`v="));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [reports, _symptom, _mechanism, _fix, scenario, verdicts] = cells.as_slice() else {
            panic!("six cells: {line}")
        };
        let link = scenario.trim_matches('`').to_string();
        Row { reports: reports.to_string(), link, verdicts: verdicts.to_string() }
    })
    .collect()
}

/// What must have happened in a lane (counted from 1), in this order.
///
/// A step names an event as the command line's JSON does, its client, and fields with their values; `*0002` is a value
/// that ends so. `no …` says that no such event comes from there to the end of the run, `first …` that there was
/// none before.
const MECHANISMS: &[(&str, usize, &[&str])] = &[
    (
        "CURATOR-206",
        2,
        &[
            "acquired A",
            "session-expired A",
            "node-deleted A why=expired",
            "acquired B",
            "resource-taken A request.call=write reply=written",
            "expired-heard A",
        ],
    ),
    (
        "kazoo #2",
        1,
        &[
            "no lost-lock A",
            "acquired A",
            "fault-injected A fault=pause",
            "session-expired A",
            "acquired B",
            "resource-taken A request.call=commit reply=committed",
            "expired-heard A",
        ],
    ),
    (
        "kazoo #2",
        2,
        &[
            "no lost-lock A",
            "acquired A",
            "fault-injected A fault=pause",
            "session-expired A",
            "acquired B",
            "resource-taken A request.call=commit reply=committed",
            "expired-heard A",
        ],
    ),
    (
        "CAMEL-24457",
        1,
        &[
            "disconnected A why=quiet",
            "session-expired A",
            "acquired B",
            "resource-taken A request.call=write reply=written",
            "expired-heard A",
        ],
    ),
    (
        "CAMEL-24457",
        2,
        &[
            "disconnected A why=quiet",
            "session-expired A",
            "acquired B",
            "lost-lock A why=expired",
            "node-created A path=*0000000002",
        ],
    ),
    (
        "vespa #3340",
        1,
        &[
            "no lost-lock A why=expired",
            "session-expired A",
            "acquired B",
            "expired-heard A",
            "connected A new=true",
            "resource-taken A request.call=write request.token=6",
        ],
    ),
    (
        "vespa #3340",
        2,
        &[
            "expired-heard A",
            "lost-lock A why=expired",
            "connected A new=true",
            "node-created A path=*0000000002",
        ],
    ),
    (
        "pulsar #23011",
        1,
        &[
            "session-expired A",
            "acquired B",
            "connected A new=true",
            "resource-taken A request.call=commit reply.refused.highest=null",
            "lost-lock A why=refused",
        ],
    ),
    (
        "pulsar #23011",
        2,
        &[
            "session-expired A",
            "acquired B",
            "connected A new=true",
            "resource-taken A request.call=commit reply=committed",
        ],
    ),
    (
        "CURATOR-595",
        1,
        &["disconnected A why=quiet", "session-expired A", "node-deleted A why=expired", "first acquired B"],
    ),
    (
        "CURATOR-595",
        2,
        &["disconnected A why=quiet", "session-expired A", "node-deleted A why=expired", "first acquired B"],
    ),
    (
        "samuel/go-zookeeper #237",
        1,
        &[
            "node-created A path=*0000000000",
            "link-lost link=zk.A",
            "connected A new=false",
            "node-created A path=*0000000002",
            "slept A on=*0000000001",
            "no node-deleted",
            "no acquired A",
        ],
    ),
    (
        "samuel/go-zookeeper #237",
        2,
        &["link-lost link=zk.A", "found A node=*0000000000", "acquired A node=*0000000000"],
    ),
    (
        "zk-ruby/zk #54",
        1,
        &[
            "node-created B path=*0000000001",
            "link-lost link=zk.B",
            "node-created B path=*0000000002",
            "slept B on=*0000000001",
            "node-deleted A",
            "no woke B",
        ],
    ),
    (
        "zk-ruby/zk #54",
        2,
        &["link-lost link=zk.B", "found B node=*0000000001", "acquired B node=*0000000001"],
    ),
    (
        "mozilla-services/zktools #2",
        1,
        &[
            "link-lost link=zk.A",
            "no found A",
            "slept B on=*0000000000",
            "node-created A path=*0000000002",
            "no node-deleted A",
            "no woke B",
        ],
    ),
    (
        "mozilla-services/zktools #2",
        2,
        &["link-lost link=zk.A", "found A node=*0000000000", "acquired A node=*0000000000"],
    ),
    (
        "CURATOR-498",
        1,
        &[
            "connected A new=true",
            "found A node=*0000000000",
            "acquired A node=*0000000000",
            "session-expired A old=true",
            "node-deleted A path=*0000000000 why=expired",
            "acquired B",
        ],
    ),
    (
        "CURATOR-498",
        2,
        &[
            "connected A new=true",
            "node-created A path=*0000000002",
            "session-expired A old=true",
            "acquired B",
            "first acquired A node=*0000000002",
        ],
    ),
    (
        "CURATOR-604",
        1,
        &[
            "connected A new=true",
            "found A node=*0000000000",
            "acquired A node=*0000000000",
            "session-expired A old=true",
            "acquired B",
            "resource-taken A request.call=write reply=written",
            "released A",
        ],
    ),
    (
        "CURATOR-79",
        1,
        &["slept C on=*0000000001", "gave-up B leaves=true", "released A", "no node-deleted B", "no woke C"],
    ),
    ("CURATOR-79", 2, &["gave-up B leaves=false", "node-deleted B path=*0000000001 why=request", "woke C"]),
    (
        "shayhatsor/zookeeper #26",
        1,
        &[
            "node-deleted A path=*0000000000",
            "watch-set B path=*0000000000 on_missing=true",
            "reply-heard B request.call=exists error=NoNode",
            "slept B on=*0000000000",
            "no watch-fired B",
        ],
    ),
    (
        "shayhatsor/zookeeper #26",
        2,
        &["node-deleted A path=*0000000000", "reply-heard B request.call=getData error=NoNode", "acquired B"],
    ),
    (
        "apache/helix #44",
        1,
        &[
            "request-taken B request.call=exists request.watch=false error=null",
            "node-deleted A path=*0000000000",
            "watch-set B path=*0000000000 on_missing=true",
            "reply-heard B request.call=exists request.watch=true error=NoNode",
            "slept B on=*0000000000",
            "no watch-fired B",
        ],
    ),
    (
        "apache/helix #44",
        2,
        &["node-deleted A path=*0000000000", "reply-heard B request.call=getData error=NoNode", "acquired B"],
    ),
    (
        "kazoo #490",
        1,
        &[
            "watch-set B path=*0000000000 on_missing=true",
            "acquired B",
            "no watch-fired B watched.path=*0000000000",
        ],
    ),
    ("kazoo #490", 2, &["no watch-set B on_missing=true", "acquired B"]),
    (
        "kazoo #151",
        1,
        &[
            "slept B on=*0000000000",
            "no request-taken B request.call=setWatches",
            "disconnected B why=reset",
            "connected B new=false",
            "node-deleted A path=*0000000000",
            "no watch-fired B",
        ],
    ),
    (
        "kazoo #151",
        2,
        &[
            "disconnected B why=reset",
            "request-taken B request.call=setWatches",
            "node-deleted A path=*0000000000",
            "watch-fired B watched.path=*0000000000 lost=false",
            "acquired B",
        ],
    ),
    (
        "airbnb/synapse #287",
        1,
        &[
            "slept B on=*0000000000",
            "no request-taken B request.call=setWatches",
            "disconnected B why=server-restart",
            "connected B new=false",
            "node-deleted A path=*0000000000",
            "no watch-fired B",
        ],
    ),
    (
        "airbnb/synapse #287",
        2,
        &[
            "disconnected B why=server-restart",
            "request-taken B request.call=setWatches",
            "node-deleted A path=*0000000000",
            "watch-fired B watched.path=*0000000000 lost=false",
            "acquired B",
        ],
    ),
    (
        "CURATOR-527",
        1,
        &["node-deleted A path=*0000000000", "reply-heard B request.call=getData error=NoNode", "acquired B"],
    ),
    (
        "zk-ruby/zk #49",
        1,
        &["slept C on=*0000000001", "gave-up B leaves=true", "released A", "no node-deleted B", "no woke C"],
    ),
    (
        "zk-ruby/zk #51",
        1,
        &[
            "disconnected B why=reset",
            "gave-up B leaves=false",
            "connected B new=false",
            "node-deleted B path=*0000000001 why=request",
            "woke C",
        ],
    ),
    (
        "zk-ruby/zk #51",
        2,
        &[
            "disconnected B why=reset",
            "gave-up B leaves=true",
            "released A",
            "no node-deleted B",
            "no woke C",
        ],
    ),
    (
        "gbif/pipelines #1164",
        1,
        &[
            "node-created A ephemeral=false",
            "fault-injected A fault=crash",
            "session-expired A",
            "no node-deleted A",
            "no woke B",
        ],
    ),
    (
        "gbif/pipelines #1164",
        2,
        &[
            "node-created A ephemeral=true",
            "fault-injected A fault=crash",
            "session-expired A",
            "node-deleted A why=expired",
            "acquired B",
        ],
    ),
    (
        "ZOOKEEPER-2931",
        1,
        &[
            "no released A",
            "acquired A node=*0000000000",
            "node-created C path=*0000000002",
            "acquired C node=*0000000002",
            "lost-lock A",
        ],
    ),
    ("ZOOKEEPER-2931", 2, &["released A", "first acquired B", "released B", "first acquired C"]),
    (
        "kazoo #730",
        1,
        &[
            "acquired A node=*lock-2147483646",
            "node-created C path=*lock--2147483648",
            "acquired C node=*lock--2147483648",
            "released A",
        ],
    ),
    (
        "ZOOKEEPER-3249",
        1,
        &[
            "node-created B path=*lock-2147483647",
            "node-created C path=*lock-2147483647",
            "node-created D path=*lock-2147483647",
            "acquired C node=*lock-2147483647",
            "released C",
            "first acquired B",
        ],
    ),
    (
        "kazoo #649",
        1,
        &[
            "slept D on=*read-0000000002",
            "node-deleted A",
            "slept B on=*lock-0000000003",
            "slept C on=*lock-0000000003",
            "no woke",
        ],
    ),
    ("kazoo #649", 2, &["node-deleted A", "acquired B", "acquired C", "first acquired D"]),
    (
        "airbnb/synapse #287 and its like",
        1,
        &[
            "slept B on=*0000000000",
            "no request-taken B request.call=setWatches",
            "disconnected B why=end-of-file",
            "connected B new=false",
            "node-deleted A path=*0000000000",
            "no watch-fired B",
        ],
    ),
    (
        "airbnb/synapse #287 and its like",
        2,
        &[
            "disconnected B why=end-of-file",
            "request-taken B request.call=setWatches",
            "node-deleted A path=*0000000000",
            "watch-fired B watched.path=*0000000000 lost=false",
            "acquired B",
        ],
    ),
    (
        "CURATOR-595 and its like",
        1,
        &[
            "disconnected A why=end-of-file",
            "lost-lock A why=disconnected",
            "connected A new=false",
            "no session-expired A",
            "node-created A path=*0000000002",
            "slept A",
            "no node-deleted A",
        ],
    ),
    (
        "CURATOR-595 and its like",
        2,
        &[
            "no lost-lock A",
            "disconnected A why=end-of-file",
            "connected A new=false",
            "no session-expired A",
            "released A",
            "acquired B",
        ],
    ),
    (
        "metamx/zk-lock #22",
        1,
        &[
            "slept B on=/locks/order-123",
            "node-created C",
            "watch-fired B watched.kind=NodeChildrenChanged",
            "woke B",
            "sorted B place=1",
        ],
    ),
    (
        "metamx/zk-lock #22",
        2,
        &[
            "node-deleted A",
            "watch-fired B",
            "watch-fired C",
            "watch-fired D",
            "watch-fired E",
            "node-created B",
            "reply-heard E error=NodeExists",
        ],
    ),
    (
        "metamx/zk-lock #22",
        3,
        &[
            "node-deleted A",
            "watch-fired B",
            "no watch-fired B",
            "node-deleted B",
            "watch-fired C",
            "no watch-fired C",
        ],
    ),
];

/// The fields of an event, those inside others after a dot: `request.call`, as text.
fn fields(event: &Event) -> Vec<(String, String)> {
    fn flatten(value: &Value, name: &str, into: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                    flatten(value, &name, into);
                }
            }
            Value::String(text) => into.push((name.to_string(), text.clone())),
            other => into.push((name.to_string(), other.to_string())),
        }
    }
    let mut into = Vec::new();
    flatten(&serde_json::to_value(event).unwrap(), "", &mut into);
    into
}

fn fits(step: &str, event: &[(String, String)]) -> bool {
    let is = |key: &str, wanted: &str| {
        event.iter().any(|(name, value)| {
            name == key
                && match wanted.strip_prefix('*') {
                    Some(end) => value.ends_with(end),
                    None => value == wanted,
                }
        })
    };
    let mut words = step.split(' ');
    let name = words.next().unwrap_or_default();
    is("event", name)
        && words.all(|word| match word.split_once('=') {
            Some((key, value)) => is(key, value),
            None => is("client", word),
        })
}

/// The step of a mechanism that did not happen, if one did not.
fn missing<'a>(steps: &[&'a str], lane: &Timeline) -> Option<&'a str> {
    let events: Vec<_> = lane.steps().iter().flat_map(|step| &step.events).map(fields).collect();
    let mut at = 0;
    for &step in steps {
        if let Some(never) = step.strip_prefix("no ") {
            if events[at..].iter().any(|event| fits(never, event)) {
                return Some(step);
            }
            continue;
        }
        let wanted = step.strip_prefix("first ").unwrap_or(step);
        let Some(found) = events[at..].iter().position(|event| fits(wanted, event)) else {
            return Some(step);
        };
        if wanted != step && events[..at].iter().any(|event| fits(wanted, event)) {
            return Some(step);
        }
        at += found + 1;
    }
    None
}

#[test]
fn every_bug_ends_as_the_table_says_and_by_its_mechanism() {
    let rows = rows();
    assert!(rows.len() >= 28, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let decoded = decode(&row.link);
        assert_eq!(decoded.problems, [], "{}", row.reports);
        let comparison = Comparison::run(&decoded.scenario);
        for lane in comparison.lanes() {
            assert_eq!(lane.missed(), None, "{}: its script fits", row.reports);
        }
        let words: Vec<&str> =
            comparison.lanes().iter().map(|lane| lane.judgement().verdict.word()).collect();
        if words.join(", ") != row.verdicts {
            wrong.push(format!("{}: is {}, said {}", row.reports, words.join(", "), row.verdicts));
        }
        let mut told = false;
        for (_, lane, steps) in MECHANISMS.iter().filter(|(name, ..)| *name == row.name()) {
            told = true;
            if let Some(step) = missing(steps, &comparison.lanes()[lane - 1]) {
                wrong.push(format!("{}, lane {lane}: not so: {step}", row.name()));
            }
        }
        assert!(told, "{} has no mechanism", row.name());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_mechanism_belongs_to_a_row() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(Row::name).collect();
    assert_eq!(names.len(), rows.len(), "two rows of one name");
    for (name, ..) in MECHANISMS {
        assert!(names.contains(name), "{name} is in no row");
    }
}

#[test]
fn what_did_not_happen_is_missed() {
    let link = "v=2&clients=2&seed=1&script=lost-reply.A@18&lane=lost-reply=again";
    let comparison = Comparison::run(&decode(link).scenario);
    let missing = |steps: &[&'static str]| missing(steps, &comparison.lanes()[0]);
    assert_eq!(missing(&["node-created A path=*0000000000", "node-created A path=*0000000002"]), None);
    assert_eq!(
        missing(&["node-created A path=*0000000002", "node-created A path=*0000000000"]),
        Some("node-created A path=*0000000000")
    );
    assert_eq!(missing(&["acquired A"]), Some("acquired A"));
    assert_eq!(missing(&["no slept B"]), Some("no slept B"));
    assert_eq!(missing(&["node-created B", "first node-created A"]), Some("first node-created A"));
    assert_eq!(missing(&["slept B on=*0000000001"]), Some("slept B on=*0000000001"));
}
