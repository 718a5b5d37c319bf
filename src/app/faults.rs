//! The row of faults under the stage: the faults that come up most, for one client, for one server, or for
//! all servers together.

use super::lab::LaneState;
use super::model::Lab;
use super::scene::{Pick, server_view};

use crate::teach::{action_name, fault_name, heal_name, split_name, start_all_name};
use crate::text::{Text, say, text};
use crate::world::{Action, ClientId, Fault, ServerFault, World, member_of_word, member_word};
use crate::zookeeper::{Ensemble, ServerId};

/// Whom the row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Client(ClientId),
    /// One server of several.
    Server(ServerId),
    /// All servers together: who leads, and who can talk to whom.
    Ensemble,
}

impl Target {
    /// The word in the list: `A`, `s1`, `servers`. (`S1` is a client.)
    pub fn word(self) -> String {
        match self {
            Target::Client(client) => client.to_string(),
            Target::Server(server) => member_word(server),
            Target::Ensemble => "servers".to_string(),
        }
    }

    /// Whom a word in the list means.
    pub fn of_word(word: &str) -> Option<Target> {
        match word {
            "servers" => Some(Target::Ensemble),
            word => {
                let server = member_of_word(word).map(Target::Server);
                server.or_else(|| word.parse().ok().map(Target::Client))
            }
        }
    }

    /// As people say it.
    pub fn name(self) -> Text {
        match self {
            Target::Client(client) => Text::same(client.to_string()),
            Target::Server(server) => Text::same(server.to_string()),
            Target::Ensemble => text("the ensemble", "集群"),
        }
    }

    /// What is inspected while the row is for it.
    pub fn pick(self) -> Option<Pick> {
        match self {
            Target::Client(client) => Some(Pick::Client(client)),
            Target::Server(server) => Some(Pick::Member(server)),
            Target::Ensemble => None,
        }
    }

    fn of_pick(pick: &Pick) -> Option<Target> {
        match pick {
            Pick::Client(client) => Some(Target::Client(*client)),
            Pick::Member(server) => Some(Target::Server(*server)),
            Pick::Node(_) | Pick::Link(_) | Pick::Server | Pick::Ledger => None,
        }
    }

    fn is_there(self, world: &World) -> bool {
        match self {
            Target::Client(client) => world.actor(client).is_some(),
            Target::Server(server) => {
                world.ensemble().is_some_and(|all| all.servers().any(|(id, _)| id == server))
            }
            Target::Ensemble => world.ensemble().is_some(),
        }
    }
}

/// One press: an action, or several at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// The whole of what it does.
    pub name: Text,
    pub actions: Vec<Action>,
}

impl Injection {
    /// One action alone.
    pub fn of(action: Action) -> Injection {
        Injection { name: action_name(action), actions: vec![action] }
    }
}

/// A button of the row.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultButton {
    /// The action's name, or that of all it does at once.
    pub word: String,
    pub label: Text,
    /// The whole of what it does.
    pub about: Text,
    /// What it does; nothing that cannot happen now.
    pub injection: Injection,
}

impl FaultButton {
    /// It can happen now.
    pub fn is_possible(&self) -> bool {
        !self.injection.actions.is_empty()
    }
}

/// The row.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRow {
    pub target: Target,
    /// Whom else it could be for.
    pub clients: Vec<ClientId>,
    /// Of several servers, each with what it does.
    pub servers: Vec<(ServerId, Text)>,
    pub lane: usize,
    pub lanes: usize,
    pub every_lane: bool,
    pub buttons: Vec<FaultButton>,
}

/// Builds the row: for the one that was chosen, or who believes that it holds, or the first.
pub fn fault_row(lab: &Lab, state: &LaneState, drawn: &[ClientId]) -> FaultRow {
    let world = &state.world;
    let picked = lab.pick.as_ref().and_then(Target::of_pick);
    let holds = || {
        let believes = world.actors().find(|(_, actor)| actor.client.step().believes());
        believes.map(|(client, _)| Target::Client(client))
    };
    let wanted = picked.or(lab.target).filter(|target| target.is_there(world));
    let target = wanted.or_else(holds).unwrap_or(Target::Client(ClientId(0)));
    let buttons = match (target, world.ensemble()) {
        (Target::Client(client), _) => of_client(world, client),
        (Target::Server(server), Some(ensemble)) => of_server(world, ensemble, server),
        (Target::Ensemble, Some(ensemble)) => of_ensemble(world, ensemble),
        (Target::Server(_) | Target::Ensemble, None) => Vec::new(),
    };
    let mut clients = drawn.to_vec();
    if let Target::Client(client) = target
        && !clients.contains(&client)
    {
        clients.push(client);
    }
    clients.sort();
    let servers = world.ensemble().map(|ensemble| {
        let views = ensemble.servers().map(|(id, _)| server_view(world, ensemble, id));
        views
            .map(|view| {
                let (server, does) = (view.server, view.state.label());
                (server, say(format!("{server}, {}", does.en), format!("{server}，{}", does.zh)))
            })
            .collect()
    });
    let lanes = lab.scenario.lanes.len();
    FaultRow {
        target,
        clients,
        servers: servers.unwrap_or_default(),
        lane: lab.focus,
        lanes,
        every_lane: lab.every_lane,
        buttons,
    }
}

fn of_client(world: &World, client: ClientId) -> Vec<FaultButton> {
    let in_row = Fault::ALL.into_iter().filter(|fault| fault.definition().in_row);
    let buttons = in_row.map(|fault| {
        let action = fault_or_repair(world, Action::Fault(fault, client));
        FaultButton { about: fault_name(action), ..one(world, action) }
    });
    buttons.collect()
}

/// What puts the fault right again, where it has happened and has not been put right.
fn fault_or_repair(world: &World, action: Action) -> Action {
    action.repair().filter(|repair| world.is_enabled(*repair)).unwrap_or(action)
}

fn of_server(world: &World, ensemble: &Ensemble, server: ServerId) -> Vec<FaultButton> {
    let in_row = ServerFault::of(server).into_iter().filter(|fault| fault.definition().in_row);
    let mut buttons = in_row
        .map(|fault| one(world, fault_or_repair(world, Action::ServerFault(fault))))
        .collect::<Vec<_>>();
    let own = |fault: &ServerFault| {
        let (a, b) = fault.servers();
        a == server || b == Some(server)
    };
    let heals = ServerFault::heal_all(size(ensemble)).into_iter().filter(own).collect();
    let heal = several(world, format!("heal.{}", member_word(server)), heals, heal_name(Some(server)));
    let split = split(world, ensemble, &[server], format!("split.{}", member_word(server)));
    buttons.extend([
        FaultButton { label: text("cut off from all others", "与其他全部断开"), ..split },
        FaultButton { label: text("heal its links", "恢复其链路"), ..heal },
    ]);
    buttons
}

fn of_ensemble(world: &World, ensemble: &Ensemble) -> Vec<FaultButton> {
    let leader = ensemble.leader();
    let crash = match leader {
        Some(leader) => one(world, Action::ServerFault(ServerFault::Crash(leader))),
        None => several(
            world,
            "crash.leader".to_string(),
            Vec::new(),
            text("nobody leads a quorum now", "此刻没有 Leader"),
        ),
    };
    // A minority of the ensemble: the leader's own, or one without it.
    let few = ensemble.servers().count().saturating_sub(1) / 2;
    let others = ensemble.servers().map(|(id, _)| id).filter(|id| Some(*id) != leader).collect::<Vec<_>>();
    let with = leader.into_iter().chain(others.iter().copied()).take(few).collect::<Vec<_>>();
    let without = others.into_iter().take(few).collect::<Vec<_>>();
    let part = |part: &[ServerId], word: &str| match leader {
        Some(_) => split(world, ensemble, part, word.to_string()),
        None => {
            several(world, word.to_string(), Vec::new(), text("nobody leads a quorum now", "此刻没有 Leader"))
        }
    };
    let heals = ServerFault::heal_all(size(ensemble));
    let starts = ensemble.servers().map(|(id, _)| ServerFault::Restart(id)).collect();
    vec![
        FaultButton { label: text("crash the leader", "Leader 崩溃"), ..crash },
        FaultButton {
            label: text("split: leader in the minority", "分区：Leader 在少数派"),
            ..part(&with, "split.minority")
        },
        FaultButton {
            label: text("split: leader in the majority", "分区：Leader 在多数派"),
            ..part(&without, "split.majority")
        },
        FaultButton {
            label: text("heal all links", "恢复所有链路"),
            ..several(world, "heal.all".to_string(), heals, heal_name(None))
        },
        FaultButton {
            label: text("start all again", "全部启动"),
            ..several(world, "restart.all".to_string(), starts, start_all_name())
        },
    ]
}

fn size(ensemble: &Ensemble) -> u8 {
    ensemble.servers().count() as u8
}

fn one(world: &World, action: Action) -> FaultButton {
    let injection = Injection::of(action);
    let (word, about) = (action.to_string(), injection.name.clone());
    let label = action.fault().map_or_else(|| about.clone(), |fault| fault.label.text());
    let actions = injection.actions.into_iter().filter(|action| world.is_enabled(*action)).collect();
    FaultButton { word, label, about, injection: Injection { actions, ..injection } }
}

fn several(world: &World, word: String, faults: Vec<ServerFault>, name: Text) -> FaultButton {
    let actions = faults.into_iter().map(Action::ServerFault);
    let actions = actions.filter(|action| world.is_enabled(*action)).collect();
    FaultButton { word, label: name.clone(), about: name.clone(), injection: Injection { name, actions } }
}

fn split(world: &World, ensemble: &Ensemble, part: &[ServerId], word: String) -> FaultButton {
    let rest = ensemble.servers().map(|(id, _)| id).filter(|id| !part.contains(id)).collect::<Vec<_>>();
    let name = split_name(part, &rest);
    several(world, word, ServerFault::split(size(ensemble), part), name)
}
