//! What a search has visited, and how it came there.

use std::collections::HashSet;
use std::hash::Hash;

use super::State;
use crate::world::{Action, StableHasher};

/// The states visited, each with the one it was first reached from.
#[derive(Default)]
pub(super) struct SearchTree {
    seen: HashSet<u128>,
    parents: Vec<Option<(u32, Action)>>,
}

impl SearchTree {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Numbers a state that has not been seen before.
    pub fn add(&mut self, state: &State, parent: Option<(u32, Action)>) -> Option<u32> {
        let mut hasher = StableHasher::default();
        (state.world.fingerprint().0, state.monitor.memory(), state.faults).hash(&mut hasher);
        if !self.seen.insert(hasher.finish128()) {
            return None;
        }
        self.parents.push(parent);
        Some(self.parents.len() as u32 - 1)
    }

    /// The actions that lead to a state, from the start.
    pub fn run_to(&self, number: u32) -> Vec<Action> {
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
