//! The page in Leptos: draws scenes, sends messages, decides nothing.
//!
//! [`Ctx`] is all that a component needs: the model to read from and a way to send a message. The
//! browser's own things (address, storage, timers, keys) are in `browser`.

mod bill;
mod browser;
mod code;
mod controls;
mod ctx;
mod drawing;
mod first;
mod foot;
mod help;
mod inspector;
mod lab;
mod lane;
mod shell;
mod under;

pub use browser::mount;
pub use ctx::Ctx;
