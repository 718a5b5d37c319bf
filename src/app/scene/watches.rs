//! The watches that servers hold, as arcs from who watches to what is watched.

use super::look::Look;
use crate::recipe::last_part;
use crate::world::{ClientId, Event, LOCK_DIR};

/// How a watch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WatchState {
    Armed,
    /// It fired in the last step; this is its ghost.
    Fired,
    /// It hangs on a node that does not exist.
    OnMissing,
}

/// An arc from a watcher to what it watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchView {
    pub client: ClientId,
    pub from: u32,
    /// The column of the watched node; `None` for the directory itself.
    pub to: Option<u32>,
    pub state: WatchState,
    pub on: String,
}

/// The watches of those that are drawn, and the ghosts of those that have just fired.
pub(super) fn watches(
    look: &Look<'_>,
    column: &impl Fn(ClientId) -> Option<u32>,
    column_of: &impl Fn(&str) -> Option<u32>,
) -> Vec<WatchView> {
    let mut views = Vec::new();
    let mut add = |client: ClientId, path: &str, fired: bool| {
        let Some(from) = column(client) else { return };
        let on_dir = path == LOCK_DIR;
        let missing = !on_dir && look.world.server().node(path).is_none();
        let to = if on_dir { None } else { column_of(path) };
        if to.is_none() && !on_dir {
            return;
        }
        let state = match (fired, missing) {
            (true, _) => WatchState::Fired,
            (false, true) => WatchState::OnMissing,
            (false, false) => WatchState::Armed,
        };
        views.push(WatchView { client, from, to, state, on: last_part(path).to_string() });
    };
    for watch in look.world.watchers() {
        if let Some(client) = look.world.client_of(watch.session) {
            add(client, &watch.path, false);
        }
    }
    for event in look.last.into_iter().flat_map(|step| &step.events) {
        if let Event::WatchFired { client, event, .. } = event {
            add(*client, &event.path, true);
        }
    }
    views
}
