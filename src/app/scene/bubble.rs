//! A client's bubble: what it does, and what it knows.

use super::past::{PastClient, Woken};
use super::tone::Tone;
use super::words::duration;
use crate::recipe::Step;
use crate::text::{Text, say, text};
use crate::world::{Actor, Contact, Process};

/// The two lines of a client's bubble: what it does, and what it knows; and both as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubble {
    pub line1: Text,
    pub line2: Text,
    pub whole: Text,
}

/// The bubble of a client.
pub fn bubble(actor: Option<&Actor>, past: &PastClient, tone: Tone, now_ms: u64) -> Bubble {
    let step = actor.map_or(Step::Idle, |actor| actor.client.step());
    let told = actor.and_then(|actor| contact_words(actor, step));
    let goes_on = told.is_none() && goes_on(step, past, tone);
    let (line1, line2) = match told {
        Some((Some(line1), line2)) => (line1, line2),
        Some((None, line2)) => (lines(step, past, tone, now_ms).0, line2),
        None => lines(step, past, tone, now_ms),
    };
    // Latin letters keep a space before them.
    let latin = line2.zh.starts_with(|c: char| c.is_ascii_alphanumeric());
    let (en, zh) = if goes_on { (" ", if latin { " " } else { "" }) } else { (", ", "，") };
    let whole = say(format!("{}{en}{}", line1.en, line2.en), format!("{}{zh}{}", line1.zh, line2.zh));
    Bubble { line1, line2, whole }
}

/// Whether the second line goes on with the first, so that nothing stands between them.
fn goes_on(step: Step, past: &PastClient, tone: Tone) -> bool {
    match step {
        Step::Creating | Step::Listing | Step::Sorting | Step::Checking | Step::Watching => {
            past.woken != Woken::Looking
        }
        Step::Idle | Step::Napping | Step::Requeuing | Step::MakingDir | Step::Finding | Step::Verifying => {
            true
        }
        Step::Asleep => tone == Tone::Stuck,
        Step::Syncing
        | Step::Reading
        | Step::Working
        | Step::Rechecking
        | Step::Writing
        | Step::Committing
        | Step::Releasing
        | Step::LateCommitting
        | Step::Settling
        | Step::Rejoining
        | Step::Quitting
        | Step::Done
        | Step::Failed(_) => false,
    }
}

/// What is wrong with its process or its connection, as far as it shows: a new first line where the belief
/// itself is another, and the second line.
fn contact_words(actor: &Actor, step: Step) -> Option<(Option<Text>, Text)> {
    let cut = actor.contact != Contact::Connected;
    // A process that stands still keeps the belief it had.
    let doubt = actor.client.in_doubt().then(|| text("I hold?", "锁还在我手里？"));
    match actor.process {
        Process::Crashed => Some((Some(text("crashed", "崩溃")), text("no process", "进程没了"))),
        Process::Closed => Some((Some(text("closed", "已退出")), text("session ended", "结束了会话"))),
        Process::Paused => Some((doubt, text("stands still", "停住不动"))),
        Process::Running if step == Step::Idle || step.is_over() => None,
        Process::Running if cut => Some((doubt, text("disconnected", "已断连"))),
        Process::Running if actor.hung && step == Step::Working => {
            Some((None, text("its work hangs", "工作卡住")))
        }
        Process::Running => None,
    }
}

fn lines(step: Step, past: &PastClient, tone: Tone, now_ms: u64) -> (Text, Text) {
    let up = past.woken == Woken::Looking;
    let heard = || match past.heard_ms {
        Some(at) => {
            let ago = duration(now_ms.saturating_sub(at));
            say(format!("heard {ago} ago"), format!("{ago} 前得知"))
        }
        None => text("heard nothing", "什么也没听到"),
    };
    match step {
        Step::Idle => (text("not here", "还没"), text("yet", "到来")),
        Step::Creating if up => (text("woken", "醒来"), text("tries again", "再试一次")),
        Step::Creating => (text("creates", "创建"), text("its node", "自己的节点")),
        Step::MakingDir => (text("makes", "创建"), text("the directory", "锁目录")),
        Step::Syncing => (text("reply lost", "答复丢了"), text("sends sync", "发出 sync")),
        Step::Finding => (text("looks for", "查找"), text("its own node", "自己的节点")),
        Step::Verifying => (text("whose", "查节点"), text("is this node?", "是谁的")),
        Step::Listing | Step::Sorting if up => (text("woken", "醒来"), text("looks again", "再看一遍")),
        Step::Listing => (text("looks at", "查看"), text("the queue", "队列")),
        Step::Sorting => (text("sorts", "排序"), text("the list", "列表")),
        Step::Checking | Step::Watching if up => (text("woken", "醒来"), text("not its turn", "还没轮到")),
        Step::Checking => (text("checks", "检查"), text("the one ahead", "前面的节点")),
        Step::Watching => (text("sets", "正在设"), text("its watch", "Watch")),
        Step::Asleep if tone == Tone::Stuck => (text("asleep", "永远"), text("for ever", "睡着")),
        Step::Asleep if tone == Tone::Vain => {
            (text("asleep again", "又睡了"), text("woken in vain", "白醒一次"))
        }
        Step::Asleep => (text("asleep", "睡着"), text("undisturbed", "未被打扰")),
        Step::Napping => (text("waits", "等待"), text("to ask again", "下次询问")),
        Step::Rechecking => (text("I hold the lock", "锁在我手里"), text("looks once more", "再查一次")),
        Step::Reading | Step::Working | Step::Writing | Step::Committing => {
            (text("I hold the lock", "锁在我手里"), heard())
        }
        Step::Releasing => (text("lets go", "释放"), text("deletes its node", "删除节点")),
        Step::LateCommitting => (text("let go", "已释放"), text("commits late", "才提交")),
        Step::Settling => (text("lost the lock", "失去了锁"), text("awaits ledger", "等账本答复")),
        Step::Requeuing => (text("gives up", "放弃"), text("its place", "位置")),
        Step::Rejoining => (text("lost the lock", "失去了锁"), text("queues again", "重新排队")),
        Step::Quitting => (text("gives up", "不等了"), text("deletes its node", "删除节点")),
        Step::Done if past.in_vain => (text("stopped", "结束"), text("work undone", "工作没完成")),
        Step::Done => (text("done", "完成"), text("released", "已释放")),
        Step::Failed(error) => (text("failed", "失败"), Text::same(error.name())),
    }
}
