//! The order of the house: who may know whom, that a file says what it is, how long it is, that a name means one thing,
//! and that both languages are spoken well. Each rule is shown to catch what it is for.

mod files;
mod manifests;
mod names;
mod rooms;
mod rust;
mod shape;
mod words;
