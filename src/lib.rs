//! Lockstep: the ZooKeeper distributed lock, to run, break and prove in the browser.
#![forbid(unsafe_code)]

pub mod conform;
pub mod text;
pub mod zookeeper;
