//! One lane run to its end, with exact seeking.
//!
//! The timeline keeps every step's action and events, and a copy of the state now and then; a seek
//! takes the nearest copy before and steps on from there, so it is exact by the same code.

use super::fold::Latest;
use super::{Choice, Chosen, Next, Scenario, Scheduler, Scripted};
use crate::judge::{
    Detection, Detective, Judgement, Measures, Meter, Monitor, Property, Violation, Wait, judge, list,
};

use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Event, World};

/// How many steps a run may have before it is cut off.
pub const STEP_LIMIT: u32 = 300_000;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineStep {
    /// Virtual time in ms.
    pub at_ms: u64,
    pub action: Action,
    /// Whether the learner chose it.
    pub by_hand: bool,
    pub events: Vec<Event>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left, or only polls and attempts that change nothing.
    AtRest,
    /// All that is left is held back by the learner.
    Held,
    /// It reached its limit of steps.
    Limit,
}

/// A violation and the step that brought it (or, for those who wait for ever, the last step).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub step: u32,
    pub violation: Violation,
}

/// At the end of a run with several servers: the clients that get no decision, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unreached {
    undecided: bool,
    clients: Vec<ClientId>,
}

impl Unreached {
    fn of(world: &World) -> Option<Unreached> {
        let clients = world.out_of_reach().collect::<Vec<_>>();
        (!clients.is_empty()).then(|| Unreached { undecided: !world.decides(), clients })
    }

    fn sentence(&self) -> Text {
        if self.undecided {
            return text(
                "Nobody can ever get the lock: there is no quorum. What is left are attempts that cannot succeed.",
                "谁也拿不到锁了：凑不齐过半的服务器。剩下的只有不会成功的尝试。",
            );
        }
        let (en, zh) = (list(&self.clients, " and ", ", "), list(&self.clients, "、", "、"));
        say(
            format!("{en} can never get the lock: nothing that is decided gets there."),
            format!("{zh} 永远拿不到锁：已提交的事务传不到它所连的服务器。"),
        )
    }
}

/// A choice that no longer fits the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    pub choice: Choice,
}

impl Misfit {
    /// What happened, what was kept, what to do.
    pub fn sentence(&self) -> Text {
        let (Chosen::Take(action) | Chosen::Hold(action) | Chosen::LetGo(action)) = self.choice.what;
        let at = self.choice.at;
        say(
            format!(
                "At step {at} the link asks for {action}, which cannot happen there. The scenario is kept; \
                 from that step on the run follows its own schedule."
            ),
            format!(
                "链接要求在第 {at} 步执行 {action}，但此时不可能发生。场景保留；从这一步起按原有时间安排继续。"
            ),
        )
    }
}

/// What can be copied and continued.
#[derive(Clone, Debug)]
struct State {
    world: World,
    scheduler: Scheduler,
}

/// One lane of a scenario, run to its end.
#[derive(Clone, Debug)]
pub struct Timeline {
    steps: Vec<TimelineStep>,
    copies: Vec<State>,
    spacing: u32,
    latest: Latest<State>,
    choices: Vec<Choice>,
    end: End,
    findings: Vec<Finding>,
    detections: Vec<Detection>,
    measures: Measures,
    misfit: Option<Misfit>,
    /// What the script asked for in vain, and before which step.
    missed: Vec<(u32, Scripted)>,
    unreached: Option<Unreached>,
    waits: Vec<Wait>,
}

impl Timeline {
    /// Runs lane `lane` of a scenario to its end or to [`STEP_LIMIT`].
    pub fn run(scenario: &Scenario, lane: usize) -> Timeline {
        Timeline::run_to(scenario, lane, STEP_LIMIT)
    }

    /// Runs lane `lane` of a scenario to its end or to `limit` steps.
    pub fn run_to(scenario: &Scenario, lane: usize, limit: u32) -> Timeline {
        let (world, events) = World::new(&scenario.cast(lane));
        let mut scheduler = Scheduler::new(scenario.seed, scenario.timings.clone(), &scenario.script)
            .with_servers(scenario.servers.servers());
        scheduler.see(&events);
        let mut state = State { world, scheduler };
        // A copy costs as much as there are clients, a replay as much as there are steps between two.
        let spacing = 64 + 8 * scenario.clients_in(lane);
        let mut timeline = Timeline {
            steps: Vec::new(),
            copies: vec![state.clone()],
            spacing,
            latest: Latest::default(),
            choices: scenario.lanes.get(lane).map(|lane| lane.choices.clone()).unwrap_or_default(),
            end: End::Limit,
            findings: Vec::new(),
            detections: Vec::new(),
            measures: Measures::default(),
            misfit: None,
            missed: Vec::new(),
            unreached: None,
            waits: Vec::new(),
        };
        timeline.play_on(&mut state, limit);
        timeline
    }

    fn play_on(&mut self, state: &mut State, limit: u32) {
        let mut monitor = Monitor::of(&Property::ALL);
        let mut meter = Meter::default();
        let mut detective = Detective::default();
        self.end = loop {
            let at = self.steps.len() as u32;
            if at >= limit {
                break End::Limit;
            }
            let (action, by_hand) = match self.next_action(state, at) {
                Ok(next) => next,
                Err(end) => break end,
            };
            let events = advance(state, action, by_hand);
            let found = events.iter().flat_map(|event| monitor.see(event));
            self.findings.extend(found.map(|violation| Finding { step: at, violation }));
            let at_ms = state.scheduler.now_ms();
            meter.see_step(at_ms, &events);
            detective.see_step(at, at_ms, &events);
            self.steps.push(TimelineStep { at_ms, action, by_hand, events });
            if (at + 1).is_multiple_of(self.spacing) {
                self.copies.push(state.clone());
            }
        };
        if self.end != End::Limit {
            self.drop_choices_beyond_the_end();
        }
        self.measures = if self.end == End::AtRest {
            let step = (self.steps.len() as u32).saturating_sub(1);
            self.findings.extend(
                monitor.at_rest(&state.world).into_iter().map(|violation| Finding { step, violation }),
            );
            detective.at_rest(&state.world);
            self.waits = detective.waits().to_vec();
            self.unreached = Unreached::of(&state.world);
            meter.at_rest(&state.world)
        } else {
            meter.measures().clone()
        };
        self.detections = detective.detections().to_vec();
    }

    /// A run that is over never comes to choices for later steps: they do not fit.
    fn drop_choices_beyond_the_end(&mut self) {
        let end = self.len();
        if let Some(choice) = self.choices.iter().find(|choice| choice.at > end).copied() {
            self.misfit.get_or_insert(Misfit { choice });
            self.choices.retain(|kept| kept.at <= end);
        }
    }

    /// What comes before step `at`: the learner's choices for it, else the schedule's next.
    fn next_action(&mut self, state: &mut State, at: u32) -> Result<(Action, bool), End> {
        let taken = apply_choices(&self.choices, state, at);
        match taken {
            Ok(Some(action)) => return Ok((action, true)),
            Ok(None) => {}
            Err(choice) => {
                self.misfit.get_or_insert(Misfit { choice });
                self.choices.retain(|kept| kept.at < at);
            }
        }
        loop {
            match state.scheduler.next(&state.world) {
                Next::Take(action) => return Ok((action, false)),
                Next::Missed(action) => {
                    let at_ms = state.scheduler.now_ms();
                    self.missed.push((at, Scripted { at_ms, action }));
                }
                Next::Held => return Err(End::Held),
                Next::AtRest => return Err(End::AtRest),
            }
        }
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[TimelineStep] {
        &self.steps
    }

    /// How many steps there are.
    pub fn len(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Whether nothing happens at all.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How it ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// A sentence where the end wants explaining.
    pub fn end_note(&self) -> Option<Text> {
        match self.end {
            End::AtRest => self.unreached.as_ref().map(Unreached::sentence),
            End::Held => Some(text(
                "What is left is held back by hand. Let it go, or take it, and the run goes on.",
                "剩下的动作都被手动扣住了。放行或立刻执行它们，运行就会继续。",
            )),
            End::Limit => Some(say(
                format!(
                    "The run was cut off after {} steps. What happened until then is shown; fewer clients make it shorter.",
                    self.len()
                ),
                format!(
                    "运行在 {} 步之后被截断。此前发生的一切仍然显示；减少客户端可以缩短运行。",
                    self.len()
                ),
            )),
        }
    }

    /// What broke, in the order of the steps.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Why each client waits that waits for ever, at the end of a run that has come to rest.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// What went wrong, by its name, in the order of the steps.
    pub fn detections(&self) -> &[Detection] {
        &self.detections
    }

    /// What the whole run cost.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// The first choice that did not fit, after which the schedule went on alone.
    pub fn misfit(&self) -> Option<&Misfit> {
        self.misfit.as_ref()
    }

    /// The first thing that the script asked for and that could not happen then.
    pub fn missed(&self) -> Option<Scripted> {
        self.missed.first().map(|(_, scripted)| *scripted)
    }

    /// The verdict of the whole run.
    pub fn judgement(&self) -> Judgement {
        let violations: Vec<Violation> =
            self.findings.iter().map(|finding| finding.violation.clone()).collect();
        judge(&violations, &self.measures)
    }

    /// What the first `steps` steps cost.
    pub fn measures_after(&self, steps: u32) -> Measures {
        if steps >= self.len() {
            return self.measures.clone();
        }
        let mut meter = Meter::default();
        for step in &self.steps[..steps as usize] {
            meter.see_step(step.at_ms, &step.events);
        }
        meter.measures().clone()
    }

    /// The world after the first `steps` steps, and the schedule of what comes next, in which what a
    /// hand holds back from here on is held. A number beyond the end means the end.
    pub fn at(&self, steps: u32) -> (World, Scheduler) {
        let steps = steps.min(self.len());
        let copy = (steps / self.spacing).min(self.copies.len() as u32 - 1);
        let kept = || (copy * self.spacing, self.copies[copy as usize].clone());
        let (from, mut state) = self.latest.within(copy * self.spacing, steps).unwrap_or_else(kept);
        for at in from..steps {
            let step = &self.steps[at as usize];
            // What the choices take is in the step; what they hold back is not.
            let _ = apply_choices(&self.choices, &mut state, at);
            for (_, missed) in self.missed.iter().filter(|(before, _)| *before == at) {
                state.scheduler.take(missed.action, false);
            }
            advance(&mut state, step.action, step.by_hand);
        }
        self.latest.keep(steps, &state);
        for choice in choices_at(&self.choices, steps) {
            if !matches!(choice.what, Chosen::Take(_)) {
                state.scheduler.hold(choice.what);
            }
        }
        (state.world, state.scheduler)
    }

    /// The world after the first `steps` steps.
    pub fn world_at(&self, steps: u32) -> World {
        self.at(steps).0
    }
}

/// Applies the learner's choices for step `at`. Returns the action it takes, if it takes one, or the
/// choice that does not fit.
fn apply_choices(choices: &[Choice], state: &mut State, at: u32) -> Result<Option<Action>, Choice> {
    let now = choices_at(choices, at);
    // All must fit before any is applied: a run that drops them must look as if they had not been there.
    if let Some(unfit) = now.iter().find(|choice| !fits(choice.what, state)) {
        return Err(*unfit);
    }
    // A step has room for one action.
    if let Some(second) = now.iter().filter(|choice| matches!(choice.what, Chosen::Take(_))).nth(1) {
        return Err(*second);
    }
    let mut taken = None;
    for choice in now {
        state.scheduler.hold(choice.what);
        if let Chosen::Take(action) = choice.what {
            taken = Some(action);
        }
    }
    Ok(taken)
}

/// The choices for step `at`, of choices in the order of their steps.
fn choices_at(choices: &[Choice], at: u32) -> &[Choice] {
    let from = choices.partition_point(|choice| choice.at < at);
    let to = choices.partition_point(|choice| choice.at <= at);
    &choices[from..to]
}

fn fits(what: Chosen, state: &State) -> bool {
    match what {
        Chosen::Take(action) | Chosen::Hold(action) => state.world.is_enabled(action),
        Chosen::LetGo(action) => state.scheduler.held().any(|held| held == action),
    }
}

fn advance(state: &mut State, action: Action, by_hand: bool) -> Vec<Event> {
    state.scheduler.take(action, by_hand);
    let events = state.world.step(action).unwrap_or_default();
    state.scheduler.see(&events);
    events
}
