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
        GuidNoSync, "guid-no-sync", Breaks,
            ("find it by GUID, without sync", "按 GUID 查找，不 sync"),
            ("A server that lags may not show the node yet; then a second one is made. With one server nothing lags.",
             "落后的服务器可能还看不到这个节点，于是又建一个。只有一台服务器时不会落后。");
        AnyGuid, "any-guid", Breaks,
            ("trust any node with my GUID", "有我的 GUID 就认"),
            ("The node may belong to a session that is dying: it goes while the client trusts it.",
             "节点可能属于即将过期的旧会话：客户端还信着它，它就没了。");
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
