//! What somebody with a shell does, or what happens to the one server or to the resource.

use super::{FaultDefinition, FaultPart, StormWeight};
use crate::text::fixed;
use crate::world::ClientId;

macro_rules! operators {
    (
        once { $( $(#[$odoc:meta])* $once:ident = { $($orow:tt)+ } )+ }
        on_a_node { $( $(#[$ndoc:meta])* $node:ident = { $($nrow:tt)+ } )+ }
    ) => {
        /// Something that somebody with a shell does, or that happens to the one server or to the resource.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator { $( $(#[$odoc])* $once, )+ $( $(#[$ndoc])* $node(ClientId), )+ }

        impl Operator {
            /// What concerns no client, in the order of the table.
            pub const ONCE: [Operator; [$(stringify!($once)),+].len()] = [$(Operator::$once),+];

            pub(super) const TABLE: &[&FaultDefinition] = &[
                $(Operator::$once.definition(),)+
                $(Operator::$node(ClientId(0)).definition(),)+
            ];

            /// What concerns one client, in the order of the table.
            pub fn on(client: ClientId) -> [Operator; [$(stringify!($node)),+].len()] {
                [$(Operator::$node(client)),+]
            }

            /// Its row of the table.
            pub const fn definition(self) -> &'static FaultDefinition {
                match self {
                    $(Operator::$once => const { &FaultDefinition { $($orow)+ ..FaultDefinition::PLAIN } },)+
                    $(Operator::$node(_) => const { &FaultDefinition { $($nrow)+ ..FaultDefinition::PLAIN } },)+
                }
            }

            /// The client that it concerns, if it concerns one.
            pub fn client(self) -> Option<ClientId> {
                match self { $(Operator::$once => None,)+ $(Operator::$node(client) => Some(client),)+ }
            }
        }
    };
}

operators! {
    once {
        /// Restarts the ZooKeeper server: connections and watches are gone, sessions and nodes stay.
        RestartServer = {
            word: "restart.zk",
            part: FaultPart::ZooKeeper,
            label: fixed("restart", "重启"),
            name: fixed("restart the ZooKeeper server", "重启 ZooKeeper 服务器"),
            brief: fixed("the ZooKeeper server restarts", "ZooKeeper 服务器重启"),
            told: fixed(
                "The ZooKeeper server restarts. Sessions and nodes stay; every session gets its full time again.",
                "ZooKeeper 服务器重启。会话和节点都还在；每个会话重新计时。",
            ),
            budget: Some("restart-zk"),
            storm: StormWeight::ONCE,
        }
        /// Restarts the resource: what it kept in memory alone is forgotten.
        RestartResource = {
            word: "restart.ledger",
            part: FaultPart::Resource,
            label: fixed("restart", "重启"),
            name: fixed("restart the ledger", "重启库存服务"),
            brief: fixed("the ledger restarts", "库存服务重启"),
            told: fixed(
                "The ledger restarts. What it kept in memory alone is forgotten.",
                "库存服务重启，只存在内存里的数据全部丢失。",
            ),
            budget: Some("restart-ledger"),
            storm: StormWeight::ONCE,
        }
        /// Deletes the lock's directory with all that is in it. The next `create` makes it anew.
        DeleteDir = {
            word: "delete.dir",
            part: FaultPart::Directory,
            label: fixed("delete", "删除"),
            name: fixed("delete the directory", "删除锁目录"),
            brief: fixed("the directory is deleted", "锁目录被删除"),
            told: fixed(
                "An operator deletes the lock's directory with all that is in it.",
                "运维人员删除锁目录及其中的一切。",
            ),
            budget: Some("delete-dir"),
            storm: StormWeight::ONCE,
        }
    }
    on_a_node {
        /// Deletes the client's lock node.
        DeleteNode = {
            word: "delete",
            part: FaultPart::Node,
            label: fixed("delete its node by hand", "手工删除它的节点"),
            name: fixed("delete {c}'s node by hand", "手工删除 {c} 的节点"),
            brief: fixed("{c}'s node is deleted by hand", "{c} 的节点被手工删除"),
            told: fixed(
                "An operator takes {c}'s lock node for a left-over.",
                "运维人员误以为 {c} 的锁节点是残留节点。",
            ),
            budget: Some("delete"),
            storm: StormWeight::ONCE,
        }
    }
}
