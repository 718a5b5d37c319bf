//! The sessions one member knows, whether they are connected to it, and what ends with them.

use litemap::LiteMap;

use super::protocol::{Path, SessionId};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Session {
    /// As negotiated; the member keeps no clock and expires nobody by itself.
    pub(super) timeout_ms: u32,
    /// Whether it has a connection to this member.
    pub(super) connected: bool,
    /// Full paths, in the order of their creation.
    pub(super) ephemerals: Vec<Path>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sessions {
    live: LiteMap<SessionId, Session>,
    /// The greatest number given so far: an ended session's number is never given again.
    last: u32,
}

impl Sessions {
    /// The number of the next session.
    pub(super) fn next(&self) -> SessionId {
        SessionId(self.last.saturating_add(1))
    }

    pub(super) fn open(&mut self, session: SessionId, timeout_ms: u32) {
        self.last = self.last.max(session.0);
        let new = Session { timeout_ms, connected: false, ephemerals: Vec::new() };
        self.live.entry(session).or_insert(new);
    }

    pub(super) fn end(&mut self, session: SessionId) {
        self.live.remove(&session);
    }

    /// Hands out a session's ephemeral nodes, in creation order, and forgets them.
    pub(super) fn take_ephemerals(&mut self, session: SessionId) -> Vec<Path> {
        self.live.get_mut(&session).map(|ending| std::mem::take(&mut ending.ephemerals)).unwrap_or_default()
    }

    pub(super) fn get(&self, session: SessionId) -> Option<&Session> {
        self.live.get(&session)
    }

    pub(super) fn get_mut(&mut self, session: SessionId) -> Option<&mut Session> {
        self.live.get_mut(&session)
    }

    pub(super) fn is_connected(&self, session: SessionId) -> bool {
        self.get(session).is_some_and(|session| session.connected)
    }

    pub(super) fn disconnect_all(&mut self) {
        self.live.iter_mut().for_each(|(_, session)| session.connected = false);
    }

    pub(super) fn add_ephemeral(&mut self, owner: SessionId, path: &Path) {
        if let Some(session) = self.live.get_mut(&owner) {
            session.ephemerals.push(path.clone());
        }
    }

    pub(super) fn remove_ephemeral(&mut self, owner: SessionId, path: &str) {
        if let Some(session) = self.live.get_mut(&owner) {
            session.ephemerals.retain(|ephemeral| **ephemeral != *path);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SessionId, &Session)> {
        self.live.iter().map(|(id, session)| (*id, session))
    }
}
