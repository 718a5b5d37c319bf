//! What an option leads to, and how a run ends.

use crate::text::{Text, text};

/// What becomes of a run or an option. The words are not mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing wrong, at no extra cost.
    Right,
    /// It is right, but costs more than it needs to.
    Costs,
    /// Somebody waits for ever.
    Sticks,
    /// Something wrong is stored, or two act at once.
    Breaks,
}

impl Verdict {
    /// The verdict as `--json` and tests write it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Costs => "costs",
            Verdict::Sticks => "sticks",
            Verdict::Breaks => "breaks",
        }
    }

    /// The verdict as the page writes it.
    pub fn label(self) -> Text {
        match self {
            Verdict::Right => text("right", "正确"),
            Verdict::Costs => text("costs", "代价"),
            Verdict::Sticks => text("sticks", "卡死"),
            Verdict::Breaks => text("breaks", "出错"),
        }
    }

    /// The mark beside the word, so that colour never speaks alone.
    pub fn mark(self) -> &'static str {
        match self {
            Verdict::Right => "✓",
            Verdict::Costs => "▲",
            Verdict::Sticks => "∞",
            Verdict::Breaks => "✗",
        }
    }
}
