//! Ready stories of what goes wrong: what the lock protects, lost contact, leaving the queue, edges.

use super::story::Story;
use crate::recipe::Verdict;
use crate::text::fixed;

/// A door of the first minute leads here.
pub const GC_PAUSE: Story = Story {
    id: "gc-pause",
    question: fixed(
        "A sleeps through its own session. Does its write land?",
        "A 的停顿超过了会话超时时间。它的写入会生效吗？",
    ),
    about: fixed(
        "A long pause, and a resource that checks nothing, or the fencing token.",
        "一次长 GC 停顿；资源什么都不查，或者校验 fencing token（栅栏令牌）。",
    ),
    query: "v=2&clients=2&seed=1&stock=1&script=pause.A@505,resume.A@23000&lane=resource=open&lane=",
    verdicts: &[Verdict::Breaks, Verdict::Right],
};

pub(super) const PROTECTED: &[Story] = &[
    GC_PAUSE,
    Story {
        id: "five-gates",
        question: fixed("The owner comes back. Which gate holds?", "旧持有者回来了，哪种校验拦得住？"),
        about: fixed(
            "Nothing, tokens on writes only, a look before the write, tokens on reads and writes.",
            "什么都不查、只有写入验令牌、写之前自己查一次、读写都验。",
        ),
        query: "v=2&clients=2&seed=1&script=pause.A@505,resume.A@22200&lane=resource=open&lane=resource=writes-only&lane=resource=client-check&lane=",
        verdicts: &[Verdict::Breaks, Verdict::Breaks, Verdict::Breaks, Verdict::Right],
    },
    Story {
        id: "look-before-write",
        question: fixed("A looks before it writes. Is that not enough?", "A 写之前先查一次，这还不够吗？"),
        about: fixed(
            "Between the look and the write is time enough for a pause.",
            "查看与写入之间，足够发生一次停顿。",
        ),
        query: "v=2&clients=2&seed=1&script=pause.A@500,resume.A@22200&lane=resource=client-check&lane=",
        verdicts: &[Verdict::Breaks, Verdict::Right],
    },
    Story {
        id: "gate-forgets",
        question: fixed("The ledger restarts. Does the gate remember?", "库存服务重启了，还记得最大令牌吗？"),
        about: fixed("The highest token in memory, or on disk.", "令牌的最大值放在内存里，还是磁盘上。"),
        query: "v=2&clients=2&seed=1&script=pause.A@100,restart.ledger@22900,resume.A@23000&lane=resource=forgetful&lane=",
        verdicts: &[Verdict::Breaks, Verdict::Right],
    },
    Story {
        id: "early-release",
        question: fixed("A releases, then commits. What does B read?", "A 先释放、后提交。B 读到的是什么？"),
        about: fixed("The commit inside the lock, or after it.", "在锁内提交，还是释放之后才提交。"),
        query: "v=2&clients=2&seed=1&lane=resource=open&lane=resource=open,commit=after-release",
        verdicts: &[Verdict::Right, Verdict::Breaks],
    },
    Story {
        id: "operator-deletes",
        question: fixed("Somebody deletes A's node. Who holds the lock?", "有人删掉了 A 的节点。锁归谁？"),
        about: fixed(
            "The server takes the lock away, and A is not told.",
            "在服务器那边，锁已经易主，A 却毫不知情。",
        ),
        query: "v=2&clients=2&seed=1&script=delete.A@200&lane=resource=open&lane=&lane=resource=multi",
        verdicts: &[Verdict::Breaks, Verdict::Right, Verdict::Right],
    },
    Story {
        id: "dir-anew",
        question: fixed(
            "The directory is made anew. What is the token worth?",
            "目录重建之后，令牌还算数吗？",
        ),
        about: fixed(
            "The czxid goes on growing; the sequence number starts again at 0.",
            "新节点的 czxid 仍然更大；序号却又从 0 开始。",
        ),
        query: "v=2&clients=2&seed=1&counter=7&script=pause.A@150,delete.dir@300,resume.A@2000&lane=&lane=token=sequence",
        verdicts: &[Verdict::Right, Verdict::Breaks],
    },
    Story {
        id: "readers",
        question: fixed("Two readers and a writer: who waits for whom?", "两个读者和一个写者：谁等谁？"),
        about: fixed(
            "The nearest writer ahead, the node just ahead, or every writer.",
            "等前面最近的写者、等紧挨着的节点，还是等所有写者。",
        ),
        query: "v=2&clients=4&seed=1&readers=B,C&lane=&lane=reader-waits=node-ahead&lane=reader-waits=any-writer",
        verdicts: &[Verdict::Right, Verdict::Costs, Verdict::Sticks],
    },
];

pub(super) const CONTACT: &[Story] = &[
    Story {
        id: "short-reset",
        question: fixed("A's connection is gone for 5 s. Is the lock free?", "A 断连 5 秒。锁释放了吗？"),
        about: fixed(
            "The session lives for 20 s. Stop and wait, carry on, or queue again.",
            "会话能撑 20 秒。停手等待、照常工作，还是重新排队。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=2000&script=reset.A@300,stall.A@300,heal.A@5300&lane=&lane=disconnect=continue&lane=disconnect=requeue",
        verdicts: &[Verdict::Right, Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "stall-15",
        question: fixed(
            "The link is silent for 15 s, and nobody is told. Who notices?",
            "网络卡住 15 秒，两端都没报错。谁会先发现？",
        ),
        about: fixed(
            "A session timeout of 20 s outlives it; one of 12 s does not.",
            "会话超时时间为 20 秒撑得过去，12 秒就撑不过去。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=5000&script=stall.A@300,heal.A@15300&lane=&lane=timeout-ms=12000",
        verdicts: &[Verdict::Costs, Verdict::Costs],
    },
    Story {
        id: "cut-outlasts",
        question: fixed(
            "The cut outlasts the session. May A go on working?",
            "断连时间超过会话超时时间。A 还能继续工作吗？",
        ),
        about: fixed(
            "While disconnected: stop, or carry on. The resource checks nothing.",
            "断连期间：停手，还是照常工作。资源什么都不查。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=25000&script=stall.A@300,heal.A@60000&lane=resource=open&lane=resource=open,disconnect=continue",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
    Story {
        id: "old-handle",
        question: fixed(
            "A hears Expired. Is its lock object still good?",
            "A 得知会话过期。它手里的锁对象还有效吗？",
        ),
        about: fixed(
            "A new session at the back of the queue, or the old handle.",
            "新会话从队尾排起，还是继续用旧句柄。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=25000&script=stall.A@300,heal.A@30000&lane=&lane=expired=reuse",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
    Story {
        id: "crash-and-wait",
        question: fixed("A's process dies. How long does B wait?", "A 的进程崩溃了。B 要等多久？"),
        about: fixed(
            "The lock is free when the session expires, not when the process dies.",
            "会话过期锁才空出来，而不是进程崩溃的时候。",
        ),
        query: "v=2&clients=2&seed=1&script=crash.A@200&lane=timeout-ms=4000&lane=",
        verdicts: &[Verdict::Right, Verdict::Costs],
    },
    Story {
        id: "short-or-long",
        question: fixed("How long should the session timeout be?", "会话超时时间该设多长？"),
        about: fixed(
            "A pauses for 6 s, then B dies holding: 4 s loses the lock, 40 s keeps everybody waiting.",
            "A 停顿 6 秒，随后 B 持锁时崩溃：4 秒会丢锁，40 秒让大家久等。",
        ),
        query: "v=2&clients=3&seed=1&hold-ms=2000&script=pause.A@300,resume.A@6300,crash.B@7500&lane=timeout-ms=4000&lane=timeout-ms=10000&lane=timeout-ms=40000",
        verdicts: &[Verdict::Right, Verdict::Costs, Verdict::Costs],
    },
    Story {
        id: "dead-watch",
        question: fixed("B reconnects. Does its watch still stand?", "B 重连了。它的 Watch 还在吗？"),
        about: fixed("Set the watches again, or wait on the old ones.", "重新设置 Watch，还是继续等旧的。"),
        query: "v=2&clients=2&seed=1&hold-ms=3000&script=reset.B@300&lane=&lane=reconnect=forget",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "missed-and-heard",
        question: fixed(
            "A releases while B is away. How does B hear of it?",
            "B 断连时 A 释放了锁。B 怎么得知？",
        ),
        about: fixed(
            "setWatches compares states: a change that the state still shows is delivered.",
            "setWatches 会比对状态：还看得出的变化会补发通知。",
        ),
        query: "v=2&clients=2&seed=1&hold-ms=1000&script=reset.B@300,stall.B@300,heal.B@4000&lane=&lane=reconnect=forget",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "old-news",
        question: fixed("B wakes from a pause. What does it hear first?", "B 从停顿中醒来，先听到什么？"),
        about: fixed(
            "The old news is in its socket: read it, and look again, or believe it.",
            "旧消息还在套接字里：读到后再看一遍，还是直接相信。",
        ),
        query: "v=2&clients=3&seed=1&hold-ms=1000&script=pause.B@500,resume.B@25000&lane=resource=open&lane=wake=assume,resource=open",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
    Story {
        id: "lost-create",
        question: fixed(
            "The reply to create is lost. Is A's node there?",
            "create 的响应丢了。A 的节点建好了吗？",
        ),
        about: fixed(
            "Four answers: sync and find it, find it, trust the GUID, create again.",
            "四种做法：sync 后查找、直接查找、只认 GUID、再 create 一次。",
        ),
        query: "v=2&clients=2&seed=1&script=lost-reply.A@18&lane=&lane=lost-reply=guid-no-sync&lane=lost-reply=any-guid&lane=lost-reply=again",
        verdicts: &[Verdict::Right, Verdict::Right, Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "dying-node",
        question: fixed(
            "A starts again and finds its old node. Is it a place in the queue?",
            "A 重启后发现自己的旧节点。这算排上队了吗？",
        ),
        about: fixed("The node belongs to a session that is dying.", "这个节点属于即将过期的旧会话。"),
        query: "v=2&clients=2&seed=1&hold-ms=25000&script=crash.A@300,restart.A@1000&lane=resource=open&lane=lost-reply=any-guid,resource=open",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
];

pub(super) const LEAVING: &[Story] = &[
    Story {
        id: "walked-away",
        question: fixed(
            "B does not want to wait any longer. How does it leave?",
            "B 不想再等了。它该怎样离开？",
        ),
        about: fixed("Delete its node, or walk away from it.", "删除自己的节点，还是一走了之。"),
        query: "v=2&clients=3&seed=1&script=give-up.B@250&lane=&lane=give-up=leave",
        verdicts: &[Verdict::Costs, Verdict::Sticks],
    },
    Story {
        id: "cancel-race",
        question: fixed("B gives up just as A lets go. Who gets the lock?", "A 刚释放，B 就放弃了。锁归谁？"),
        about: fixed(
            "B's node had become the lock: deleting it lets the lock go.",
            "B 的节点已排到第一，等于持锁：删除它就等于释放。",
        ),
        query: "v=2&clients=3&seed=1&script=give-up.B@552&lane=&lane=give-up=leave",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "never-held",
        question: fixed(
            "The one ahead of C dies in the queue. Is it C's turn?",
            "C 的前驱在排队途中退出了。轮到 C 了吗？",
        ),
        about: fixed(
            "Its predecessor never held. Look again, or take the event's word.",
            "前驱从未持有过锁。再看一遍，还是听信事件。",
        ),
        query: "v=2&clients=3&seed=1&script=close.B@250&lane=resource=open&lane=wake=assume,resource=open",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
    Story {
        id: "leak",
        question: fixed(
            "A dies with a persistent node. Who frees the lock?",
            "A 崩溃了，持久节点还在。谁来释放锁？",
        ),
        about: fixed(
            "An ephemeral node goes with its session; a persistent one stays.",
            "临时节点随会话删除，持久节点会一直留着。",
        ),
        query: "v=2&clients=2&seed=1&timeout-ms=4000&script=crash.A@200&lane=&lane=node=persistent-sequential",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "hung",
        question: fixed(
            "A hangs, but its heart beats. Who frees the lock?",
            "A 卡住了，心跳却还在。谁来释放锁？",
        ),
        about: fixed(
            "Nobody: the session lives. A process that may hang needs a limit of its own.",
            "没有人：会话还在。业务操作要自己设超时。",
        ),
        query: "v=2&clients=2&seed=1&script=hang.A@200&lane=",
        verdicts: &[Verdict::Sticks],
    },
];

pub(super) const EDGES: &[Story] = &[
    Story {
        id: "counter-end",
        question: fixed(
            "The number reaches its end, 2³¹ − 1. Who is first?",
            "序号到了尽头 2³¹ − 1，谁排第一？",
        ),
        about: fixed(
            "Since 3.6 the counter sticks; before, it went on at −2³¹. Either way two hold.",
            "3.6 起计数器停住不动；之前则从 −2³¹ 继续。两种情况下都会有两个持有者。",
        ),
        query: "v=2&clients=4&seed=2&counter=2147483646&lane=resource=open&lane=resource=open,server=before-3.6",
        verdicts: &[Verdict::Breaks, Verdict::Breaks],
    },
    Story {
        id: "libraries",
        question: fixed("Four libraries, one story", "四个客户端库，同一个故事"),
        about: fixed(
            "The node ahead goes between list and watch; each library's own answers.",
            "前驱节点恰在读列表和注册 Watch 之间被删；各个库各有各的做法。",
        ),
        query: "v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=as=curator-5&lane=as=kazoo-2.11&lane=as=java-writelock&lane=as=c-lock",
        verdicts: &[Verdict::Right, Verdict::Right, Verdict::Sticks, Verdict::Costs],
    },
    Story {
        id: "libraries-pause",
        question: fixed("Two libraries, one long pause", "两个客户端库，一次长停顿"),
        about: fixed(
            "Both leave the resource open: neither lock object hears that it was lost.",
            "两个库都没有保护资源：锁丢了，锁对象却不知道。",
        ),
        query: "v=2&clients=2&seed=1&stock=1&script=pause.A@100,resume.A@23000&lane=as=curator-5&lane=as=kazoo-2.11",
        verdicts: &[Verdict::Breaks, Verdict::Breaks],
    },
];
