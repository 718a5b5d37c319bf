//! Predictions: questions that a story asks just before an answer can be seen.
//!
//! Each answer has a word that never changes. Which one is right, and why, is read off the run, so a question
//! cannot be graded against what the picture shows.

use std::mem::discriminant;

use super::waiting::{answer_of, why};
use super::{Consequence, Harm, action_name};
use crate::judge::{Violation, Wait};
use crate::play::{Comparison, Timeline, TimelineStep};
use crate::recipe::{ResourceReply, Watch};
use crate::text::{Text, say, text};
use crate::world::{ClientId, Event};
use crate::zookeeper::Request;

/// A question asked before a consequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The lane that it is about, from 0.
    pub lane: usize,
    /// The stop at which it is asked: the last one before the answer can be seen.
    pub stop: u32,
    /// The stop at which the answer has been seen.
    pub seen: u32,
    pub question: Text,
    pub answers: Vec<PredictionAnswer>,
    /// The word of the right answer.
    pub right: &'static str,
    /// Why, said once the answer is given and seen.
    pub because: Text,
}

/// One answer to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredictionAnswer {
    /// The word in tests and messages.
    pub word: &'static str,
    pub text: Text,
}

impl Prediction {
    /// The answer with this word.
    pub fn answer(&self, word: &str) -> Option<&PredictionAnswer> {
        self.answers.iter().find(|answer| answer.word == word)
    }
}

/// The questions of a story, by the stops at which they are asked: one for each kind of harm, in the lane that comes to
/// it first. A lane that only costs does not keep one that breaks from being asked about.
pub fn predictions(comparison: &Comparison, consequences: &[Consequence]) -> Vec<Prediction> {
    let mut in_time: Vec<&Consequence> = consequences.iter().collect();
    in_time.sort_by_key(|c| (comparison.stop_of(c.lane, c.step + 1), c.lane));
    let mut kinds = Vec::new();
    let mut asked: Vec<Prediction> = Vec::new();
    for consequence in in_time {
        let kind = discriminant(&consequence.what);
        let Some(prediction) = predict(comparison, consequence).filter(|_| !kinds.contains(&kind)) else {
            continue;
        };
        if asked.last().is_none_or(|before| before.stop < prediction.stop) {
            kinds.push(kind);
            asked.push(prediction);
        }
    }
    asked
}

/// What is asked, before it has a place in the story.
struct Asked {
    question: Text,
    answers: Vec<PredictionAnswer>,
    right: &'static str,
    because: Text,
    /// The answers stand in an order of their own.
    in_order: bool,
}

fn predict(comparison: &Comparison, c: &Consequence) -> Option<Prediction> {
    let timeline = &comparison.lanes()[c.lane];
    let seen = comparison.stop_of(c.lane, c.step + 1);
    let stop = seen.checked_sub(1)?;
    let mut asked = ask(timeline, c)?;
    if !asked.in_order {
        // The right answer must not always stand at the same place.
        let turn = c.step as usize % asked.answers.len();
        asked.answers.rotate_left(turn);
    }
    let Asked { question, answers, right, because, in_order: _ } = asked;
    Some(Prediction { lane: c.lane, stop, seen, question, answers, right, because })
}

fn ask(timeline: &Timeline, c: &Consequence) -> Option<Asked> {
    let step = &timeline.steps()[c.step as usize];
    match &c.what {
        Harm::Herd { by, woken, in_vain } => Some(how_many_wake(timeline, c.lane, *by, (*woken, *in_vain))),
        Harm::Vain(client) => Some(where_it_stands(step, c.lane, *client)),
        Harm::Stuck(wait) => Some(what_wakes(step, c.lane, wait)),
        Harm::Violation(Violation::Stuck { .. } | Violation::Orphan { .. }) => None,
        Harm::Violation(violation) => {
            let client = step.action.client()?;
            let is = |want: fn(&Event) -> bool| step.events.iter().any(want);
            let asked = match (is(stores), is(|e| matches!(e, Event::Acquired { .. }))) {
                (true, _) => what_becomes_of_the_order,
                (false, true) => who_believes,
                (false, false) => whether_it_acts_rightly,
            };
            Some(asked(c.lane, client, violation))
        }
    }
}

fn answer(word: &'static str, text: Text) -> PredictionAnswer {
    PredictionAnswer { word, text }
}

fn how_many_wake(timeline: &Timeline, lane: usize, by: ClientId, (woken, in_vain): (u32, u32)) -> Asked {
    let world = timeline.world_at(0);
    let all = world.actors().count() as u32;
    let count = |n: u32| say(n.to_string(), format!("{n} 个"));
    let parent = world.actors().any(|(_, actor)| actor.client.decisions().watch == Watch::Parent);
    let (en, zh) = match parent {
        true => ("the directory's children", "锁目录的子节点列表"),
        false => ("that one node", "同一个节点"),
    };
    let lane = lane + 1;
    Asked {
        question: say(
            format!("{by}'s deletion reaches the server. How many clients does it wake in lane {lane}?"),
            format!("{by} 的删除请求到达服务器。方案 {lane} 里会唤醒几个客户端？"),
        ),
        answers: vec![
            answer("nobody", count(0)),
            answer("one", count(1)),
            answer("all-who-watch", count(woken)),
            answer("everybody", say(format!("{all} ({by} too)"), format!("{all} 个（包括 {by}）"))),
        ],
        right: "all-who-watch",
        because: say(
            format!("All {woken} watch {en}; {in_vain} of them go back to waiting without the lock."),
            format!("{woken} 个客户端都监听{zh}，其中 {in_vain} 个没拿到锁，又回去等。"),
        ),
        in_order: true,
    }
}

/// What becomes of a client that is about to wait for ever, and why: the right answer is that of the reason which
/// the judges find.
fn what_wakes(step: &TimelineStep, lane: usize, wait: &Wait) -> Asked {
    let (lane, who) = (lane + 1, wait.client);
    let sleeps = |e: &Event| matches!(e, Event::Slept { client, .. } if *client == who);
    let question = match step.events.iter().any(sleeps) {
        true => say(
            format!("{who} is about to sleep in lane {lane}. Will anything wake it?"),
            format!("方案 {lane} 里 {who} 即将睡下。会有什么唤醒它吗？"),
        ),
        false => {
            let what = action_name(step.action);
            say(
                format!("Next in lane {lane}: “{}”. Will {who} get the lock after that?", what.en),
                format!("方案 {lane} 接下来：“{}”。此后 {who} 还能拿到锁吗？", what.zh),
            )
        }
    };
    Asked {
        question,
        answers: vec![
            answer("wakes", text("yes: an event will wake it", "会：总有事件唤醒它")),
            answer("no-watch", text("no: no watch is left that could fire", "不会：没有还能触发的 Watch 了")),
            answer("node-stays", text("no: the node it waits for stays", "不会：它等的节点一直都在")),
            answer("ring", text("no: those it waits for wait for it", "不会：互相等待")),
        ],
        right: answer_of(&wait.end),
        because: why(wait, None),
        in_order: false,
    }
}

fn stores(event: &Event) -> bool {
    matches!(event, Event::ResourceTaken { reply: ResourceReply::Written | ResourceReply::Committed, .. })
}

fn what_becomes_of_the_order(lane: usize, client: ClientId, violation: &Violation) -> Asked {
    let lane = lane + 1;
    Asked {
        question: say(
            format!("{client}'s order reaches the ledger in lane {lane}. What becomes of it?"),
            format!("方案 {lane} 里 {client} 的订单到达库存服务。结果如何？"),
        ),
        answers: vec![
            answer("stored-rightly", text("it is stored, and that is right", "写入，结果正确")),
            answer("refused", text("it is refused", "被拒绝")),
            answer("stored-wrongly", text("it is stored, and that is wrong", "写入，但这是错的")),
        ],
        right: "stored-wrongly",
        because: violation.sentence(),
        in_order: false,
    }
}

fn whether_it_acts_rightly(lane: usize, client: ClientId, violation: &Violation) -> Asked {
    let lane = lane + 1;
    Asked {
        question: say(
            format!("{client} is about to learn something in lane {lane}. Is what it does next right?"),
            format!("方案 {lane} 里 {client} 马上会收到一条消息。它接下来的做法对吗？"),
        ),
        answers: vec![
            answer("stops", text("it does nothing: right", "什么也不做，这是对的")),
            answer("goes-on-rightly", text("it goes on, and it is right", "继续做，结果正确")),
            answer("goes-on-wrongly", text("it goes on, and it is wrong", "继续做，但这是错的")),
        ],
        right: "goes-on-wrongly",
        because: violation.sentence(),
        in_order: false,
    }
}

fn who_believes(lane: usize, client: ClientId, violation: &Violation) -> Asked {
    let lane = lane + 1;
    Asked {
        question: say(
            format!("{client} decides next in lane {lane}. Who believes it holds the lock after that?"),
            format!("方案 {lane} 里接下来由 {client} 作决定。之后谁会以为自己持有锁？"),
        ),
        answers: vec![
            answer("it-rightly", say(format!("{client}, and it is right"), format!("{client}，确实持有"))),
            answer("nobody", text("nobody yet", "还没有谁")),
            answer("it-wrongly", say(format!("{client}, and it is wrong"), format!("{client}，但并未持有"))),
        ],
        right: "it-wrongly",
        because: violation.sentence(),
        in_order: false,
    }
}

fn where_it_stands(step: &TimelineStep, lane: usize, client: ClientId) -> Asked {
    let lane = lane + 1;
    Asked {
        question: say(
            format!("{client} is about to learn where it stands in lane {lane}. What next?"),
            format!("方案 {lane} 里 {client} 马上会知道自己排在哪儿。接下来呢？"),
        ),
        answers: vec![
            answer("holds", text("it holds the lock", "它持有锁")),
            answer("again", text("it asked in vain, and must try again", "白问一次，还得再试")),
            answer("sleeps", text("it sleeps for ever", "它永远睡下去")),
        ],
        right: "again",
        because: because_vain(step, client),
        in_order: false,
    }
}

/// Why a question was in vain.
fn because_vain(step: &TimelineStep, client: ClientId) -> Text {
    let lost = |e: &Event| matches!(e, Event::RequestTaken { error: Some(_), .. });
    let is = |want: fn(&Event) -> bool| step.events.iter().any(want);
    if is(|e| matches!(e, Event::GaveUpPlace { .. })) {
        // Whoever gives its place up deletes its node; for the others it is gone.
        let deletes = is(|e| matches!(e, Event::RequestSent { request: Request::Delete { .. }, .. }));
        return match (deletes, is(|e| matches!(e, Event::ExpiredHeard { .. }))) {
            (true, _) => say(
                format!("{client} gives up its place and starts at the back of the queue."),
                format!("{client} 放弃自己的位置，从队尾重新开始。"),
            ),
            (false, true) => say(
                format!(
                    "{client}'s session is over, and its node with it: it starts at the back of the queue."
                ),
                format!("{client} 的会话过期，节点随之删除，只好从队尾重新排队。"),
            ),
            (false, false) => say(
                format!("{client}'s node is not in the list any more: it starts at the back of the queue."),
                format!("{client} 的节点已不在列表里，只好从队尾重新排队。"),
            ),
        };
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
