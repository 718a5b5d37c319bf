//! `cargo xtask serve | test | build`.
fn main() {}
