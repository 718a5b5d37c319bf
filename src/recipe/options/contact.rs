//! Decisions about lost contact: a lost reply to `create`, a lost connection, a reconnect, a session that
//! has expired.

use super::{OptionInfo, decision};
use crate::recipe::Verdict;
use crate::text::fixed;

decision! {
    /// What to do when the reply to create is lost.
    LostReply {
        #[default]
        Guid, "guid", Right,
            ("sync, find my node by GUID and owner", "sync 后按 GUID 和所有者找回节点"),
            ("The node may be there. Its name has the GUID; ephemeralOwner says whether it belongs to this session.",
             "节点可能已经建好：名字里有 GUID，ephemeralOwner 说明它是否属于本会话。");
        GuidNoSync, "guid-no-sync", Sticks,
            ("find it by GUID, without sync", "按 GUID 查找，不 sync"),
            ("A server that lags may not show the node yet; then a second one is made. With one server nothing lags.",
             "落后的服务器可能还看不到这个节点，于是又建一个。只有一台服务器时不会落后。");
        AnyGuid, "any-guid", Breaks,
            ("trust any node with my GUID", "有我的 GUID 就认"),
            ("The node may belong to a session that is dying: it goes while the client trusts it.",
             "节点可能属于正在消亡的会话：客户端还信着它，它就没了。");
        AnyGuidNoSync, "any-guid-no-sync", Breaks,
            ("any node with my GUID, no sync", "不 sync，有我的 GUID 就认"),
            ("A server that lags hides the node, and a second one is made; or the node belongs to a session that is dying. kazoo and go-zookeeper do this.",
             "落后的服务器看不到这个节点，于是又建一个；或者节点属于正在消亡的会话。kazoo 和 go-zookeeper 就是这样做的。");
        OwnNoSync, "own-no-sync", Breaks,
            ("list, no sync, while my session lives", "会话没变就认列表，不 sync"),
            ("It compares its session with the one that it asked in, and looks at no owner. A server that lags hides the node; a GUID kept across restarts finds an older session's. Curator does this.",
             "它比较现在的会话与发出 create 时的会话，不看节点的所有者。落后的服务器看不到节点；如果 GUID 重启后不变，还会找到旧会话的节点。Curator 就是这样做的。");
        Again, "again", Sticks,
            ("create again", "再 create 一次"),
            ("If the first create was carried out, its node stands ahead of everybody and nobody knows it as their own.",
             "如果第一次 create 已经执行，那个节点就排在所有人前面，却没有人认领。");
    }
}

decision! {
    /// What to do while disconnected.
    Disconnect {
        #[default]
        Stop, "stop", Right,
            ("stop, and wait for the verdict", "停手，等连接状态明确"),
            ("Disconnected means doubt: it starts nothing that cannot be undone until it hears Connected or Expired.",
             "断连只说明情况不明：在收到“重新连上”或“会话过期”之前，不做任何不可撤销的操作。");
        Continue, "continue", Breaks,
            ("carry on", "照常工作"),
            ("The server may already have given the lock to the next one. Without a fence both write.",
             "服务器可能已经把锁给了下一个。资源不校验 fencing token，两个客户端就都会写入。");
        Requeue, "requeue", Sticks,
            ("take the lock for lost, queue again", "按丢锁处理，重新排队"),
            ("Its session lives, so its old node still stands ahead: it waits behind itself.",
             "会话还活着，旧节点仍排在前面：它在等自己。");
    }
}

decision! {
    /// What happens to the watches after a reconnect.
    Reconnect {
        #[default]
        Rearm, "rearm", Right,
            ("set the watches again", "重新设置 Watch"),
            ("setWatches tells the server the last zxid seen; a change that the state still shows is delivered, the rest is watched again.",
             "setWatches 把最后见过的 zxid 告诉服务器：从当前状态还看得出的变化会补发通知，其余的重新监听。");
        RearmAndLook, "rearm-and-look", Right,
            ("set the watches again, and look", "重新设置 Watch，并再看一遍"),
            ("A reconnect counts as a wake-up too. It costs one question more, and cures a watch that never was. Curator and the Java WriteLock do this.",
             "重新连上也算一次唤醒：多问一次，却能弥补从未设上的 Watch。Curator 和 Java WriteLock 就是这样做的。");
        Look, "look", Right,
            ("look again", "再看一遍"),
            ("The library sets no watches again; the client lists the children anew, which shows what was missed. kazoo does this.",
             "客户端库不重设 Watch；客户端重新列出子节点，错过的变化就看到了。kazoo 就是这样做的。");
        Forget, "forget", Sticks,
            ("wait on the old watches", "继续等旧的 Watch"),
            ("The watches died with the connection. What was missed is never heard.",
             "Watch 随连接一起消失，错过的通知再也听不到。");
    }
}

decision! {
    /// What to do after Expired.
    Expired {
        #[default]
        New, "new", Right,
            ("new session, back of the queue", "新会话，从队尾排起"),
            ("The node is gone and the lock may be somebody else's.", "节点已经没了，锁可能已归别人。");
        Reuse, "reuse", Breaks,
            ("go on with the old handle", "继续用旧句柄"),
            ("It believes that it holds a lock which the server gave away.",
             "它以为自己还持有锁，而服务器早已把锁给了别人。");
    }
}

decision! {
    /// What a GUID is good for: which of a client's processes and sessions know a node by it.
    Guid {
        #[default]
        Kept, "kept", Right,
            ("kept across restarts", "重启后不变"),
            ("A process that starts again finds the node of the one before; its owner says that it is of another session.",
             "重启的进程会找到前一个进程的节点；看所有者就知道它属于另一个会话。");
        Process, "process", Right,
            ("new for each process", "每个进程新建一个"),
            ("A process that starts again knows nothing of the node that the one before left: it goes with its session. kazoo, Curator and go-zookeeper do this.",
             "重启的进程不认前一个进程留下的节点：它随旧会话一起删除。kazoo、Curator 和 go-zookeeper 就是这样做的。");
        Session, "session", Right,
            ("the session's number", "会话号"),
            ("The name carries the number of the session in place of a GUID, so it never finds another session's node. ZooKeeper's Java and C recipes do this.",
             "名字里用会话号代替 GUID，因此不会找到别的会话的节点。ZooKeeper 自带的 Java 和 C 实现就是这样做的。");
    }
}

decision! {
    /// What an error means while it waits: its connection breaks under a request that reads or watches the
    /// queue, or its session ends.
    WaitError {
        #[default]
        Retry, "retry", Right,
            ("ask again once connected", "重新连上后再问"),
            ("An error says nothing about the queue: its node still stands in its place.",
             "出错与队列无关：它的节点还在原来的位置。");
        FailAndLeave, "fail-leave", Sticks,
            ("return the error, leave my node", "返回错误，留下节点"),
            ("The session lives, and so does the node: everybody behind it waits for one who has gone. go-zookeeper's Lock does this.",
             "会话还活着，节点也就还在：后面的都在等一个已经走了的客户端。go-zookeeper 的 Lock 就是这样做的。");
        FailAndDelete, "fail-delete", Costs,
            ("return the error, delete my node", "返回错误，删除节点"),
            ("Nobody waits for it, but it has lost its place and its caller gets no lock.",
             "没有人等它；但它失去了位置，调用者也得不到锁。");
    }
}

decision! {
    /// How often it tries to delete its node, when the connection breaks before the reply.
    DeleteTries {
        #[default]
        UntilDone, "until-done", Right,
            ("again, until it is gone", "一直重试，直到节点消失"),
            ("After the reconnect it deletes again; NoNode says that it is done.",
             "重新连上后再删一次；NoNode 说明已经删掉。");
        Once, "once", Sticks,
            ("once", "只试一次"),
            ("If the request was lost, the node stays as long as the session lives, and the next in line waits for it.",
             "如果请求丢了，会话活多久，节点就留多久，队列中的下一个就等多久。");
    }
}
