//! The words of the picture: bubbles, and the picture in sentences.

use super::client::ClientView;
use super::gate::LedgerView;
use super::message::{MessageView, Way};
use super::past::{PastClient, Woken};
use super::stage::{NodeView, Tone, WatchState, WatchView};
use crate::recipe::{ResourceReply, ResourceRequest, Step};

use crate::teach::token_label;
use crate::text::{Lang, Text, say, text};
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
        Step::Syncing => (text("reply lost", "响应丢了"), text("sends sync", "发出 sync")),
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
        Step::Settling => (text("lost the lock", "失去了锁"), text("awaits ledger", "等响应")),
        Step::Requeuing => (text("gives up", "放弃"), text("its place", "位置")),
        Step::Rejoining => (text("lost the lock", "失去了锁"), text("queues again", "重新排队")),
        Step::Quitting => (text("gives up", "不等了"), text("deletes its node", "删除节点")),
        Step::Done if past.in_vain => (text("stopped", "结束"), text("work undone", "工作没完成")),
        Step::Done => (text("done", "完成"), text("released", "已释放")),
        Step::Failed(error) => (text("failed", "失败"), Text::same(error.name())),
    }
}

/// A virtual duration as people read it: `38 ms`, `1.84 s`, `34.0 s`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..10_000 => format!("{}.{:02} s", ms / 1000, ms % 1000 / 10),
        _ => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}

/// A request to the resource as a pill shows it.
pub fn resource_request(request: ResourceRequest) -> Text {
    let token = request.token().map_or(String::new(), |token| format!(" · {}", token_label(token)));
    match request {
        ResourceRequest::Read { .. } => say(format!("read{token}"), format!("读{token}")),
        ResourceRequest::Write { value, .. } => {
            say(format!("write {value}{token}"), format!("写 {value}{token}"))
        }
        ResourceRequest::Commit { .. } => say(format!("commit{token}"), format!("提交{token}")),
    }
}

/// The resource's answer as a pill shows it.
pub fn resource_reply(reply: ResourceReply) -> Text {
    match reply {
        ResourceReply::Value(value) => say(format!("stock {value}"), format!("库存 {value}")),
        ResourceReply::Written => text("taken", "已写入"),
        ResourceReply::Committed => text("stored", "已提交"),
        ResourceReply::Refused { .. } => text("refused", "拒绝"),
    }
}

/// A message with the way it goes.
pub fn arrow(message: &MessageView) -> Text {
    let way = match message.way {
        Way::ToServer => Text::same("→ ZooKeeper"),
        Way::ToClient => Text::same("← ZooKeeper"),
        Way::ToLedger => text("→ ledger", "→ 库存服务"),
        Way::FromLedger => text("← ledger", "← 库存服务"),
    };
    if message.lost {
        return message.label.clone();
    }
    say(format!("{} {}", message.label.en, way.en), format!("{} {}", message.label.zh, way.zh))
}

/// The whole picture in sentences.
pub fn sentence(
    nodes: &[NodeView],
    clients: &[ClientView],
    watches: &[WatchView],
    messages: &[MessageView],
    ledger: &LedgerView,
    of: usize,
) -> Text {
    let mut en = Vec::new();
    let mut zh = Vec::new();
    if of > clients.len() {
        en.push(format!("{} of {of} clients are drawn.", clients.len()));
        zh.push(format!("画出了 {of} 个客户端中的 {} 个。", clients.len()));
    }
    let alive: Vec<&NodeView> = nodes.iter().filter(|node| !node.deleted).collect();
    match alive.first() {
        None => {
            en.push("The queue is empty.".to_string());
            zh.push("队列是空的。".to_string());
        }
        Some(_) => {
            let list: Vec<Text> = alive.iter().map(|node| in_queue(node)).collect();
            let list = |lang: Lang, between| {
                list.iter().map(|one| one.get(lang).to_string()).collect::<Vec<_>>().join(between)
            };
            en.push(format!("Queue: {}.", list(Lang::En, ", ")));
            zh.push(format!("队列：{}。", list(Lang::Zh, "、")));
        }
    }
    for client in clients.iter().filter(|client| client.tone != Tone::Away || client.contact.is_some()) {
        en.push(format!("{}: {}.", client.client, client.whole.en));
        zh.push(format!("{}：{}。", client.client, client.whole.zh));
        if let Some(contact) = &client.contact {
            en.push(format!("{}.", contact.en));
            zh.push(format!("{}。", contact.zh));
        }
    }
    for watch in watches {
        let (client, on) = (watch.client, crate::recipe::node_label(&watch.on));
        match watch.state {
            WatchState::Armed => {
                en.push(format!("{client} watches {on}."));
                zh.push(format!("{client} 监听 {on}。"));
            }
            WatchState::Fired => {
                en.push(format!("{client}'s watch on {on} has just fired."));
                zh.push(format!("{client} 在 {on} 上的 Watch 刚刚触发。"));
            }
            WatchState::OnMissing => {
                en.push(format!("{client} watches {on}, which does not exist."));
                zh.push(format!("{client} 监听着并不存在的 {on}。"));
            }
        }
    }
    let (held, lost): (Vec<&MessageView>, Vec<&MessageView>) = messages.iter().partition(|m| !m.lost);
    for (messages, (on_en, on_zh)) in [(held, ("On the way", "途中")), (lost, ("Torn", "途中丢失"))] {
        if messages.is_empty() {
            continue;
        }
        let list = |lang: Lang, between| {
            let one = |m: &&MessageView| format!("{} {}", m.client, arrow(m).get(lang));
            messages.iter().map(one).collect::<Vec<_>>().join(between)
        };
        en.push(format!("{on_en}: {}.", list(Lang::En, ", ")));
        zh.push(format!("{on_zh}：{}。", list(Lang::Zh, "、")));
    }
    let told = gate_sentence(ledger);
    en.push(told.en.to_string());
    zh.push(told.zh.to_string());
    say(en.join(" "), zh.join(""))
}

/// A node in the list of the queue: whose it is, and how long it still lives where that matters.
fn in_queue(node: &NodeView) -> Text {
    let owner = match node.left_over {
        true => say(format!("{}'s, left over", node.owner), format!("{} 的残留", node.owner)),
        false => Text::same(node.owner.to_string()),
    };
    let left = node.fuse.map(|fuse| duration(fuse.left_ms));
    let left = left.map_or(text("", ""), |left| say(format!(", {left} left"), format!("，剩 {left}")));
    say(
        format!("{} ({}{})", node.label, owner.en, left.en),
        format!("{}（{}{}）", node.label, owner.zh, left.zh),
    )
}

/// The gate, the stock and the newest cards in sentences.
fn gate_sentence(ledger: &LedgerView) -> Text {
    let mut en = format!("Stock: {}.", ledger.stock);
    let mut zh = format!("库存：{}。", ledger.stock);
    let mut add = |more: Text| {
        en.push_str(&format!(" {}.", more.en));
        zh.push_str(&format!("{}。", more.zh));
    };
    if ledger.stored != ledger.stock {
        let stored = ledger.stored;
        add(say(format!("The ledger says {stored}"), format!("库存服务记着 {stored}")));
    }
    if let Some(harm) = &ledger.harm {
        add(harm.clone());
    }
    if ledger.gate.is_shut() {
        add(ledger.gate.words());
    }
    if let (Some(highest), Some(kept)) = (ledger.highest.map(token_label), ledger.gate.kept()) {
        add(say(format!("Highest token {highest}, {}", kept.en), format!("最大令牌 {highest}，{}", kept.zh)));
    }
    for entry in &ledger.entries {
        let (client, words) = (entry.client, &entry.text);
        add(say(format!("{client}: {}", words.en), format!("{client}：{}", words.zh)));
    }
    say(en, zh)
}
