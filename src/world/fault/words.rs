//! A fault's words: in links and scripts, and in sentences with the names of whom it concerns.

use serde::{Serialize, Serializer};

use super::{Fault, FaultDefinition, Operator, ServerFault};
use crate::text::{Fixed, Text, say};
use crate::world::{Action, member_of_word, member_word};

impl Action {
    /// The fault's row of the table; `None` for what happens by itself.
    pub fn fault(self) -> Option<&'static FaultDefinition> {
        match self {
            Action::Fault(fault, _) => Some(fault.definition()),
            Action::Operator(operator) => Some(operator.definition()),
            Action::ServerFault(fault) => Some(fault.definition()),
            Action::Arrive(_)
            | Action::Sort(_)
            | Action::Deliver(_)
            | Action::Work(_)
            | Action::Poll(_)
            | Action::Ping(_)
            | Action::Suspend(_)
            | Action::Reconnect(_)
            | Action::Expire(_)
            | Action::ExpireOld(_)
            | Action::Server(_)
            | Action::Beat(_) => None,
        }
    }

    /// A text of the table, with the names of whom this action concerns.
    pub fn fill(self, words: Fixed) -> Text {
        let servers = if let Action::ServerFault(fault) = self { Some(fault.servers()) } else { None };
        let (a, b) = servers.map_or((None, None), |(a, b)| (Some(a), b));
        let names = [
            ("{c}", self.client().map(|client| client.to_string())),
            ("{a}", a.map(|server| server.to_string())),
            ("{b}", b.map(|server| server.to_string())),
        ];
        let filled = |words: &str| {
            let known = names.iter().filter_map(|(slot, name)| Some((slot, name.as_ref()?)));
            known.fold(words.to_string(), |words, (slot, name)| words.replace(slot, name))
        };
        say(filled(words.en), filled(words.zh))
    }

    /// The fault that a link or a script names.
    pub fn fault_of_word(word: &str) -> Option<Action> {
        let once = Operator::ONCE.into_iter().find(|operator| operator.definition().word == word);
        if let Some(operator) = once {
            return Some(Action::Operator(operator));
        }
        let (left, right) = word.split_once('.')?;
        if let Some(fault) = server_fault_of_word(left, right) {
            return Some(Action::ServerFault(fault));
        }
        let client = right.parse().ok()?;
        let fault = Fault::ALL.into_iter().find(|fault| fault.word() == left);
        let by_hand = || Operator::on(client).into_iter().find(|by_hand| by_hand.definition().word == left);
        fault.map(|fault| Action::Fault(fault, client)).or_else(|| by_hand().map(Action::Operator))
    }

    /// The fault's name in links and scripts; `None` for what happens by itself.
    pub(in crate::world) fn fault_word(self) -> Option<String> {
        let word = self.fault()?.word;
        Some(match (self, self.client()) {
            (Action::ServerFault(fault), _) => match fault.servers() {
                (a, None) => format!("{word}.{}", member_word(a)),
                (a, Some(b)) => format!("{word}.{}-{}", member_word(a), member_word(b)),
            },
            (_, Some(client)) => format!("{word}.{client}"),
            (_, None) => word.to_string(),
        })
    }
}

/// The fault of one server (`crash`, `s1`) or of two (`cut`, `s1-s2`).
fn server_fault_of_word(word: &str, servers: &str) -> Option<ServerFault> {
    let of_word = |fault: &ServerFault| fault.definition().word == word;
    match servers.split_once('-') {
        Some((a, b)) => {
            let (a, b) = (member_of_word(a)?, member_of_word(b)?);
            ServerFault::between(a, b).into_iter().filter(|_| a < b).find(of_word)
        }
        None => ServerFault::of(member_of_word(servers)?).into_iter().find(of_word),
    }
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Action::Operator(*self).serialize(serializer)
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::super::StormWeight;
    use super::*;
    use crate::world::ClientId;

    /// Every fault there is, for client A and five servers.
    fn all() -> Vec<Action> {
        let a = ClientId(0);
        let clients = Fault::ALL.map(|fault| Action::Fault(fault, a)).into_iter();
        let by_hand = Operator::ONCE.into_iter().chain(Operator::on(a)).map(Action::Operator);
        clients.chain(by_hand).chain(ServerFault::all(5).into_iter().map(Action::ServerFault)).collect()
    }

    #[test]
    fn every_fault_has_its_own_word_and_is_read_by_it() {
        let mut words: Vec<String> = all().into_iter().map(|action| action.to_string()).collect();
        for (word, action) in words.iter().zip(all()) {
            assert_eq!(word.parse(), Ok(action), "{word}");
        }
        let count = words.len();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), count);
    }

    #[test]
    fn every_row_says_all_it_has_to_say_and_names_all_whom_it_concerns() {
        for action in all() {
            let fault = action.fault().unwrap();
            for words in [fault.label, fault.name, fault.brief, fault.told] {
                let filled = action.fill(words);
                for said in [&filled.en, &filled.zh] {
                    assert!(!said.is_empty() && !said.contains(['{', '}']), "{action}: {said}");
                }
            }
            let slots = ["{c}", "{a}", "{b}"].map(|slot| fault.told.en.contains(slot));
            assert_eq!(slots, ["{c}", "{a}", "{b}"].map(|slot| fault.told.zh.contains(slot)), "{action}");
            assert!(fault.told.en.ends_with('.') && fault.told.zh.ends_with('。'), "{action}");
        }
    }

    #[test]
    fn what_is_free_in_a_budget_puts_something_right_and_a_storm_draws_the_rest() {
        for action in all() {
            let fault = action.fault().unwrap();
            let repairs = all().into_iter().any(|other| other.repair() == Some(action));
            assert!(repairs || !fault.is_repair(), "{action} puts nothing right");
            assert!(!fault.is_repair() || fault.storm == StormWeight::NONE, "{action} comes by itself");
            assert!(fault.storm.for_a_while == 0 || action.repair().is_some(), "{action}");
        }
    }
}
