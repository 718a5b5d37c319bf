//! What a scenario says that changes nothing: a decision that means nothing beside the others, a reader or a fault
//! of nobody.

use super::Scenario;
use crate::recipe::{Decisions, Key, Preset};
use crate::text::{Text, say};
use crate::world::{Action, ClientId, Operator, member_word};
use crate::zookeeper::ServerId;

impl Scenario {
    /// What it says that changes nothing, each in a sentence that says why. It is kept all the same.
    pub fn without_effect(&self) -> Vec<Text> {
        let mut found = Vec::new();
        for (n, lane) in (1..).zip(&self.lanes) {
            // Of a library's decisions nobody has written one by one.
            if Preset::of(&lane.decisions).is_some() {
                continue;
            }
            for (key, why) in greyed(&lane.decisions, self.is_shared()) {
                let (key, word) = (key.word(), lane.decisions.chosen(key).word);
                found.push(say(
                    format!("In lane {n}, “{key}={word}” changes nothing. {}", why.en),
                    format!("方案 {n} 的“{key}={word}”不起作用。{}", why.zh),
                ));
            }
        }
        let strangers = self.readers.iter().filter(|reader| reader.0 >= self.most_clients());
        found.extend(strangers.map(|reader| {
            let there_are = self.names_of_clients();
            say(
                format!("Among the readers is {reader}, and nobody is called so: {}", there_are.en),
                format!("只读客户端里的 {reader} 不存在：{}", there_are.zh),
            )
        }));
        found.extend(self.script.iter().filter_map(|scripted| self.concerns_nobody(scripted.action)));
        if self.timings.lag_ms > 0 && self.servers.servers() == 1 {
            found.push(say(
                format!(
                    "“lag-ms={}” changes nothing: there is one server, and no follower.",
                    self.timings.lag_ms
                ),
                format!("“lag-ms={}”不起作用：只有一台服务器，没有 Follower。", self.timings.lag_ms),
            ));
        }
        found
    }

    /// Why an action from outside can never happen here, whatever the run: it concerns nobody who is there.
    pub fn concerns_nobody(&self, action: Action) -> Option<Text> {
        let servers = self.servers.servers();
        if action.client().is_some_and(|client| client.0 >= self.most_clients()) {
            let there_are = self.names_of_clients();
            return Some(say(
                format!("“{action}” concerns nobody: {}", there_are.en),
                format!("“{action}”没有对象：{}", there_are.zh),
            ));
        }
        match action {
            Action::ServerFault(_) if servers == 1 => Some(say(
                format!(
                    "“{action}” is a fault of several servers, and there is one. Three or five can have it."
                ),
                format!("“{action}”是多台服务器才有的故障，这里只有一台。3 台或 5 台服务器时才可能发生。"),
            )),
            Action::ServerFault(fault) => {
                let (a, b) = fault.servers();
                let last = member_word(ServerId(servers - 1));
                (a.max(b.unwrap_or(a)).0 >= servers).then(|| {
                    say(
                        format!("“{action}” concerns no server: they are s1 to {last}."),
                        format!("“{action}”没有对象：服务器只有 s1 到 {last}。"),
                    )
                })
            }
            Action::Operator(Operator::RestartServer) if servers > 1 => Some(say(
                format!(
                    "“{action}” is for one server alone. Of several, each has its name: crash.s1, restart.s1."
                ),
                format!("“{action}”只用于单台服务器。多台服务器要用名字：crash.s1、restart.s1。"),
            )),
            _ => None,
        }
    }

    /// The clients of the lane that has most.
    fn most_clients(&self) -> u32 {
        (0..self.lanes.len()).map(|lane| self.clients_in(lane)).max().unwrap_or(self.clients)
    }

    fn names_of_clients(&self) -> Text {
        match self.most_clients() {
            1 => say("the one client is A.", "唯一的客户端是 A。"),
            most => {
                let last = ClientId(most - 1);
                say(format!("the clients are A to {last}."), format!("客户端是 A 到 {last}。"))
            }
        }
    }
}

/// Decisions that somebody took otherwise than usual where that means nothing, and why.
fn greyed(decisions: &Decisions, shared: bool) -> Vec<(Key, Text)> {
    let usual = Decisions::default();
    let own = Key::ALL.into_iter().filter(|key| decisions.chosen(*key).word != usual.chosen(*key).word);
    let why = |key: Key| {
        let option = || decisions.option_greyed(key, decisions.chosen(key).word);
        Some((key, decisions.greyed(key, shared).or_else(option)?))
    };
    own.filter_map(why).collect()
}
