//! The iteration order of `java.util.HashSet<String>`, in which the real server deletes the ephemeral
//! nodes of an ended session (`close_order_is_hash_order`).
//!
//! It belongs to the recordings alone: the simulator deletes in creation order.

use std::collections::BTreeMap;

use crate::zookeeper::{Change, Path, SessionId};

/// Each session's ephemeral nodes as the real server keeps them, followed from the changes of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct EphemeralSets {
    by_owner: BTreeMap<SessionId, HashSet>,
}

impl EphemeralSets {
    pub(super) fn follow(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Created { path, owner: Some(owner), .. } => {
                    self.by_owner.entry(*owner).or_default().insert(path);
                }
                Change::Deleted { path, owner: Some(owner), .. } => {
                    if let Some(set) = self.by_owner.get_mut(owner) {
                        set.remove(path);
                    }
                }
                Change::Created { owner: None, .. }
                | Change::Deleted { owner: None, .. }
                | Change::DataSet { .. } => {}
            }
        }
    }

    /// The session's nodes in the order of their deletion; its set is gone then.
    pub(super) fn take(&mut self, session: SessionId) -> Vec<Path> {
        self.by_owner.remove(&session).map(|set| set.clone_order()).unwrap_or_default()
    }
}

/// A set of strings that iterates as Java's does: a table of buckets, each in the order of insertion, that
/// doubles above three quarters full and never shrinks. Buckets of eight and more, which Java may turn
/// into trees, are not modelled: no recording has them.
#[derive(Clone, Debug)]
struct HashSet {
    buckets: Vec<Vec<Path>>,
    len: usize,
}

impl Default for HashSet {
    fn default() -> HashSet {
        HashSet::with_capacity(16)
    }
}

impl HashSet {
    /// `capacity` is a power of two.
    fn with_capacity(capacity: usize) -> HashSet {
        HashSet { buckets: vec![Vec::new(); capacity], len: 0 }
    }

    fn insert(&mut self, path: &Path) {
        let bucket = self.bucket(path);
        if bucket.contains(path) {
            return;
        }
        bucket.push(path.clone());
        self.len += 1;
        if self.len > self.buckets.len() / 4 * 3 {
            let mut doubled = HashSet::with_capacity(self.buckets.len() * 2);
            self.iter().for_each(|path| doubled.bucket(path).push(path.clone()));
            self.buckets = doubled.buckets;
        }
    }

    fn remove(&mut self, path: &Path) {
        let bucket = self.bucket(path);
        if let Some(at) = bucket.iter().position(|held| held == path) {
            bucket.remove(at);
            self.len -= 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Path> {
        self.buckets.iter().flatten()
    }

    /// The order of `HashSet.clone()`, which the server walks: a table for just so many elements, filled in
    /// the order of this one. Java computes the wanted size as `(int) (n / 0.75f + 1.0f)`.
    fn clone_order(&self) -> Vec<Path> {
        let wanted = self.len * 4 / 3 + 1;
        let mut copy = HashSet::with_capacity(wanted.next_power_of_two());
        self.iter().for_each(|path| copy.bucket(path).push(path.clone()));
        copy.iter().cloned().collect()
    }

    fn bucket(&mut self, path: &str) -> &mut Vec<Path> {
        let mask = self.buckets.len() - 1;
        let hash = spread(string_hash(path));
        &mut self.buckets[hash as usize & mask]
    }
}

/// `String.hashCode`: over UTF-16 units, in 32 bits.
fn string_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

/// `HashMap.hash`: the upper half stirred into the lower.
fn spread(hash: u32) -> u32 {
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hash_as_in_java() {
        assert_eq!(string_hash(""), 0);
        assert_eq!(string_hash("hello"), 99_162_322);
        assert_eq!(string_hash("polygenelubricants") as i32, i32::MIN);
        // Two UTF-16 units: 0xd83d * 31 + 0xdd12.
        assert_eq!(string_hash("\u{1f512}"), 0xd83d * 31 + 0xdd12);
    }

    #[test]
    fn the_table_keeps_its_size_when_elements_go() {
        let paths: Vec<Path> = (0..13).map(|i| format!("/{i}").into()).collect();
        let mut set = HashSet::default();
        paths.iter().for_each(|path| set.insert(path));
        assert_eq!(set.buckets.len(), 32);
        paths.iter().for_each(|path| set.remove(path));
        assert_eq!((set.buckets.len(), set.len), (32, 0));
    }
}
