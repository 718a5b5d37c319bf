//! One table of faults, and everything that lists them reads it.
//!
//! `docs/faults.md` is written by `LOCKSTEP_BLESS=1 cargo test --test fault_table`.

use std::fmt::Write as _;
use std::process::Command;

use lockstep::explore::Budget;
use lockstep::play::{Scenario, Storm};
use lockstep::recipe::Decisions;
use lockstep::teach::narrate;
use lockstep::world::{Action, ClientId, Event, FAULTS, Fault, Operator, ServerFact, ServerFault};
use lockstep::zookeeper::{EnsembleSize, ServerId};

const A: ClientId = ClientId(0);

/// Every fault for client A, server 1, and servers 1 and 2.
fn all() -> Vec<Action> {
    let (one, two) = (ServerId(0), ServerId(1));
    let clients = Fault::ALL.map(|fault| Action::Fault(fault, A)).into_iter();
    let by_hand = Operator::on(A).into_iter().chain(Operator::ONCE).map(Action::Operator);
    let servers = ServerFault::of(one).into_iter().chain(ServerFault::between(one, two));
    clients.chain(by_hand).chain(servers.map(Action::ServerFault)).collect()
}

/// The page of the documentation.
fn page() -> String {
    let mut page = String::from(
        "# Faults\n\n\
         What can go wrong in a story, in the words of links and of `--script`: `pause.A@300` is a pause of client A at\n\
         300 ms. A is any client, `s1` and `s2` are any servers. This page is written from the table in\n\
         `src/world/fault` by `LOCKSTEP_BLESS=1 cargo test --test fault_table`.\n\n\
         | script | what happens | put right by | `--faults` |\n\
         | --- | --- | --- | --- |\n",
    );
    for action in all() {
        let fault = action.fault().expect("a fault has a row");
        let repair = action.repair().map(|repair| format!("`{repair}`")).unwrap_or_default();
        let budget = fault.budget.map_or("costs nothing".to_string(), |word| format!("`{word}`"));
        let _ = writeln!(page, "| `{action}` | {} | {repair} | {budget} |", action.fill(fault.told).en);
    }
    page
}

#[test]
fn the_table_and_the_lists_agree() {
    assert_eq!(all().len(), FAULTS.len());
    for (action, row) in all().into_iter().map(|action| (action, action.fault().unwrap())) {
        assert!(FAULTS.contains(&row), "{action}");
    }
}

#[test]
fn the_page_about_faults_is_written_from_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/faults.md");
    if std::env::var_os("LOCKSTEP_BLESS").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page(), "LOCKSTEP_BLESS=1 writes it anew");
}

#[test]
fn the_help_names_every_word_of_a_script() {
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let said = help.split_whitespace().collect::<Vec<_>>();
    for action in all() {
        let word = match action {
            Action::Fault(fault, _) => fault.word().to_string(),
            other => other.to_string(),
        };
        assert!(said.contains(&word.as_str()), "{word}\n{help}");
    }
}

#[test]
fn the_documentation_uses_no_word_that_a_budget_does_not_know() {
    for text in [include_str!("../README.md"), include_str!("../docs/fidelity.md"), &page()] {
        let budgets = text.split("--faults ").skip(1).filter_map(|rest| rest.split_whitespace().next());
        for words in budgets {
            let words = words.trim_matches(['`', '.', ',']);
            let is_example = words.contains('=');
            assert!(!is_example || Budget::parse(words).is_ok(), "{words}");
        }
    }
}

#[test]
fn the_storm_draws_every_fault_that_has_a_weight_and_no_other() {
    let scenario =
        Scenario { servers: EnsembleSize::Three, clients: 1, ..Scenario::single(Decisions::default()) };
    let storm = Storm::new(scenario, 0);
    let mut drawn: Vec<&str> = Vec::new();
    for seed in 0..2_000 {
        let script = storm.scenario(seed).script;
        drawn.extend(script.iter().filter_map(|scripted| scripted.action.fault()?.budget));
    }
    for fault in FAULTS {
        let weight = fault.storm.for_a_while + fault.storm.for_long + fault.storm.for_good;
        let is_drawn = fault.budget.is_some_and(|word| drawn.contains(&word));
        let comes_by_itself = all().into_iter().any(|other| {
            other.fault().is_some_and(|other| other.storm.for_a_while > 0)
                && other.repair().is_some_and(|repair| repair.fault() == Some(fault))
        });
        assert_eq!(is_drawn, weight > 0 || (comes_by_itself && fault.budget.is_some()), "{}", fault.word);
    }
}

#[test]
fn the_narration_says_what_the_table_says() {
    for action in all() {
        let event = match action {
            Action::Fault(fault, client) => Event::FaultInjected { client, fault },
            Action::Operator(operator) => Event::OperatorActed { operator },
            Action::ServerFault(fault) => Event::Server { fact: ServerFact::FaultInjected { fault } },
            other => panic!("{other} is no fault"),
        };
        let told = action.fault().map(|fault| action.fill(fault.told));
        assert_eq!(Some(narrate(&[event])), told, "{action}");
    }
}
