//! What to draw, as plain comparable values: what is where, labelled, with sentences for people who
//! cannot see it. `ui` draws a scene and decides nothing.
//!
//! Places are columns and shares of a way, not pixels: how wide a column is, is the picture's business.

mod bill;
mod bubble;
mod client;
mod code;
mod diagram;
mod ensemble;
mod fault;
mod gate;
mod look;
mod message;
mod moments;
mod nodes;
mod past;
mod past_servers;
mod pick;
mod sentence;
mod small_queue;
mod stage;
mod strips;
mod table;
mod taken;
mod tone;
mod watches;
mod words;

pub use bill::{Bill, BillRow, Cell, LaneCost, REAL_SERVER, RealRow, bill};
pub use bubble::{Bubble, bubble};
pub use client::{ClientView, Fuse, client_knows, contact, server_knows, why_it_waits};
pub use code::{Code, CodeLine, CodePart, Slot, SlotOption, code, slot};
pub use diagram::{Between, Diagram, Held, Slant, Stay, Stretch, diagram};
pub use ensemble::{
    BetweenView, EnsembleView, ServerState, ServerView, server_view, server_words, way_words,
};
pub use gate::{Gate, LedgerEntry, LedgerView, ledger};
pub use look::Look;
pub use message::{Kind, MessageView, Way, packet, sent};
pub use moments::{Landmarks, MAX_MOMENTS, Mark, Moment};
pub use nodes::{DRAWN_CLIENTS, Lag, NodeView};
pub use past::{Past, PastClient, PastNode, Woken};
pub use past_servers::{Befell, PastMark, PastPhase, PastServers, ServerPhase};
pub use pick::Pick;
pub use small_queue::{QueueBox, SmallQueue, Tie, Watched, small_queue};
pub use stage::{Dot, Hue, Stage, stage};
pub use strips::{Bar, StripRow, Strips, Took, strips};
pub use table::{Row, fate_word};
pub use taken::{Fate, Mark3, PastLedger, PastRequest};
pub use tone::Tone;
pub use watches::{WatchState, WatchView};
pub use words::{duration, resource_reply, resource_request};
