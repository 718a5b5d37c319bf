//! The row of trouble under the stage: the faults that come up most, for one client.

use super::lab::LaneState;
use super::model::Lab;
use super::scene::Pick;
use crate::sorted::Listed;
use crate::teach::fault_name;
use crate::text::{Text, text};
use crate::world::{Action, ClientId, Fault, Process};

/// A button of the row.
#[derive(Clone, Debug, PartialEq)]
pub struct TroubleButton {
    pub action: Action,
    pub label: Text,
    /// The whole of what it does.
    pub about: Text,
    /// It can happen now.
    pub possible: bool,
}

/// The row.
#[derive(Clone, Debug, PartialEq)]
pub struct TroubleScene {
    pub victim: ClientId,
    /// Whom else it could be for.
    pub clients: Vec<ClientId>,
    pub lane: usize,
    pub lanes: usize,
    pub every_lane: bool,
    pub buttons: Vec<TroubleButton>,
}

/// Builds the row: for the client that was chosen, or who believes that it holds, or the first.
pub fn trouble_scene(lab: &Lab, state: &LaneState, drawn: &[ClientId]) -> TroubleScene {
    let picked = match &lab.pick {
        Some(Pick::Client(client)) => Some(*client),
        _ => None,
    };
    let holds = || state.world.actors().find(|(_, actor)| actor.client.step().believes()).map(|(c, _)| c);
    let there = |client: &ClientId| state.world.actor(*client).is_some();
    let victim = picked.or(lab.victim).filter(there).or_else(holds).unwrap_or(ClientId(0));
    let actor = state.world.actor(victim);
    let process = actor.map_or(Process::Running, |actor| actor.process);
    let faults = [
        if process == Process::Paused { Fault::Resume } else { Fault::Pause },
        if actor.is_some_and(|actor| actor.stalled) { Fault::Heal } else { Fault::Stall },
        Fault::Reset,
        if process == Process::Crashed { Fault::Restart } else { Fault::Crash },
        Fault::Expire,
    ];
    let buttons = faults.map(|fault| {
        let action = Action::Fault(fault, victim);
        let possible = state.world.is_enabled(action);
        TroubleButton { action, label: short_name(fault), about: fault_name(fault), possible }
    });
    let mut clients = drawn.to_vec();
    if !clients.contains(&victim) {
        clients.push(victim);
    }
    crate::sorted::put_in_order(&mut clients, |a, b| a < b);
    let lanes = lab.scenario.lanes.len();
    let buttons = buttons.into_iter().listed();
    TroubleScene { victim, clients, lane: lab.focus, lanes, every_lane: lab.every_lane, buttons }
}

/// A fault in a word or two.
fn short_name(fault: Fault) -> Text {
    match fault {
        Fault::Pause => text("pause", "暂停"),
        Fault::Resume => text("go on", "恢复"),
        Fault::Stall => text("stall the link", "连接不通"),
        Fault::Heal => text("heal the link", "恢复连接"),
        Fault::Reset => text("cut the link", "断开连接"),
        Fault::Crash => text("crash", "崩溃"),
        Fault::Restart => text("restart", "重启"),
        Fault::Expire => text("expire", "会话过期"),
        other => fault_name(other),
    }
}
