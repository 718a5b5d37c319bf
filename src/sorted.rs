//! Collections in little code: maps and sets that keep their entries sorted in one `Vec`, sorting,
//! and listing what an iterator gives.
//!
//! The maps and sets do what `BTreeMap` and `BTreeSet` do, in the same order and with the same hash,
//! and are a twentieth of their code for each type of entry, which the page has to carry. Putting an
//! entry in or taking it out moves those behind it: fine for some thousands, which is all that a run
//! has.
//!
//! ```
//! use lockstep::sorted::SortedMap;
//! let mut map = SortedMap::from_iter([(2, "two"), (1, "one")]);
//! assert_eq!(map.insert(2, "deux"), Some("two"));
//! assert_eq!(map.iter().collect::<Vec<_>>(), [(&1, &"one"), (&2, &"deux")]);
//! ```

use std::borrow::Borrow;

/// A map in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> SortedMap<K, V> {
        SortedMap::new()
    }
}

impl<K, V> SortedMap<K, V> {
    pub const fn new() -> SortedMap<K, V> {
        SortedMap { entries: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.entries.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub fn retain(&mut self, mut keeps: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| keeps(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Where the key is, or where it would come.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries.binary_search_by(|(at, _)| at.borrow().cmp(key))
    }

    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        self.entries.get(at).map(|(key, value)| (key, value))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_key_value(key).map(|(_, value)| value)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// How many keys come before this one.
    pub fn rank<Q: Ord + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        self.place(key).unwrap_or_else(|at| at)
    }

    /// Puts a value at a key and returns what was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(self.entries.remove(at).1)
    }

    /// The value at a key, which is put there if there is none.
    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, value));
                at
            }
        };
        &mut self.entries[at].1
    }
}

impl<K: Ord, V: Default> SortedMap<K, V> {
    /// The value at a key, which is the default if there was none.
    pub fn or_default(&mut self, key: K) -> &mut V {
        self.or_insert(key, V::default())
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SortedMap<K, V> {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

/// A set in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedSet<T> {
    map: SortedMap<T, ()>,
}

impl<T> Default for SortedSet<T> {
    fn default() -> SortedSet<T> {
        SortedSet::new()
    }
}

impl<T> SortedSet<T> {
    pub const fn new() -> SortedSet<T> {
        SortedSet { map: SortedMap::new() }
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.map.keys()
    }

    /// The item behind which `at` others come.
    pub fn nth_last(&self, at: usize) -> Option<&T> {
        self.map.entries.iter().nth_back(at).map(|(item, ())| item)
    }
}

impl<T: Ord> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.contains_key(item)
    }

    /// How many come before this one.
    pub fn rank<Q: Ord + ?Sized>(&self, item: &Q) -> usize
    where
        T: Borrow<Q>,
    {
        self.map.rank(item)
    }

    /// Whether it was not there before.
    pub fn insert(&mut self, item: T) -> bool {
        self.map.insert(item, ()).is_none()
    }

    /// Whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.remove(item).is_some()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.map.extend(items.into_iter().map(|item| (item, ())));
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> SortedSet<T> {
        let mut set = SortedSet::new();
        set.extend(items);
        set
    }
}

/// Sorts a list; equals keep their order. For lists that are short or nearly sorted: each item walks
/// to its place. Std's sorts are 3 kB for each type of item.
pub fn put_in_order<T>(list: &mut [T], comes_before: impl Fn(&T, &T) -> bool) {
    for from in 1..list.len() {
        let mut at = from;
        while at > 0 && comes_before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// `collect` into a `Vec`, in less code: it guesses no length, and so asks the iterator at one place
/// only. For lists that nobody would wait for.
pub trait Listed: Iterator + Sized {
    fn listed(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        for item in self {
            list.push(item);
        }
        list
    }
}

impl<I: Iterator> Listed for I {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::hash::{DefaultHasher, Hash, Hasher};

    fn hashed(value: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// Insertions and removals that meet, miss, repeat, and leave gaps.
    fn changes() -> impl Iterator<Item = (u32, bool)> {
        (0..400u32).map(|n| (n * n % 37, n % 3 != 0))
    }

    #[test]
    fn a_map_does_what_a_btree_map_does() {
        let mut ours: SortedMap<u32, u32> = SortedMap::new();
        let mut theirs: BTreeMap<u32, u32> = BTreeMap::new();
        for (n, (key, puts)) in (0..).zip(changes()) {
            if puts {
                assert_eq!(ours.insert(key, n), theirs.insert(key, n));
            } else {
                assert_eq!(ours.remove(&key), theirs.remove(&key));
            }
            *ours.or_default(key / 2) += 1;
            *theirs.entry(key / 2).or_default() += 1;
            assert!(ours.iter().eq(theirs.iter()));
            assert_eq!(ours.get(&key), theirs.get(&key));
            assert_eq!(hashed(&ours), hashed(&theirs));
        }
        ours.retain(|key, _| key % 2 == 0);
        theirs.retain(|key, _| key % 2 == 0);
        assert!(ours.iter().eq(theirs.iter()));
    }

    #[test]
    fn a_sorted_list_keeps_the_order_of_equals() {
        let list: Vec<(u32, u32)> = (0..).zip(changes()).map(|(n, (key, _))| (key, n)).collect();
        let (mut ours, mut theirs) = (list.clone(), list);
        put_in_order(&mut ours, |a, b| a.0 < b.0);
        theirs.sort_by_key(|(key, _)| *key);
        assert_eq!(ours, theirs);
    }

    #[test]
    fn a_set_does_what_a_btree_set_does() {
        let mut ours: SortedSet<u32> = SortedSet::new();
        let mut theirs: BTreeSet<u32> = BTreeSet::new();
        for (item, puts) in changes() {
            if puts {
                assert_eq!(ours.insert(item), theirs.insert(item));
            } else {
                assert_eq!(ours.remove(&item), theirs.remove(&item));
            }
            assert!(ours.iter().eq(theirs.iter()));
            assert_eq!(ours.contains(&item), theirs.contains(&item));
            assert_eq!(ours.rank(&item), theirs.range(..item).count());
            assert_eq!(hashed(&ours), hashed(&theirs));
        }
    }
}
