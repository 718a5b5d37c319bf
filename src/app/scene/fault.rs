//! The moments of a story with faults: what goes wrong, what comes of it, and what is put right.

use crate::play::Comparison;
use crate::recipe::{ResourceReply, ResourceRequest};
use crate::teach::action_name;
use crate::text::{Text, say};
use crate::world::{ClientId, Event, FaultEffect};

/// The first stop (or the one after `nth` others) at which something happens in some lane, and to whom.
pub fn first_of(
    comparison: &Comparison,
    want: &dyn Fn(&Event) -> bool,
    nth: usize,
) -> Option<(u32, ClientId)> {
    let found = comparison.lanes().iter().enumerate().filter_map(|(lane, timeline)| {
        let mut hits = (0u32..).zip(timeline.steps()).filter(|(_, s)| s.events.iter().any(want));
        let (step, s) = hits.nth(nth)?;
        Some((comparison.stop_of(lane, step + 1), s.action.client()?))
    });
    found.min()
}

/// What goes wrong, what comes of it, and what is put right, the most telling first.
pub fn fault_moments(comparison: &Comparison) -> Vec<(u32, Text)> {
    type Want = fn(&Event) -> bool;
    let wanted: [(Want, &str, &str); 12] = [
        (|e| matches!(e, Event::FaultInjected { fault, .. } if !fault.is_repair()), "", ""),
        (|e| matches!(e, Event::SessionExpired { .. }), "'s session expires", " 的会话过期"),
        (
            |e| matches!(e, Event::ResourceTaken { reply: ResourceReply::Refused { .. }, .. }),
            " is refused",
            " 被拒绝",
        ),
        (
            |e| matches!(e, Event::FaultInjected { fault, .. } if fault.is_repair() || fault.definition().effect == FaultEffect::Starts),
            "",
            "",
        ),
        (|e| matches!(e, Event::ExpiredHeard { .. }), " hears Expired", " 得知会话过期"),
        (|e| matches!(e, Event::Disconnected { .. }), " is disconnected", " 断连"),
        (|e| matches!(e, Event::Connected { new: false, .. }), " is connected again", " 重新连上"),
        (|e| matches!(e, Event::OperatorActed { .. }), "", ""),
        (|e| matches!(e, Event::GaveUp { .. }), " gives up", " 放弃等待"),
        (|e| matches!(e, Event::Found { .. }), " looks for its node", " 找自己的节点"),
        (
            |e| {
                let commits = |request: &ResourceRequest| matches!(request, ResourceRequest::Commit { .. });
                matches!(e, Event::ResourceTaken { request, reply: ResourceReply::Committed, .. } if commits(request))
            },
            "'s order is stored",
            " 的订单写入",
        ),
        (|e| matches!(e, Event::LostLock { .. }), " learns the truth", " 得知真相"),
    ];
    let mut found = Vec::new();
    let has_faults = wanted[..8].iter().any(|(want, ..)| any_step(comparison, *want));
    if !has_faults {
        return found;
    }
    for (want, en, zh) in wanted {
        let lanes = comparison.lanes().iter().enumerate().filter_map(|(lane, timeline)| {
            let (step, s) = (0u32..).zip(timeline.steps()).find(|(_, s)| s.events.iter().any(want))?;
            Some((comparison.stop_of(lane, step + 1), lane, s.action))
        });
        let Some((stop, _, action)) = lanes.min() else { continue };
        let label = match (en, action) {
            ("", action) => match action.fault() {
                Some(fault) => action.fill(fault.brief),
                None => action_name(action),
            },
            (_, action) => match action.client() {
                Some(client) => say(format!("{client}{en}"), format!("{client}{zh}")),
                None => action_name(action),
            },
        };
        found.push((stop, label));
    }
    // Who takes over is worth as much as why.
    if let Some((stop, client)) = first_of(comparison, &|e| matches!(e, Event::Acquired { .. }), 1) {
        let at = found.len().min(2);
        found.insert(at, (stop, say(format!("{client} takes over"), format!("{client} 接管"))));
    }
    found
}

fn any_step(comparison: &Comparison, want: fn(&Event) -> bool) -> bool {
    comparison.lanes().iter().flat_map(|lane| lane.steps()).any(|s| s.events.iter().any(want))
}
