//! The comparison of a recorded step with a replayed one.

use serde_json::{Map, Value};

/// More differences than this are not worth reading.
const MOST: usize = 12;

/// A copy without any `rk`: the rank of a zxid among all of its file says nothing that the zxid does not.
pub(super) fn without_ranks(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| *name != "rk");
            Value::Object(kept.map(|(name, value)| (name.clone(), without_ranks(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_ranks).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// The places where two steps differ, the deepest that can be named: `z`, `r.stat.v`, `post.B[0]`. Empty
/// only if they are equal.
pub(super) fn differences(want: &Value, got: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect("", want, got, &mut found);
    if found.len() > MOST {
        let more = found.len() - MOST;
        found.truncate(MOST);
        found.push(format!("{more} more"));
    }
    found
}

fn collect(at: &str, want: &Value, got: &Value, found: &mut Vec<String>) {
    match (want, got) {
        _ if want == got => {}
        (Value::Object(want), Value::Object(got)) => collect_fields(at, want, got, found),
        (Value::Array(want), Value::Array(got)) => {
            for index in 0..want.len().max(got.len()) {
                let at = format!("{at}[{index}]");
                match (want.get(index), got.get(index)) {
                    (Some(want), Some(got)) => collect(&at, want, got, found),
                    _ => found.push(at),
                }
            }
        }
        _ => found.push(at.to_owned()),
    }
}

fn collect_fields(at: &str, want: &Map<String, Value>, got: &Map<String, Value>, found: &mut Vec<String>) {
    let only_got = got.keys().filter(|name| !want.contains_key(*name));
    for name in want.keys().chain(only_got) {
        let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        match (want.get(name), got.get(name)) {
            (Some(want), Some(got)) => collect(&at, want, got, found),
            _ => found.push(at),
        }
    }
}
