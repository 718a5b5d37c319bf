//! The search: every order in which things can happen, breadth first.
//!
//! It ignores times and heartbeats: any other enabled action may come next, and as many faults as its
//! budget has. It explores worlds together with the automata, since a world alone forgets what happened,
//! and with what is left of the budget; it knows a state again by the world's fingerprint and the
//! automata's memory. What it finds first is therefore a shortest run (of several servers, but for steps that no
//! client can tell from later ones). It knows nothing of schedules, seeds or pictures.
//!
//! ```
//! use lockstep::explore::{Outcome, Search};
//! use lockstep::world::Cast;
//! let report = Search::new(Cast::of(2)).run();
//! assert_eq!(report.outcome, Outcome::Holds);
//! ```

mod budget;
mod tree;

use std::rc::Rc;

pub use budget::Budget;
use tree::SearchTree;

use crate::judge::{Monitor, Property, Violation};
use crate::world::{Action, Cast, Class, World};

/// States that a search visits before it stops, unless told otherwise.
pub const STATE_LIMIT: u32 = 2_000_000;

/// What to search.
#[derive(Clone, Debug)]
pub struct Search {
    pub cast: Cast,
    pub properties: Vec<Property>,
    /// Where to stop, in states.
    pub limit: u32,
    /// The faults that may be injected.
    pub faults: Budget,
    /// Whether steps among servers that no client can tell from later ones are tried in every order too. It finds
    /// the same, and takes longer; a run that breaks may then be shorter by some of these steps.
    pub every_order: bool,
}

/// What a search found, and how far it looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Different states visited.
    pub states: u32,
    /// Steps of the longest shortest run to any of them.
    pub depth: u32,
    pub outcome: Outcome,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every reachable state was visited and nothing breaks or sticks.
    Holds,
    /// A shortest run that breaks a property.
    Broken { violation: Violation, run: Vec<Action> },
    /// The limit was reached first: nothing broke so far.
    Stopped,
}

/// What the search visits.
#[derive(Clone)]
struct State {
    world: World,
    monitor: Monitor,
    /// What is left of the faults.
    faults: Budget,
}

impl State {
    /// Whatever may come next: what moves the story on, repairs, and faults while there are any left. Where none are
    /// left, a step that no client can tell from a later one is taken first, unless `every_order`.
    fn next(&self, every_order: bool) -> Vec<(Action, Budget)> {
        if !every_order
            && self.faults.is_empty()
            && let Some(hidden) = self.world.hidden_step()
        {
            return vec![(hidden, self.faults)];
        }
        let mut actions = self.world.enabled();
        actions.retain(|action| self.world.class(*action) != Class::Heartbeat);
        actions.extend(self.world.from_outside());
        let faults = |action| self.faults.after(action).map(|left| (action, left));
        actions.into_iter().filter_map(faults).collect()
    }

    /// The state after one action, and the first thing it breaks.
    fn after(&self, action: Action, faults: Budget) -> (State, Option<Violation>) {
        let mut next = State { faults, ..self.clone() };
        let events = next.world.step(action).unwrap_or_default();
        let broken = events.iter().flat_map(|event| next.monitor.see(event)).collect::<Vec<_>>();
        (next, broken.into_iter().next())
    }

    /// What is wrong where nothing is left to come.
    fn at_rest(&self) -> Option<Violation> {
        let found = self.monitor.at_rest(&self.world).into_iter().next();
        found.filter(|_| self.world.at_rest())
    }
}

/// A state to go on from: the one before it, which its siblings share, and the action that leads to
/// it. A layer may be a million states wide; a world of its own for each would not fit into memory.
struct Open {
    number: u32,
    before: Rc<State>,
    action: Option<(Action, Budget)>,
}

impl Open {
    fn state(&self) -> Rc<State> {
        match self.action {
            None => self.before.clone(),
            Some((action, faults)) => Rc::new(self.before.after(action, faults).0),
        }
    }
}

impl Search {
    /// A search of all properties with the usual limit, without faults.
    pub fn new(cast: Cast) -> Search {
        let properties = Property::ALL.to_vec();
        Search { cast, properties, limit: STATE_LIMIT, faults: Budget::NONE, every_order: false }
    }

    /// Searches until something breaks, everything is visited, or the limit is reached.
    pub fn run(&self) -> Report {
        let (world, events) = World::new(&self.cast);
        let mut monitor = Monitor::of(&self.properties);
        for event in &events {
            monitor.see(event);
        }
        let start = State { world, monitor, faults: self.faults };
        let mut tree = SearchTree::default();
        let number = tree.add(&start, None).unwrap_or(0);
        let mut layer = vec![Open { number, before: Rc::new(start), action: None }];
        let mut depth = 0;
        let report = |tree: &SearchTree, depth, outcome| Report { states: tree.len(), depth, outcome };
        while !layer.is_empty() {
            let mut below = Vec::new();
            for open in layer {
                let state = open.state();
                if let Some(violation) = state.at_rest() {
                    let run = tree.run_to(open.number);
                    return report(&tree, depth, Outcome::Broken { violation, run });
                }
                for (action, faults) in state.next(self.every_order) {
                    let (next, violation) = state.after(action, faults);
                    if let Some(violation) = violation {
                        let mut run = tree.run_to(open.number);
                        run.push(action);
                        return report(&tree, depth + 1, Outcome::Broken { violation, run });
                    }
                    let Some(number) = tree.add(&next, Some((open.number, action))) else {
                        continue;
                    };
                    if number >= self.limit {
                        let stopped = report(&tree, depth + 1, Outcome::Stopped);
                        return Report { states: self.limit, ..stopped };
                    }
                    below.push(Open { number, before: state.clone(), action: Some((action, faults)) });
                }
            }
            depth += u32::from(!below.is_empty());
            layer = below;
        }
        report(&tree, depth, Outcome::Holds)
    }
}
