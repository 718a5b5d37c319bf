//! The lock as a state machine without input or output.
//!
//! Here stand, together: the decisions with their options, words and explanations
//! ([`Decisions`], [`Key`]); the steps of a client and how it goes from one to the next
//! ([`LockClient`]); and the lines of pseudo-code that say the same ([`code`]).
//!
//! This room knows what a request and a reply are. It does not know how messages travel, when
//! things happen, or what anybody else believes: a client knows what a message told it.
//!
//! ```
//! use lockstep::recipe::{Decisions, Input, LockClient, Output, Step};
//! let mut client = LockClient::new(Decisions::default(), "/locks/order".into(), "5b1c".into());
//! let outputs = client.input(Input::Start);
//! assert!(matches!(outputs[0], Output::Send(_)));
//! assert_eq!(client.step(), Step::Creating);
//! ```

mod client;
pub mod code;
mod hold;
mod input;
mod key;
mod name;
mod options;
mod preset;
mod queue;
mod recover;
mod situation;
mod step;
mod verdict;

pub use client::{LockClient, STOCK_PATH};
pub use input::*;
pub use key::*;
pub use name::*;
pub use options::*;
pub use preset::*;
pub use situation::*;
pub use step::*;
pub use verdict::*;
