//! The teaching: what a step means, said in both languages.
//!
//! This room turns events into sentences. It knows the worlds and runs below it; it does not know
//! the page, and it decides nothing.
//!
//! ```
//! use lockstep::play::{Scenario, Timeline};
//! use lockstep::teach::narrate;
//! use lockstep::text::Lang;
//! let run = Timeline::run(&Scenario::default(), 0);
//! assert!(narrate(&run.steps()[0].events).get(Lang::En).starts_with("A wants the lock."));
//! ```

mod consequence;
mod contact;
mod fault_stories;
mod narrate;
mod predict;
mod server_steps;
mod server_stories;
mod servers;
mod stories;

pub use consequence::{Consequence, Harm, consequences, last_sleeps};
pub use fault_stories::GC_PAUSE;
pub use narrate::*;
pub use predict::{Answer, Prediction, predictions};
pub use servers::{beat_name, heal_name, server_action_name, split_name, start_all_name};
pub use stories::*;
