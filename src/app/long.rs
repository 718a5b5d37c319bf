//! Which messages have the reader wait.

use super::setup::PAGE_CLIENTS;
use super::{Model, Msg, read_address};
use crate::play::Scenario;

/// With so many clients in a lane, running it takes long enough to be told of.
const MANY_CLIENTS: u32 = 60;

/// Whether the page may stand still for so long over a message that its reader must be told first: it runs lanes anew,
/// with many clients.
pub fn takes_long(model: &Model, msg: &Msg) -> bool {
    let shown = &model.lab.scenario;
    let asked = |word: &str| word.parse().ok().filter(|n| PAGE_CLIENTS.contains(n)).unwrap_or(0);
    let most = |scenario: &Scenario| {
        (0..scenario.lanes.len()).map(|lane| scenario.clients_in(lane)).max().unwrap_or(0)
    };
    let clients = match msg {
        Msg::Address(hash) => {
            let asked = read_address(hash).scenario;
            asked.filter(|asked| asked != shown).map_or(0, |asked| most(&asked))
        }
        Msg::Number { key: "clients", word } | Msg::LaneSet { key: "clients", word, .. } => {
            most(shown).max(asked(word))
        }
        Msg::Number { .. }
        | Msg::LaneSet { .. }
        | Msg::List { .. }
        | Msg::Decide { .. }
        | Msg::Preset { .. }
        | Msg::AddToScript
        | Msg::RemoveFromScript(_)
        | Msg::Inject(_)
        | Msg::AddLane
        | Msg::Choose { .. }
        | Msg::GoToBranch(_)
        | Msg::Undo => most(shown),
        _ => 0,
    };
    clients >= MANY_CLIENTS
}
