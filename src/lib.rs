//! Lockstep: the ZooKeeper distributed lock, to run, break and prove in the browser.
#![forbid(unsafe_code)]

pub mod app;
pub mod conform;
pub mod explore;
pub mod judge;
pub mod play;
pub mod recipe;
pub mod sorted;
pub mod teach;
pub mod text;
pub mod ui;
pub mod world;
pub mod zookeeper;
