//! What a run was worth: properties that must hold, measures of what it cost, what went wrong by name,
//! why somebody waits ([`why_waits`]), and the verdict.
//!
//! Everything here is a fold over events; what waits for ever, and what is left behind, is seen in the
//! world in which a run has come to rest. A property is a small automaton ([`Monitor`]) that the
//! timeline and the search both run; a world alone forgets what happened. This room does not know
//! where the events come from.
//!
//! ```
//! use lockstep::judge::{Monitor, Property};
//! use lockstep::world::{Cast, World};
//! let (world, events) = World::new(&Cast::of(2));
//! let mut monitor = Monitor::of(&Property::ALL);
//! assert!(events.iter().all(|event| monitor.see(event).is_empty()));
//! assert!(monitor.at_rest(&world).is_empty());
//! ```

mod availability;
mod detect;
mod lock;
mod measures;
mod property;
mod reach;
mod verdict;
mod violation;
mod wait;

pub use detect::*;
pub use lock::{LockNodes, StandingNode, Used};
pub use measures::*;
pub use property::*;
pub use verdict::*;
pub(crate) use violation::list;
pub use violation::*;
pub use wait::{Behind, Left, Life, NoWatch, OwnerState, Reason, Wait, WaitLog, why_waits};

/// Seconds with one decimal.
fn seconds(ms: u64) -> String {
    format!("{}.{}", ms / 1000, ms % 1000 / 100)
}
