//! Decisions about the queue: what a client puts into it, how it is ordered, and who may hold together.

use super::{OptionInfo, decision};
use crate::recipe::Verdict;
use crate::text::fixed;

decision! {
    /// What node to create.
    NodeKind {
        #[default]
        EphemeralSequential, "ephemeral-sequential", Right,
            ("EPHEMERAL_SEQUENTIAL", "EPHEMERAL_SEQUENTIAL"),
            ("The number is a place in the queue; the node goes when its session ends.",
             "临时顺序节点：序号就是排队的位置；会话结束，节点随之删除。");
        PersistentSequential, "persistent-sequential", Sticks,
            ("PERSISTENT_SEQUENTIAL", "PERSISTENT_SEQUENTIAL"),
            ("The node outlives its client: a client that dies in the queue blocks it until somebody deletes the node.",
             "节点比客户端活得久：排队中的客户端一旦死掉，队列就一直堵住，直到有人删除该节点。");
        EphemeralSingle, "ephemeral-single", Costs,
            ("EPHEMERAL, one name", "EPHEMERAL，同一个节点"),
            ("There is no queue: each release starts a new fight for the one name.",
             "没有队列，也就没有公平：每次释放都引发一轮对同一个节点的争抢。");
    }
}

decision! {
    /// How to order the children.
    Order {
        #[default]
        Sequence, "sequence", Right,
            ("by number", "按序号"),
            ("The server's number is the order of the queue.", "服务器给的序号就是队列的顺序。");
        NumberOnly, "number-only", Breaks,
            ("by number, equal ones side by side", "按序号，相等的并列"),
            ("Since 3.6 the counter sticks at 2147483647, and everybody after that has the same number: nobody is ahead of anybody. kazoo and go-zookeeper compare like this.",
             "3.6 起计数器停在 2147483647，之后每个节点的序号都相同：谁也不在谁前面。kazoo 和 go-zookeeper 就是这样比较的。");
        Name, "name", Breaks,
            ("by the whole name", "按整个名字"),
            ("The GUID stands in front of the number, so chance decides: a late client may sort first while another holds.",
             "GUID 排在序号前面，谁先谁后全看随机数：后来的客户端可能排到第一，而此时锁还在别人手里。");
    }
}

decision! {
    /// Whom a reader waits for.
    ReaderWaits {
        #[default]
        NearestWriter, "nearest-writer", Right,
            ("the nearest writer ahead", "前面最近的写者"),
            ("Readers hold together; a writer is passed by nobody.", "读者可以同时持有；谁也不会越过写者。");
        NodeAhead, "node-ahead", Costs,
            ("the node just ahead", "紧挨着的前一个节点"),
            ("Right, but readers go in single file.", "结果正确，但读者只能一个一个来。");
        AnyWriter, "any-writer", Sticks,
            ("every writer, ahead or behind", "所有写者，不论前后"),
            ("The reader waits for a writer that waits for the reader.", "读者等着写者，写者又等着读者：死锁。");
    }
}
