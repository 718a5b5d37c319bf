//! What real clients do when something fails: situations, and each library's conduct in each, with its source.
//!
//! One named release of each: Curator 5.9.0, kazoo 2.11.0, go-zookeeper 1.0.4, and `WriteLock.java`, `zoo_lock.c` and
//! the recipe page of ZooKeeper 3.9.5. A cell says what was read in the source, not what a preset happens to do;
//! `tests/libraries.rs` runs each cell and compares.
//!
//! ```
//! use lockstep::recipe::{Conduct, Situation, conduct};
//! let cell = conduct("java-writelock", Situation::PredecessorGone).unwrap();
//! assert_eq!(cell.conduct, Conduct::WaitsForEver);
//! ```

use crate::text::{Fixed, fixed};

/// Something that goes wrong, in which real clients differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Situation {
    /// The server made the node, and the reply to `create` is lost. The session lives.
    CreateReplyLost,
    /// The connection breaks while a request of the wait is under way.
    ResetWhileAsking,
    /// The connection breaks while the client sleeps, and comes back in the same session.
    ResetWhileAsleep,
    /// The session expires while the client sleeps.
    ExpiryWhileAsleep,
    /// The session expires while the client holds the lock and its process stands still.
    ExpiryWhileHolding,
    /// The predecessor is gone by the time the client looks at it.
    PredecessorGone,
    /// Somebody deletes the client's own node while it sleeps.
    OwnNodeDeleted,
    /// Somebody deletes the lock's directory while clients wait.
    DirectoryDeleted,
    /// The counter has stuck at 2147483647, and several nodes have that number.
    EqualNumbers,
    /// The request to delete the node at release is lost with the connection.
    ReleaseLost,
    /// The request to delete the node on giving up is lost with the connection.
    GiveUpLost,
    /// The process dies while it waits, and starts again before its old session is over.
    StartedAgain,
}

impl Situation {
    /// Every situation, in the order of the table.
    pub const ALL: [Situation; 12] = [
        Situation::CreateReplyLost,
        Situation::ResetWhileAsking,
        Situation::ResetWhileAsleep,
        Situation::ExpiryWhileAsleep,
        Situation::ExpiryWhileHolding,
        Situation::PredecessorGone,
        Situation::OwnNodeDeleted,
        Situation::DirectoryDeleted,
        Situation::EqualNumbers,
        Situation::ReleaseLost,
        Situation::GiveUpLost,
        Situation::StartedAgain,
    ];

    /// The situation in words.
    pub fn name(self) -> Fixed {
        match self {
            Situation::CreateReplyLost => fixed("the reply to create is lost", "create 的响应丢失"),
            Situation::ResetWhileAsking => {
                fixed("the connection breaks during a request of the wait", "等待途中请求未答，连接断开")
            }
            Situation::ResetWhileAsleep => {
                fixed("the connection breaks during the sleep", "睡眠等待时连接断开")
            }
            Situation::ExpiryWhileAsleep => fixed("the session expires during the wait", "等待期间会话过期"),
            Situation::ExpiryWhileHolding => {
                fixed("the session expires while the lock is held", "持有锁期间会话过期")
            }
            Situation::PredecessorGone => {
                fixed("the predecessor is gone at the look", "去看前驱时，它已经没了")
            }
            Situation::OwnNodeDeleted => fixed("its own node is deleted", "自己的节点被删除"),
            Situation::DirectoryDeleted => fixed("the lock's directory is deleted", "锁目录被删除"),
            Situation::EqualNumbers => fixed("the counter sticks: equal numbers", "计数器到顶：序号相同"),
            Situation::ReleaseLost => fixed("the delete at release is lost", "释放时的 delete 丢失"),
            Situation::GiveUpLost => fixed("the delete on giving up is lost", "放弃等待时的 delete 丢失"),
            Situation::StartedAgain => fixed("the process dies and starts again", "进程崩溃后重新启动"),
        }
    }
}

/// What a client does in a situation, as a run shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conduct {
    /// It finds its node, or keeps it, and gets the lock by it.
    KeepsItsNode,
    /// It makes a new node at the back of the queue.
    QueuesAgain,
    /// The call that takes the lock ends in an error, and the node stays until the session is over.
    FailsAndLeavesItsNode,
    /// The call that takes the lock ends in an error, and the client has no node.
    FailsWithoutANode,
    /// It takes the lock, though its node is not there or is not the only first one.
    TakesTheLock,
    /// It waits, and nothing will wake it.
    WaitsForEver,
    /// It goes on as if it held the lock.
    GoesOn,
    /// It deletes the node again until that is done.
    DeletesUntilDone,
    /// It tried once, or a few times at once; the node stays until the session is over.
    LeavesTheNode,
    /// It waits behind its old node until the old session is over.
    WaitsForItsOldSession,
    /// The library has no such call.
    CannotHappen,
    /// The recipe page says nothing about it.
    NotSaid,
}

impl Conduct {
    /// The conduct in words, after the client's name.
    pub fn name(self) -> Fixed {
        match self {
            Conduct::KeepsItsNode => fixed("keeps its node and its place", "保住节点和位置"),
            Conduct::QueuesAgain => fixed("queues again, at the back", "回到队尾重新排队"),
            Conduct::FailsAndLeavesItsNode => fixed("fails, and leaves its node", "报错返回，节点留下"),
            Conduct::FailsWithoutANode => fixed("fails; its node is gone", "报错返回，节点已不在"),
            Conduct::TakesTheLock => fixed("takes the lock wrongly", "错误地拿到锁"),
            Conduct::WaitsForEver => fixed("waits for ever", "永远等下去"),
            Conduct::GoesOn => fixed("goes on as if it held the lock", "照旧以为自己持有锁"),
            Conduct::DeletesUntilDone => fixed("deletes again until it is done", "反复删除，直到成功"),
            Conduct::LeavesTheNode => fixed("leaves the node until the session is over", "节点留到会话结束"),
            Conduct::WaitsForItsOldSession => fixed("waits until its old session is over", "等到旧会话结束"),
            Conduct::CannotHappen => fixed("has no such call", "没有这种调用"),
            Conduct::NotSaid => fixed("says nothing", "没有说明"),
        }
    }
}

/// One cell of the table: what one library does in one situation.
#[derive(Clone, Copy, Debug)]
pub struct ConductCell {
    pub situation: Situation,
    /// The library's word, as in `as=WORD`.
    pub library: &'static str,
    pub conduct: Conduct,
    /// File and lines of the release named above.
    pub source: &'static str,
}

/// The cell of a library in a situation; `None` for a word that is no library.
pub fn conduct(library: &str, situation: Situation) -> Option<&'static ConductCell> {
    CELLS.iter().find(|cell| cell.library == library && cell.situation == situation)
}

const fn cell(
    situation: Situation,
    library: &'static str,
    conduct: Conduct,
    source: &'static str,
) -> ConductCell {
    ConductCell { situation, library, conduct, source }
}

/// Every cell, situation by situation.
pub const CELLS: &[ConductCell] = {
    use Conduct::*;
    use Situation::*;
    &[
        cell(CreateReplyLost, "recipe", KeepsItsNode, "recipes.md 254-259"),
        cell(
            CreateReplyLost,
            "curator-5",
            KeepsItsNode,
            "CreateBuilderImpl.java 1087-1092, 1227-1248; ProtectedMode.java 85-102",
        ),
        cell(CreateReplyLost, "kazoo-2.11", KeepsItsNode, "recipe/lock.py 223-226, 311-316"),
        cell(CreateReplyLost, "go-zookeeper", KeepsItsNode, "conn.go 1144-1161"),
        cell(
            CreateReplyLost,
            "java-writelock",
            WaitsForEver,
            "WriteLock.java 187-193, 289-291: it keeps the bare name, which never equals the owner's path",
        ),
        cell(
            CreateReplyLost,
            "c-lock",
            FailsAndLeavesItsNode,
            "zoo_lock.c 284-292, 379-387: four tries within milliseconds",
        ),
        cell(ResetWhileAsking, "recipe", NotSaid, "recipes.md 218-233"),
        cell(
            ResetWhileAsking,
            "curator-5",
            KeepsItsNode,
            "LockInternals.java 230-261: each request is tried again by the retry policy",
        ),
        cell(ResetWhileAsking, "kazoo-2.11", KeepsItsNode, "recipe/lock.py 185-190, 223-226"),
        cell(ResetWhileAsking, "go-zookeeper", FailsAndLeavesItsNode, "lock.go 101-104, 129-131"),
        cell(
            ResetWhileAsking,
            "java-writelock",
            KeepsItsNode,
            "ProtocolSupport.java 121-139; WriteLock.java 213-221",
        ),
        cell(ResetWhileAsking, "c-lock", KeepsItsNode, "zoo_lock.c 172-177: the session's event locks again"),
        cell(ResetWhileAsleep, "recipe", NotSaid, "recipes.md 218-233"),
        cell(ResetWhileAsleep, "curator-5", KeepsItsNode, "LockInternals.java 61-66, 230-261"),
        cell(ResetWhileAsleep, "kazoo-2.11", KeepsItsNode, "recipe/lock.py 207-209, 237-268"),
        cell(
            ResetWhileAsleep,
            "go-zookeeper",
            KeepsItsNode,
            "conn.go 484, 578-640: it sets its watches again",
        ),
        cell(
            ResetWhileAsleep,
            "java-writelock",
            KeepsItsNode,
            "WriteLock.java 156-166: any event, a session's too, locks again",
        ),
        cell(ResetWhileAsleep, "c-lock", KeepsItsNode, "zoo_lock.c 172-177"),
        cell(ExpiryWhileAsleep, "recipe", NotSaid, "recipes.md 218-233"),
        cell(
            ExpiryWhileAsleep,
            "curator-5",
            QueuesAgain,
            "StandardLockInternalsDriver.java 88-92; LockInternals.java 186-198",
        ),
        cell(ExpiryWhileAsleep, "kazoo-2.11", QueuesAgain, "recipe/lock.py 297-301, 223-230"),
        cell(ExpiryWhileAsleep, "go-zookeeper", FailsWithoutANode, "conn.go 435-437; lock.go 137-140"),
        cell(
            ExpiryWhileAsleep,
            "java-writelock",
            WaitsForEver,
            "ProtocolSupport.java 127-129; WriteLock.java 161-165: the watcher logs the error, and nobody is told",
        ),
        cell(
            ExpiryWhileAsleep,
            "c-lock",
            WaitsForEver,
            "zoo_lock.c 172-177, 353-388: the handle is dead, and nobody is told",
        ),
        cell(ExpiryWhileHolding, "recipe", NotSaid, "recipes.md 218-247"),
        cell(ExpiryWhileHolding, "curator-5", GoesOn, "InterProcessMutex.java 109-111"),
        cell(
            ExpiryWhileHolding,
            "kazoo-2.11",
            GoesOn,
            "recipe/lock.py 199-200, 342: nothing else sets is_acquired",
        ),
        cell(ExpiryWhileHolding, "go-zookeeper", GoesOn, "lock.go 143-145, 157"),
        cell(ExpiryWhileHolding, "java-writelock", GoesOn, "WriteLock.java 289-291"),
        cell(ExpiryWhileHolding, "c-lock", GoesOn, "zoo_lock.c 395-398"),
        cell(PredecessorGone, "recipe", KeepsItsNode, "recipes.md 230"),
        cell(PredecessorGone, "curator-5", KeepsItsNode, "LockInternals.java 256-258"),
        cell(PredecessorGone, "kazoo-2.11", KeepsItsNode, "recipe/lock.py 256-257"),
        cell(PredecessorGone, "go-zookeeper", KeepsItsNode, "lock.go 132-134"),
        cell(PredecessorGone, "java-writelock", WaitsForEver, "WriteLock.java 239-244, 256-257"),
        cell(PredecessorGone, "c-lock", QueuesAgain, "zoo_lock.c 314-330, 379-385"),
        cell(OwnNodeDeleted, "recipe", NotSaid, "recipes.md 222-233"),
        cell(
            OwnNodeDeleted,
            "curator-5",
            QueuesAgain,
            "StandardLockInternalsDriver.java 88-92; LockInternals.java 186-198",
        ),
        cell(OwnNodeDeleted, "kazoo-2.11", QueuesAgain, "recipe/lock.py 297-301, 223-230"),
        cell(
            OwnNodeDeleted,
            "go-zookeeper",
            TakesTheLock,
            "lock.go 106-126: it starts from its own number, and nobody is smaller",
        ),
        cell(
            OwnNodeDeleted,
            "java-writelock",
            WaitsForEver,
            "WriteLock.java 233-257: nobody is smaller, and the owner is another",
        ),
        cell(OwnNodeDeleted, "c-lock", QueuesAgain, "zoo_lock.c 271-294"),
        cell(DirectoryDeleted, "recipe", NotSaid, "recipes.md 218-233"),
        cell(
            DirectoryDeleted,
            "curator-5",
            QueuesAgain,
            "LockInternals.java 142-144; StandardLockInternalsDriver.java 58-70",
        ),
        cell(DirectoryDeleted, "kazoo-2.11", FailsWithoutANode, "recipe/lock.py 193-198, 279"),
        cell(DirectoryDeleted, "go-zookeeper", FailsWithoutANode, "lock.go 101-104"),
        cell(
            DirectoryDeleted,
            "java-writelock",
            QueuesAgain,
            "ProtocolSupport.java 159-171; WriteLock.java 222-226",
        ),
        cell(DirectoryDeleted, "c-lock", QueuesAgain, "zoo_lock.c 358-372, 278-294"),
        cell(EqualNumbers, "recipe", NotSaid, "recipes.md 222-226"),
        cell(
            EqualNumbers,
            "curator-5",
            TakesTheLock,
            "LockInternals.java 133-141; StandardLockInternalsDriver.java 35-39: equal numbers stand as the list has them",
        ),
        cell(EqualNumbers, "kazoo-2.11", TakesTheLock, "recipe/lock.py 290: an equal number is not ahead"),
        cell(EqualNumbers, "go-zookeeper", TakesTheLock, "lock.go 114-125: an equal number is not ahead"),
        cell(EqualNumbers, "java-writelock", KeepsItsNode, "ZNodeName.java 109-113: the session id decides"),
        cell(
            EqualNumbers,
            "c-lock",
            NotSaid,
            "zoo_lock.c 135-170, 305-345: by the sort's luck, one waits without a watch",
        ),
        cell(ReleaseLost, "recipe", NotSaid, "recipes.md 235"),
        cell(ReleaseLost, "curator-5", DeletesUntilDone, "LockInternals.java 281-287: guaranteed()"),
        cell(ReleaseLost, "kazoo-2.11", DeletesUntilDone, "recipe/lock.py 329-344"),
        cell(ReleaseLost, "go-zookeeper", LeavesTheNode, "lock.go 154-156"),
        cell(ReleaseLost, "java-writelock", LeavesTheNode, "WriteLock.java 121-147"),
        cell(ReleaseLost, "c-lock", LeavesTheNode, "zoo_lock.c 85-108: three tries within 1.5 ms"),
        cell(GiveUpLost, "recipe", NotSaid, "recipes.md 244"),
        cell(GiveUpLost, "curator-5", DeletesUntilDone, "LockInternals.java 267-269, 281-287"),
        cell(GiveUpLost, "kazoo-2.11", LeavesTheNode, "recipe/lock.py 201-202, 321-327"),
        cell(GiveUpLost, "go-zookeeper", CannotHappen, "lock.go"),
        cell(
            GiveUpLost,
            "java-writelock",
            LeavesTheNode,
            "WriteLock.java 110-147: unlock() of one who waits",
        ),
        cell(GiveUpLost, "c-lock", LeavesTheNode, "zoo_lock.c 77-122: unlock of one who waits"),
        cell(StartedAgain, "recipe", WaitsForItsOldSession, "recipes.md 218: a new GUID"),
        cell(StartedAgain, "curator-5", WaitsForItsOldSession, "ProtectedMode.java 45-47"),
        cell(StartedAgain, "kazoo-2.11", WaitsForItsOldSession, "recipe/lock.py 120"),
        cell(StartedAgain, "go-zookeeper", WaitsForItsOldSession, "conn.go 1131-1139"),
        cell(
            StartedAgain,
            "java-writelock",
            WaitsForItsOldSession,
            "WriteLock.java 215-216: the new session's id",
        ),
        cell(StartedAgain, "c-lock", WaitsForItsOldSession, "zoo_lock.c 258-267"),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::PRESETS;

    #[test]
    fn every_library_has_a_cell_for_every_situation() {
        for situation in Situation::ALL {
            for preset in PRESETS {
                let cells = CELLS.iter().filter(|c| c.situation == situation && c.library == preset.word);
                assert_eq!(cells.count(), 1, "{situation:?} {}", preset.word);
            }
        }
        assert_eq!(CELLS.len(), Situation::ALL.len() * PRESETS.len());
    }
}
