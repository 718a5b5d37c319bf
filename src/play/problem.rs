//! What in a link or on the command line could not be read, or was lost.

use super::{MAX_LANES, VERSION};
use crate::recipe::Key;
use crate::text::{Text, say};

/// Something in a link or on the command line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no such word for this key; there are these.
    Word { key: String, word: String, there_are: Vec<&'static str> },
    /// Not a whole number in this range.
    Number { key: String, word: String, least: u64, most: u64 },
    /// A version that this build does not know.
    Version { word: String },
    /// More lanes than can stand side by side.
    Lanes,
    /// A choice that is not an action at a step.
    Choice { word: String },
    /// A part of the script that is not a fault or an operator's action at a time.
    Script { word: String },
    /// Not a list of clients.
    Clients { key: String, word: String },
    /// A part of a list beyond the most that it may have.
    TooMany { word: String, most: u32 },
    /// Something that a later word says otherwise. The later one counts.
    Lost { word: String, by: String },
    /// Longer than any link.
    TooLong,
}

impl Problem {
    /// Whether it is understood, and only of no effect: the command line says so and goes on.
    pub fn is_harmless(&self) -> bool {
        matches!(self, Problem::Lost { .. })
    }

    /// What happened, what was kept, and what to do.
    pub fn sentence(&self) -> Text {
        match self {
            Problem::Word { key, word, there_are } => {
                let (key, word, words) = (quote(key), quote(word), there_are.join(", "));
                say(
                    format!("{key} has no {word}. It keeps its default; the words are: {words}."),
                    format!("{key} 没有 {word} 这个值，已保留默认值。可用的值：{words}。"),
                )
            }
            Problem::Number { key, word, least, most } => {
                let (key, word) = (quote(key), quote(word));
                say(
                    format!(
                        "{key} is {word}, which is not a whole number from {least} to {most}. It keeps its default."
                    ),
                    format!("{key} 的值 {word} 不是 {least} 到 {most} 之间的整数，已保留默认值。"),
                )
            }
            Problem::Version { word } => {
                let word = quote(word);
                say(
                    format!(
                        "The link is of version {word}; this page knows version {VERSION}. The first story is shown instead: open the link in a newer Lockstep."
                    ),
                    format!(
                        "链接的版本是 {word}，本页只认识版本 {VERSION}，因此显示第一个故事。请用更新的 Lockstep 打开这个链接。"
                    ),
                )
            }
            Problem::Lanes => say(
                format!("The link has more than {MAX_LANES} lanes. The first {MAX_LANES} are kept."),
                format!("链接里的方案超过 {MAX_LANES} 个，只保留前 {MAX_LANES} 个。"),
            ),
            Problem::Choice { word } => {
                let word = quote(word);
                say(
                    format!(
                        "{word} is not a step and an action. It is left out; the rest of the lane is kept."
                    ),
                    format!("{word} 不是“步骤加动作”的形式，已略去；该方案的其余部分保留。"),
                )
            }
            Problem::Script { word } => {
                let word = quote(word);
                say(
                    format!(
                        "{word} is not a fault at a time, such as pause.A@300. It is left out; the rest of the script is kept."
                    ),
                    format!("{word} 不是“故障@时间”的形式（例如 pause.A@300），已略去；脚本的其余部分保留。"),
                )
            }
            Problem::Clients { key, word } => {
                let (key, word) = (quote(key), quote(word));
                say(
                    format!(
                        "{key} is {word}, which is not a list of clients such as B,C. It keeps its default."
                    ),
                    format!("{key} 的值 {word} 不是 B,C 这样的客户端列表，已保留默认值。"),
                )
            }
            Problem::TooMany { word, most } => {
                let word = quote(word);
                say(
                    format!("{word} is left out: there can be {most} of its kind at most. The rest is kept."),
                    format!("{word} 已略去：这一类最多 {most} 个。其余部分保留。"),
                )
            }
            Problem::Lost { word, by } => {
                let (word, by) = (quote(word), quote(by));
                say(
                    format!("{word} is lost: {by} comes after it and says otherwise. The rest is kept."),
                    format!("{word} 被它后面的 {by} 取代，不起作用。其余部分保留。"),
                )
            }
            Problem::TooLong => say(
                "The link is longer than any that Lockstep makes. The first story is shown instead.",
                "链接过长，不可能由 Lockstep 生成，因此显示第一个故事。",
            ),
        }
    }
}

/// Foreign text for a sentence: short, and without control characters.
fn quote(s: &str) -> String {
    let mut short: String = s.chars().filter(|c| !c.is_control()).take(24).collect();
    if s.chars().count() > 24 {
        short.push('…');
    }
    format!("“{short}”")
}

/// What `part`, which has just been read, takes away from the parts `before` it: the same key with another word, and
/// all decisions before a library's name.
pub fn lost<'a>(before: impl IntoIterator<Item = &'a str>, part: &str) -> Vec<Problem> {
    let key_of = |part: &'a str| part.split_once('=').map_or(part, |(key, _)| key);
    let own = part.split_once('=').map_or(part, |(key, _)| key);
    let takes_away = |other: &str, key: &str| {
        let all = own == "as" && (key == "as" || Key::from_word(key).is_some());
        other != part && !part.contains('@') && (key == own || all)
    };
    let lost = before.into_iter().filter(|other| takes_away(other, key_of(other)));
    lost.map(|word| Problem::Lost { word: word.to_string(), by: part.to_string() }).collect()
}
