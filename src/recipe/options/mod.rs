//! The options of every decision: words, labels, reasons, and what each leads to. A file a group.
//!
//! Each option is defined once: the address, the command line, the controls, the pseudo-code and the
//! lessons read it from here.

mod contact;
mod protect;
mod queue;
mod wait;

pub use contact::*;
pub use protect::*;
pub use queue::*;
pub use wait::*;

use super::Verdict;
use crate::text::Fixed;

/// One option of a decision, as controls and lessons show it.
pub struct OptionInfo {
    /// The word in links and on the command line.
    pub word: &'static str,
    /// The words in the slot of the pseudo-code and in the lane's title.
    pub label: Fixed,
    /// One sentence: what happens with this answer.
    pub why: Fixed,
    /// What this answer leads to when the others are right and its moment comes.
    pub verdict: Verdict,
}

macro_rules! decision {
    ($(#[$doc:meta])* $name:ident { $( $(#[$vdoc:meta])* $variant:ident, $word:literal, $verdict:ident,
        ($en:literal, $zh:literal), ($wen:literal, $wzh:literal); )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$vdoc])* $variant, )+ }
        impl $name {
            /// Every option, the default first.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            pub(in crate::recipe) const INFO: &'static [OptionInfo] = &[$(OptionInfo {
                word: $word, label: fixed($en, $zh), why: fixed($wen, $wzh), verdict: Verdict::$verdict,
            }),+];
            /// The option's word, label and explanation.
            pub fn info(self) -> &'static OptionInfo { &Self::INFO[self as usize] }
        }
    };
}
use decision;
