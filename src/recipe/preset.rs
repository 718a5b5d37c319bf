//! The decisions as real libraries take them.

use super::{Decisions, Key};

use crate::text::{Fixed, fixed};

/// A library and its decisions, as read in its source.
pub struct Preset {
    /// The word in links and on the command line.
    pub word: &'static str,
    pub name: &'static str,
    /// Its decisions that are not the right answer, as `key=word`.
    pub decisions: &'static [(&'static str, &'static str)],
    /// What the decisions leave out, in a sentence.
    pub note: Fixed,
    /// Where it can be read.
    pub source: &'static str,
}

impl Preset {
    /// Its answer to each decision.
    pub fn decisions(&self) -> Decisions {
        self.decisions.iter().fold(Decisions::default(), |decisions, (key, word)| {
            Key::from_word(key).and_then(|key| decisions.with(key, word)).unwrap_or(decisions)
        })
    }

    /// The preset with this word.
    pub fn from_word(word: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.word == word)
    }

    /// The first preset that decides like this.
    pub fn of(decisions: &Decisions) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.decisions() == *decisions)
    }

    /// Every preset's word.
    pub fn words() -> Vec<&'static str> {
        PRESETS.iter().map(|preset| preset.word).collect()
    }
}

/// The libraries, as of the versions in their names. None of them knows what the lock protects: what the
/// resource checks is the user's decision, and all of them leave it open.
pub const PRESETS: &[Preset] = &[
    Preset {
        word: "recipe",
        name: "ZooKeeper recipe page 3.9",
        decisions: &[
            ("lost-reply", "any-guid-no-sync"),
            ("guid", "process"),
            ("check", "exists"),
            ("give-up", "leave"),
            ("resource", "open"),
        ],
        note: fixed(
            "The page says nothing about giving up, about what to do while disconnected, or about what the resource checks.",
            "官方 recipes 页没有说怎样放弃等待、断连期间做什么，也没有说资源检查什么。",
        ),
        source: "zookeeper-docs recipes.md 3.9.5, lines 218-259",
    },
    Preset {
        word: "curator-5",
        name: "Curator 5 InterProcessMutex",
        decisions: &[
            ("lost-reply", "own-no-sync"),
            ("guid", "process"),
            ("reconnect", "rearm-and-look"),
            ("resource", "open"),
            ("disconnect", "continue"),
            ("expired", "reuse"),
        ],
        note: fixed(
            "isAcquiredInThisProcess stays true through SUSPENDED and LOST: the user must listen to the connection state.",
            "isAcquiredInThisProcess 在 SUSPENDED 和 LOST 期间一直为 true：要由用户自己监听连接状态。",
        ),
        source: "curator LockInternals, StandardLockInternalsDriver, InterProcessMutex, ProtectedMode",
    },
    Preset {
        word: "kazoo-2.11",
        name: "kazoo 2.11 Lock",
        decisions: &[
            ("lost-reply", "any-guid-no-sync"),
            ("guid", "process"),
            ("order", "number-only"),
            ("dir-gone", "fail"),
            ("reconnect", "look"),
            ("resource", "open"),
            ("disconnect", "continue"),
            ("expired", "reuse"),
        ],
        note: fixed(
            "is_acquired stays true through SUSPENDED and LOST. Its clean-up after an error or a time-out deletes once; here it deletes until done.",
            "is_acquired 在 SUSPENDED 和 LOST 期间一直为 true。出错或超时后的清理只删一次；这里会一直重试。",
        ),
        source: "kazoo 2.11 recipe/lock.py, lines 190-344",
    },
    Preset {
        word: "go-zookeeper",
        name: "go-zookeeper zk.Lock",
        decisions: &[
            ("lost-reply", "any-guid-no-sync"),
            ("guid", "process"),
            ("order", "number-only"),
            ("absent", "mine"),
            ("dir-gone", "fail"),
            ("give-up", "leave"),
            ("delete", "once"),
            ("error", "fail-leave"),
            ("resource", "open"),
            ("disconnect", "continue"),
            ("expired", "reuse"),
        ],
        note: fixed(
            "There is no way to give up waiting: whoever stops listening leaves the node.",
            "没有放弃等待的办法：不想再等的人只能把节点留在原处。",
        ),
        source: "go-zookeeper/zk lock.go, conn.go lines 1139-1166",
    },
    Preset {
        word: "java-writelock",
        name: "ZooKeeper Java WriteLock 3.9",
        decisions: &[
            ("lost-reply", "any-guid-no-sync"),
            ("guid", "session"),
            ("absent", "wait"),
            ("check", "exists"),
            ("missing", "ignore"),
            ("delete", "once"),
            ("reconnect", "rearm-and-look"),
            ("resource", "open"),
            ("disconnect", "continue"),
            ("expired", "reuse"),
        ],
        note: fixed(
            "Before each create it asks exists(dir) and getChildren; those two requests are left out. After a lost reply it keeps the bare name and never counts as the owner; that is not shown.",
            "每次 create 之前它先发 exists(dir) 和 getChildren；这里省去了这两个请求。答复丢失后它只记下不带路径的名字，永远不算持有者；这里没有演示这一点。",
        ),
        source: "zookeeper-recipes WriteLock.java 3.9.5, lines 121-261",
    },
    Preset {
        word: "c-lock",
        name: "ZooKeeper C recipe 3.9",
        decisions: &[
            ("lost-reply", "any-guid-no-sync"),
            ("guid", "session"),
            ("check", "exists"),
            ("missing", "requeue"),
            ("delete", "once"),
            ("reconnect", "rearm-and-look"),
            ("resource", "open"),
            ("disconnect", "continue"),
            ("expired", "reuse"),
        ],
        note: fixed(
            "Before each look it asks exists(dir) and getChildren, to find its node or create it; those two requests are left out. It tries a delete three times within 1.5 ms, which counts as once here.",
            "每次查看之前它先发 exists(dir) 和 getChildren，找回自己的节点或新建一个；这里省去了这两个请求。它在 1.5 毫秒内尝试 delete 三次，这里算一次。",
        ),
        source: "zookeeper-recipes zoo_lock.c 3.9.5, lines 88-337",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_a_preset_is_an_option() {
        for preset in PRESETS {
            for (key, word) in preset.decisions {
                let decided = Key::from_word(key).and_then(|key| Decisions::default().with(key, word));
                assert!(decided.is_some_and(|d| d != Decisions::default()), "{}: {key}={word}", preset.word);
            }
        }
    }

    #[test]
    fn no_two_presets_decide_alike() {
        for (at, preset) in PRESETS.iter().enumerate() {
            let others = &PRESETS[at + 1..];
            assert!(others.iter().all(|other| other.decisions() != preset.decisions()), "{}", preset.word);
        }
    }
}
