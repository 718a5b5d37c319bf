//! Decisions about waiting: whom a client watches and how, what it makes of a node that is gone and of a
//! wake-up, and how it gives up.

use super::{OptionInfo, decision};
use crate::recipe::Verdict;
use crate::text::fixed;

decision! {
    /// Whom to watch.
    Watch {
        #[default]
        Predecessor, "predecessor", Right,
            ("the one just ahead", "前驱节点"),
            ("A release wakes one client: the next in line.", "一次释放只唤醒一个客户端：队列中的下一个。");
        Holder, "holder", Costs,
            ("the holder", "持有者"),
            ("A release wakes everybody who waits; all but one go back to sleep.",
             "羊群效应（惊群）：一次释放唤醒所有等待者；除一个之外，其余又都睡回去。");
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

impl Watch {
    /// Whether the watch is on one other client's node, so that a request is needed to set it.
    pub fn aims_at_one_node(self) -> bool {
        match self {
            Watch::Predecessor | Watch::Holder => true,
            Watch::Parent | Watch::Poll => false,
        }
    }
}

decision! {
    /// How to watch.
    Check {
        #[default]
        GetData, "get-data", Right,
            ("getData(ahead, watch)", "getData(ahead, watch)"),
            ("One request checks and watches. On a missing node it leaves no watch behind.",
             "一个请求同时完成检查和监听。节点不存在时不会留下 Watch。");
        Exists, "exists", Right,
            ("exists(ahead, watch)", "exists(ahead, watch)"),
            ("One request checks and watches. On a missing node it leaves a watch for its creation; the number comes again only if the directory is made anew, so as a rule it never fires.",
             "一个请求同时完成检查和监听。节点不存在时会留下一个等待创建的 Watch；除非锁目录重建，序号不会再出现，所以它一般不会触发。");
        Separate, "separate", Sticks,
            ("exists(ahead), then watch", "先 exists(ahead)，再监听"),
            ("The node can go between the two requests; nobody hears that, and the client sleeps for ever.",
             "节点可能在两个请求之间消失；没有人会收到通知，客户端就永远睡下去。");
    }
}

decision! {
    /// What a missing predecessor means.
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
        Fail, "fail", Sticks,
            ("return the error, leave my node", "返回错误，留下节点"),
            ("That the predecessor has gone is good news. Whoever takes it for an error leaves its own node in the queue.",
             "前驱节点没了本是好消息。把它当成错误，自己的节点就留在了队列里。");
    }
}

decision! {
    /// What a wake-up means.
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
    /// How to give up waiting.
    GiveUp {
        #[default]
        Delete, "delete", Right,
            ("delete my node", "删除自己的节点"),
            ("If the node had become the lock meanwhile, this lets the lock go.",
             "如果此时节点已排到第一（即已持锁），删除就等于释放。");
        Leave, "leave", Sticks,
            ("walk away", "一走了之"),
            ("The node stays while the session lives: everybody behind it waits for one who is not interested.",
             "会话活着，节点就一直在：后面的都在等一个已经不想要锁的客户端。");
    }
}

decision! {
    /// What it means that its own node is not in the list.
    Absent {
        #[default]
        QueueAgain, "queue-again", Right,
            ("queue again", "重新排队"),
            ("Somebody has deleted the node, or its session is over: there is no place to wait in.",
             "有人删了节点，或者会话已经结束：已经没有位置可等。");
        Mine, "mine", Breaks,
            ("nobody ahead, so mine", "前面没人，锁就归我"),
            ("It takes the lock without a node, and the next in line takes it too. go-zookeeper's Lock does this.",
             "它没有节点也拿锁，而下一个也拿到了锁。go-zookeeper 的 Lock 就是这样做的。");
        Fail, "fail", Costs,
            ("return an error", "返回错误"),
            ("Nobody waits for it, but its caller gets no lock.", "没有人等它，但调用者得不到锁。");
        Wait, "wait", Sticks,
            ("not first, so wait", "不是第一个，就等着"),
            ("With nobody ahead there is nobody to watch, and nothing wakes it. ZooKeeper's own Java WriteLock does this, unless the list is empty.",
             "前面没有人，也就没有可监听的节点，没有什么会唤醒它。ZooKeeper 自带的 Java WriteLock 就是这样做的（列表为空时除外）。");
    }
}

decision! {
    /// What it does when the lock's directory is gone while it waits.
    DirGone {
        #[default]
        Make, "make", Right,
            ("make it, queue again", "重建目录，重新排队"),
            ("All places are gone with it: whoever comes first is first.", "所有位置都随目录没了：谁先来谁排前面。");
        Fail, "fail", Costs,
            ("return the error", "返回错误"),
            ("Its caller gets NoNode in place of the lock. kazoo and go-zookeeper do this.",
             "调用者得到的是 NoNode，而不是锁。kazoo 和 go-zookeeper 就是这样做的。");
        Idle, "idle", Sticks,
            ("log it, and wait", "记一条日志，继续等"),
            ("Nothing can come from a directory that is not there.", "目录不在，什么事件也不会来。");
    }
}
