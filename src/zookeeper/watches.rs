//! The watches that connections have left at one member.
//!
//! Two tables, as in ZooKeeper's `DataTree`: data (get and exists) and children (getChildren); a
//! persistent watch stands in both. Per table, path and session there is one watch: asking twice is
//! asking once, and the later request's mode counts (`WatcherModeManager.setWatcherMode`).

use litemap::LiteMap;
use serde::Serialize;

use super::path;
use super::protocol::{EventType, Path, SessionId, WatcherType};

/// One of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatchTable {
    /// Left by get and exists. An exists that found nothing leaves its watch here too.
    Data,
    /// Left by getChildren.
    Children,
}

/// How long a watch lasts and how far it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WatchMode {
    /// Used up by its first event.
    OneShot,
    /// Stays until it is removed or its connection is gone.
    Persistent,
    /// Persistent, for the node and all below it; it hears of no NodeChildrenChanged.
    PersistentRecursive,
}

/// One watch, for display and tests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Watch {
    pub session: SessionId,
    pub table: WatchTable,
    pub path: Path,
    pub mode: WatchMode,
}

type Table = LiteMap<Path, LiteMap<SessionId, WatchMode>>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Watches {
    // No path has an empty map: equal watches make equal values.
    data: Table,
    children: Table,
}

impl Watches {
    pub(super) fn arm(&mut self, table: WatchTable, path: &Path, session: SessionId, mode: WatchMode) {
        self.table_mut(table).entry(path.clone()).or_default().insert(session, mode);
    }

    /// Uses up what an event of `kind` at `path` uses up and returns who hears of it: each session
    /// once, in the order of their numbers (the real server's order is that of a hash set).
    ///
    /// `WatchManager.triggerWatch`, with `PathParentIterator` for the recursive ones.
    pub(super) fn fire(&mut self, table: WatchTable, path: &str, kind: EventType) -> Vec<SessionId> {
        let table = self.table_mut(table);
        let for_recursive = kind != EventType::NodeChildrenChanged;
        let mut hearers = Vec::new();
        if let Some(here) = table.get_mut(path) {
            here.retain(|&session, &mode| {
                if mode != WatchMode::PersistentRecursive || for_recursive {
                    hearers.push(session);
                }
                mode != WatchMode::OneShot
            });
            if here.is_empty() {
                table.remove(path);
            }
        }
        if for_recursive && !table.is_empty() {
            for above in path::ancestors(path).filter_map(|ancestor| table.get(ancestor)) {
                let recursive = above.iter().filter(|(_, mode)| **mode == WatchMode::PersistentRecursive);
                hearers.extend(recursive.map(|(session, _)| *session));
            }
            hearers.sort();
            hearers.dedup();
        }
        hearers
    }

    pub(super) fn has(&self, kind: WatcherType, path: &str, session: SessionId) -> bool {
        tables(kind)
            .iter()
            .any(|&table| self.table(table).get(path).is_some_and(|here| here.contains_key(&session)))
    }

    /// Whether any session watches the path itself in a table of `kind`.
    pub(super) fn has_any(&self, kind: WatcherType, path: &str) -> bool {
        tables(kind).iter().any(|&table| self.table(table).contains_key(path))
    }

    /// Removes the session's watches of `kind` at `path`.
    pub(super) fn remove(&mut self, kind: WatcherType, path: &str, session: SessionId) {
        for &table in tables(kind) {
            let table = self.table_mut(table);
            if let Some(here) = table.get_mut(path) {
                here.remove(&session);
                if here.is_empty() {
                    table.remove(path);
                }
            }
        }
    }

    /// Removes all watches of a session: its connection is gone. Walks both tables.
    pub(super) fn forget(&mut self, session: SessionId) {
        for table in [&mut self.data, &mut self.children] {
            for (_, here) in table.iter_mut() {
                here.remove(&session);
            }
            table.retain(|_, here| !here.is_empty());
        }
    }

    /// By table (data first), then path, then session.
    pub(super) fn list(&self) -> Vec<Watch> {
        let mut list = Vec::new();
        for (table, paths) in [(WatchTable::Data, &self.data), (WatchTable::Children, &self.children)] {
            for (path, sessions) in paths.iter() {
                for (&session, &mode) in sessions.iter() {
                    list.push(Watch { session, table, path: path.clone(), mode });
                }
            }
        }
        list
    }

    fn table(&self, table: WatchTable) -> &Table {
        match table {
            WatchTable::Data => &self.data,
            WatchTable::Children => &self.children,
        }
    }

    fn table_mut(&mut self, table: WatchTable) -> &mut Table {
        match table {
            WatchTable::Data => &mut self.data,
            WatchTable::Children => &mut self.children,
        }
    }
}

fn tables(kind: WatcherType) -> &'static [WatchTable] {
    match kind {
        WatcherType::Any => &[WatchTable::Data, WatchTable::Children],
        WatcherType::Data => &[WatchTable::Data],
        WatcherType::Children => &[WatchTable::Children],
    }
}
