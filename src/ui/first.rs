//! The first minute: one playable thing.

use super::controls::{tr, unseen, verdict_mark};
use super::drawing::{Hand, stage_picture, tall_stage};
use super::el::{El, div, el};
use crate::app::{FirstLane, FirstMsg, FirstPhase, FirstScene, Layout, Msg};
use crate::text::{Lang, Text, say, text};

/// The page at `#/`.
pub fn first_minute(lang: Lang, layout: Layout, scene: &FirstScene) -> El {
    let eyebrow = text("A lock is a handful of decisions. Try one.", "锁就是几个决定。先试一个。");
    let many = scene.lanes.len() > 1;
    let lanes = scene.lanes.iter().enumerate().map(|(at, lane)| first_lane(lang, layout, at, lane, many));
    let phase = match scene.phase {
        FirstPhase::Ready => "ready",
        FirstPhase::Frozen => "frozen",
        FirstPhase::Asked => "asked",
        FirstPhase::Shown => "shown",
        FirstPhase::Compared => "compared",
    };
    let question =
        div("h2", "first-question").flag("data-question", true).text(tr(lang, scene.question.clone()));
    let words = div("div", "first-words")
        .kid(div("p", "eyebrow").text(tr(lang, eyebrow)))
        .kid(question)
        .maybe(scene.intro.clone().map(|intro| div("p", "first-intro").key("intro").text(tr(lang, intro))))
        .kid(act(lang, scene))
        .kid(back(lang, scene.phase));
    div("div", "minute")
        .attr("data-phase", phase)
        .kid(words.key("words"))
        .maybe((scene.phase == FirstPhase::Compared).then(|| doors(lang, scene)))
        .kid(
            div("div", "first-lanes")
                .key("lanes")
                .attr("data-lanes", scene.lanes.len().to_string())
                .kids(lanes),
        )
}

fn big(class: &'static str, name: &'static str, label: super::Str, msg: FirstMsg) -> El {
    div("button", class).flag(name, true).key(name).text(label).sends(Msg::FirstMinute(msg))
}

/// What the reader can do now.
fn act(lang: Lang, scene: &FirstScene) -> El {
    // Side by side, the pictures need the room.
    let shown = scene.graded.as_ref().filter(|_| scene.phase == FirstPhase::Shown);
    let graded = shown.map(|(good, because)| {
        let words = match good {
            true => say(format!("You were right. {}", because.en), format!("你猜对了。{}", because.zh)),
            false => say(
                format!("You said no. It lands all the same. {}", because.en),
                format!("你猜不会。其实照样生效。{}", because.zh),
            ),
        };
        div("p", "graded").key("graded").aria("data-good", *good).text(tr(lang, words))
    });
    let line = |words: Text| div("p", "first-line").text(tr(lang, words));
    let acts = match scene.phase {
        FirstPhase::Ready => {
            vec![big("primary big", "data-freeze", tr(lang, text("Freeze A", "让 A 停住")), FirstMsg::Freeze)]
        }
        FirstPhase::Frozen => vec![big(
            "primary big",
            "data-wait",
            tr(lang, text("Wait until the session is over", "等到会话结束")),
            FirstMsg::Wait,
        )],
        FirstPhase::Asked => vec![
            big(
                "answer big",
                "data-guess-lands",
                tr(lang, text("Yes: A's write is stored", "会：A 的写入被存下")),
                FirstMsg::Guess(true),
            ),
            big(
                "answer big",
                "data-guess-refused",
                tr(lang, text("No: A has lost the lock", "不会：A 已经丢了锁")),
                FirstMsg::Guess(false),
            ),
        ],
        FirstPhase::Shown => vec![
            line(text("One line is to blame:", "问题出在这一行：")),
            div("button", "line-change")
                .flag("data-change-line", true)
                .kid(div("code", "minus").text("− ledger.write(n - 1)"))
                .kid(div("code", "plus").text("+ ledger.write(n - 1, token)"))
                .kid(el("span").text(tr(lang, text("Change it and compare", "改掉它，再对比"))))
                .sends(Msg::FirstMinute(FirstMsg::ChangeLine)),
        ],
        FirstPhase::Compared => vec![line(text(
            "A lock cannot stop a client that does not know it has lost it. The resource can: it refuses whoever shows a smaller token than the highest it has seen.",
            "锁拦不住一个不知道自己丢了锁的客户端，资源可以：谁的令牌比见过的最大值小，就拒绝谁。",
        ))],
    };
    div("div", "first-act").maybe(graded).kids(acts)
}

fn back(lang: Lang, phase: FirstPhase) -> El {
    let off = phase == FirstPhase::Ready;
    let button =
        |name: &'static str, label, msg| big("quiet", name, tr(lang, label), msg).flag("disabled", off);
    div("p", "first-back")
        .flag("data-hidden", off)
        .kid(button("data-first-back", text("one step back", "退一步"), FirstMsg::Back))
        .kid(button("data-first-again", text("from the start", "从头再来"), FirstMsg::Again))
}

fn first_lane(lang: Lang, layout: Layout, at: usize, lane: &FirstLane, many: bool) -> El {
    let hand = Hand { lang, lane: None, selected: None };
    let picture = match layout {
        Layout::Narrow => tall_stage(&lane.stage, hand),
        Layout::Wide | Layout::Medium => stage_picture(&lane.stage, hand, false),
    };
    let verdict = lane.verdict.as_ref().map(|(verdict, because)| verdict_mark(lang, *verdict, because));
    let head = div("div", "lane-head")
        .maybe(many.then(|| div("span", "num").text((at + 1).to_string())))
        .kid(el("code").text(tr(lang, lane.line.clone())))
        .kid(div("span", "lane-verdict").maybe(verdict));
    div("section", "lane")
        .attr("data-lane", (at + 1).to_string())
        .kid(head)
        .kid(unseen(tr(lang, lane.stage.sentence.clone())))
        .kid(picture)
        .kid(div("p", "first-caption").text(tr(lang, lane.caption.clone())))
}

fn doors(lang: Lang, scene: &FirstScene) -> El {
    let doors = scene.doors.iter().map(|door| {
        let link = div("a", "door")
            .attr("href", door.href.clone())
            .kid(el("b").text(tr(lang, door.title.clone())))
            .kid(el("span").text(tr(lang, door.about.clone())));
        el("li").kid(link)
    });
    let label = tr(lang, text("Where to go next", "接下来去哪里"));
    div("nav", "doors").key("doors").attr("aria-label", label).kid(el("ul").kids(doors))
}
