//! Decisions about what the lock protects: the check at the resource, the fencing token, and when the work
//! is committed.

use super::{OptionInfo, decision};
use crate::recipe::Verdict;
use crate::text::fixed;

decision! {
    /// What the resource checks.
    Guard {
        #[default]
        Fenced, "fenced", Right,
            ("token on reads and writes", "读写都验令牌"),
            ("Whoever comes with a smaller token than the highest seen is refused; the highest is on disk.",
             "令牌比见过的最大值小，就拒绝；最大值保存在磁盘上。");
        WritesOnly, "writes-only", Breaks,
            ("token on writes only", "只有写入验令牌"),
            ("A read by the new holder does not stop the old one's write: an update is lost.",
             "新持有者的读取拦不住旧持有者的写入：有一次更新丢失。");
        Forgetful, "forgetful", Breaks,
            ("token, highest only in memory", "令牌最大值只在内存里"),
            ("A restart forgets the highest token, and an old one passes.",
             "资源一重启就忘了最大值，旧令牌又能通过。");
        ClientCheck, "client-check", Breaks,
            ("the client looks before it writes", "写之前客户端自己查一次"),
            ("Between the look and the write is time enough for a pause.",
             "查看与写入之间，足够发生一次停顿。");
        Multi, "multi", Right,
            ("multi(check my node, set)", "multi（check 自己的节点，set）"),
            ("The stock is a znode. One transaction checks that the lock node is there and sets the stock.",
             "库存就是一个 znode：同一个事务里检查锁节点还在，并写入库存。");
        Open, "open", Breaks,
            ("nothing", "什么都不查"),
            ("Whatever arrives is stored, however late.", "来什么存什么，再迟也收。");
    }
}

decision! {
    /// Which number is the token.
    Token {
        #[default]
        Czxid, "czxid", Right,
            ("the node's czxid", "节点的 czxid"),
            ("It grows with every transaction of the ensemble, whatever becomes of the directory.",
             "czxid 取自全局 zxid：集群每提交一个写事务就增大，删目录重建也不会倒退。");
        Sequence, "sequence", Breaks,
            ("the sequence number", "节点的序号"),
            ("It starts again at 0 when the directory is made anew, and its last value is 2³¹ − 1.",
             "目录重建后它又从 0 开始，而且最大只到 2³¹ − 1。");
    }
}

decision! {
    /// When the work is committed: inside the lock or after it.
    Commit {
        #[default]
        Inside, "inside", Right,
            ("commit, then release", "先提交，再释放"),
            ("The next holder reads what was committed.", "下一个持有者读到的是已提交的结果。");
        AfterRelease, "after-release", Breaks,
            ("release, then commit", "先释放，再提交"),
            ("The next holder may read before the commit: an update is lost.",
             "下一个持有者可能在提交之前读取：有一次更新丢失。");
    }
}
