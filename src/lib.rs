//! Lockstep: the ZooKeeper distributed lock, to run, break and prove in the browser.
//!
//! **The one idea.** A lock is a handful of decisions. A learner flips one, sees two runs of the same
//! story side by side, sees the first moment where they part, and what comes of it. Everything (a
//! control, a line of pseudo-code, a word in a link, a lane's title) hangs on the same list of
//! decisions, written down once in [`recipe`].
//!
//! # The rooms
//!
//! Knowledge flows one way, and `tests/tidy` checks it:
//! `text → zookeeper → recipe → world → judge → play, explore → teach → app → ui`.
//!
//! - [`text`]: the two languages. A sentence that lacks one does not compile.
//! - [`zookeeper`]: what ZooKeeper means: requests, replies, errors, the tree, `Stat`, the sequence
//!   counter, watches and sessions of one member, and the ensemble that keeps one history. It knows
//!   nothing of locks or time.
//! - [`conform`]: replays recordings of a real server against `zookeeper`, field by field. It knows
//!   `text` and `zookeeper` alone, and nothing knows it but the command line.
//! - [`recipe`]: the lock as a state machine without input or output: decisions, steps, pseudo-code,
//!   and the decisions as real libraries take them. A client knows what messages told it, and nothing else.
//! - [`world`]: one server or several, clients with their sessions, links, faults and the guarded resource
//!   as one value. `World::enabled` lists every action that could happen next by itself,
//!   `World::from_outside` every fault; `World::step` takes one and returns the facts that followed. No
//!   clock, no luck.
//! - [`judge`]: properties as small automata over events, measures of what a run cost, detectors that name
//!   what went wrong, why somebody waits, the verdict.
//! - [`play`]: scenarios with their script of faults and their one text form, the schedule (heartbeats and
//!   timeouts are here), keyed luck, timelines with exact seeking, lanes compared on one virtual clock, messages
//!   paired and holders told over a run, and, on the host, the storm of random faults.
//! - [`explore`]: the search over every order of events, breadth first, with as many faults as its budget
//!   has. It and `play` do not know each other.
//! - [`teach`]: steps and reasons said as sentences, the ready stories and their questions.
//! - [`app`]: the page as data: address, model, messages, update, keys, what is remembered, and scenes
//!   (what to draw). It can be tested without a browser.
//! - [`ui`]: draws scenes and sends messages; it decides nothing. A component is a function from a
//!   scene to plain elements. The modules that touch the browser exist on wasm32 alone.
//!
//! `src/main.rs` mounts the page on wasm32 and is the `lockstep` command line on the host (`src/cli`).
//!
//! # The rules
//!
//! 1. **The world is a value.** Comparable, hashable, cheap to clone while it is small; no clock, no
//!    randomness, no input or output, no web types in it.
//! 2. **Time is a schedule** over it, and the search ignores time: any enabled action may come next.
//! 3. **Everything that can vary is data** (`play::Scenario`) with one text form for links, scripts and
//!    the command line. It has a version, and a version's defaults never change.
//! 4. **Views read events.** Narration, pictures, measures and properties are folds over them; the
//!    timeline and the search run the same automata.
//! 5. **Luck is keyed, not drawn**: a delay is a hash of what it is for, so lanes part only where a
//!    decision parts them.
//! 6. **One definition, and no telepathy.**
//!
//! # The data's way
//!
//! link or control → `Scenario` → schedule or learner → `World::step` → `World` and events → `Timeline` →
//! scene → elements → the page.
#![forbid(unsafe_code)]

pub mod app;
pub mod conform;
pub mod explore;
pub mod judge;
pub mod play;
pub mod recipe;
pub mod teach;
pub mod text;
pub mod ui;
pub mod world;
pub mod zookeeper;
