use crate::play::*;
#[test]
fn show() {
    let q = std::env::var("Q").unwrap_or_default();
    let d = decode(&q);
    for p in &d.problems { println!("PROBLEM {}", p.sentence().en); }
    for lane in 0..d.scenario.lanes.len() {
        let t = Timeline::run_to(&d.scenario, lane, 3000);
        println!("== lane {lane} steps {} end {:?} missed {:?}", t.len(), t.end(), t.missed());
        for (i, s) in t.steps().iter().enumerate() {
            if std::env::var("V").is_ok() {
                let ev: Vec<String> = s.events.iter().map(|e| format!("{e:?}")).collect();
                println!("{i:4} {:6} {} :: {}", s.at_ms, s.action, ev.join(" | "));
            } else { print!("{}@{} ", s.action, s.at_ms); }
        }
        println!();
        for f in t.findings() { println!("  FOUND {} {}", f.step, f.violation.sentence().en); }
    }
}
