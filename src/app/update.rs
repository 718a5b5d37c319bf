//! What the page does with what the reader does.

use super::faults::{Injection, Target};
use super::intervene::{choose, inject};
use super::model::{Lab, Layout, Model, Page, Settings, Tab, Theme};
use super::predict::{asked_at, guess, skip};
use super::scene::Pick;
use super::setup::{add_to_script, remove_from_script, set_lane, set_list, set_page_number, set_preset};
use super::{FirstMsg, fit, read_address, update_first, write_settings};
use crate::play::{Chosen, MAX_LANES, Scenario};
use crate::recipe::Key;
use crate::teach::story;
use crate::text::{Lang, Text, text};

/// One thing the reader, or the browser, did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Msg {
    /// The address changed, not by this page's own hand.
    Address(String),
    Lang(Lang),
    Theme(Theme),
    SystemDark(bool),
    Layout(Layout),
    Help(bool),
    /// Put a notice away.
    Dismiss(usize),
    /// Close the topmost thing that is open.
    Close,
    First,
    Last,
    Step(i32),
    Seek(u32),
    NextMoment,
    PreviousMoment,
    ToCause,
    ToConsequence,
    Play,
    /// The ticker of play.
    Tick,
    Pace(u32),
    Focus(usize),
    Pick(Option<Pick>),
    /// A word for a decision in a lane.
    Decide {
        lane: usize,
        key: Key,
        word: String,
    },
    /// A number of the scenario, as typed.
    Number {
        key: &'static str,
        word: String,
    },
    /// A list or a word of the scenario, as typed.
    List {
        key: &'static str,
        word: String,
    },
    /// What one lane has of its own (`clients`, `timeout-ms`, `server`); empty for as the scenario says.
    LaneSet {
        lane: usize,
        key: &'static str,
        word: String,
    },
    /// All decisions of a lane as a library takes them; empty for the right ones.
    Preset {
        lane: usize,
        word: String,
    },
    DraftAt(String),
    DraftWhat(String),
    DraftClient(String),
    AddToScript,
    RemoveFromScript(usize),
    /// Whom the row of faults is for.
    Target(String),
    /// Where the row of faults injects: a lane from 0, or `all`.
    Where(String),
    /// A fault, from the row under the stage.
    Inject(Injection),
    AddLane,
    RemoveLane(usize),
    Story(&'static str),
    /// The hand acts in a lane, at the stop that is shown.
    Choose {
        lane: usize,
        what: Chosen,
    },
    GoToBranch(usize),
    Undo,
    Guess(super::Guess),
    Tab(Tab),
    ShowCode(bool),
    ShowBill(bool),
    Predictions(bool),
    Letters(bool),
    Heartbeats(bool),
    WholeCode(bool),
    Setup(bool),
    /// Something in the first minute.
    FirstMinute(FirstMsg),
}

/// Something to ask of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write the address once things pause.
    WriteAddress(String),
    /// Keep the settings.
    Remember(String),
    /// Send [`Msg::Tick`] every so many ms, in place of any earlier ticker.
    Ticker(u32),
    StopTicker,
    /// Bring this element out from behind the foot, once the page is drawn.
    Reveal(&'static str),
}

/// Takes one message, and returns what to ask of the browser.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let was_playing = model.lab.playing;
    let remembered = write_settings(&model.settings);
    let page = model.page;
    let place = |model: &Model| (model.lab.stop, model.lab.focus, model.lab.scenario.clone());
    let before = place(model);
    let mut effects = Vec::new();
    match &msg {
        Msg::Tab(_) => effects.push(Effect::Reveal("[data-under]")),
        // In the rail it stands at the top already.
        Msg::Pick(Some(_)) if model.layout != Layout::Wide => {
            effects.push(Effect::Reveal("[data-card=inspector]"));
        }
        _ => {}
    }
    act(model, msg);
    if model.lab.playing {
        effects.push(Effect::Ticker(4000 / model.lab.pace.max(1)));
    } else if was_playing {
        effects.push(Effect::StopTicker);
    }
    let settings = write_settings(&model.settings);
    if settings != remembered {
        effects.push(Effect::Remember(settings));
    }
    if model.page == Page::Lab && (page != Page::Lab || place(model) != before) {
        let Lab { scenario, stop, focus, .. } = &model.lab;
        effects.push(Effect::WriteAddress(super::lab_address(scenario, *stop, *focus)));
    }
    effects
}

fn act(model: &mut Model, msg: Msg) {
    match msg {
        Msg::Address(hash) => go_to(model, &hash),
        Msg::Lang(lang) => {
            model.settings.lang = Some(lang);
            model.address_lang = None;
        }
        Msg::Theme(theme) => {
            model.settings.theme = Some(theme);
            model.address_theme = None;
        }
        Msg::SystemDark(dark) => model.system_dark = dark,
        Msg::Layout(layout) => model.layout = layout,
        Msg::Help(open) => model.help = open,
        Msg::Dismiss(at) => {
            if at < model.notices.len() {
                model.notices.remove(at);
            }
        }
        Msg::Close if model.help => model.help = false,
        Msg::Story(id) => open_story(model, id),
        Msg::Tab(tab) => model.settings.tab = tab,
        Msg::ShowCode(open) => model.settings.code = open,
        Msg::ShowBill(open) => model.settings.bill = open,
        Msg::Predictions(on) => model.settings.predictions = on,
        Msg::Letters(on) => model.settings.letters = on,
        Msg::Heartbeats(on) => model.settings.heartbeats = on,
        Msg::FirstMinute(msg) => update_first(&mut model.first, msg),
        msg => act_in_lab(model, msg),
    }
}

fn open_story(model: &mut Model, id: &str) {
    if let Some(story) = story(id) {
        model.lab.show(story.scenario(), 0, 0);
        model.page = Page::Lab;
    }
}

/// What a message does in the lab.
fn act_in_lab(model: &mut Model, msg: Msg) {
    let Model { lab, settings, notices, .. } = model;
    match msg {
        Msg::Close => {
            if lab.pick.is_some() {
                lab.pick = None;
            } else {
                lab.setup = false;
            }
        }
        Msg::First => lab.seek(0),
        Msg::Last => lab.seek(u32::MAX),
        Msg::Step(by) => {
            if by > 0 {
                skip(lab, settings.predictions);
            }
            lab.seek(lab.run.walk(lab.stop, by, settings.heartbeats));
            lab.look_where_asked(settings.predictions);
        }
        Msg::Seek(stop) => lab.seek(stop),
        Msg::NextMoment => next_moment(lab, settings.predictions),
        Msg::PreviousMoment => {
            let before = lab.run.landmarks().moments.iter().rev().find(|moment| moment.stop < lab.stop);
            lab.seek(before.map_or(0, |moment| moment.stop));
        }
        Msg::ToCause => {
            if let Some(stop) = lab.run.landmarks().cause {
                lab.seek(stop);
            }
        }
        Msg::ToConsequence => {
            if let Some((stop, _)) = lab.run.landmarks().consequence {
                lab.seek(stop);
                lab.look_where_asked(settings.predictions);
            }
        }
        Msg::Play => {
            let at_end = lab.stop >= lab.run.comparison.last_stop();
            if at_end && !lab.playing {
                lab.seek(0);
            }
            lab.playing = !lab.playing;
        }
        Msg::Tick => tick(lab, settings),
        Msg::Pace(pace) => lab.pace = pace.clamp(1, 64),
        Msg::Focus(lane) => lab.focus_on(lane),
        Msg::Pick(pick) => lab.pick = pick,
        Msg::Decide { lane, key, word } => {
            let decided = lab.scenario.lanes.get(lane).and_then(|lane| lane.decisions.with(key, &word));
            if let Some(decisions) = decided {
                lab.focus = lane;
                let dropped = !lab.scenario.lanes[lane].choices.is_empty();
                lab.change(|scenario| {
                    scenario.lanes[lane].decisions = decisions;
                    scenario.lanes[lane].choices.clear();
                });
                notices.extend(dropped.then(hand_dropped));
            }
        }
        Msg::Number { key, word } => {
            let dropped = lab.scenario.lanes.iter().any(|lane| !lane.choices.is_empty());
            let set = set_page_number(lab, key, &word);
            notices.extend((dropped && set.is_ok()).then(hand_dropped));
            lab.field = set.err().map(|sentence| (key, sentence));
        }
        Msg::List { key, word } => {
            lab.field = set_list(lab, key, &word).err().map(|sentence| (key, sentence));
        }
        Msg::LaneSet { lane, key, word } => {
            lab.field = set_lane(lab, lane, key, &word).err().map(|sentence| (key, sentence));
        }
        Msg::Preset { lane, word } => {
            lab.focus_on(lane);
            set_preset(lab, lane, &word);
        }
        Msg::DraftAt(word) => match word.parse() {
            Ok(at_ms) if at_ms <= crate::play::MAX_MS => lab.draft.at_ms = at_ms,
            _ => {}
        },
        Msg::DraftWhat(what) => lab.draft.what = what,
        Msg::DraftClient(word) => {
            if let Ok(client) = word.parse() {
                lab.draft.client = client;
            }
        }
        Msg::AddToScript => add_to_script(lab),
        Msg::RemoveFromScript(at) => remove_from_script(lab, at),
        Msg::Target(word) => {
            lab.target = Target::of_word(&word);
            // What is inspected would have the row for itself.
            let inspects = matches!(lab.pick, Some(Pick::Client(_) | Pick::Member(_)));
            if let (true, Some(target)) = (inspects, lab.target) {
                lab.pick = target.pick();
            }
        }
        Msg::Where(word) => {
            lab.every_lane = word == "all";
            if let Ok(lane) = word.parse::<usize>() {
                lab.focus_on(lane);
            }
        }
        Msg::Inject(what) => inject(lab, &what),
        Msg::AddLane => {
            if lab.scenario.lanes.len() < MAX_LANES {
                let copy = lab.scenario.lanes[lab.focus.min(lab.scenario.lanes.len() - 1)].clone();
                lab.focus = lab.scenario.lanes.len();
                lab.change(|scenario| scenario.lanes.push(copy));
            }
        }
        Msg::RemoveLane(lane) => {
            if lab.scenario.lanes.len() > 1 && lane < lab.scenario.lanes.len() {
                lab.change(|scenario| {
                    scenario.lanes.remove(lane);
                });
                lab.focus_on(lab.focus);
            }
        }
        Msg::Choose { lane, what } => choose(lab, lane, what),
        Msg::GoToBranch(branch) => {
            if branch < lab.branches.len() && branch != lab.branch {
                lab.remember_for_undo();
                lab.keep_place();
                lab.show_branch(branch);
            }
        }
        Msg::Undo => {
            if let Some((branches, branch)) = lab.undo.pop() {
                lab.branches = branches;
                lab.show_branch(branch);
            }
        }
        Msg::Guess(made) => guess(lab, made),
        Msg::WholeCode(on) => lab.whole_code = on,
        Msg::Setup(open) => lab.setup = open,
        // The page has done these.
        Msg::Address(_)
        | Msg::Lang(_)
        | Msg::Theme(_)
        | Msg::SystemDark(_)
        | Msg::Layout(_)
        | Msg::Help(_)
        | Msg::Dismiss(_)
        | Msg::Story(_)
        | Msg::Tab(_)
        | Msg::ShowCode(_)
        | Msg::ShowBill(_)
        | Msg::Predictions(_)
        | Msg::Letters(_)
        | Msg::Heartbeats(_)
        | Msg::FirstMinute(_) => {}
    }
}

/// What a hand chose was for one order of events; in another it would hit something else.
fn hand_dropped() -> Text {
    text(
        "What the hand did here belonged to the run before this change. It is dropped; undo brings it back.",
        "这些手动操作是针对改动前那次运行的，已清除；点“撤销”可找回。",
    )
}

/// Another address: a link that was followed, or the browser's back and forward.
fn go_to(model: &mut Model, hash: &str) {
    let mut address = read_address(hash);
    address.problems.extend(address.scenario.as_mut().and_then(fit));
    address.problems.extend(address.scenario.iter().flat_map(Scenario::without_effect));
    model.page = address.page;
    model.notices = address.problems;
    model.address_lang = address.lang.or(model.address_lang);
    model.address_theme = address.theme.or(model.address_theme);
    if address.page != Page::Lab {
        model.lab.playing = false;
        return;
    }
    let Some(scenario) = address.scenario else { return };
    if model.lab.scenario == scenario {
        model.lab.seek(address.stop);
        model.lab.focus_on(address.focus);
    } else {
        model.lab.show(scenario, address.stop, address.focus);
    }
}

fn next_moment(lab: &mut Lab, predictions: bool) {
    skip(lab, predictions);
    let landmarks = lab.run.landmarks();
    let moments = landmarks.moments.iter().map(|moment| moment.stop);
    let questions = landmarks.predictions.iter().map(|prediction| prediction.stop);
    let questions = questions.filter(|stop| asked_at(lab, predictions, *stop).is_some());
    let next = moments.chain(questions).filter(|stop| *stop > lab.stop).min();
    lab.seek(next.unwrap_or(u32::MAX));
    lab.look_where_asked(predictions);
}

/// Play goes step by step. It waits at the prediction and stops at the end.
fn tick(lab: &mut Lab, settings: &Settings) {
    let predictions = settings.predictions;
    if !lab.playing {
        return;
    }
    if lab.stop >= lab.run.comparison.last_stop() || asked_at(lab, predictions, lab.stop).is_some() {
        lab.playing = false;
        return;
    }
    lab.seek(lab.run.walk(lab.stop, 1, settings.heartbeats));
    lab.playing = lab.stop < lab.run.comparison.last_stop() && asked_at(lab, predictions, lab.stop).is_none();
}
