//! What a run was worth: properties that must hold, measures of what it cost, and the verdict.
//!
//! Everything here is a fold over events. A property is a small automaton ([`Monitor`]) that the
//! timeline and the search both run; a world alone forgets what happened. This room does not know
//! where the events come from.
//!
//! ```
//! use lockstep::judge::{Monitor, Property};
//! use lockstep::world::{Cast, World};
//! let (world, events) = World::new(&Cast::of(2));
//! let mut monitor = Monitor::of(&Property::ALL);
//! assert!(events.iter().all(|event| monitor.see(event).is_empty()));
//! assert!(world.waiting().next().is_none());
//! ```

mod measures;
mod property;
mod verdict;

pub use measures::*;
pub use property::*;
pub use verdict::*;
