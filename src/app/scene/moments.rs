//! Moments: the six to eight stops of a story that a person would point at, and the prediction that
//! is asked just before its first consequence.

use litemap::LiteMap;

use super::fault::{fault_moments, first_of};
use crate::judge::Violation;
use crate::play::{Comparison, Timeline};
use crate::recipe::{ResourceReply, Verdict};
use crate::text::{Text, say, text};
use crate::world::{ClientId, Deletion, Event, Timer};
use crate::zookeeper::Zxid;

/// A story has this many moments at most.
pub const MAX_MOMENTS: usize = 8;

/// A stop worth pointing at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    pub stop: u32,
    pub label: Text,
    /// Where two lanes part, or where it breaks, sticks or costs.
    pub mark: Option<Mark>,
}

/// What a marked moment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The lanes part here.
    Cause,
    /// The first consequence: this verdict.
    Consequence(Verdict),
    /// The first consequence, while the reader is still to predict it.
    Hidden,
}

/// A question asked before the first consequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The stop at which it is asked: the last one before the answer can be seen.
    pub stop: u32,
    pub question: Text,
    pub answers: Vec<Text>,
    /// Which answer is right, from 0.
    pub right: usize,
    /// Why, said once the answer is given and seen.
    pub because: Text,
    /// The stop at which the answer has been seen.
    pub seen: u32,
}

/// What is worth pointing at in a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landmarks {
    pub moments: Vec<Moment>,
    /// The stop where the lanes part.
    pub cause: Option<u32>,
    /// The stop of the first consequence, and its verdict.
    pub consequence: Option<(u32, Verdict)>,
    /// The lane in which it is seen, from 0.
    pub consequence_lane: usize,
    /// For each lane the step from which on those who wait for ever are lost.
    pub lost_from: Vec<u32>,
    pub prediction: Option<Prediction>,
}

impl Landmarks {
    /// Finds the landmarks of a comparison.
    pub fn of(comparison: &Comparison) -> Landmarks {
        let cause = comparison.first_difference().map(|difference| difference.stop);
        // What the lanes still had in common is no consequence of what parts them.
        let from = comparison.first_difference().map_or(0, |difference| difference.common_steps);
        let lanes = comparison.lanes().iter().enumerate();
        let consequences: Vec<Consequence> =
            lanes.filter_map(|(lane, timeline)| consequence(lane, timeline, from)).collect();
        let first = consequences.iter().min_by_key(|c| (comparison.stop_of(c.lane, c.step + 1), c.lane));
        let stop = |c: &Consequence| comparison.stop_of(c.lane, c.step + 1);
        let prediction = first.and_then(|c| predict(comparison, c));
        let consequence = first.map(|c| (stop(c), c.verdict));
        let calm = first.and_then(|c| asleep_again(comparison, c));
        let moments = moments(comparison, cause, consequence, calm);
        let consequence_lane = first.map_or(0, |c| c.lane);
        let lost_from = (0..comparison.lanes().len())
            .map(|lane| consequences.iter().find(|c| c.lane == lane).map_or(0, |c| c.step))
            .collect();
        Landmarks { moments, cause, consequence, consequence_lane, lost_from, prediction }
    }
}

/// The first thing in a lane that breaks, sticks or costs.
#[derive(Clone, Debug)]
struct Consequence {
    lane: usize,
    step: u32,
    verdict: Verdict,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Violation(Violation),
    /// A deletion by this client woke more than one, this many.
    Herd {
        by: ClientId,
        woken: u32,
    },
    /// A poll, a create or a place was in vain.
    Vain(ClientId),
}

fn consequence(lane: usize, timeline: &Timeline, from: u32) -> Option<Consequence> {
    let finding = timeline.findings().iter().find(|finding| finding.step >= from).map(|finding| {
        let step = match &finding.violation {
            // The harm is done when the first of them lies down for ever, or when a fault comes
            // later; not when the run ends.
            Violation::Stuck { .. } => {
                let asleep = last_sleeps(timeline).into_iter().map(|(_, step)| step);
                let asleep = asleep.filter(|step| *step >= from).min().unwrap_or(finding.step);
                last_fault(timeline).map_or(asleep, |fault| fault.max(asleep))
            }
            _ => finding.step,
        };
        let violation = finding.violation.clone();
        Consequence { lane, step, verdict: violation.verdict(), what: What::Violation(violation) }
    });
    let woken = woken(timeline);
    let dear = (from..).zip(timeline.steps().get(from as usize..)?).find_map(|(step, s)| {
        let herd = s.events.iter().find_map(|e| match e {
            Event::NodeDeleted { client, zxid, .. } => {
                Some((*client, woken.get(zxid).copied()?)).filter(|(_, woken)| *woken >= 2)
            }
            _ => None,
        });
        let what = match herd {
            Some((by, woken)) => What::Herd { by, woken },
            None => What::Vain(s.events.iter().find_map(vain)?),
        };
        Some(Consequence { lane, step, verdict: Verdict::Costs, what })
    });
    match (finding, dear) {
        (Some(finding), _) => Some(finding),
        (None, dear) => dear,
    }
}

fn vain(event: &Event) -> Option<ClientId> {
    match event {
        Event::GaveUpPlace { client } => Some(*client),
        Event::RequestTaken { client, error: Some(crate::zookeeper::ErrorCode::NodeExists), .. } => {
            Some(*client)
        }
        Event::TimerSet { timer: crate::world::Timer::Poll(client) } => Some(*client),
        _ => None,
    }
}

/// Who waits for ever in a run, and the step in which each lay down for the last time.
pub fn last_sleeps(timeline: &Timeline) -> Vec<(ClientId, u32)> {
    let stuck = timeline.findings().iter().find_map(|finding| match &finding.violation {
        Violation::Stuck { clients } => Some(clients),
        _ => None,
    });
    let Some(clients) = stuck else { return Vec::new() };
    let mut last: LiteMap<ClientId, u32> = LiteMap::new();
    for (step, s) in (0..).zip(timeline.steps()) {
        for event in &s.events {
            if let Event::Slept { client, .. } = event
                && clients.contains(client)
            {
                last.insert(*client, step);
            }
        }
    }
    last.iter().map(|(client, step)| (*client, *step)).collect()
}

/// The last step in which something went wrong from outside.
fn last_fault(timeline: &Timeline) -> Option<u32> {
    let strikes = |e: &Event| match e {
        Event::FaultInjected { fault, .. } => !fault.is_repair(),
        Event::OperatorActed { .. } => true,
        _ => false,
    };
    timeline.steps().iter().rposition(|s| s.events.iter().any(strikes)).map(|step| step as u32)
}

/// How many events each transaction has sent, all servers together: each sends its own when it carries it out.
fn woken(timeline: &Timeline) -> LiteMap<Zxid, u32> {
    let mut woken = LiteMap::new();
    for event in timeline.steps().iter().flat_map(|step| &step.events) {
        if let Event::WatchFired { zxid: Some(zxid), .. } = event {
            *woken.entry(*zxid).or_default() += 1;
        }
    }
    woken
}

/// The stop at which all that a herd woke in vain sleep again.
fn asleep_again(comparison: &Comparison, c: &Consequence) -> Option<u32> {
    let What::Herd { woken, .. } = c.what else { return None };
    let steps = comparison.lanes()[c.lane].steps();
    let in_vain = woken.checked_sub(1)? as usize;
    let slept = |s: &crate::play::Step| s.events.iter().any(|e| matches!(e, Event::Slept { .. }));
    let after = (c.step..).zip(&steps[c.step as usize..]).filter(|(_, s)| slept(s));
    let (step, _) = after.take(in_vain).last()?;
    Some(comparison.stop_of(c.lane, step + 1))
}

fn predict(comparison: &Comparison, c: &Consequence) -> Option<Prediction> {
    let timeline = &comparison.lanes()[c.lane];
    let lane = c.lane + 1;
    let seen = comparison.stop_of(c.lane, c.step + 1);
    let stop = seen.checked_sub(1)?;
    let step = &timeline.steps()[c.step as usize];
    let in_order = matches!(c.what, What::Herd { .. });
    let (question, mut answers, mut right, because) = match &c.what {
        What::Herd { by, woken } => {
            let woken = *woken as usize;
            let all = timeline.world_at(0).actors().count();
            let count = |n: usize| say(n.to_string(), format!("{n} 个"));
            (
                say(
                    format!(
                        "{by}'s deletion reaches the server. How many clients does it wake in lane {lane}?"
                    ),
                    format!("{by} 的删除请求到达服务器。方案 {lane} 里会唤醒几个客户端？"),
                ),
                vec![
                    count(0),
                    count(1),
                    count(woken),
                    say(format!("{all} ({by} too)"), format!("{all} 个（包括 {by}）")),
                ],
                2,
                say(
                    format!(
                        "All {woken} had set their watch on that one node. Only one of them can get the lock."
                    ),
                    format!("{woken} 个客户端都监听同一个节点，而锁只有一个能拿到。"),
                ),
            )
        }
        What::Violation(Violation::Stuck { clients }) => {
            let who = clients.first()?;
            let sleeps = |e: &Event| matches!(e, Event::Slept { client, .. } if client == who);
            let question = match step.events.iter().any(sleeps) {
                true => say(
                    format!("{who} is about to sleep in lane {lane}. Will anything wake it?"),
                    format!("方案 {lane} 里 {who} 即将睡下。会有什么唤醒它吗？"),
                ),
                false => {
                    let what = crate::teach::action_name(step.action);
                    say(
                        format!("Next in lane {lane}: “{}”. Will anything still wake {who}?", what.en),
                        format!("方案 {lane} 接下来：“{}”。还会有什么唤醒 {who} 吗？", what.zh),
                    )
                }
            };
            (
                question,
                vec![
                    text("yes: the deletion it waits for", "会：它等的那次删除"),
                    text("yes: a later event", "会：之后的某个事件"),
                    text("no: it sleeps for ever", "不会：永远睡下去"),
                ],
                2,
                because_stuck(timeline, c.step, *who),
            )
        }
        What::Violation(violation) if step.events.iter().any(stores) => {
            let client = step.action.client()?;
            (
                say(
                    format!("{client}'s order reaches the ledger in lane {lane}. What becomes of it?"),
                    format!("方案 {lane} 里 {client} 的订单到达账本。结果如何？"),
                ),
                vec![
                    text("it is stored, and that is right", "写入，而且没错"),
                    text("it is refused", "被拒绝"),
                    text("it is stored, and that is wrong", "写入，但这是错的"),
                ],
                2,
                violation.sentence(),
            )
        }
        What::Violation(Violation::Orphan { .. }) => return None,
        What::Violation(violation) if !step.events.iter().any(|e| matches!(e, Event::Acquired { .. })) => {
            let who = step.action.client()?;
            (
                say(
                    format!("{who} is about to learn something in lane {lane}. Is what it does next right?"),
                    format!("方案 {lane} 里 {who} 即将得知一件事。它接下来做得对吗？"),
                ),
                vec![
                    text("it does nothing: right", "什么也不做：对"),
                    text("it goes on, and it is right", "继续做下去，而且没错"),
                    text("it goes on, and it is wrong", "继续做下去，但这是错的"),
                ],
                2,
                violation.sentence(),
            )
        }
        What::Violation(violation) => {
            let client = step.action.client()?;
            (
                say(
                    format!(
                        "{client} decides next in lane {lane}. Who believes it holds the lock after that?"
                    ),
                    format!("方案 {lane} 里接下来由 {client} 作决定。之后谁会以为自己持有锁？"),
                ),
                vec![
                    say(format!("{client}, and it is right"), format!("{client}，而且没错")),
                    text("nobody yet", "还没有谁"),
                    say(format!("{client}, and it is wrong"), format!("{client}，但它错了")),
                ],
                2,
                violation.sentence(),
            )
        }
        What::Vain(client) => (
            say(
                format!("{client} is about to learn where it stands in lane {lane}. What next?"),
                format!("方案 {lane} 里 {client} 即将得知自己的处境。接下来呢？"),
            ),
            vec![
                text("it holds the lock", "它持有锁"),
                text("it asked in vain, and must try again", "白问一次，还得再试"),
                text("it sleeps for ever", "它永远睡下去"),
            ],
            1,
            because_vain(step, *client),
        ),
    };
    if !in_order {
        // The right answer must not always stand at the same place.
        let turn = c.step as usize % answers.len();
        answers.rotate_left(turn);
        right = (right + answers.len() - turn) % answers.len();
    }
    Some(Prediction { stop, question, answers, right, because, seen })
}

fn stores(event: &Event) -> bool {
    matches!(event, Event::ResourceTaken { reply: ResourceReply::Written | ResourceReply::Committed, .. })
}

/// Why nothing will wake a client that lay down in step `step`.
fn because_stuck(timeline: &Timeline, step: u32, who: ClientId) -> Text {
    let world = timeline.world_at(step + 1);
    let session = world.actor(who).and_then(|actor| actor.session);
    let watched = world.server().watchers().any(|watch| Some(watch.session) == session);
    match watched {
        true => say(
            format!(
                "The node was gone before {who}'s watch was set. That number is never given out again, so the watch never fires."
            ),
            format!("{who} 设置 Watch 之前节点就已消失。这个序号不会再出现，Watch 也就永远不会触发。"),
        ),
        false => say(
            format!("The request found no node, so it left no watch. Nothing will wake {who}."),
            format!("请求没有找到节点，也就没有留下 Watch。没有什么会唤醒 {who}。"),
        ),
    }
}

/// Why a question was in vain.
fn because_vain(step: &crate::play::Step, client: ClientId) -> Text {
    let lost = |e: &Event| matches!(e, Event::RequestTaken { error: Some(_), .. });
    let gave_up = |e: &Event| matches!(e, Event::GaveUpPlace { .. });
    if step.events.iter().any(gave_up) {
        return say(
            format!("{client} gives up its place and starts at the back of the queue."),
            format!("{client} 放弃自己的位置，从队尾重新开始。"),
        );
    }
    match step.events.iter().any(lost) {
        true => say(
            format!("{client}'s create lost: the name is taken."),
            format!("{client} 的 create 落空：名字已被占用。"),
        ),
        false => say(
            format!("{client} asked, and the answer was no. It has to ask again later."),
            format!("{client} 问了一次，答案是“还没有”，过后还得再问。"),
        ),
    }
}

/// Collects candidates, most important first, and keeps the best in the order of time.
fn moments(
    comparison: &Comparison,
    cause: Option<u32>,
    consequence: Option<(u32, Verdict)>,
    calm: Option<u32>,
) -> Vec<Moment> {
    let mut candidates: Vec<Moment> = Vec::new();
    // What is marked always shows; the others keep a little away from what is there.
    let least = (comparison.last_stop() / 40 + 1).min(8);
    let mut add = |stop: u32, label: Text, mark: Option<Mark>| {
        let apart = if mark.is_some() { 1 } else { least };
        if stop > 0 && candidates.iter().all(|moment| moment.stop.abs_diff(stop) >= apart) {
            candidates.push(Moment { stop, label, mark });
        }
    };
    if let Some((stop, verdict)) = consequence {
        let label = match verdict {
            Verdict::Right => text("right", "正确"),
            Verdict::Costs => text("here it costs", "代价在此"),
            Verdict::Sticks => text("here it sticks", "卡死在此"),
            Verdict::Breaks => text("here it breaks", "出错在此"),
        };
        add(stop, label, Some(Mark::Consequence(verdict)));
    }
    if let Some(stop) = cause {
        add(stop, text("cause", "起因"), Some(Mark::Cause));
    }
    if let Some(stop) = calm {
        add(stop, text("the others sleep again", "其余又都睡下"), None);
    }
    add(comparison.last_stop(), text("the end", "结束"), None);
    for (stop, label) in fault_moments(comparison) {
        add(stop, label, None);
    }
    let mut point = |found: Option<(u32, ClientId)>, en: &str, zh: &str| {
        if let Some((stop, client)) = found {
            add(stop, say(format!("{client} {en}"), format!("{client} {zh}")), None);
        }
    };
    let first = |want: &dyn Fn(&Event) -> bool, nth: usize| first_of(comparison, want, nth);
    let acquired = |e: &Event| matches!(e, Event::Acquired { .. });
    point(first(&acquired, 0), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::NodeDeleted { why: Deletion::Request, .. }), 0), "lets go", "释放");
    point(first(&acquired, 1), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::Woke { .. }), 0), "wakes", "醒来");
    point(first(&|e| matches!(e, Event::Slept { .. }), 0), "sleeps", "睡下");
    point(first(&|e| matches!(e, Event::NodeCreated { .. }), 0), "has a node", "有了节点");
    point(first(&acquired, 2), "holds", "持有锁");
    point(first(&|e| matches!(e, Event::TimerSet { timer: Timer::Work(_) }), 0), "works", "开始工作");
    point(first(&|e| matches!(e, Event::NodeCreated { .. }), 1), "has a node", "有了节点");
    point(first(&|e| matches!(e, Event::WatchSet { .. }), 0), "has a watch", "有了 Watch");
    candidates.truncate(MAX_MOMENTS);
    candidates.sort_by_key(|candidate| candidate.stop);
    candidates
}
