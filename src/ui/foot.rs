//! The foot: what just happened, the prediction, the branches, the transport.

use super::controls::{icon, sign, tr, unseen, verdict_class};
use super::el::{El, div, el};
use crate::app::scene::Mark;
use crate::app::{Guess, LabScene, Layout, Model, Msg, PredictionScene, Tick, Transport};

use crate::text::{Lang, Text, say, text};

/// The foot of the lab.
pub fn foot(model: &Model, lab: &LabScene) -> El {
    let lang = model.lang();
    let prediction = lab.prediction.as_ref().map(|prediction| predict(lang, prediction));
    div("section", "foot")
        .attr("aria-label", tr(lang, text("What happens, and the transport", "发生了什么，以及播放控制")))
        .maybe(branches(lang, lab))
        .kid(div("div", "say").maybe(prediction).kid(captions(lang, lab).key("captions")))
        .kid(transport(model, lab))
}

fn captions(lang: Lang, lab: &LabScene) -> El {
    let one = lab.lanes.len() == 1;
    let captions = lab.lanes.iter().map(|lane| {
        let number = lane.number;
        let name = say(format!("Lane {number}: "), format!("方案 {number}："));
        let caption = div("p", "caption")
            .attr("data-caption", number.to_string())
            .flag("data-moved", lane.moved)
            .flag("data-focus", number == lab.focus + 1);
        let caption = match one {
            true => caption,
            false => {
                let badge = div("b", "num").attr("aria-hidden", "true").text(number.to_string());
                caption.kid(badge).kid(unseen(tr(lang, name)))
            }
        };
        caption.kid(el("span").text(tr(lang, lane.caption.clone())))
    });
    div("div", "captions").attr("data-count", lab.lanes.len().to_string()).kids(captions)
}

fn predict(lang: Lang, prediction: &PredictionScene) -> El {
    match prediction {
        PredictionScene::Asked { question, answers } => {
            let buttons =
                answers.iter().zip(["① ", "② ", "③ ", "④ "]).enumerate().map(|(at, (answer, number))| {
                    div("button", "answer")
                        .attr("data-answer", at.to_string())
                        .kid(sign(number))
                        .text(tr(lang, answer.text.clone()))
                        .sends(Msg::Guess(Guess::Made(answer.word)))
                });
            let skip = div("button", "quiet")
                .flag("data-skip", true)
                .text(tr(lang, text("skip", "跳过")))
                .sends(Msg::Guess(Guess::Skipped));
            let asked = div("p", "predict-question")
                .kid(el("b").text(tr(lang, text("Predict: ", "先猜："))))
                .text(tr(lang, question.clone()));
            div("div", "predict")
                .key("asked")
                .attr("data-prediction", "asked")
                .kid(asked)
                .kid(div("div", "answers").kids(buttons).kid(skip))
        }
        PredictionScene::Waiting { answer } => {
            let words = say(
                format!("Your guess: “{}”. Run on to see.", answer.en),
                format!("你猜：“{}”。继续运行就知道。", answer.zh),
            );
            div("p", "predict-line").key("waiting").attr("data-prediction", "waiting").text(tr(lang, words))
        }
        PredictionScene::Told { right, because } => {
            let words = say(
                format!("What happens: “{}”. {}", right.en, because.en),
                format!("实际：“{}”。{}", right.zh, because.zh),
            );
            div("p", "predict-line").key("told").attr("data-prediction", "told").text(tr(lang, words))
        }
        PredictionScene::Graded { good, answer, right, because } => {
            let words = match good {
                true => say(
                    format!("Your guess: “{}”. So it is. {}", answer.en, because.en),
                    format!("你猜：“{}”。没错。{}", answer.zh, because.zh),
                ),
                false => say(
                    format!("Your guess: “{}”. What happens: “{}”. {}", answer.en, right.en, because.en),
                    format!("你猜：“{}”。实际：“{}”。{}", answer.zh, right.zh, because.zh),
                ),
            };
            div("p", "predict-line")
                .key("graded")
                .attr("data-prediction", "graded")
                .aria("data-good", *good)
                .kid(sign(if *good { "✓ " } else { "→ " }))
                .text(tr(lang, words))
        }
    }
}

fn branches(lang: Lang, lab: &LabScene) -> Option<El> {
    let only = lab.branches.len() == 1;
    if only && !lab.can_undo {
        return None;
    }
    let chips = lab.branches.iter().filter(|_| !only).map(|branch| {
        div("button", "branch-chip")
            .attr("data-branch", branch.index.to_string())
            .aria("aria-pressed", branch.here)
            .maybe((branch.index > 0).then(|| icon("fork")))
            .kid(el("span").text(tr(lang, branch.name.clone())))
            .sends(Msg::GoToBranch(branch.index))
    });
    let undo = div("button", "branch-chip")
        .key("undo")
        .flag("data-undo", true)
        .flag("disabled", !lab.can_undo)
        .kid(icon("undo"))
        .text(tr(lang, text(" undo", " 撤销")))
        .sends(Msg::Undo);
    let label = tr(lang, text("Branches", "分支"));
    let row = div("div", "branches").key("branches").attr("role", "group").attr("aria-label", label);
    Some(row.kids(chips).kid(undo))
}

fn transport(model: &Model, lab: &LabScene) -> El {
    let (lang, t) = (model.lang(), &lab.transport);
    let button = |name: &'static str, word: &'static str, label: Text, msg: Msg| {
        div("button", "t-button")
            .attr("data-transport", word)
            .attr("aria-label", tr(lang, label))
            .kid(icon(name))
            .sends(msg)
    };
    let play = button(if t.playing { "pause" } else { "play" }, "play", text("Play", "播放"), Msg::Play);
    let buttons = div("div", "t-buttons")
        .attr("role", "group")
        .attr("aria-label", tr(lang, text("Transport", "播放控制")))
        .kid(button("first", "first", text("To the start", "到开头"), Msg::First))
        .kid(button("back", "back", text("One step back", "后退一步"), Msg::Step(-1)))
        .kid(play.aria("aria-pressed", t.playing))
        .kid(button("forward", "forward", text("One step forward", "前进一步"), Msg::Step(1)))
        .kid(button("last", "last", text("To the end", "到结尾"), Msg::Last));
    let moment = div("button", "primary")
        .attr("data-transport", "moment")
        .text(tr(lang, text("Next moment", "下一时刻")))
        .sends(Msg::NextMoment);
    let place = div("p", "place").flag("data-place", true).text(tr(lang, t.place.clone()));
    div("div", "transport")
        .key("transport")
        .kid(buttons)
        .kid(moment)
        .kid(track(model, t))
        .kid(pace(lang, t))
        .kid(place)
}

fn pace(lang: Lang, t: &Transport) -> El {
    let options = [4u32, 8, 16, 32].map(|each| {
        let option = el("option").attr("value", each.to_string()).flag("selected", each == t.pace);
        option.text(format!("{}/s", each / 4))
    });
    let select = el("select").flag("data-pace", true).kids(options).attr(".value", t.pace.to_string());
    div("label", "pace")
        .kid(unseen(tr(lang, text("Steps a second while playing", "播放时每秒步数"))))
        .kid(select.value_sends(|word| word.parse().ok().map(Msg::Pace)))
}

/// The scrubber, with the moments on it.
fn track(model: &Model, t: &Transport) -> El {
    let lang = model.lang();
    let thousandths = (u64::from(t.stop) * 1000).checked_div(t.last.into()).unwrap_or(0);
    let range = el("input")
        .attr("type", "range")
        .attr("min", "0")
        .attr("step", "1")
        .attr("max", t.last.to_string())
        .attr(".value", t.stop.to_string())
        .flag("data-scrubber", true)
        .attr("aria-label", tr(lang, text("Step", "步骤")))
        .attr("aria-valuetext", tr(lang, t.place.clone()))
        .value_sends(|word| word.parse().ok().map(Msg::Seek));
    let apart = apart(model.layout, &t.ticks);
    let ticks = t.ticks.iter().zip(apart).map(|(tick, apart)| tick_mark(lang, tick, apart));
    div("div", "track").attr("--share", share(thousandths)).kid(range).kid(div("div", "ticks").kids(ticks))
}

/// Which moments stand far enough from each other to be hit (24 px at least). The others are marks
/// only: the next moment, the scrubber and the keys go there as well.
fn apart(layout: Layout, ticks: &[Tick]) -> Vec<bool> {
    let least = match layout {
        Layout::Wide => 36,
        Layout::Medium | Layout::Narrow => 80,
    };
    let mut chosen: Vec<u32> = Vec::new();
    let (marked, plain): (Vec<&Tick>, Vec<&Tick>) = ticks.iter().partition(|tick| tick.mark.is_some());
    for tick in marked.into_iter().chain(plain) {
        if chosen.iter().all(|at| at.abs_diff(tick.at) >= least) {
            chosen.push(tick.at);
        }
    }
    ticks.iter().map(|tick| chosen.contains(&tick.at)).collect()
}

fn share(thousandths: u64) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

fn tick_mark(lang: Lang, tick: &Tick, apart: bool) -> El {
    let label = tr(lang, tick.label.clone());
    let (mark, class) = match tick.mark {
        Some(Mark::Cause) => (Some(icon("fork")), "tick cause".to_string()),
        Some(Mark::Consequence(verdict)) => {
            (Some(sign(verdict.mark())), format!("tick consequence {}", verdict_class(verdict)))
        }
        Some(Mark::Hidden) => (Some(sign("?")), "tick consequence".to_string()),
        None => (None, "tick".to_string()),
    };
    let edge = match tick.at {
        0..150 => "start",
        850.. => "end",
        _ => "middle",
    };
    let shown = mark.filter(|_| tick.labelled).map(|mark| {
        div("span", "tick-label").attr("aria-hidden", "true").kid(mark).text(format!(" {label}"))
    });
    let mark_el = match apart {
        true => div("button", class).attr("aria-label", label.clone()).sends(Msg::Seek(tick.stop)),
        false => div("span", class).attr("aria-hidden", "true"),
    };
    mark_el
        .key(tick.stop.to_string())
        .attr("data-moment", tick.stop.to_string())
        .flag("data-passed", tick.passed)
        .flag("data-here", tick.here)
        .attr("data-edge", edge)
        .attr("--at", share(tick.at.into()))
        .attr("title", label)
        .kid(div("span", "dot").attr("aria-hidden", "true"))
        .maybe(shown)
}
