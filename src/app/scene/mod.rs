//! What to draw, as plain comparable values: what is where, labelled, with sentences for people who
//! cannot see it. `ui` draws a scene and decides nothing.
//!
//! Places are columns and shares of a way, not pixels: how wide a column is, is the picture's business.

mod bill;
mod client;
mod code;
mod diagram;
mod ensemble;
mod fault;
mod gate;
mod message;
mod moments;
mod past;
mod past_servers;
mod pick;
mod small_queue;
mod stage;
mod strips;
mod table;
mod taken;
mod words;

pub use bill::*;
pub use client::*;
pub use code::*;
pub use diagram::*;
pub use ensemble::*;
pub use gate::*;
pub use message::*;
pub use moments::*;
pub use past::*;
pub use past_servers::*;
pub use pick::*;
pub use small_queue::*;
pub use stage::*;
pub use strips::*;
pub use table::*;
pub use taken::*;
pub use words::*;
