//! The first minute: one playable thing, before any lesson.
//!
//! B has seen that A's node is there, and its watch is on the way. The reader lets A go in between.
//! Does B wake? The reader commits to an answer, sees B asleep beside a free lock, changes one line,
//! and sees the same story again with the change beside it.

use std::sync::Arc;

use super::run::Run;
use super::scene::{Look, Stage, stage};
use crate::play::{Choice, Chosen, Lane, Scenario, Timings};
use crate::recipe::{Check, Decisions, Guard, Step, Verdict};
use crate::sorted::Listed;
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Link, Sent};
use crate::zookeeper::Request;

/// Where the reader is in the first minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// A holds, B's watch is on its way; the reader may let A go.
    Ready,
    /// A has let go; will B wake?
    Asked,
    /// B sleeps beside a free lock; one line can be changed.
    Shown,
    /// Both lanes, side by side.
    Compared,
}

/// The first minute.
#[derive(Clone, Debug)]
pub struct First {
    pub phase: Phase,
    /// What the reader answered: whether B wakes.
    pub guess: Option<bool>,
    run: Arc<Run>,
    /// How many steps each lane has taken when B's watch is on its way.
    ready: [u32; 2],
}

/// What the reader does in the first minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMsg {
    LetGo,
    Guess(bool),
    ChangeLine,
    Back,
    Again,
}

/// A and B, with a hold that ends when the reader says so.
fn story(check: Check, choices: Vec<Choice>) -> Scenario {
    let decisions = Decisions { check, resource: Guard::Open, ..Decisions::default() };
    let timings = Timings { hold_ms: 60_000, ..Timings::default() };
    let lane = Lane { choices, ..Lane::of(decisions) };
    Scenario { clients: 2, timings, lanes: vec![lane], ..Scenario::single(decisions) }
}

/// The steps after which A works under the lock and B's watch is on its way.
fn ready(check: Check) -> u32 {
    let run = Run::of(&story(check, Vec::new()), None);
    let timeline = &run.comparison.lanes()[0];
    let watch_on_way = |steps: &u32| {
        let world = timeline.world_at(*steps);
        let at = |client| world.actor(ClientId(client)).map(|actor| actor.client.step());
        let watches =
            world.actor(ClientId(1)).and_then(|actor| actor.to_server.front()).is_some_and(|sent| {
                matches!(
                    sent,
                    Sent::Request(Request::GetData { watch: true, .. } | Request::Exists { watch: true, .. })
                )
            });
        watches && at(0) == Some(Step::Working)
    };
    (0..timeline.len()).find(watch_on_way).unwrap_or(0)
}

/// The hand that lets A go before B's watch arrives.
fn let_go(at: u32) -> Vec<Choice> {
    let a = ClientId(0);
    let ways = [
        Action::Work(a),
        Action::Deliver(Link::ToResource(a)),
        Action::Deliver(Link::FromResource(a)),
        Action::Deliver(Link::ToResource(a)),
        Action::Deliver(Link::FromResource(a)),
        Action::Deliver(Link::ToServer(a)),
    ];
    (at..).zip(ways).map(|(at, action)| Choice { at, what: Chosen::Take(action) }).listed()
}

/// The steps that letting A go takes.
const LET_GO_STEPS: u32 = 6;

impl Default for First {
    fn default() -> First {
        let checks = [Check::Separate, Check::GetData];
        let ready = checks.map(ready);
        let mut scenario = story(checks[0], let_go(ready[0]));
        scenario.lanes.extend(story(checks[1], let_go(ready[1])).lanes);
        First { phase: Phase::Ready, guess: None, run: Run::of(&scenario, None), ready }
    }
}

/// What the first minute does with what the reader does.
pub fn update_first(first: &mut First, msg: FirstMsg) {
    first.phase = match (first.phase, msg) {
        (Phase::Ready, FirstMsg::LetGo) => Phase::Asked,
        (Phase::Asked, FirstMsg::Guess(wakes)) => {
            first.guess = Some(wakes);
            Phase::Shown
        }
        (Phase::Shown, FirstMsg::ChangeLine) => Phase::Compared,
        (Phase::Compared, FirstMsg::Back) => Phase::Shown,
        (Phase::Shown, FirstMsg::Back) => Phase::Asked,
        (Phase::Asked, FirstMsg::Back) | (_, FirstMsg::Again) => {
            first.guess = None;
            Phase::Ready
        }
        (phase, FirstMsg::LetGo | FirstMsg::Guess(_) | FirstMsg::ChangeLine | FirstMsg::Back) => phase,
    };
}

/// One lane of the first minute.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstLane {
    pub line: Text,
    pub verdict: Option<(Verdict, Text)>,
    pub stage: Stage,
    pub caption: Text,
}

/// A door out of the first minute.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    pub href: String,
    pub title: Text,
    pub about: Text,
}

/// What the first minute shows.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstScene {
    pub phase: Phase,
    pub question: Text,
    /// What one has to know to answer, said once at the start.
    pub intro: Option<Text>,
    pub lanes: Vec<FirstLane>,
    /// What the reader's guess was worth.
    pub graded: Option<(bool, Text)>,
    pub doors: Vec<Door>,
    /// For the live region.
    pub said: Text,
}

/// Builds the scene of the first minute.
pub fn first_scene(first: &First) -> FirstScene {
    let shown = if first.phase == Phase::Compared { 2 } else { 1 };
    let lanes: Vec<FirstLane> = (0..shown).map(|lane| first_lane(first, lane)).listed();
    let question = match first.phase {
        Phase::Ready => text(
            "B has checked that A's node is there. Its watch is on the way. Let A go now.",
            "B 刚确认 A 的节点还在，Watch 请求正在路上。现在就让 A 释放锁。",
        ),
        Phase::Asked => text(
            "A's node is gone. B's watch has not arrived yet. Does B wake up?",
            "A 的节点没了，B 的 Watch 还没到。B 会醒来吗？",
        ),
        Phase::Shown => text("B sleeps beside a free lock. For ever.", "锁空着，B 却睡在旁边，永远睡下去。"),
        Phase::Compared => text("One line changed. The same story, twice.", "只改一行，同一个故事再来一遍。"),
    };
    let graded = first.guess.filter(|_| first.phase >= Phase::Shown).map(|wakes| {
        let because = text(
            "The deletion came before the watch. This watch could only fire if node 0000 were created again, and a number is never given out twice.",
            "删除发生在设置 Watch 之前。只有 0000 再次被创建，这个 Watch 才会触发，而序号不会重复。",
        );
        (!wakes, because)
    });
    let said = lanes.iter().map(|lane| lane.caption.clone()).next_back().unwrap_or_else(|| Text::same(""));
    let said = say(format!("{} {}", question.en, said.en), format!("{}{}", question.zh, said.zh));
    let intro = (first.phase == Phase::Ready).then(|| {
        text(
            "A and B want one lock. Each made a numbered node at the ZooKeeper server; the lowest number holds the lock, so A holds it. B will sleep until a watch tells it that A's node is gone.",
            "A 和 B 想要同一把锁。它们各自在 ZooKeeper 服务器上创建了带序号的节点，序号最小者持有锁，所以锁在 A 手里。B 打算睡下，等 Watch 通知它 A 的节点消失了。",
        )
    });
    FirstScene { phase: first.phase, question, intro, lanes, graded, doors: doors(), said }
}

fn first_lane(first: &First, lane: usize) -> FirstLane {
    let timeline = &first.run.comparison.lanes()[lane];
    let steps = match first.phase {
        Phase::Ready => first.ready[lane],
        Phase::Asked => first.ready[lane] + LET_GO_STEPS,
        Phase::Shown | Phase::Compared => the_point(first, lane),
    };
    let (world, scheduler) = timeline.at(steps);
    let past = first.run.pasts[lane].at(timeline, steps);
    let last = steps.checked_sub(1).map(|at| &timeline.steps()[at as usize]);
    let now_ms = last.map_or(0, |step| step.at_ms);
    let stuck = first.run.stuck_after(lane, steps);
    let look =
        Look { world: &world, scheduler: &scheduler, past: &past, last, now_ms, stuck: &stuck, beats: false };
    let over = first.phase >= Phase::Shown;
    let (line, caption) = match lane {
        0 => (
            text("exists(ahead), then watch", "先 exists(ahead)，再监听"),
            match first.phase {
                Phase::Ready => text(
                    "A holds the lock and works. B asks to be told when node 0000 goes.",
                    "A 持有锁，正在工作。B 请求在节点 0000 消失时得到通知。",
                ),
                Phase::Asked => text(
                    "The server has deleted 0000. B's request is still on its way.",
                    "服务器已删除 0000。B 的请求还在路上。",
                ),
                Phase::Shown | Phase::Compared => text(
                    "B's watch hangs on a node that is gone. B did not look at the answer: NoNode.",
                    "B 的 Watch 挂在已经消失的节点上。服务器回答了 NoNode，B 却没有看。",
                ),
            },
        ),
        _ => (
            text("getData(ahead, watch)", "getData(ahead, watch)"),
            text(
                "One request checks and watches. Its answer was NoNode, so B listed again: its node is first.",
                "一个请求同时检查并监听。回答是 NoNode，于是 B 重新列出子节点：自己排在第一。",
            ),
        ),
    };
    let judgement = timeline.judgement();
    let verdict = over.then_some((judgement.verdict, judgement.because));
    FirstLane { line, verdict, stage: stage(&look), caption }
}

/// Where lane `lane` makes its point: B asleep for ever, or B holding the lock.
fn the_point(first: &First, lane: usize) -> u32 {
    let timeline = &first.run.comparison.lanes()[lane];
    let holds = |steps: &u32| {
        let world = timeline.world_at(*steps);
        world.actor(ClientId(1)).is_some_and(|actor| actor.client.step() == Step::Working)
    };
    (first.ready[lane]..timeline.len()).find(holds).unwrap_or(timeline.len())
}

/// The doors lead to what exists.
fn doors() -> Vec<Door> {
    let door = |href: &str, title: Text, about: Text| Door { href: href.to_string(), title, about };
    // Whole links: `#/lab` alone keeps the story that the lab has.
    let story = |id| crate::teach::story(id).map_or(String::new(), |story| format!("#/lab?{}", story.query));
    vec![
        door(
            &story("lost-wake-up"),
            text("Why didn't B hear it?", "为什么 B 没听到？"),
            text("A race like it, step by step, with the lines of code.", "类似的竞争，对照代码一步一步看。"),
        ),
        door(
            &story("make-it-sleep"),
            text("Break it yourself", "自己动手弄坏它"),
            text(
                "You are the scheduler: hold messages back, let them through.",
                "由你来调度：扣住消息，或者放行。",
            ),
        ),
        door(
            &story("who-wakes"),
            text("Why not watch the holder?", "为什么不监听持有者？"),
            text("Interviewers ask this one. Five clients, two answers.", "面试常问。五个客户端，两种答案。"),
        ),
    ]
}
