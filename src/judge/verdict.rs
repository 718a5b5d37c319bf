//! The verdict of a run: the worst of what happened, in the design's words.

use super::{Measures, Violation};
use crate::recipe::Verdict;
use crate::text::{Text, say, text};

/// The verdict of a run with what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// A few words for the lane's title: *4 woken, 3 in vain*.
    pub because: Text,
}

/// Judges a run by its violations and its measures.
pub fn judge(violations: &[Violation], measures: &Measures) -> Judgement {
    let worst = violations.iter().max_by_key(|violation| violation.verdict());
    match worst {
        Some(violation) => Judgement { verdict: violation.verdict(), because: short(violation) },
        None => costs(measures),
    }
}

fn short(violation: &Violation) -> Text {
    match violation {
        Violation::FalseOwner { client, .. } => {
            say(format!("{client} is a false owner"), format!("{client} 误以为持有"))
        }
        Violation::TwoHold { client, other } => {
            say(format!("{other} and {client} hold at once"), format!("{other} 和 {client} 同时持有"))
        }
        Violation::LostUpdate { over, .. } => {
            say(format!("{over}'s update is lost"), format!("{over} 的更新丢失"))
        }
        Violation::Stuck { clients } => match clients.as_slice() {
            [one] => say(format!("{one} waits for ever"), format!("{one} 永远等待")),
            many => say(format!("{} wait for ever", many.len()), format!("{} 个客户端永远等待", many.len())),
        },
    }
}

fn costs(m: &Measures) -> Judgement {
    let because = if m.fights_lost > 0 {
        let n = m.fights_lost;
        Some(say(format!("{n} lost creates"), format!("{n} 次 create 落空")))
    } else if m.places_given_up > 0 {
        let n = m.places_given_up;
        Some(say(format!("{n} place{} given up", plural(n)), format!("{n} 次放弃位置")))
    } else if m.wake_ups_in_vain > 0 {
        let n = m.wake_ups_in_vain;
        Some(say(format!("{n} woken in vain"), format!("{n} 次白白唤醒")))
    } else if m.polls_in_vain > 0 {
        let n = m.polls_in_vain;
        Some(say(format!("{n} poll{} in vain", plural(n)), format!("{n} 次白问")))
    } else {
        None
    };
    match because {
        Some(because) => Judgement { verdict: Verdict::Costs, because },
        None => {
            Judgement { verdict: Verdict::Right, because: text("nobody woken in vain", "没有白白唤醒") }
        }
    }
}

fn plural(n: u32) -> &'static str {
    if n == 1 { "" } else { "s" }
}
