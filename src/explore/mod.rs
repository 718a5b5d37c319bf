//! The search: every order in which things can happen, breadth first.
//!
//! It ignores times: any enabled action may come next. It explores pairs of world and automata,
//! since a world alone forgets what happened, and knows a pair again by the world's fingerprint
//! and the automata's memory. What it finds first is therefore a shortest run. It knows nothing of
//! schedules, seeds or pictures.
//!
//! ```
//! use lockstep::explore::{Outcome, Search};
//! use lockstep::world::Cast;
//! let report = Search::new(Cast::of(2)).run();
//! assert_eq!(report.outcome, Outcome::Holds);
//! ```

use std::collections::HashSet;
use std::hash::Hash;
use std::rc::Rc;

use crate::judge::{Monitor, Property, Violation};
use crate::world::{Action, Cast, StableHasher, World};

/// States that a search visits before it stops, unless told otherwise.
pub const STATE_LIMIT: u32 = 2_000_000;

/// What to search.
#[derive(Clone, Debug)]
pub struct Search {
    pub cast: Cast,
    pub properties: Vec<Property>,
    /// Where to stop, in states.
    pub limit: u32,
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

/// A state to go on from: the one before it, which its siblings share, and the action that leads to
/// it. A layer may be a million states wide; a world of its own for each would not fit into memory.
struct Open {
    number: u32,
    before: Rc<(World, Monitor)>,
    action: Option<Action>,
}

impl Open {
    fn state(&self) -> Rc<(World, Monitor)> {
        match self.action {
            None => self.before.clone(),
            Some(action) => {
                let (world, monitor, _) = successor(&self.before, action);
                Rc::new((world, monitor))
            }
        }
    }
}

impl Search {
    /// A search of all properties with the usual limit.
    pub fn new(cast: Cast) -> Search {
        Search { cast, properties: Property::ALL.to_vec(), limit: STATE_LIMIT }
    }

    /// Searches until something breaks, everything is visited, or the limit is reached.
    pub fn run(&self) -> Report {
        let (world, events) = World::new(&self.cast);
        let mut monitor = Monitor::of(&self.properties);
        for event in &events {
            monitor.see(event);
        }
        let mut tree = Tree::default();
        let number = tree.add(&world, &monitor, None).unwrap_or(0);
        let mut layer = vec![Open { number, before: Rc::new((world, monitor)), action: None }];
        let mut depth = 0;
        let report =
            |tree: &Tree, depth, outcome| Report { states: tree.parents.len() as u32, depth, outcome };
        while !layer.is_empty() {
            let mut below = Vec::new();
            for open in layer {
                let state = open.state();
                if state.0.at_rest()
                    && let Some(violation) = state.1.at_rest(&state.0)
                {
                    let run = tree.run_to(open.number);
                    return report(&tree, depth, Outcome::Broken { violation, run });
                }
                for action in state.0.enabled() {
                    let (world, monitor, violation) = successor(&state, action);
                    if let Some(violation) = violation {
                        let mut run = tree.run_to(open.number);
                        run.push(action);
                        return report(&tree, depth + 1, Outcome::Broken { violation, run });
                    }
                    let Some(number) = tree.add(&world, &monitor, Some((open.number, action))) else {
                        continue;
                    };
                    if number >= self.limit {
                        let stopped = report(&tree, depth + 1, Outcome::Stopped);
                        return Report { states: self.limit, ..stopped };
                    }
                    below.push(Open { number, before: state.clone(), action: Some(action) });
                }
            }
            depth += u32::from(!below.is_empty());
            layer = below;
        }
        report(&tree, depth, Outcome::Holds)
    }
}

/// The state after one action, and the first thing it breaks.
fn successor(state: &(World, Monitor), action: Action) -> (World, Monitor, Option<Violation>) {
    let (mut world, mut monitor) = state.clone();
    let events = world.step(action).unwrap_or_default();
    let mut found = events.iter().flat_map(|event| monitor.see(event)).collect::<Vec<_>>();
    found.truncate(1);
    (world, monitor, found.pop())
}

/// The states visited, each with the one it was first reached from.
#[derive(Default)]
struct Tree {
    seen: HashSet<u128>,
    parents: Vec<Option<(u32, Action)>>,
}

impl Tree {
    /// Numbers a state that has not been seen before.
    fn add(&mut self, world: &World, monitor: &Monitor, parent: Option<(u32, Action)>) -> Option<u32> {
        let mut hasher = StableHasher::default();
        (world.fingerprint().0, monitor.memory()).hash(&mut hasher);
        if !self.seen.insert(hasher.finish128()) {
            return None;
        }
        self.parents.push(parent);
        Some(self.parents.len() as u32 - 1)
    }

    /// The actions that lead to a state, from the start.
    fn run_to(&self, number: u32) -> Vec<Action> {
        let mut run = Vec::new();
        let mut at = number;
        while let Some((parent, action)) = self.parents[at as usize] {
            run.push(action);
            at = parent;
        }
        run.reverse();
        run
    }
}
