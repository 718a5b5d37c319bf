//! The `lockstep` command line on the host; the page on wasm32.

fn main() {}
