//! Ready stories of the queue: whom to watch, how, and what a wake-up means.

use super::story::Story;
use crate::recipe::Verdict;
use crate::text::fixed;

/// A door of the first minute leads here.
pub const WHO_WAKES: Story = Story {
    id: "who-wakes",
    question: fixed("A lets go. Who should wake up?", "A 释放了锁，该唤醒谁？"),
    about: fixed("Watch the one just ahead, or the holder.", "监听前驱节点，还是监听持有者。"),
    query: "v=2&clients=5&seed=1&lane=&lane=watch=holder",
    verdicts: &[Verdict::Right, Verdict::Costs],
};

/// A door of the first minute leads here.
pub const MAKE_IT_SLEEP: Story = Story {
    id: "make-it-sleep",
    question: fixed(
        "Make B sleep for ever: hold back the exists that sets its watch until A has let go.",
        "让 B 永远睡下去：扣住它设置 Watch 的那个 exists，等 A 释放后再放行。",
    ),
    about: fixed(
        "You are the scheduler. Pick a message to hold it back.",
        "由你来调度。点选一条消息就能扣住它。",
    ),
    query: "v=2&clients=3&seed=1&lane=check=separate",
    verdicts: &[Verdict::Right],
};

pub(super) const QUEUE: &[Story] = &[
    WHO_WAKES,
    Story {
        id: "lost-wake-up",
        question: fixed(
            "B checks, then watches. What can slip in between?",
            "B 先检查，再监听。中间会插进什么？",
        ),
        about: fixed(
            "One request that checks and watches, or two.",
            "检查和注册 Watch 放在一个请求里，还是分两个。",
        ),
        query: "v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=separate",
        verdicts: &[Verdict::Right, Verdict::Sticks],
    },
    Story {
        id: "already-gone",
        question: fixed("The node ahead is already gone. What now?", "前面的节点已经没了，怎么办？"),
        about: fixed(
            "List again, sleep all the same, or queue again.",
            "重读子节点列表、照样等，还是重新排队。",
        ),
        query: "v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=missing=ignore&lane=missing=requeue",
        verdicts: &[Verdict::Right, Verdict::Sticks, Verdict::Costs],
    },
    Story {
        id: "is-it-mine",
        question: fixed("C is woken. Is the lock C's?", "C 被唤醒了，锁就归 C 吗？"),
        about: fixed(
            "Look again after waking, or take the event's word.",
            "醒来之后再看一遍，还是听信事件。",
        ),
        query: "v=2&clients=3&seed=3&lane=watch=holder&lane=watch=holder,wake=assume",
        verdicts: &[Verdict::Costs, Verdict::Breaks],
    },
    Story {
        id: "whose-turn",
        question: fixed("Whose turn is it: the number's or the name's?", "该轮到谁：看序号还是看名字？"),
        about: fixed("Sort by the number, or by the whole name.", "按序号排序，还是按整个名字排序。"),
        query: "v=2&clients=3&seed=5&hold-ms=60&lane=&lane=order=name",
        verdicts: &[Verdict::Right, Verdict::Breaks],
    },
    Story {
        id: "four-ways",
        question: fixed("Four ways to wait", "等待的四种办法"),
        about: fixed(
            "Predecessor, holder, the parent's children, polling.",
            "前驱节点、持有者、父节点的子节点列表、轮询。",
        ),
        query: "v=2&clients=5&seed=1&lane=&lane=watch=holder&lane=watch=parent&lane=watch=poll",
        verdicts: &[Verdict::Right, Verdict::Costs, Verdict::Costs, Verdict::Costs],
    },
    Story {
        id: "one-name",
        question: fixed("What if everybody fights for one name?", "如果大家都抢同一个节点，会怎样？"),
        about: fixed(
            "A queue of numbered nodes, or one ephemeral name.",
            "各建一个临时顺序节点排队，还是抢同一个临时节点。",
        ),
        query: "v=2&clients=5&seed=1&lane=&lane=node=ephemeral-single",
        verdicts: &[Verdict::Right, Verdict::Costs],
    },
    Story {
        id: "left-over",
        question: fixed("What does exists leave behind?", "exists 会留下什么？"),
        about: fixed(
            "The same race with getData and with exists: both are right, one leaves a watch that never fires.",
            "同样的竞态，一次用 getData，一次用 exists：都正确，但 exists 会留下一个永远不触发的 Watch。",
        ),
        query: "v=2&clients=3&seed=5&gap-ms=55&hold-ms=20&lane=&lane=check=exists",
        verdicts: &[Verdict::Right, Verdict::Right],
    },
    MAKE_IT_SLEEP,
];
