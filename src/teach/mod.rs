//! The teaching: what a step means, why somebody waits, and what is asked of the reader, in both languages.
//!
//! This room turns events and reasons into sentences. It knows the worlds and runs below it; it does not know
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
mod fault_stories;
mod names;
mod narrate;
mod predict;
mod queue_stories;
mod server_stories;
mod stories;
mod story;
mod waiting;
mod words;

pub use consequence::{Consequence, Harm, consequences, last_sleeps};
pub use fault_stories::GC_PAUSE;
pub use names::*;
pub use narrate::narrate;
pub use predict::{Prediction, PredictionAnswer, predictions};
pub use queue_stories::{MAKE_IT_SLEEP, WHO_WAKES};
pub use stories::*;
pub use story::{Story, StoryGroup};
pub use waiting::{reasons, why};
pub use words::{call_name, mode_name, token_label};
