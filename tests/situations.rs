//! What real clients do when something fails: each cell of the table in `recipe::situation`, run with the library's
//! decisions and compared by what happened.

mod stage;

use lockstep::judge::Violation;
use lockstep::play::{Scenario, Scripted, Timeline, decode};
use lockstep::recipe::{CELLS, Conduct, ConductCell, Situation};
use lockstep::world::{Action, ClientId, Deletion, Event, Fault, Operator};
use lockstep::zookeeper::Request;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

/// Three clients with the library's decisions; A works for three seconds.
fn base(library: &str) -> Scenario {
    let decoded = decode(&format!("v=2&clients=3&hold-ms=3000&lane=as={library}"));
    assert_eq!(decoded.problems, [], "{library}");
    decoded.scenario
}

fn with(mut scenario: Scenario, script: &[(u64, Action)]) -> Timeline {
    scenario.script =
        script.iter().map(|(at_ms, action)| Scripted { at_ms: *at_ms, action: *action }).collect();
    Timeline::run(&scenario, 0)
}

/// When something first happens in a run.
fn when(run: &Timeline, what: impl Fn(&Event) -> bool) -> u64 {
    let step = run.steps().iter().find(|step| step.events.iter().any(&what));
    step.expect("it happens").at_ms
}

fn asleep(run: &Timeline) -> u64 {
    when(run, |e| matches!(e, Event::Slept { client, .. } if *client == B))
}

fn created(run: &Timeline, client: ClientId) -> usize {
    stage::events(run).filter(|e| matches!(e, Event::NodeCreated { client: c, .. } if *c == client)).count()
}

fn acquired(run: &Timeline, client: ClientId) -> bool {
    stage::events(run).any(|e| matches!(e, Event::Acquired { client: c, .. } if *c == client))
}

fn failed(run: &Timeline, client: ClientId) -> bool {
    stage::events(run).any(|e| {
        matches!(e, Event::Failed { client: c, .. } | Event::RequestFailed { client: c, .. } if *c == client)
    })
}

fn waits_for_ever(run: &Timeline, client: ClientId) -> bool {
    let stuck = |violation: &Violation| matches!(violation, Violation::Stuck { clients } if clients.contains(&client));
    run.findings().iter().any(|finding| stuck(&finding.violation))
}

/// Whether the client's node went by a request of its own.
fn deleted_by_request(run: &Timeline, client: ClientId) -> bool {
    stage::events(run)
        .any(|e| matches!(e, Event::NodeDeleted { client: c, why: Deletion::Request, .. } if *c == client))
}

fn took_wrongly(run: &Timeline) -> bool {
    run.findings()
        .iter()
        .any(|finding| matches!(finding.violation, Violation::FalseOwner { .. } | Violation::TwoHold { .. }))
}

/// What B did about the lock, as the run shows it.
fn conduct_of_waiter(run: &Timeline) -> Option<Conduct> {
    if failed(run, B) {
        let left = run.findings().iter().any(|finding| {
            matches!(&finding.violation, Violation::Orphan { client: Some(client), .. } if *client == B)
        });
        let left = left || (!deleted_by_request(run, B) && waits_for_ever(run, ClientId(2)));
        return Some(if left { Conduct::FailsAndLeavesItsNode } else { Conduct::FailsWithoutANode });
    }
    if waits_for_ever(run, B) {
        return Some(Conduct::WaitsForEver);
    }
    if took_wrongly(run) {
        return Some(Conduct::TakesTheLock);
    }
    let conduct = if created(run, B) > 1 { Conduct::QueuesAgain } else { Conduct::KeepsItsNode };
    acquired(run, B).then_some(conduct)
}

/// Stages the situation and says what the client did; `None` where it did nothing that the table has a word for.
fn shown(cell: &ConductCell) -> Option<Conduct> {
    let base = base(cell.library);
    let calm = with(base.clone(), &[]);
    let fault = |fault, client| Action::Fault(fault, client);
    match cell.situation {
        Situation::CreateReplyLost => {
            let at = when(&calm, |e| matches!(e, Event::NodeCreated { client, .. } if *client == B));
            conduct_of_waiter(&with(base, &[(at + 1, fault(Fault::LostReply, B))]))
        }
        Situation::ResetWhileAsking => {
            let at = when(&calm, |e| matches!(e, Event::WatchSet { client, .. } if *client == B));
            conduct_of_waiter(&with(base, &[(at + 1, fault(Fault::Reset, B))]))
        }
        Situation::ResetWhileAsleep => {
            let at = asleep(&calm);
            conduct_of_waiter(&with(base, &[(at + 500, fault(Fault::Reset, B))]))
        }
        Situation::ExpiryWhileAsleep => {
            let at = asleep(&calm);
            conduct_of_waiter(&with(base, &[(at + 500, fault(Fault::Expire, B))]))
        }
        Situation::ExpiryWhileHolding => {
            let at = when(&calm, |e| matches!(e, Event::Acquired { client, .. } if *client == A));
            let run = with(base, &[(at + 500, fault(Fault::Expire, A))]);
            let told = |e: &Event| matches!(e, Event::ExpiredHeard { client } if *client == A);
            let writes = |e: &Event| matches!(e, Event::ResourceAsked { client, .. } if *client == A);
            let after = stage::events(&run).skip_while(|e| !told(e));
            let lost =
                stage::events(&run).any(|e| matches!(e, Event::LostLock { client, .. } if *client == A));
            (!lost && after.into_iter().any(writes)).then_some(Conduct::GoesOn)
        }
        Situation::PredecessorGone => {
            let at = when(&calm, |e| matches!(e, Event::Sorted { client, .. } if *client == B));
            conduct_of_waiter(&with(base, &[(at + 1, Action::Operator(Operator::DeleteNode(A)))]))
        }
        Situation::OwnNodeDeleted => {
            let at = asleep(&calm);
            conduct_of_waiter(&with(base, &[(at + 500, Action::Operator(Operator::DeleteNode(B)))]))
        }
        Situation::DirectoryDeleted => {
            let at = asleep(&calm);
            conduct_of_waiter(&with(base, &[(at + 500, Action::Operator(Operator::DeleteDir))]))
        }
        Situation::EqualNumbers => {
            let run = with(Scenario { counter: 2_147_483_646, ..base }, &[]);
            conduct_of_waiter(&run)
        }
        Situation::ReleaseLost => {
            let at = when(
                &calm,
                |e| matches!(e, Event::RequestSent { client, request: Request::Delete { .. } } if *client == A),
            );
            let run = with(base, &[(at + 1, fault(Fault::LostRequest, A))]);
            Some(if deleted_by_request(&run, A) { Conduct::DeletesUntilDone } else { Conduct::LeavesTheNode })
        }
        Situation::GiveUpLost => {
            let at = asleep(&calm) + 500;
            let run = with(base, &[(at, fault(Fault::GiveUp, B)), (at + 1, fault(Fault::LostRequest, B))]);
            if run.missed().is_some() {
                return None;
            }
            Some(if deleted_by_request(&run, B) { Conduct::DeletesUntilDone } else { Conduct::LeavesTheNode })
        }
        Situation::StartedAgain => {
            let at = asleep(&calm);
            let script = [(at + 500, fault(Fault::Crash, B)), (at + 1000, fault(Fault::Restart, B))];
            let run = with(base, &script);
            let old = stage::events(&run)
                .position(|e| matches!(e, Event::SessionExpired { client, old: true } if *client == B));
            let got =
                stage::events(&run).position(|e| matches!(e, Event::Acquired { client, .. } if *client == B));
            (old.is_some() && got > old).then_some(Conduct::WaitsForItsOldSession)
        }
    }
}

/// What the world cannot show yet: the cell, what the run shows in its place, and why. A cell that is mended must go
/// from here.
const NOT_SHOWN: &[(Situation, &str, Option<Conduct>, &str)] = &[
    (
        Situation::CreateReplyLost,
        "java-writelock",
        Some(Conduct::KeepsItsNode),
        "the bare name that it keeps, and never takes for the owner's, is not modelled",
    ),
    (
        Situation::CreateReplyLost,
        "c-lock",
        Some(Conduct::KeepsItsNode),
        "its tries within milliseconds, all before the connection is back, are not modelled",
    ),
    (
        Situation::ExpiryWhileAsleep,
        "c-lock",
        Some(Conduct::QueuesAgain),
        "its handle, which is dead after the expiry, is not modelled",
    ),
    (
        Situation::EqualNumbers,
        "curator-5",
        Some(Conduct::KeepsItsNode),
        "the order in which a server lists equal numbers is not modelled",
    ),
    (
        Situation::GiveUpLost,
        "kazoo-2.11",
        Some(Conduct::DeletesUntilDone),
        "one option says how often every delete is tried; kazoo tries this one once",
    ),
];

#[test]
fn every_library_does_in_every_situation_what_its_source_says() {
    let told = CELLS.iter().filter(|cell| !matches!(cell.conduct, Conduct::NotSaid | Conduct::CannotHappen));
    let mut wrong = Vec::new();
    for cell in told {
        let shown = shown(cell);
        let gap = NOT_SHOWN.iter().find(|gap| (gap.0, gap.1) == (cell.situation, cell.library));
        let expected = gap.map_or(Some(cell.conduct), |gap| gap.2);
        if shown != expected {
            wrong.push(format!("{:?} {}: is {shown:?}, not {expected:?}", cell.situation, cell.library));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
