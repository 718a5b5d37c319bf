//! The pseudo-code of one client in one lane: the control panel. Its slots are the decisions.

use crate::recipe::code::{Line, Part, line_of, lines};
use crate::recipe::{Decisions, Key, Step, Verdict};

use crate::text::Text;

/// An option in a slot's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotOption {
    pub word: &'static str,
    pub label: Text,
    pub why: Text,
    pub verdict: Verdict,
    /// Why it cannot be chosen now.
    pub greyed: Option<Text>,
}

/// A decision that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub key: Key,
    pub label: Text,
    pub question: Text,
    pub chosen: &'static str,
    pub options: Vec<SlotOption>,
    /// Why it means nothing beside the other decisions.
    pub greyed: Option<Text>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodePart {
    Code(&'static str),
    Slot(Slot),
}

/// A line of pseudo-code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    pub indent: u8,
    pub parts: Vec<CodePart>,
    /// The client stands here.
    pub lit: bool,
}

/// The pseudo-code with its line lit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub lines: Vec<CodeLine>,
    /// Lines that are left out until they matter.
    pub hidden: u32,
}

/// The slot of a decision.
pub fn slot(decisions: &Decisions, key: Key, shared: bool) -> Slot {
    let options = key.options().iter().map(|option| SlotOption {
        word: option.word,
        label: option.label.text(),
        why: option.why.text(),
        verdict: option.verdict,
        greyed: decisions.option_greyed(key, option.word),
    });
    Slot {
        key,
        label: key.label(),
        question: key.question(),
        chosen: decisions.chosen(key).word,
        options: options.collect(),
        greyed: decisions.greyed(key, shared),
    }
}

/// The pseudo-code for these decisions, with the line of `step` lit. Of the lines that only tell what is
/// done about faults, those for `wanted` decisions are shown, and the one that is lit.
pub fn code(decisions: &Decisions, step: Step, shared: bool, wanted: &dyn Fn(Key) -> bool) -> Code {
    let source = lines(decisions, shared);
    let lit = line_of(&source, step);
    let shown = |line: &Line| {
        line.parts.iter().all(|part| match part {
            Part::Slot(key) => !key.is_about_faults() || wanted(*key),
            Part::Code(_) => true,
        })
    };
    let mut hidden = 0;
    let mut all = Vec::new();
    for (at, line) in source.iter().enumerate() {
        let lit = lit == Some(at);
        if !lit && !shown(line) {
            hidden += 1;
            continue;
        }
        let parts = line.parts.iter().map(|part| match part {
            Part::Code(code) => CodePart::Code(code),
            Part::Slot(key) => CodePart::Slot(slot(decisions, *key, shared)),
        });
        all.push(CodeLine { indent: line.indent, parts: parts.collect(), lit });
    }
    Code { lines: all, hidden }
}
