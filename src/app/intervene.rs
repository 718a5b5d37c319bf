//! Interventions: what the learner does in place of the schedule. Each begins a branch of the run.

use super::faults::Injection;
use super::model::{Branch, Lab};
use crate::play::{Choice, Chosen, Scripted};

use crate::teach::action_name;
use crate::text::{Text, say};

/// Branches that are kept. The oldest but the first goes when there are more.
const MAX_BRANCHES: usize = 9;

/// The learner intervenes: a branch begins.
pub(super) fn choose(lab: &mut Lab, lane: usize, what: Chosen) {
    let (Chosen::Take(action) | Chosen::Hold(action) | Chosen::LetGo(action)) = what;
    let name = action_name(action);
    let (en, zh) = (&name.en, &name.zh);
    let name = match what {
        Chosen::Take(_) => now(&name),
        Chosen::Hold(_) => say(format!("held back: {en}"), format!("扣住：{zh}")),
        Chosen::LetGo(_) => say(format!("let go: {en}"), format!("放行：{zh}")),
    };
    branch_off(lab, lane, &[what], &name);
}

fn now(what: &Text) -> Text {
    say(format!("now: {}", what.en), format!("立刻：{}", what.zh))
}

/// Begins a branch with these choices, one after the other.
fn branch_off(lab: &mut Lab, lane: usize, what: &[Chosen], name: &Text) {
    if lane >= lab.scenario.lanes.len() {
        return;
    }
    let steps = lab.run.comparison.steps_at(lab.stop)[lane];
    let mut world = lab.run.comparison.lanes()[lane].world_at(steps);
    let mut at = steps;
    let mut choices = Vec::new();
    for what in what {
        let possible = match what {
            Chosen::Take(action) => world.step(*action).is_ok(),
            Chosen::Hold(action) => world.is_enabled(*action),
            Chosen::LetGo(_) => true,
        };
        if !possible {
            return;
        }
        choices.push(Choice { at, what: *what });
        at += u32::from(matches!(what, Chosen::Take(_)));
    }
    lab.remember_for_undo();
    lab.keep_place();
    let mut scenario = lab.scenario.clone();
    let kept = &mut scenario.lanes[lane].choices;
    // What was chosen for later belongs to the branch that is left.
    kept.retain(|kept| kept.at < steps || (kept.at == steps && !matches!(kept.what, Chosen::Take(_))));
    kept.extend(choices);
    let number = lane + 1;
    let name = say(format!("lane {number}, {}", name.en), format!("方案 {number}，{}", name.zh));
    if lab.branches.len() >= MAX_BRANCHES {
        forget_branch(lab);
    }
    let parent = Some(lab.branch);
    lab.branches.push(Branch { name: Some(name), parent, scenario, stop: lab.stop });
    lab.show_branch(lab.branches.len() - 1);
    lab.focus = lane;
    lab.seek(lab.run.comparison.stop_of(lane, at));
}

/// A fault from the row under the stage: in the lane with the focus, or, in the script, in every lane.
pub(super) fn inject(lab: &mut Lab, injection: &Injection) {
    let Some(last) = injection.actions.last().copied() else { return };
    if !lab.every_lane || lab.scenario.lanes.len() == 1 {
        let takes = injection.actions.iter().map(|action| Chosen::Take(*action)).collect::<Vec<_>>();
        branch_off(lab, lab.focus, &takes, &now(&injection.name));
        return;
    }
    // What is due now comes first: the steps that the reader has seen stay as they were.
    let at_ms = lab.run.comparison.at_ms(lab.stop) + 1;
    let (stop, pick) = (lab.stop, lab.pick.clone());
    lab.change(|scenario| {
        scenario.script.extend(injection.actions.iter().map(|action| Scripted { at_ms, action: *action }));
        scenario.script.sort_by_key(|line| line.at_ms);
    });
    lab.seek(stop);
    // The row of faults keeps its target.
    lab.pick = pick;
    // Show what has been done.
    let steps = |lab: &Lab, stop: u32| lab.run.comparison.steps_at(stop)[lab.focus];
    let lane = lab.run.comparison.lanes()[lab.focus].clone();
    let done = (steps(lab, stop)..lane.len()).find(|at| lane.steps()[*at as usize].action == last);
    if let Some(at) = done {
        lab.seek(lab.run.comparison.stop_of(lab.focus, at + 1));
    }
}

/// Forgets the oldest branch that is neither the first nor the one shown.
fn forget_branch(lab: &mut Lab) {
    let oldest = if lab.branch == 1 { 2 } else { 1 };
    lab.branches.remove(oldest);
    lab.branch -= usize::from(lab.branch > oldest);
    for branch in &mut lab.branches {
        branch.parent = match branch.parent {
            Some(parent) if parent == oldest => Some(0),
            Some(parent) if parent > oldest => Some(parent - 1),
            other => other,
        };
    }
}
