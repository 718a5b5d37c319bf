//! The page in Leptos: draws scenes, sends messages, decides nothing.
//!
//! [`Ctx`] is all that a component needs: the model to read from and a way to send a message. The
//! browser's own things (address, storage, timers, keys) are in `browser`.

pub mod drawing;

#[cfg(target_arch = "wasm32")]
mod bill;
#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod code;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod ctx;
#[cfg(target_arch = "wasm32")]
mod first;
#[cfg(target_arch = "wasm32")]
mod foot;
#[cfg(target_arch = "wasm32")]
mod help;
#[cfg(target_arch = "wasm32")]
mod inspector;
#[cfg(target_arch = "wasm32")]
mod lab;
#[cfg(target_arch = "wasm32")]
mod lane;
#[cfg(target_arch = "wasm32")]
mod shell;
#[cfg(target_arch = "wasm32")]
mod under;

#[cfg(target_arch = "wasm32")]
pub use browser::mount;
#[cfg(target_arch = "wasm32")]
pub use ctx::Ctx;
