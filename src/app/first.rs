//! The first minute: one playable thing, before any lesson.
//!
//! One item is left, and three workers sell it under one lock. A holds the lock; the reader freezes it, waits
//! until its session runs out and B has sold the item, and says whether A's write lands when A wakes up.
//! It does: sold twice. One line is changed, and the same story stands beside the first.

use std::sync::Arc;

use super::run::Run;
use super::scene::{Look, Stage, stage};
use crate::play::{Lane, Scenario, Scripted, TimelineStep};
use crate::recipe::{Decisions, Guard, ResourceReply, ResourceRequest, Verdict};

use crate::teach::{GC_PAUSE, MAKE_IT_SLEEP, WHO_WAKES};
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Event, Fault};

/// Where the reader is in the first minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FirstPhase {
    /// A holds; the reader may freeze it.
    Ready,
    /// A stands still, and its session runs out.
    Frozen,
    /// B has had the lock and sold. A wakes up: does its write land?
    Asked,
    /// Sold twice; one line can be changed.
    Shown,
    /// Both lanes, side by side.
    Compared,
}

/// The first minute.
#[derive(Clone, Debug)]
pub struct First {
    pub phase: FirstPhase,
    /// What the reader answered: whether A's write lands.
    pub guess: Option<bool>,
    run: Arc<Run>,
}

/// What the reader does in the first minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMsg {
    Freeze,
    Wait,
    Guess(bool),
    ChangeLine,
    Back,
    Again,
}

const A: ClientId = ClientId(0);
/// When A is frozen, in virtual ms: its write is on the way, its commit is next.
const FREEZE_MS: u64 = 505;
/// When A goes on, in virtual ms.
const WAKE_MS: u64 = 25_000;

/// Three workers, one item, and a long pause, with a resource that checks nothing and with one that fences.
fn scenario() -> Scenario {
    let lane = |resource| Lane::of(Decisions { resource, ..Decisions::default() });
    let at = |at_ms, fault| Scripted { at_ms, action: Action::Fault(fault, A) };
    Scenario {
        clients: 3,
        stock: Some(1),
        script: vec![at(FREEZE_MS, Fault::Pause), at(WAKE_MS, Fault::Resume)],
        lanes: vec![lane(Guard::Open), lane(Guard::Fenced)],
        ..Scenario::default()
    }
}

impl Default for First {
    fn default() -> First {
        First { phase: FirstPhase::Ready, guess: None, run: Run::of(&scenario(), None) }
    }
}

/// What the first minute does with what the reader does.
pub fn update_first(first: &mut First, msg: FirstMsg) {
    first.phase = match (first.phase, msg) {
        (FirstPhase::Ready, FirstMsg::Freeze) => FirstPhase::Frozen,
        (FirstPhase::Frozen, FirstMsg::Wait) => FirstPhase::Asked,
        (FirstPhase::Asked, FirstMsg::Guess(lands)) => {
            first.guess = Some(lands);
            FirstPhase::Shown
        }
        (FirstPhase::Shown, FirstMsg::ChangeLine) => FirstPhase::Compared,
        (FirstPhase::Compared, FirstMsg::Back) => FirstPhase::Shown,
        (FirstPhase::Shown, FirstMsg::Back) => FirstPhase::Asked,
        (FirstPhase::Asked, FirstMsg::Back) => {
            first.guess = None;
            FirstPhase::Frozen
        }
        (FirstPhase::Frozen, FirstMsg::Back) | (_, FirstMsg::Again) => {
            first.guess = None;
            FirstPhase::Ready
        }
        (
            phase,
            FirstMsg::Freeze | FirstMsg::Wait | FirstMsg::Guess(_) | FirstMsg::ChangeLine | FirstMsg::Back,
        ) => phase,
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
    pub phase: FirstPhase,
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
    let shown = if first.phase == FirstPhase::Compared { 2 } else { 1 };
    let lanes: Vec<FirstLane> = (0..shown).map(|lane| first_lane(first, lane)).collect();
    let question = match first.phase {
        FirstPhase::Ready => text(
            "One item left. Three workers sell it, under one lock. Freeze A now.",
            "只剩一件商品，三个客户端用同一把锁抢着卖。现在就让 A 停住。",
        ),
        FirstPhase::Frozen => text(
            "A stands still and sends no heartbeats. Its session runs out.",
            "A 停住了，不再发出心跳。它的会话快要过期了。",
        ),
        FirstPhase::Asked => text(
            "B has sold the item. A wakes up. Does its write land?",
            "B 已经卖掉了商品。A 醒来，它的写入会生效吗？",
        ),
        FirstPhase::Shown => text("It lands: one item, sold twice.", "生效了：一件商品卖了两次。"),
        FirstPhase::Compared => {
            text("One line changed. The same story, twice.", "只改一行，同一个故事再来一遍。")
        }
    };
    let graded = first.guess.filter(|_| first.phase >= FirstPhase::Shown).map(|lands| {
        let because = text(
            "Nothing told A that its session was over: a process that stands still hears nothing. The lock at ZooKeeper was gone; A's belief was not.",
            "没有谁告诉 A 会话已经结束：停住的进程什么也听不到。ZooKeeper 那边锁已经没了，A 却还以为自己拿着锁。",
        );
        (lands, because)
    });
    let said = lanes.iter().map(|lane| lane.caption.clone()).next_back().unwrap_or_else(|| Text::same(""));
    let said = say(format!("{} {}", question.en, said.en), format!("{}{}", question.zh, said.zh));
    let intro = (first.phase == FirstPhase::Ready).then(|| {
        text(
            "Each worker made a numbered node at the ZooKeeper server; the lowest number holds the lock. A node lives as long as its worker's session, and the session as long as heartbeats come.",
            "每个客户端都在 ZooKeeper 服务器上创建了临时顺序节点（EPHEMERAL_SEQUENTIAL），序号最小者持有锁。会话在，节点就在；心跳在，会话就在。",
        )
    });
    FirstScene { phase: first.phase, question, intro, lanes, graded, doors: doors(), said }
}

fn first_lane(first: &First, lane: usize) -> FirstLane {
    let timeline = &first.run.comparison.lanes()[lane];
    let steps = the_point(timeline.steps(), first.phase);
    let (world, scheduler) = timeline.at(steps);
    let past = first.run.pasts[lane].at(timeline, steps);
    let last = steps.checked_sub(1).map(|at| &timeline.steps()[at as usize]);
    let now_ms = last.map_or(0, |step| step.at_ms);
    let look = Look {
        world: &world,
        scheduler: &scheduler,
        past: &past,
        last,
        now_ms,
        stuck: &first.run.stuck_after(lane, steps),
        beats: false,
    };
    let line = match lane {
        0 => text("the ledger checks nothing", "库存服务什么都不校验"),
        _ => text("the ledger checks the token", "库存服务校验令牌"),
    };
    let over = first.phase >= FirstPhase::Shown;
    let judgement = timeline.judgement();
    let verdict = over.then_some((judgement.verdict, judgement.because));
    FirstLane { line, verdict, stage: stage(&look, None), caption: caption(first.phase, lane) }
}

fn caption(phase: FirstPhase, lane: usize) -> Text {
    match (phase, lane) {
        (FirstPhase::Ready, _) => text(
            "A holds the lock. It has read stock 1 and written 0; its commit is next. B and C wait.",
            "A 持有锁：读到库存 1，写了 0，接下来就要提交。B 和 C 在等。",
        ),
        (FirstPhase::Frozen, _) => text(
            "The server hears nothing of A. When the fuse on A's node is burnt down, it ends the session.",
            "服务器收不到 A 的任何消息。A 节点上的倒计时走完，服务器就结束它的会话。",
        ),
        (FirstPhase::Asked, _) => text(
            "The session ran out, A's node went with it, and B had the lock: stock 0. A still believes that it holds.",
            "会话过期，A 的节点随之删除，锁归了 B：库存 0。而 A 还以为自己持有锁。",
        ),
        (FirstPhase::Shown | FirstPhase::Compared, 0) => text(
            "A commits what it had worked out before the pause. The ledger stores it: two orders, one item.",
            "A 提交了停顿之前算好的结果，库存服务照收：一件商品，两份订单。",
        ),
        (FirstPhase::Shown | FirstPhase::Compared, _) => text(
            "A shows the token of its old node. The ledger has seen a higher one, B's: refused.",
            "A 出示的还是旧令牌，而库存服务已经见过更大的：拒绝。",
        ),
    }
}

/// After how many steps a lane makes the point of a phase.
fn the_point(steps: &[TimelineStep], phase: FirstPhase) -> u32 {
    let first = |wanted: &dyn Fn(&Event) -> bool| {
        let at = steps.iter().position(|step| step.events.iter().any(wanted));
        at.unwrap_or(steps.len()) as u32
    };
    let injected =
        |wanted: Fault| first(&|e| matches!(e, Event::FaultInjected { fault, .. } if *fault == wanted));
    match phase {
        FirstPhase::Ready => injected(Fault::Pause),
        // Just before the server ends the session, with the fuse nearly burnt down.
        FirstPhase::Frozen => first(&|e| matches!(e, Event::SessionExpired { .. })),
        FirstPhase::Asked => injected(Fault::Resume),
        FirstPhase::Shown | FirstPhase::Compared => {
            let woken = injected(Fault::Resume) as usize;
            let settled = |event: &Event| match event {
                Event::ResourceTaken { client: A, request, reply, .. } => {
                    matches!(request, ResourceRequest::Commit { .. })
                        || matches!(reply, ResourceReply::Refused { .. })
                }
                _ => false,
            };
            let after = steps.iter().skip(woken).position(|step| step.events.iter().any(settled));
            after.map_or(steps.len(), |after| woken + after + 1) as u32
        }
    }
}

/// The doors lead to what exists.
fn doors() -> Vec<Door> {
    // Whole links: `#/lab` alone keeps the story that the lab has.
    let door = |query: &str, title: Text, about: Text| Door { href: format!("#/lab?{query}"), title, about };
    vec![
        door(
            GC_PAUSE.query,
            text("Why didn't A know?", "为什么 A 不知道？"),
            text("The same pause, step by step, with the lines of code.", "同样的停顿，对照代码一步一步看。"),
        ),
        door(
            MAKE_IT_SLEEP.query,
            text("Break it yourself", "自己动手弄坏它"),
            text(
                "You are the scheduler: hold messages back, let them through.",
                "由你来调度：扣住消息，或者放行。",
            ),
        ),
        door(
            WHO_WAKES.query,
            text("Interview me", "模拟面试"),
            text(
                "Why not watch the holder? Interviewers ask this one: five clients, two answers.",
                "为什么不监听持有者？面试常问：五个客户端，两种答案。",
            ),
        ),
    ]
}
