//! Keyed luck: a delay is a hash of what it is for, not a draw from a stream.
//!
//! So an extra message in one lane does not shift the luck of another: two lanes that do the same
//! thing are equally lucky, and part only where their decision parts them.

use std::hash::{Hash, Hasher};

use crate::world::{ClientId, Link, StableHasher};

/// What a delay is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LuckKey {
    pub client: ClientId,
    pub round: u32,
    pub step: RecipeStep,
    /// How often the client has done this step in this round.
    pub repetition: u32,
    pub hop: Hop,
}

/// The step of the recipe that a message belongs to. `getData` and `exists` that watch are one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RecipeStep {
    Arrive,
    Create,
    List,
    Check,
    Watch,
    Event,
    Read,
    Work,
    Write,
    Delete,
    Poll,
    Connect,
    Ping,
    Commit,
    Recover,
    // Between servers, for the client whose request it is.
    Forward,
    Propose,
    Ack,
    Announce,
    Beat,
}

/// Which part of the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Hop {
    /// A delay at the client itself.
    Local,
    ToServer,
    ToClient,
    ToResource,
    FromResource,
    /// From one server to another.
    Between,
}

impl Hop {
    /// The hop of a link.
    pub fn of(link: Link) -> Hop {
        match link {
            Link::ToServer(_) => Hop::ToServer,
            Link::ToClient(_) => Hop::ToClient,
            Link::ToResource(_) => Hop::ToResource,
            Link::FromResource(_) => Hop::FromResource,
        }
    }
}

/// A number from 0 to `spread` inclusive, by `seed` and `key`, the same on every machine.
pub fn draw(seed: u64, key: &LuckKey, spread: u64) -> u64 {
    let mut hasher = StableHasher::default();
    seed.hash(&mut hasher);
    let parts = [key.client.0, key.round, key.step as u32, key.repetition, key.hop as u32];
    parts.iter().for_each(|part| part.hash(&mut hasher));
    match spread.checked_add(1) {
        Some(span) => hasher.finish() % span,
        None => hasher.finish(),
    }
}

/// The GUID in the name of a client's node: eight hexadecimal digits.
pub fn guid(seed: u64, client: ClientId) -> String {
    let mut hasher = StableHasher::default();
    ("guid", seed, client.0).hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}
