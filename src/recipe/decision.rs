//! The decisions of a lock and their options: words, labels, and what each leads to.
//!
//! One definition each: the address, the command line, the controls, the pseudo-code and the
//! lessons all read it from here.

use crate::text::{Fixed, Text, fixed, text};

/// What becomes of a run or an option. The words are not mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing wrong, and nothing dear.
    Right,
    /// It is right, and dear.
    Costs,
    /// Somebody waits for ever.
    Sticks,
    /// Something wrong is stored, or two act at once.
    Breaks,
}

impl Verdict {
    /// The verdict as `--json` and tests write it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Costs => "costs",
            Verdict::Sticks => "sticks",
            Verdict::Breaks => "breaks",
        }
    }

    /// The verdict as the page writes it.
    pub fn label(self) -> Text {
        match self {
            Verdict::Right => text("right", "正确"),
            Verdict::Costs => text("costs", "代价"),
            Verdict::Sticks => text("sticks", "卡死"),
            Verdict::Breaks => text("breaks", "出错"),
        }
    }

    /// The mark beside the word, so that colour never speaks alone.
    pub fn mark(self) -> &'static str {
        match self {
            Verdict::Right => "✓",
            Verdict::Costs => "▲",
            Verdict::Sticks => "∞",
            Verdict::Breaks => "✗",
        }
    }
}

/// One option of a decision, as controls and lessons show it.
pub struct OptionInfo {
    /// The word in links and on the command line.
    pub word: &'static str,
    /// The words in the slot of the pseudo-code and in the lane's title.
    pub label: Fixed,
    /// One sentence: what happens with this answer.
    pub why: Fixed,
    /// What this answer leads to when the others are right and its moment comes.
    pub verdict: Verdict,
}

macro_rules! decision {
    ($(#[$doc:meta])* $name:ident { $( $(#[$vdoc:meta])* $variant:ident, $word:literal, $verdict:ident,
        ($en:literal, $zh:literal), ($wen:literal, $wzh:literal); )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$vdoc])* $variant, )+ }
        impl $name {
            /// Every option, the default first.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            pub(super) const INFO: &'static [OptionInfo] = &[$(OptionInfo {
                word: $word, label: fixed($en, $zh), why: fixed($wen, $wzh), verdict: Verdict::$verdict,
            }),+];
            /// The option's word, label and explanation.
            pub fn info(self) -> &'static OptionInfo { &Self::INFO[self as usize] }
        }
    };
}
pub(super) use decision;

decision! {
    /// Decision 1: what node to create.
    NodeKind {
        #[default]
        EphemeralSequential, "ephemeral-sequential", Right,
            ("EPHEMERAL_SEQUENTIAL", "EPHEMERAL_SEQUENTIAL"),
            ("The number is a place in the queue; the node goes when its session ends.",
             "序号就是排队的位置；会话结束，节点随之删除。");
        PersistentSequential, "persistent-sequential", Sticks,
            ("PERSISTENT_SEQUENTIAL", "PERSISTENT_SEQUENTIAL"),
            ("The node outlives its client: a client that dies in the queue blocks it until somebody deletes the node.",
             "节点比客户端活得久：排队中的客户端一旦死掉，队列就一直堵住，直到有人删除该节点。");
        EphemeralSingle, "ephemeral-single", Costs,
            ("EPHEMERAL, one name", "EPHEMERAL，同一个名字"),
            ("There is no queue: each release starts a new fight for the one name.",
             "没有队列：每次释放都引发一轮对同一个名字的争抢。");
    }
}

decision! {
    /// Decision 2: whom to watch.
    Watch {
        #[default]
        Predecessor, "predecessor", Right,
            ("the one just ahead", "前驱节点"),
            ("A release wakes one client: the next in line.", "一次释放只唤醒一个客户端：队列中的下一个。");
        Holder, "holder", Costs,
            ("the holder", "持有者"),
            ("A release wakes everybody who waits; all but one go back to sleep.",
             "一次释放唤醒所有等待者；除一个之外，其余又都睡回去。");
        Parent, "parent", Costs,
            ("the parent's children", "父节点的子节点列表"),
            ("Everybody who waits wakes at each release, and at each arrival too.",
             "每次释放唤醒所有等待者，每次有新客户端到来也一样。");
        Poll, "poll", Costs,
            ("nobody: poll", "谁也不监听：轮询"),
            ("Ask again every so often: the lock stands free until the next question, and most questions are in vain.",
             "隔一段时间再问一次：下次询问之前锁一直空着，而大多数询问是白问。");
    }
}

decision! {
    /// Decision 3: how to watch.
    Check {
        #[default]
        GetData, "get-data", Right,
            ("getData(ahead, watch)", "getData(ahead, watch)"),
            ("One request checks and watches. On a missing node it leaves no watch behind.",
             "一个请求同时完成检查和监听。节点不存在时不会留下 Watch。");
        Exists, "exists", Right,
            ("exists(ahead, watch)", "exists(ahead, watch)"),
            ("One request checks and watches. On a missing node it leaves a watch for its creation; a number does not come again, so it never fires.",
             "一个请求同时完成检查和监听。节点不存在时会留下一个等待创建的 Watch；序号不会再出现，所以它不会触发。");
        Separate, "separate", Sticks,
            ("exists(ahead), then watch", "先 exists(ahead)，再监听"),
            ("The node can go between the two requests; nobody hears that, and the client sleeps for ever.",
             "节点可能在两个请求之间消失；没有人会收到通知，客户端就永远睡下去。");
    }
}

decision! {
    /// Decision 4: what a missing predecessor means.
    Missing {
        #[default]
        Relist, "relist", Right,
            ("list again", "重新列出子节点"),
            ("The queue has moved on: read it again at once.", "队列已经变了：立刻重新读一遍。");
        Ignore, "ignore", Sticks,
            ("sleep all the same", "照样睡"),
            ("Nothing will wake it: that node does not come back. ZooKeeper's own Java WriteLock loses the wake-up in the same way: lock() returns false, and nobody is told later.",
             "没有什么会唤醒它：那个节点不会再出现。ZooKeeper 自带的 Java WriteLock 也会这样丢失唤醒：lock() 返回 false，之后没有通知。");
        Requeue, "requeue", Costs,
            ("queue again", "重新排队"),
            ("It gives up its place and starts at the back. ZooKeeper's C recipe does this.",
             "放弃原来的位置，从队尾重新开始。ZooKeeper 的 C 实现就是这样做的。");
    }
}

decision! {
    /// Decision 5: what a wake-up means.
    Wake {
        #[default]
        Recheck, "recheck", Right,
            ("look again", "再看一遍"),
            ("The event says that something changed. Read the children and decide.",
             "事件只说明有变化。重新读子节点列表，再作决定。");
        Assume, "assume", Breaks,
            ("it is mine now", "锁归我了"),
            ("Several may be woken, or the node ahead may have left the queue: two hold at once.",
             "被唤醒的可能不止一个，前面的节点也可能只是离队：于是两个客户端同时持有锁。");
    }
}

decision! {
    /// Decision 13: how to order the children.
    Order {
        #[default]
        Sequence, "sequence", Right,
            ("by number", "按序号"),
            ("The server's number is the order of the queue.", "服务器给的序号就是队列的顺序。");
        Name, "name", Breaks,
            ("by the whole name", "按整个名字"),
            ("The GUID stands in front of the number, so chance decides: a late client may sort first while another holds.",
             "GUID 排在序号前面，谁先谁后全看随机数：后来的客户端可能排到第一，而此时锁还在别人手里。");
    }
}
