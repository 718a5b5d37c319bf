//! What a client's bubble is about, at a glance.

use super::look::Look;
use super::past::Woken;
use crate::recipe::Step as At;
use crate::world::ClientId;

/// What a client's bubble is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    Plain,
    /// It believes that it holds, and the server agrees.
    Holds,
    /// It believes that it holds, and the server does not agree.
    Wrong,
    /// It was woken for nothing.
    Vain,
    /// It waits and nothing will wake it.
    Stuck,
    /// It is through, or not there yet.
    Away,
}

/// The tone of a client.
pub fn tone(look: &Look<'_>, client: ClientId) -> Tone {
    let step = look.world.actor(client).map_or(At::Idle, |actor| actor.client.step());
    let past = look.past_of(client);
    let owns = look.past.holders.holds_since(client).is_some();
    if step.believes() {
        return if owns { Tone::Holds } else { Tone::Wrong };
    }
    if look.stuck.contains(&client) {
        return Tone::Stuck;
    }
    match step {
        At::Idle | At::Done | At::Failed(_) => Tone::Away,
        _ if past.is_some_and(|past| past.woken == Woken::InVain) => Tone::Vain,
        _ => Tone::Plain,
    }
}
