//! The verdict of a run: the worst of what happened, in the design's words.

use super::{Measures, Violation, seconds};
use crate::recipe::Verdict;
use crate::text::{Text, say, text};

/// The verdict of a run with what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// A few words for the lane's title: *4 woken, 3 in vain*.
    pub because: Text,
}

/// From this time on, in ms, a blocked lock counts as a cost.
pub const LONG_MS: u64 = 10_000;

/// Judges a run by its violations and its measures.
pub fn judge(violations: &[Violation], measures: &Measures) -> Judgement {
    let worst = violations.iter().max_by_key(|violation| violation.severity());
    match worst {
        Some(violation) => Judgement { verdict: violation.verdict(), because: violation.short() },
        // The fence has done what it is there for; what the wait cost is in the bill.
        None if measures.stale_refused > 0 => Judgement { verdict: Verdict::Right, because: right(measures) },
        None => match costs(measures) {
            Some(because) => Judgement { verdict: Verdict::Costs, because },
            None => Judgement { verdict: Verdict::Right, because: right(measures) },
        },
    }
}

fn costs(m: &Measures) -> Option<Text> {
    if m.fights_lost > 0 {
        let n = m.fights_lost;
        Some(say(format!("{n} create{} in vain", plural(n)), format!("{n} 次 create 落空")))
    } else if m.places_given_up > 0 {
        let n = m.places_given_up;
        Some(say(format!("{n} place{} given up", plural(n)), format!("{n} 次放弃位置")))
    } else if m.wake_ups_in_vain > 0 {
        let n = m.wake_ups_in_vain;
        Some(say(format!("{n} woken in vain"), format!("{n} 次白白唤醒")))
    } else if m.readers_in_file > 0 {
        let n = m.readers_in_file;
        Some(say(format!("{n} reader{} waited for a reader", plural(n)), format!("{n} 个读者等着别的读者")))
    } else if m.blocked_for_ever {
        Some(text("blocked for ever", "锁被永远堵住"))
    } else if m.blocked_ms >= LONG_MS {
        let s = seconds(m.blocked_ms);
        Some(say(format!("blocked {s} s"), format!("锁被占住 {s} 秒")))
    } else if m.polls_in_vain > 0 {
        let n = m.polls_in_vain;
        Some(say(format!("{n} poll{} in vain", plural(n)), format!("{n} 次白问")))
    } else {
        None
    }
}

fn right(m: &Measures) -> Text {
    match m.stale_refused {
        0 => text("nobody woken in vain", "没有白白唤醒"),
        n => say(format!("{n} stale request{} refused", plural(n)), format!("{n} 个过时请求被拒绝")),
    }
}

fn plural(n: u32) -> &'static str {
    if n == 1 { "" } else { "s" }
}
