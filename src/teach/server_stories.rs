//! Ready stories of several servers: who lags, who leads, who is cut off.

use super::story::Story;
use crate::recipe::Verdict;
use crate::text::fixed;

pub(super) const ENSEMBLE: &[Story] = &[
    Story {
        id: "lagging-follower",
        question: fixed(
            "B's server lags. Can B take a lock that is not free?",
            "B 连的那台服务器数据落后。B 会误拿到锁吗？",
        ),
        about: fixed(
            "S2 hears nothing for 2.5 s: B goes on waiting for a node that is gone. An old list may lack nodes at the back, never one ahead.",
            "S2 有 2.5 秒收不到消息：B 还在等一个已经删除的节点。旧列表可能缺少队尾的节点，但不会缺少排在前面的。",
        ),
        query: "v=2&clients=2&seed=1&servers=3&script=stall.s2@450,resume.s2@3000&lane=&lane=watch=poll",
        verdicts: &[Verdict::Right, Verdict::Costs],
    },
    Story {
        id: "find-on-lagging",
        question: fixed(
            "A asks another server for its node. Does that one know?",
            "A 换一台服务器查自己的节点。那台知道吗？",
        ),
        about: fixed(
            "The create is on its way to a quorum. sync waits for it; without sync the list is old, and a second node is made.",
            "create 正在等过半确认。sync 会等到它；不 sync，列表是旧的，于是又建一个节点。",
        ),
        query: "v=2&clients=2&seed=1&lag-ms=1500&servers=3&script=reset.A@40&lane=&lane=lost-reply=guid-no-sync",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "leader-dies-in-create",
        question: fixed(
            "The leader dies in the middle of a create. Was it carried out?",
            "create 进行到一半，Leader 崩溃。节点建好了吗？",
        ),
        about: fixed(
            "What a server of the new quorum has written down survives: look for it, or create again.",
            "新的过半服务器中，只要有一台写过日志，就会保留：先查找，还是再 create 一次。",
        ),
        query: "v=2&clients=2&seed=1&servers=3&script=crash.s3@33,restart.s3@4000&lane=&lane=lost-reply=again",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "dead-holder-new-leader",
        question: fixed(
            "A is dead, and then the leader. How long does B wait?",
            "A 先崩溃，Leader 随后也崩溃。B 要等多久？",
        ),
        about: fixed(
            "A new leader gives every session its full timeout again, the dead holder's too.",
            "新 Leader 让每个会话都重新计时，已死的持有者也不例外。",
        ),
        query: "v=2&clients=2&seed=1&tick-ms=500&servers=3&timeout-ms=4000&script=crash.A@300,crash.s3@4100,restart.s3@9000&lane=&lane=timeout-ms=8000",
        verdicts: &[Verdict::Right, Verdict::Costs],
    },
    Story {
        id: "minority-client",
        question: fixed(
            "A's server is cut off from the others. Does A lose the lock?",
            "A 连的那台服务器与其他服务器断开（脑裂的少数派一侧）。A 会丢锁吗？",
        ),
        about: fixed(
            "S1 notices after ten seconds and closes; A finds another server in time. Wait, or queue again.",
            "S1 十秒后才发现并关闭连接；A 及时换到另一台。等待，还是重新排队。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=20000&servers=3&script=cut.s1-s2@300,cut.s1-s3@300,heal.s1-s2@60000,heal.s1-s3@60000&lane=&lane=disconnect=requeue",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "minority-holder",
        question: fixed(
            "A is connected and hears its server. Does it hold the lock?",
            "A 连接正常，服务器也在应答。锁还是它的吗？",
        ),
        about: fixed(
            "A server that is cut off answers heartbeats, and the leader ends the session behind its back.",
            "被切断的服务器照常应答心跳，而 Leader 已在另一边结束了会话。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=8600&servers=3&timeout-ms=6000&script=cut.s1-s2@300,cut.s1-s3@300,heal.s1-s2@20000,heal.s1-s3@20000&lane=resource=open&lane=",
        verdicts: &[Verdict::Breaks, Verdict::Right],
    },
    Story {
        id: "quorum-lost",
        question: fixed(
            "Two of three servers are down for twice the timeout. Whose is the lock?",
            "三台停了两台，停机时长是会话超时时间的两倍。锁归谁？",
        ),
        about: fixed(
            "Without a quorum nothing is served and nothing expires: the session outlives it. Wait, or take the lock for lost.",
            "凑不齐过半，集群就不提供服务，也没有谁来判会话过期：会话能撑过去。等待，还是按丢锁处理。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=2000&tick-ms=500&servers=3&timeout-ms=4000&script=crash.s2@300,crash.s3@300,restart.s2@9000,restart.s3@9000&lane=&lane=disconnect=requeue",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "moved-session",
        question: fixed(
            "A has moved to S2. What becomes of what it sent through S1?",
            "A 已换到 S2。它经 S1 发出的请求会怎样？",
        ),
        about: fixed(
            "The create is held up between S1 and the leader. When it arrives, the session has moved: it is refused.",
            "create 卡在 S1 与 Leader 之间。等它到达时，会话已经转移：请求被拒（SessionMoved）。",
        ),
        query: "v=2&clients=2&seed=1&servers=3&script=reset.A@20&lane=hold@2=s1.s3,go@42=s1.s3&lane=lost-reply=again,hold@2=s1.s3,go@42=s1.s3",
        verdicts: &[Verdict::Right, Verdict::Right],
    },
    Story {
        id: "two-clocks",
        question: fixed(
            "A's timer says that the session is over. What does the leader's say?",
            "按 A 的计时，会话已经过期。按 Leader 的呢？",
        ),
        about: fixed(
            "A new leader has started the time anew: A may come back later than its timeout. Wait for the verdict, or believe the timer.",
            "新 Leader 重新计时：A 回来时已超过会话超时时间，会话仍然有效。等结论，还是信计时器。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=6000&tick-ms=500&servers=3&timeout-ms=4000&script=stall.A@300,crash.s3@3900,heal.A@7000&lane=&lane=disconnect=requeue",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
];
