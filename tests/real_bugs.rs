//! Every row of docs/real-bugs.md ends as it says.

use lockstep::play::{Comparison, decode};

/// The rows: report, link, verdicts.
fn rows() -> Vec<(String, String, String)> {
    let table = include_str!("../docs/real-bugs.md");
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(str::trim).map(str::to_string).collect();
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    rows.map(|line| {
        let cells: Vec<String> = cells(line);
        let [report, _, scenario, verdicts] = cells.as_slice() else { panic!("four cells: {line}") };
        (report.clone(), scenario.trim_matches('`').to_string(), verdicts.clone())
    })
    .collect()
}

#[test]
fn every_bug_ends_as_the_table_says() {
    let rows = rows();
    assert!(rows.len() >= 29, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for (report, link, verdicts) in &rows {
        let decoded = decode(link);
        assert_eq!(decoded.problems, [], "{report}");
        let comparison = Comparison::run(&decoded.scenario);
        for lane in comparison.lanes() {
            assert_eq!(lane.missed(), None, "{report}: its script fits");
        }
        let words: Vec<&str> =
            comparison.lanes().iter().map(|lane| lane.judgement().verdict.word()).collect();
        if words.join(", ") != *verdicts {
            wrong.push(format!("{report}: is {}, said {verdicts}", words.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
