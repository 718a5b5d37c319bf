//! The ensemble, the clients, their links and the guarded resource as one value.
//!
//! [`World::enabled`] lists every [`Action`] that could happen next, in a fixed order, for the learner
//! and for the search; [`World::step`] takes one and returns the facts ([`Event`]s) that followed.
//!
//! This room knows no clock, no luck and no web: which action comes next, and when, is decided in
//! `play` or `explore`. What happened before is in the events, not in the world.
//!
//! ```
//! use lockstep::world::{Action, Cast, Class, ClientId, World};
//! let (mut world, _) = World::new(&Cast::of(2));
//! let progress = world.enabled().into_iter().filter(|action| world.class(*action) == Class::Progress);
//! assert!(progress.eq([Action::Arrive(ClientId(0)), Action::Arrive(ClientId(1))]));
//! let events = world.step(Action::Arrive(ClientId(0))).unwrap();
//! assert!(!events.is_empty());
//! ```

mod action;
mod actor;
mod asking;
mod contact;
mod event;
mod fault;
mod fingerprint;
mod resource;
mod serve;
mod server_fact;
mod servers;
mod state;
mod translate;
mod vain;

pub use action::*;
pub use actor::*;
pub use event::*;
pub use fault::*;
pub use fingerprint::{Fingerprint, StableHasher};
pub use resource::*;
pub use server_fact::*;
pub use state::*;
