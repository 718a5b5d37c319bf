//! The lab's scene: everything the lab shows at its stop, as one comparable value.

use super::faults::{FaultRow, fault_row};
use super::model::{Lab, Layout, Model, Tab};
use super::predict::{PredictionScene, open_predictions, prediction};
use super::scene::{
    Bill, Code, Diagram, LaneCost, Look, Mark, Moment, Past, Pick, Slot, Stage, Strips, bill, code, diagram,
    duration, slot, stage, strips,
};
use crate::judge::Measures;
use crate::play::{End, Scenario, Scheduler, Scripted, TimelineStep};
use crate::recipe::{Decisions, Key, Preset, Step, Verdict};

use crate::teach::{Story, action_name, narrate, reasons, stories};
use crate::text::{Text, say, text};
use crate::world::{ClientId, World};

/// The story that the lab opens with.
pub fn opening_story() -> Scenario {
    stories().next().map(Story::scenario).unwrap_or_default()
}

/// One lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneScene {
    /// From 1, as people count.
    pub number: usize,
    /// The decisions in which the lanes differ, to be changed in the title.
    pub slots: Vec<Slot>,
    pub clients: u32,
    /// The name of the library that decides like this lane.
    pub preset: Option<&'static str>,
    /// The verdict so far: right only at the end.
    pub verdict: Option<(Verdict, Text)>,
    pub stage: Stage,
    pub caption: Text,
    /// It took a step to get to this stop.
    pub moved: bool,
    /// Something to know about the run as a whole.
    pub note: Option<Text>,
    /// What has gone wrong so far, by name, and the stop at which each was first seen.
    pub found: Vec<FoundScene>,
    pub steps: u32,
    pub of: u32,
}

/// Something that has gone wrong in a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundScene {
    pub word: &'static str,
    pub name: Text,
    pub sentence: Text,
    pub stop: u32,
}

/// A moment on the transport's track.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub stop: u32,
    /// From the left, in thousandths of the track.
    pub at: u32,
    pub label: Text,
    pub mark: Option<Mark>,
    /// There is room for its label beside the others.
    pub labelled: bool,
    pub passed: bool,
    pub here: bool,
}

/// The transport.
#[derive(Clone, Debug, PartialEq)]
pub struct Transport {
    pub stop: u32,
    pub last: u32,
    pub at_ms: u64,
    pub playing: bool,
    pub pace: u32,
    pub ticks: Vec<Tick>,
    /// `moment 4 of 7`, `step 23 of 52 · 1.84 s`.
    pub place: Text,
    pub cause: Option<u32>,
    pub consequence: Option<(u32, Verdict)>,
}

/// A branch in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchScene {
    pub index: usize,
    pub name: Text,
    pub here: bool,
}

/// The lab at one stop.
#[derive(Clone, Debug, PartialEq)]
pub struct LabScene {
    pub question: Text,
    pub about: Text,
    pub lanes: Vec<LaneScene>,
    pub focus: usize,
    pub code_client: ClientId,
    pub code: Option<Code>,
    /// Every line of it is shown, whether it matters or not.
    pub whole_code: bool,
    pub bill: Option<Bill>,
    pub tab: Tab,
    pub strips: Strips,
    pub diagram: Option<Diagram>,
    pub transport: Transport,
    pub prediction: Option<PredictionScene>,
    pub branches: Vec<BranchScene>,
    pub can_undo: bool,
    pub can_add_lane: bool,
    pub faults: FaultRow,
    /// The last step in words, for the live region.
    pub said: Text,
}

/// One lane's state at a stop.
pub struct LaneState {
    pub world: World,
    pub scheduler: Scheduler,
    pub past: Past,
    pub measures: Measures,
    pub steps: u32,
}

impl Lab {
    /// The state of lane `lane` at the stop that is shown.
    pub fn lane_state(&self, lane: usize) -> LaneState {
        let timeline = &self.run.comparison.lanes()[lane];
        let steps = self.run.comparison.steps_at(self.stop)[lane];
        let (world, scheduler) = timeline.at(steps);
        let past = self.run.pasts[lane].at(timeline, steps);
        let measures = self.run.measures(lane, steps);
        LaneState { world, scheduler, past, measures, steps }
    }

    /// The client that the code and the strips are about: the one picked, or who acted last in the
    /// lane with the focus.
    pub fn subject(&self) -> ClientId {
        if let Some(Pick::Client(client)) = &self.pick {
            return *client;
        }
        let timeline = &self.run.comparison.lanes()[self.focus];
        let steps = self.run.comparison.steps_at(self.stop)[self.focus];
        steps
            .checked_sub(1)
            .map_or(ClientId(0), |at| timeline.steps()[at as usize].action.client().unwrap_or(ClientId(0)))
    }
}

/// Builds the lab's scene.
pub fn lab_scene(model: &Model) -> LabScene {
    let lab = &model.lab;
    let now_ms = lab.run.comparison.at_ms(lab.stop);
    let states: Vec<LaneState> = (0..lab.scenario.lanes.len()).map(|lane| lab.lane_state(lane)).collect();
    let differing = differing(&lab.scenario);
    let lanes: Vec<LaneScene> = states
        .iter()
        .enumerate()
        .map(|(lane, state)| lane_scene(model, lane, state, now_ms, &differing))
        .collect();
    let subject = lab.subject();
    let focus = &states[lab.focus];
    let step = focus.world.actor(subject).map_or(Step::Idle, |actor| actor.client.step());
    let decisions = &lab.scenario.lanes[lab.focus].decisions;
    let end_ms = lab.run.comparison.at_ms(lab.run.comparison.last_stop());
    let pasts: Vec<&Past> = states.iter().map(|state| &state.past).collect();
    let steps: Vec<Step> = states
        .iter()
        .map(|state| state.world.actor(subject).map_or(Step::Idle, |actor| actor.client.step()))
        .collect();
    let costs: Vec<LaneCost<'_>> = states
        .iter()
        .zip(&lanes)
        .map(|(state, lane)| LaneCost {
            measures: &state.measures,
            verdict: lane.verdict.as_ref().map(|(verdict, _)| *verdict),
            over: lane.steps >= lane.of,
        })
        .collect();
    let told = !model.settings.predictions || open_predictions(lab).next().is_none();
    let drawn: Vec<ClientId> = lanes[lab.focus].stage.clients.iter().map(|view| view.client).collect();
    let (question, about) = title(lab, &differing);
    let usual = Decisions::default();
    let unusual = |key: Key| decisions.chosen(key).word != usual.chosen(key).word;
    let used = lab.run.used();
    let wanted = |key: Key| lab.whole_code || unusual(key) || differing.contains(&key) || used.contains(&key);
    let faults = fault_row(lab, focus, &drawn);
    LabScene {
        question,
        about,
        focus: lab.focus,
        code_client: subject,
        whole_code: lab.whole_code,
        code: shows(model, model.settings.code, Tab::Code)
            .then(|| code(decisions, step, lab.scenario.is_shared(), &wanted)),
        bill: shows(model, model.settings.bill, Tab::Bill).then(|| bill(&costs, told)),
        tab: model.tab(),
        strips: strips(subject, &pasts, &steps, now_ms, end_ms),
        diagram: (model.tab() == Tab::Diagram)
            .then(|| diagram(pasts[lab.focus], &drawn, now_ms, model.settings.heartbeats)),
        transport: transport(lab, now_ms, model.settings.predictions),
        prediction: prediction(model),
        branches: branches(lab),
        can_undo: !lab.undo.is_empty(),
        can_add_lane: lab.scenario.lanes.len() < crate::play::MAX_LANES,
        faults,
        said: said(&lanes),
        lanes,
    }
}

/// Whether the code or the bill is to be seen: in the rail where there is one, else as a tab.
fn shows(model: &Model, in_rail: bool, tab: Tab) -> bool {
    match model.layout {
        Layout::Wide => in_rail,
        Layout::Medium | Layout::Narrow => model.tab() == tab,
    }
}

/// The decisions in which the lanes differ.
fn differing(scenario: &Scenario) -> Vec<Key> {
    let words = |key: Key| scenario.lanes.iter().map(move |lane| lane.decisions.chosen(key).word);
    Key::ALL.into_iter().filter(|key| words(*key).any(|word| Some(word) != words(*key).next())).collect()
}

fn title(lab: &Lab, differing: &[Key]) -> (Text, Text) {
    let scenario = &lab.scenario;
    let ready = lab.run.story().map(|story| story.question.text());
    let question = ready.unwrap_or_else(|| match differing {
        [only] => only.question(),
        [] if scenario.lanes.len() == 1 => text("Who gets the lock, and how?", "谁拿到锁，怎样拿到？"),
        [] => text("The same decisions, side by side", "同样的选择，并排运行"),
        _ => text("What becomes of each lane?", "每个方案会怎样？"),
    });
    let (n, seed) = (scenario.clients, scenario.seed);
    let servers = match scenario.servers.servers() {
        1 => text("", ""),
        n => say(format!("{n} servers, "), format!("{n} 台服务器，")),
    };
    let about = say(
        format!("{n} clients, {}one lock, seed {seed}", servers.en),
        format!("{n} 个客户端，{}一把锁，随机种子 {seed}", servers.zh),
    );
    (question, about)
}

fn lane_scene(model: &Model, lane: usize, state: &LaneState, now_ms: u64, differing: &[Key]) -> LaneScene {
    let lab = &model.lab;
    let timeline = &lab.run.comparison.lanes()[lane];
    let decisions = &lab.scenario.lanes[lane].decisions;
    let at_end = state.steps >= timeline.len();
    let stuck = lab.run.stuck_after(lane, state.steps);
    let last = state.steps.checked_sub(1).map(|at| &timeline.steps()[at as usize]);
    let look = Look {
        world: &state.world,
        scheduler: &state.scheduler,
        past: &state.past,
        last,
        now_ms,
        stuck: &stuck,
        beats: model.settings.heartbeats,
    };
    let preset = Preset::of(decisions);
    let shown = if preset.is_some() { Vec::new() } else { shown_keys(decisions, differing) };
    let mut caption =
        last.map_or_else(|| opening_caption(lab.scenario.clients_in(lane)), |step| told(step, &state.world));
    // A long wait is skipped, and said.
    let beats = model.settings.heartbeats;
    let waited_ms = state.steps.checked_sub(1).map_or(0, |at| lab.run.waited_ms(lane, at, beats));
    if waited_ms >= LONG_WAIT_MS {
        let waited = duration(waited_ms);
        caption = say(format!("{waited} later. {}", caption.en), format!("{waited} 后，{}", caption.zh));
    }
    if at_end {
        for finding in timeline.findings().iter().filter(|finding| finding.step + 1 == timeline.len()) {
            let sentence = finding.violation.sentence();
            caption =
                say(format!("{} {}", caption.en, sentence.en), format!("{}{}", caption.zh, sentence.zh));
        }
        for reason in reasons(timeline.waits()) {
            caption = say(format!("{} {}", caption.en, reason.en), format!("{}{}", caption.zh, reason.zh));
        }
    }
    let misfit = timeline.misfit().map(|misfit| misfit.sentence());
    LaneScene {
        number: lane + 1,
        slots: shown.into_iter().map(|key| slot(decisions, key, lab.scenario.is_shared())).collect(),
        clients: lab.scenario.clients_in(lane),
        preset: preset.map(|preset| preset.name),
        verdict: verdict(lab, lane, state, at_end),
        stage: stage(&look, lab.pick.as_ref().filter(|_| lab.focus == lane)),
        caption,
        moved: at_end || lab.run.comparison.moved_to(lab.stop) & (1 << lane) != 0,
        note: misfit
            .or_else(|| timeline.missed().map(missed))
            .or_else(|| timeline.end_note().filter(|_| at_end || timeline.end() == End::Limit)),
        found: found(lab, lane, state.steps),
        steps: state.steps,
        of: timeline.len(),
    }
}

/// What has gone wrong in the first `steps` steps of a lane: the first of each kind.
fn found(lab: &Lab, lane: usize, steps: u32) -> Vec<FoundScene> {
    let comparison = &lab.run.comparison;
    let mut found: Vec<FoundScene> = Vec::new();
    for detection in comparison.lanes()[lane].detections().iter().filter(|one| one.step < steps) {
        let word = detection.kind.word();
        if found.iter().all(|before| before.word != word) {
            let stop = comparison.stop_of(lane, detection.step + 1);
            let (name, sentence) = (detection.kind.label(), detection.sentence.clone());
            found.push(FoundScene { word, name, sentence, stop });
        }
    }
    found
}

/// What the script asked for in vain.
fn missed(scripted: Scripted) -> Text {
    let (at, name) = (duration(scripted.at_ms), action_name(scripted.action));
    say(
        format!("The script asks for “{}” at {at}, which cannot happen then. It is left out here.", name.en),
        format!("脚本要求在 {at} 时“{}”，但此时不可能发生，这里略去。", name.zh),
    )
}

/// A wait that is worth a word, in virtual ms.
const LONG_WAIT_MS: u64 = 1000;

/// A step in words. A client in doubt may do nothing where it would have done something.
fn told(step: &TimelineStep, world: &World) -> Text {
    if !step.events.is_empty() {
        return narrate(&step.events);
    }
    let what = action_name(step.action);
    let actor = step.action.client().and_then(|client| world.actor(client));
    match actor.is_some_and(|actor| actor.client.in_doubt()) {
        true => say(
            format!("{}. It holds its hand: it does not know whether the lock is still its own.", what.en),
            format!("{}。它先停手：不知道锁是否还是自己的。", what.zh),
        ),
        false => say(format!("{}.", what.en), format!("{}。", what.zh)),
    }
}

/// How many decisions a lane's title holds.
const MOST_SLOTS: usize = 3;

/// The decisions in a lane's title: those in which the lanes differ, else those that are not as usual.
fn shown_keys(decisions: &Decisions, differing: &[Key]) -> Vec<Key> {
    if !differing.is_empty() {
        return differing.iter().take(MOST_SLOTS).copied().collect();
    }
    let usual = Decisions::default();
    let unusual = |key: &Key| decisions.chosen(*key).word != usual.chosen(*key).word;
    let keys: Vec<Key> = Key::ALL.into_iter().filter(unusual).take(MOST_SLOTS).collect();
    if keys.is_empty() { vec![Key::Watch] } else { keys }
}

fn opening_caption(clients: u32) -> Text {
    say(
        format!("{clients} clients will want one lock. Nobody has asked yet."),
        format!("{clients} 个客户端要抢同一把锁，目前谁也没有发出请求。"),
    )
}

/// The verdict so far. A run is right only once it is over.
fn verdict(lab: &Lab, lane: usize, state: &LaneState, at_end: bool) -> Option<(Verdict, Text)> {
    let timeline = &lab.run.comparison.lanes()[lane];
    let findings = timeline.findings().iter();
    // Who waits for ever does so from its last sleep on, whenever the run ends.
    let asleep = !lab.run.stuck_after(lane, state.steps).is_empty();
    let stuck_counts = |finding: &&crate::play::Finding| match finding.violation.verdict() {
        Verdict::Sticks => asleep,
        Verdict::Right | Verdict::Costs | Verdict::Breaks => finding.step < state.steps,
    };
    let so_far: Vec<_> = findings.filter(stuck_counts).map(|finding| finding.violation.clone()).collect();
    let judgement = crate::judge::judge(&so_far, &state.measures);
    let over = at_end && timeline.end() == End::AtRest;
    (over || judgement.verdict != Verdict::Right).then_some((judgement.verdict, judgement.because))
}

fn transport(lab: &Lab, at_ms: u64, predictions: bool) -> Transport {
    let last = lab.run.comparison.last_stop();
    let moments = &lab.run.landmarks().moments;
    let place = |stop: u32| (u64::from(stop) * 1000).checked_div(last.into()).unwrap_or(0) as u32;
    let consequence = lab.run.landmarks().consequence.map(|(stop, _)| stop);
    // The cause's label goes to the left of its mark; at the left edge it would run into the other.
    let crowded = |moment: &Moment| {
        moment.mark == Some(Mark::Cause)
            && place(moment.stop) < 150
            && consequence.is_some_and(|c| place(c) < 300)
    };
    // The track does not tell the consequence before it is predicted.
    let hidden = |moment: &Moment| {
        let asked = open_predictions(lab).any(|prediction| prediction.seen == moment.stop);
        predictions && asked && matches!(moment.mark, Some(Mark::Consequence(_)))
    };
    let ticks = moments.iter().map(|moment| Tick {
        stop: moment.stop,
        at: place(moment.stop),
        labelled: moment.mark.is_some() && !crowded(moment),
        label: if hidden(moment) { text("what follows?", "结果如何？") } else { moment.label.clone() },
        mark: if hidden(moment) { Some(Mark::Hidden) } else { moment.mark },
        passed: moment.stop <= lab.stop,
        here: moment.stop == lab.stop,
    });
    let passed = moments.iter().filter(|moment| moment.stop <= lab.stop).count();
    let (stop, of, time) = (lab.stop, moments.len(), duration(at_ms));
    Transport {
        stop,
        last,
        at_ms,
        playing: lab.playing,
        pace: lab.pace,
        ticks: ticks.collect(),
        place: say(
            format!("moment {passed} of {of}\nstep {stop} of {last} · {time}"),
            format!("关键点 {passed}/{of}\n步骤 {stop}/{last} · {time}"),
        ),
        cause: lab.run.landmarks().cause,
        consequence: lab.run.landmarks().consequence,
    }
}

fn branches(lab: &Lab) -> Vec<BranchScene> {
    let scenes = lab.branches.iter().enumerate().map(|(index, branch)| BranchScene {
        index,
        name: branch.name.clone().unwrap_or_else(|| text("as scheduled", "原时间线")),
        here: index == lab.branch,
    });
    scenes.collect()
}

/// What the live region says: each lane that moved, or all where there is but one.
fn said(lanes: &[LaneScene]) -> Text {
    let one = lanes.len() == 1;
    let moved: Vec<&LaneScene> = lanes.iter().filter(|lane| lane.moved).collect();
    // At the start nothing has moved, and there is something to say all the same.
    let moved = if moved.is_empty() { lanes.iter().collect() } else { moved };
    let same = moved.len() == lanes.len() && moved.iter().all(|lane| lane.caption == moved[0].caption);
    if let (true, Some(first)) = (one || same, moved.first()) {
        return first.caption.clone();
    }
    let en: Vec<String> =
        moved.iter().map(|lane| format!("Lane {}: {}", lane.number, lane.caption.en)).collect();
    let zh: Vec<String> =
        moved.iter().map(|lane| format!("方案 {}：{}", lane.number, lane.caption.zh)).collect();
    say(en.join(" "), zh.join(""))
}
