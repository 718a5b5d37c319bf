//! Runs: what varies, in which order and when things happen, and travelling in what happened.
//!
//! A [`Scenario`] is everything that can vary, and has one text form for links and scripts. A
//! [`Timeline`] is one lane of it, run to its end, with exact seeking. A [`Comparison`] is its
//! lanes on one virtual clock, with the first moment where they part. [`Messages`] and [`Holders`] are folds over a
//! timeline's steps: what was sent, and arrived or was lost; and who held the lock when.
//!
//! This room knows no real clock: time is a schedule ([`Scheduler`]) and luck is keyed ([`luck`]).
//!
//! ```
//! use lockstep::play::{Comparison, Scenario};
//! let scenario = Scenario::default();
//! let comparison = Comparison::run(&scenario);
//! assert_eq!(comparison.lanes().len(), 2);
//! assert!(comparison.first_difference().is_some());
//! ```

mod codec;
mod compare;
mod fold;
mod holders;
pub mod luck;
mod messages;
mod problem;
mod scenario;
mod schedule;
#[cfg(not(target_arch = "wasm32"))]
mod storm;
mod timeline;
mod without_effect;

pub use codec::*;
pub use compare::*;
pub use fold::*;
pub use holders::{HeldTimes, Holders, Span, open_since};
pub use messages::{Message, Messages, PeerMessage, Said};
pub use problem::*;
pub use scenario::*;
pub use schedule::*;
#[cfg(not(target_arch = "wasm32"))]
pub use storm::*;
pub use timeline::*;
