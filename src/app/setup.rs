//! What the reader sets in the panel of the story: numbers, lists, presets, the script.

use super::model::{Draft, Lab};
use crate::play::{CLIENTS, Lane, Scenario, Scripted, decode_part, set, set_number};
use crate::recipe::{Decisions, Preset};

use crate::text::{Text, say, text};
use crate::world::{Action, ServerFault, member_of_word};

/// Clients that the page lets one set. The command line takes more.
pub const PAGE_CLIENTS: std::ops::RangeInclusive<u32> = 2..=200;
pub(super) fn page_clients(word: &str) -> Result<u32, Text> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|n| digits && PAGE_CLIENTS.contains(n)).ok_or_else(|| {
        let (least, most) = (PAGE_CLIENTS.start(), PAGE_CLIENTS.end());
        let short: String = word.chars().filter(|c| !c.is_control()).take(16).collect();
        say(
            format!(
                "“{short}” clients cannot be shown: a lane has {least} to {most}. The number before is kept."
            ),
            format!("无法显示“{short}”个客户端：每个方案 {least} 到 {most} 个。已保留之前的数目。"),
        )
    })
}

pub(super) fn set_page_number(lab: &mut Lab, key: &'static str, word: &str) -> Result<(), Text> {
    let empty = word.is_empty();
    if empty && key != "stock" {
        return Err(text("A number is missing; the one before is kept.", "没有填数字，已保留之前的数目。"));
    }
    let mut scenario = lab.scenario.clone();
    match key {
        "clients" => scenario.clients = page_clients(word)?,
        "stock" if empty => scenario.stock = None,
        _ => set_number(&mut scenario, key, word).map_err(|problem| problem.sentence())?,
    }
    if scenario != lab.scenario {
        scenario.lanes.iter_mut().for_each(|lane| lane.choices.clear());
    }
    lab.change(|old| *old = scenario);
    Ok(())
}

/// A list or a word of the scenario, as typed.
pub(super) fn set_list(lab: &mut Lab, key: &'static str, word: &str) -> Result<(), Text> {
    let mut scenario = lab.scenario.clone();
    let mut problems = Vec::new();
    set(&mut scenario, key, word, &mut problems);
    if let Some(problem) = problems.first() {
        return Err(problem.sentence());
    }
    let clients = scenario.clients;
    if scenario.readers.iter().any(|client| client.0 >= clients) {
        return Err(say(
            format!("There are {clients} clients: a reader must be one of them. The list before is kept."),
            format!("只有 {clients} 个客户端，读者必须是其中之一。已保留之前的列表。"),
        ));
    }
    scenario.lanes.iter_mut().for_each(|lane| lane.choices.clear());
    lab.change(|old| *old = scenario);
    Ok(())
}

/// A number or a word of one lane; empty for as the scenario says.
pub(super) fn set_lane(lab: &mut Lab, lane: usize, key: &'static str, word: &str) -> Result<(), Text> {
    let Some(mut own) = lab.scenario.lanes.get(lane).cloned() else { return Ok(()) };
    match (key, word.is_empty()) {
        ("clients", true) => own.clients = None,
        ("clients", false) => own.clients = Some(page_clients(word)?),
        ("timeout-ms", true) => own.timeout_ms = None,
        ("server", true) => own.server = None,
        _ => decode_part(&mut own, &format!("{key}={word}")).map_err(|problem| problem.sentence())?,
    }
    own.choices.clear();
    lab.change(|scenario| scenario.lanes[lane] = own);
    Ok(())
}

/// All decisions of a lane at once: as a library takes them, or the right ones.
pub(super) fn set_preset(lab: &mut Lab, lane: usize, word: &str) {
    let decisions = match word {
        "" => Decisions::default(),
        word => match Preset::from_word(word) {
            Some(preset) => preset.decisions(),
            None => return,
        },
    };
    lab.change(|scenario| {
        if let Some(lane) = scenario.lanes.get_mut(lane) {
            lane.decisions = decisions;
            lane.choices.clear();
        }
    });
}

impl Draft {
    /// What it stands for in this scenario: an action, several at the same time, or nothing.
    pub fn actions(&self, scenario: &Scenario) -> Vec<Action> {
        let several = |faults: Vec<ServerFault>| faults.into_iter().map(Action::ServerFault).collect();
        match self.what.split_once('.') {
            Some(("split", server)) => {
                let part = member_of_word(server).into_iter().collect::<Vec<_>>();
                several(ServerFault::split(scenario.servers.servers(), &part))
            }
            Some(("heal", "all")) => several(cut_then(scenario, self.at_ms)),
            _ => {
                let whole = || format!("{}.{}", self.what, self.client);
                let action = if self.what.contains('.') { self.what.parse() } else { whole().parse() };
                let action = action.ok().filter(|action: &Action| action.is_from_outside());
                action.into_iter().collect::<Vec<_>>()
            }
        }
    }
}

/// What heals the links that the script has cut by then.
fn cut_then(scenario: &Scenario, at_ms: u64) -> Vec<ServerFault> {
    let mut heals = ServerFault::heal_all(scenario.servers.servers());
    heals.retain(|heal| {
        let about = |scripted: &&Scripted| match scripted.action {
            Action::ServerFault(fault) => fault == *heal || fault.repair() == Some(*heal),
            _ => false,
        };
        let mut before = scenario.script.iter().filter(|scripted| scripted.at_ms <= at_ms);
        before.rfind(about).is_some_and(|last| last.action != Action::ServerFault(*heal))
    });
    heals
}

/// Puts the draft into the script.
pub(super) fn add_to_script(lab: &mut Lab) {
    let (at_ms, actions) = (lab.draft.at_ms, lab.draft.actions(&lab.scenario));
    if actions.is_empty() {
        return;
    }
    lab.change(|scenario| {
        scenario.script.extend(actions.into_iter().map(|action| Scripted { at_ms, action }));
        scenario.script.sort_by_key(|line| line.at_ms);
        scenario.lanes.iter_mut().for_each(|lane| lane.choices.clear());
    });
}

/// Takes one line out of the script.
pub(super) fn remove_from_script(lab: &mut Lab, at: usize) {
    lab.change(|scenario| {
        if at < scenario.script.len() {
            scenario.script.remove(at);
            scenario.lanes.iter_mut().for_each(|lane| lane.choices.clear());
        }
    });
}

/// A scenario that the page can show: its clients cut to what fits, with a sentence if that was needed.
pub fn fit(scenario: &mut Scenario) -> Option<Text> {
    debug_assert!(CLIENTS.contains(PAGE_CLIENTS.end()));
    let mut cut = false;
    let mut clamp = |clients: &mut u32| {
        let fits = (*clients).clamp(*PAGE_CLIENTS.start(), *PAGE_CLIENTS.end());
        cut |= fits != *clients;
        *clients = fits;
    };
    clamp(&mut scenario.clients);
    scenario.lanes.iter_mut().filter_map(|lane: &mut Lane| lane.clients.as_mut()).for_each(&mut clamp);
    cut.then(|| {
        text(
            "The page shows 2 to 200 clients in a lane; the link asked for another number. The rest of the link is kept. The command line runs up to 10 000.",
            "页面每个方案显示 2 到 200 个客户端，链接要求的数目不在此范围，其余部分已保留。命令行最多可运行 10 000 个。",
        )
    })
}
