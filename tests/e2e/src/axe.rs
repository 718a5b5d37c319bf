//! axe-core, the accessibility rules, as readable lines.

use std::env;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// Runs every rule for WCAG 2.2 A and AA and axe's own best practices, and returns the violations only.
pub const RUN: &str = "axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
}).then((result) => result.violations)";

/// The source of axe-core: `$LOCKSTEP_AXE`, or what `cargo xtask` keeps in its cache.
pub fn source() -> String {
    let path = env::var_os("LOCKSTEP_AXE").map(PathBuf::from).or_else(in_cache);
    let path = path.expect("LOCKSTEP_AXE names axe.min.js; `cargo xtask test` fetches it and sets this");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

/// One line for each violation and element: `color-contrast (serious) at .gate: Ensure the contrast ...`.
pub fn lines(violations: &Value) -> Vec<String> {
    let rules = violations.as_array().expect("axe returns a list of violations");
    let of_rule = |rule: &Value| {
        let what = format!("{} ({})", word(&rule["id"]), word(&rule["impact"]));
        let why = word(&rule["help"]);
        let nodes = rule["nodes"].as_array().cloned().unwrap_or_default();
        nodes.into_iter().map(move |node| {
            let detail = node["failureSummary"].as_str().unwrap_or_default().replace('\n', " ");
            format!("{what} at {}: {why}. {detail}", node["target"])
        })
    };
    rules.iter().flat_map(of_rule).collect()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or("unknown").to_string()
}

fn in_cache() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("LOCKSTEP_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("lockstep")))
        .or_else(|| set("HOME").map(|home| home.join(".cache/lockstep")))?;
    let mut versions: Vec<PathBuf> = fs::read_dir(cache.join("tools"))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("node_modules/axe-core/axe.min.js")))
        .filter(|path| path.is_file())
        .collect();
    versions.sort();
    versions.pop()
}
