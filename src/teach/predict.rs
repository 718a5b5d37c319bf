//! Predictions: questions that a story asks just before an answer can be seen.
//!
//! Each answer has a word that never changes. Which one is right, and why, is read off the run, so a question
//! cannot be graded against what the picture shows.

use super::{Consequence, Harm, action_name};
use crate::judge::Violation;
use crate::play::{Comparison, Timeline, TimelineStep};
use crate::recipe::ResourceReply;
use crate::text::{Text, say, text};
use crate::world::{ClientId, Event};

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

/// The questions of a story, by the stops at which they are asked.
pub fn predictions(comparison: &Comparison, consequences: &[Consequence]) -> Vec<Prediction> {
    let first = consequences.iter().min_by_key(|c| (comparison.stop_of(c.lane, c.step + 1), c.lane));
    first.and_then(|consequence| predict(comparison, consequence)).into_iter().collect()
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
        Harm::Herd { by, woken } => Some(how_many_wake(timeline, c.lane, *by, *woken)),
        Harm::Vain(client) => Some(where_it_stands(step, c.lane, *client)),
        Harm::Violation(Violation::Stuck { clients }) => Some(what_wakes(timeline, c, *clients.first()?)),
        Harm::Violation(Violation::Orphan { .. }) => None,
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

fn how_many_wake(timeline: &Timeline, lane: usize, by: ClientId, woken: u32) -> Asked {
    let lane = lane + 1;
    let all = timeline.world_at(0).actors().count() as u32;
    let count = |n: u32| say(n.to_string(), format!("{n} 个"));
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
            format!("All {woken} had set their watch on that one node. Only one of them can get the lock."),
            format!("{woken} 个客户端都监听同一个节点，而锁只有一个能拿到。"),
        ),
        in_order: true,
    }
}

fn what_wakes(timeline: &Timeline, c: &Consequence, who: ClientId) -> Asked {
    let (lane, step) = (c.lane + 1, &timeline.steps()[c.step as usize]);
    let sleeps = |e: &Event| matches!(e, Event::Slept { client, .. } if *client == who);
    let question = match step.events.iter().any(sleeps) {
        true => say(
            format!("{who} is about to sleep in lane {lane}. Will anything wake it?"),
            format!("方案 {lane} 里 {who} 即将睡下。会有什么唤醒它吗？"),
        ),
        false => {
            let what = action_name(step.action);
            say(
                format!("Next in lane {lane}: “{}”. Will anything still wake {who}?", what.en),
                format!("方案 {lane} 接下来：“{}”。还会有什么唤醒 {who} 吗？", what.zh),
            )
        }
    };
    Asked {
        question,
        answers: vec![
            answer("its-deletion", text("yes: the deletion it waits for", "会：它等的那次删除")),
            answer("a-later-event", text("yes: a later event", "会：之后的某个事件")),
            answer("nothing", text("no: it sleeps for ever", "不会：永远睡下去")),
        ],
        right: "nothing",
        because: because_stuck(timeline, c.step, who),
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
            format!("方案 {lane} 里 {client} 的订单到达账本。结果如何？"),
        ),
        answers: vec![
            answer("stored-rightly", text("it is stored, and that is right", "写入，而且没错")),
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
            format!("方案 {lane} 里 {client} 即将得知一件事。它接下来做得对吗？"),
        ),
        answers: vec![
            answer("stops", text("it does nothing: right", "什么也不做：对")),
            answer("goes-on-rightly", text("it goes on, and it is right", "继续做下去，而且没错")),
            answer("goes-on-wrongly", text("it goes on, and it is wrong", "继续做下去，但这是错的")),
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
            answer("it-rightly", say(format!("{client}, and it is right"), format!("{client}，而且没错"))),
            answer("nobody", text("nobody yet", "还没有谁")),
            answer("it-wrongly", say(format!("{client}, and it is wrong"), format!("{client}，但它错了"))),
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
            format!("方案 {lane} 里 {client} 即将得知自己的处境。接下来呢？"),
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
fn because_vain(step: &TimelineStep, client: ClientId) -> Text {
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
