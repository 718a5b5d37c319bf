//! Which faults a search may inject, and how often: `pause=1,expire=1`.

use std::fmt;

use crate::text::{Text, say};
use crate::world::{Action, FAULTS};

/// The words, in the order of the table: the faults that are no repairs, and what operators do.
const WORDS: [&str; COUNT] = {
    let mut words = [""; COUNT];
    let (mut row, mut at) = (0, 0);
    while row < FAULTS.len() {
        if let Some(word) = FAULTS[row].budget {
            words[at] = word;
            at += 1;
        }
        row += 1;
    }
    words
};

/// How many there are.
const COUNT: usize = {
    let (mut row, mut count) = (0, 0);
    while row < FAULTS.len() {
        count += FAULTS[row].budget.is_some() as usize;
        row += 1;
    }
    count
};

/// The most of one fault that a search may have.
const MOST: u8 = 9;

/// How often each fault and each operator's action may still happen, to whomever. What puts right what a
/// fault has made wrong costs nothing, and may always happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Budget([u8; COUNT]);

impl Budget {
    /// No faults.
    pub const NONE: Budget = Budget([0; COUNT]);

    /// The words there are.
    pub fn words() -> &'static [&'static str] {
        &WORDS
    }

    /// Reads `pause=1,expire=2`; a word alone means one. Nothing at all is no faults.
    ///
    /// # Errors
    /// A sentence that says what there is, for a word or a number that cannot be read.
    pub fn parse(words: &str) -> Result<Budget, Text> {
        let mut budget = Budget::NONE;
        let mut named = [false; COUNT];
        for part in words.split(',').filter(|part| !part.is_empty()) {
            let (word, number) = part.split_once('=').unwrap_or((part, "1"));
            let Some(at) = WORDS.iter().position(|known| *known == word) else {
                let (word, there_are) = (shown(word), WORDS.join(", "));
                return Err(say(
                    format!("There is no fault “{word}”; the words are: {there_are}."),
                    format!("没有“{word}”这种故障，可用的有：{there_are}。"),
                ));
            };
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            let Some(count) = number.parse().ok().filter(|count| digits && *count <= MOST) else {
                let number = shown(number);
                return Err(say(
                    format!("{word} is “{number}”, which is not a whole number from 0 to {MOST}."),
                    format!("{word} 是“{number}”，应为 0 到 {MOST} 的整数。"),
                ));
            };
            if named[at] {
                return Err(say(
                    format!("{word} stands there twice; once, with the greater number, is enough."),
                    format!("{word} 出现了两次；写一次、用较大的数即可。"),
                ));
            }
            named[at] = true;
            budget.0[at] = count;
        }
        Ok(budget)
    }

    /// Whether there is nothing left of it.
    pub fn is_empty(&self) -> bool {
        *self == Budget::NONE
    }

    /// What is left when this action has happened; `None` if it may not happen any more.
    pub fn after(mut self, action: Action) -> Option<Budget> {
        let Some(word) = action.fault().and_then(|fault| fault.budget) else { return Some(self) };
        let left = WORDS.iter().position(|known| *known == word).and_then(|at| self.0.get_mut(at))?;
        *left = left.checked_sub(1)?;
        Some(self)
    }
}

/// As [`Budget::parse`] reads it; `none` without faults.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let mut between = "";
        for (word, count) in WORDS.iter().zip(self.0).filter(|(_, count)| *count > 0) {
            write!(f, "{between}{word}={count}")?;
            between = ",";
        }
        Ok(())
    }
}

/// Foreign text: short, and without control characters.
fn shown(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{ClientId, Fault, Operator};

    #[test]
    fn every_fault_that_is_no_repair_has_a_word() {
        for fault in Fault::ALL {
            assert_eq!(WORDS.contains(&fault.word()), !fault.is_repair(), "{fault:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for words in ["", "pause=1", "expire=2,restart-ledger=1", "close=9", "crash-server=1,cut=2"] {
            let budget = Budget::parse(words).unwrap();
            let again = budget.to_string();
            assert_eq!(Budget::parse(if again == "none" { "" } else { &again }), Ok(budget));
        }
        assert_eq!(Budget::parse("pause"), Budget::parse("pause=1"));
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_what_there_is() {
        assert!(Budget::parse("paus=1").unwrap_err().en.contains("pause, stall"));
        for words in ["pause=x", "pause=10", "pause=+1", "pause=-1", "pause="] {
            assert!(Budget::parse(words).unwrap_err().en.contains("from 0 to 9"), "{words}");
        }
    }

    #[test]
    fn a_fault_is_spent_and_a_repair_costs_nothing() {
        let a = ClientId(0);
        let budget = Budget::parse("pause=1").unwrap();
        let spent = budget.after(Action::Fault(Fault::Pause, a)).unwrap();
        assert!(spent.is_empty());
        assert_eq!(spent.after(Action::Fault(Fault::Pause, a)), None);
        assert_eq!(spent.after(Action::Fault(Fault::Resume, a)), Some(spent));
        assert_eq!(spent.after(Action::Sort(a)), Some(spent));
        assert_eq!(spent.after(Action::Operator(Operator::DeleteDir)), None);
    }
}
