//! The page: draws scenes, sends messages, decides nothing.
//!
//! A component is a function from a scene to an [`El`], a plain value that any machine can make;
//! `patch` puts it on the page. Leptos holds the model and runs the effect that draws. The browser's
//! own things (address, storage, timers, keys) are in `browser`.

mod bill;
mod code;
mod controls;
pub mod drawing;
mod el;
mod ensemble;
mod faults;
mod first;
mod foot;
mod help;
mod inspector;
mod lab;
mod lane;
mod setup;
mod shell;
mod strip;
mod under;

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod patch;

#[cfg(target_arch = "wasm32")]
pub use browser::mount;
pub use el::{Act, El, Node, Parts, Str};
pub use shell::page;
