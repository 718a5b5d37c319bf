//! The search over several servers: it comes to its end, catches what it catches with one, and what it leaves out
//! shows nowhere.

use std::collections::HashSet;
use std::hash::Hash;

use lockstep::explore::{Budget, Outcome, Report, Search};
use lockstep::judge::{Monitor, Property};
use lockstep::recipe::{Decisions, Key};
use lockstep::world::{Action, Cast, Class, StableHasher, World};
use lockstep::zookeeper::EnsembleSize;

fn cast(clients: u32, words: &str) -> Cast {
    let decide = |decisions: Decisions, word: &str| {
        let (key, word) = word.split_once('=').unwrap();
        decisions.with(Key::from_word(key).unwrap(), word).unwrap()
    };
    let words = words.split(',').filter(|word| !word.is_empty());
    Cast {
        servers: EnsembleSize::Three,
        ..Cast::of(clients).deciding(words.fold(Decisions::default(), decide))
    }
}

fn search(clients: u32, words: &str, faults: &str) -> Report {
    Search { faults: Budget::parse(faults).unwrap(), ..Search::new(cast(clients, words)) }.run()
}

#[test]
fn two_clients_of_three_servers_are_right_in_every_order() {
    for words in ["", "watch=holder", "watch=parent", "watch=poll", "check=exists", "resource=multi"] {
        let report = search(2, words, "");
        assert_eq!(report.outcome, Outcome::Holds, "{words}");
        assert!((2_000..9_000).contains(&report.states), "{words}: {report:?}");
    }
}

#[test]
fn what_breaks_or_sticks_with_one_server_does_with_three() {
    for (words, faults, property) in [
        ("check=separate", "", Property::NeverStuck),
        ("missing=ignore", "", Property::NeverStuck),
        ("order=name", "", Property::NoFalseOwner),
        ("commit=after-release,resource=open", "", Property::NoStaleRequest),
        ("give-up=leave", "give-up=1", Property::NeverStuck),
        ("lost-reply=again", "lost-reply=1", Property::NeverStuck),
    ] {
        let report = search(2, words, faults);
        let Outcome::Broken { violation, run } = report.outcome else { panic!("{words}: {report:?}") };
        assert_eq!(violation.property(), property, "{words}");
        let (mut world, _) = World::new(&cast(2, words));
        assert!(run.iter().all(|action| world.step(*action).is_ok()), "{words}: the run does not lead there");
    }
}

/// With one server it is not caught: only a server that lags hides the node.
#[test]
fn a_node_that_is_looked_for_without_sync_is_missed_on_a_server_that_lags() {
    let report = search(1, "lost-reply=guid-no-sync", "reset=1");
    let Outcome::Broken { violation, .. } = report.outcome else { panic!("{report:?}") };
    assert!(matches!(violation.property(), Property::NoOrphan | Property::NeverStuck), "{violation:?}");
    assert_eq!(search(1, "", "reset=1").outcome, Outcome::Holds);
}

/// What anybody can see: the clients, the resource, what each client's server has carried out, what is decided, and
/// what the judges remember.
fn visible(world: &World, monitor: &Monitor) -> u128 {
    let mut hasher = StableHasher::default();
    for (client, actor) in world.actors() {
        (actor, world.member_of(client).zxid()).hash(&mut hasher);
    }
    (world.resource(), world.server().zxid(), monitor).hash(&mut hasher);
    hasher.finish128()
}

/// Everything that can be seen in some order, and in how many states.
fn all_visible(cast: &Cast, every_order: bool) -> (HashSet<u128>, usize) {
    let (world, _) = World::new(cast);
    let mut seen = HashSet::new();
    let mut shown = HashSet::new();
    let mut open = vec![(world, Monitor::of(&Property::ALL))];
    while let Some((world, monitor)) = open.pop() {
        shown.insert(visible(&world, &monitor));
        let hidden = world.hidden_step().filter(|_| !every_order);
        let actions: Vec<Action> = match hidden {
            Some(action) => vec![action],
            None => {
                let all = world.enabled().into_iter();
                all.filter(|action| world.class(*action) != Class::Heartbeat).collect()
            }
        };
        for action in actions {
            let (mut world, mut monitor) = (world.clone(), monitor.clone());
            world.step(action).unwrap().iter().for_each(|event| drop(monitor.see(event)));
            let mut hasher = StableHasher::default();
            (&world, &monitor).hash(&mut hasher);
            if seen.insert(hasher.finish128()) {
                open.push((world, monitor));
            }
        }
    }
    (shown, seen.len())
}

#[test]
fn what_the_search_leaves_out_shows_nowhere() {
    for words in ["", "check=separate", "missing=ignore", "watch=parent", "resource=multi", "order=name"] {
        let cast = cast(2, words);
        let (whole, states) = all_visible(&cast, true);
        let (reduced, fewer) = all_visible(&cast, false);
        assert!(fewer * 2 < states, "{words}: {fewer} of {states}");
        assert_eq!(reduced.len(), whole.len(), "{words}");
        assert!(reduced == whole, "{words}");
    }
}

#[test]
fn the_search_agrees_with_one_that_leaves_nothing_out() {
    for (words, faults) in [
        ("", ""),
        ("watch=poll", ""),
        ("check=separate", ""),
        ("missing=requeue", ""),
        ("wake=assume", ""),
        ("order=name", ""),
        ("commit=after-release,resource=open", ""),
        ("node=ephemeral-single,watch=parent", ""),
        ("give-up=leave", "give-up=1"),
    ] {
        let faults = Budget::parse(faults).unwrap();
        let search = Search { faults, ..Search::new(cast(2, words)) };
        let (left_out, whole) = (search.run(), Search { every_order: true, ..search }.run());
        let found = |report: &Report| match &report.outcome {
            Outcome::Broken { violation, run } => (Some(violation.property()), run.len()),
            Outcome::Holds => (None, 0),
            Outcome::Stopped => panic!("{words}: two clients are few"),
        };
        let ((one, long), (other, short)) = (found(&left_out), found(&whole));
        assert_eq!(one, other, "{words}");
        // By steps that nobody can tell from later ones.
        assert!((short..=short + 4).contains(&long), "{words}: {long} and {short}");
        assert!(left_out.states <= whole.states, "{words}");
    }
}
