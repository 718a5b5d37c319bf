//! What goes wrong with one of several servers or between two, or is put right again.

use super::{FaultDefinition, FaultPart, StormWeight};
use crate::text::fixed;
use crate::zookeeper::ServerId;

macro_rules! server_faults {
    (
        of_one { $( $(#[$odoc:meta])* $one:ident $(repaired by $orepair:ident)? = { $($orow:tt)+ } )+ }
        between_two { $( $(#[$tdoc:meta])* $two:ident $(repaired by $trepair:ident)? = { $($trow:tt)+ } )+ }
    ) => {
        /// Something that goes wrong with one server or between two, or is put right again.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ServerFault { $( $(#[$odoc])* $one(ServerId), )+ $( $(#[$tdoc])* $two(ServerId, ServerId), )+ }

        impl ServerFault {
            pub(super) const TABLE: &[&FaultDefinition] = &[
                $(ServerFault::$one(ServerId(0)).definition(),)+
                $(ServerFault::$two(ServerId(0), ServerId(1)).definition(),)+
            ];

            /// Every fault of one server, in the order of the table.
            pub fn of(a: ServerId) -> [ServerFault; [$(stringify!($one)),+].len()] {
                [$(ServerFault::$one(a)),+]
            }

            /// Every fault between two servers, in the order of the table.
            pub fn between(a: ServerId, b: ServerId) -> [ServerFault; [$(stringify!($two)),+].len()] {
                [$(ServerFault::$two(a.min(b), a.max(b))),+]
            }

            /// Its row of the table.
            pub const fn definition(self) -> &'static FaultDefinition {
                match self {
                    $(ServerFault::$one(_) => const { &FaultDefinition { $($orow)+ ..FaultDefinition::PLAIN } },)+
                    $(ServerFault::$two(..) => const { &FaultDefinition { $($trow)+ ..FaultDefinition::PLAIN } },)+
                }
            }

            /// The servers that it concerns.
            pub fn servers(self) -> (ServerId, Option<ServerId>) {
                match self {
                    $(ServerFault::$one(a) => (a, None),)+
                    $(ServerFault::$two(a, b) => (a, Some(b)),)+
                }
            }

            /// What puts it right again.
            pub fn repair(self) -> Option<ServerFault> {
                match self {
                    $(ServerFault::$one(_a) => [$(Some(ServerFault::$orepair(_a)),)? None][0],)+
                    $(ServerFault::$two(_a, _b) => [$(Some(ServerFault::$trepair(_a, _b)),)? None][0],)+
                }
            }
        }
    };
}

server_faults! {
    of_one {
        /// The process ends. What it has written down stays on its disk.
        Crash repaired by Restart = {
            word: "crash",
            part: FaultPart::Server,
            label: fixed("crash", "崩溃"),
            name: fixed("crash {a}", "{a} 崩溃"),
            brief: fixed("{a} crashes", "{a} 崩溃"),
            told: fixed(
                "Server {a} dies. What it has written down stays on its disk.",
                "服务器 {a} 崩溃。已写入的日志还在磁盘上。",
            ),
            budget: Some("crash-server"),
            storm: StormWeight { for_a_while: 3, for_long: 0, for_good: 0 },
            in_row: true,
        }
        /// It starts again on its log.
        Restart = {
            word: "restart",
            part: FaultPart::Server,
            label: fixed("restart", "重启"),
            name: fixed("start {a} again", "重新启动 {a}"),
            brief: fixed("{a} starts again", "{a} 重新启动"),
            told: fixed(
                "Server {a} starts again, and looks for a leader.",
                "服务器 {a} 重新启动，开始找 Leader。",
            ),
        }
        /// Nothing that the others send arrives there: it falls behind, and does not know.
        Stall repaired by Resume = {
            word: "stall",
            part: FaultPart::Server,
            label: fixed("let it fall behind", "使其落后"),
            name: fixed("let {a} fall behind", "让 {a} 落后"),
            brief: fixed("{a} falls behind", "{a} 落后"),
            told: fixed(
                "What the other servers send no longer reaches {a}: it falls behind, and does not know.",
                "其他服务器发出的消息到不了 {a}：它开始落后，自己却不知道。",
            ),
            budget: Some("stall-server"),
            storm: StormWeight { for_a_while: 3, for_long: 0, for_good: 0 },
            in_row: true,
        }
        /// What was held up arrives.
        Resume = {
            word: "resume",
            part: FaultPart::Server,
            label: fixed("let it catch up", "使其跟上"),
            name: fixed("let {a} catch up", "让 {a} 跟上"),
            brief: fixed("{a} catches up", "{a} 跟上"),
            told: fixed("What was sent to {a} arrives again.", "发往 {a} 的消息又能到达了。"),
        }
    }
    between_two {
        /// Two servers cannot talk to each other any more.
        Cut repaired by Heal = {
            word: "cut",
            part: FaultPart::Pair,
            label: fixed("cut", "切断"),
            name: fixed("cut {a} from {b}", "切断 {a} 与 {b}"),
            brief: fixed("{a} and {b} are cut off", "{a} 与 {b} 断开"),
            told: fixed(
                "{a} and {b} cannot talk to each other any more.",
                "{a} 与 {b} 之间的链路断了。",
            ),
            budget: Some("cut"),
            storm: StormWeight { for_a_while: 2, for_long: 0, for_good: 0 },
        }
        /// They can again.
        Heal = {
            word: "heal",
            part: FaultPart::Pair,
            label: fixed("heal", "恢复"),
            name: fixed("join {a} and {b} again", "接通 {a} 与 {b}"),
            brief: fixed("{a} and {b} are joined again", "{a} 与 {b} 接通"),
            told: fixed(
                "{a} and {b} can talk to each other again.",
                "{a} 与 {b} 之间的链路恢复了。",
            ),
        }
    }
}

impl ServerFault {
    /// Whether it puts right what another fault has made wrong.
    pub const fn is_repair(self) -> bool {
        self.definition().is_repair()
    }

    /// Every fault of this many servers, in the order of buttons and lists.
    pub fn all(servers: u8) -> Vec<ServerFault> {
        let mut all = Vec::new();
        for a in (0..servers).map(ServerId) {
            all.extend(ServerFault::of(a));
            for b in (a.0 + 1..servers).map(ServerId) {
                all.extend(ServerFault::between(a, b));
            }
        }
        all
    }

    /// What splits this many servers: every link between `part` and the others is cut.
    pub fn split(servers: u8, part: &[ServerId]) -> Vec<ServerFault> {
        let cuts = ServerFault::all(servers).into_iter().filter(|fault| match fault {
            ServerFault::Cut(a, b) => part.contains(a) != part.contains(b),
            _ => false,
        });
        cuts.collect()
    }

    /// What heals every link between this many servers.
    pub fn heal_all(servers: u8) -> Vec<ServerFault> {
        ServerFault::all(servers).into_iter().filter(|fault| matches!(fault, ServerFault::Heal(..))).collect()
    }
}
