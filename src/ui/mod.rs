//! Leptos components: they draw scenes and send messages, and decide nothing.

pub mod drawing;
