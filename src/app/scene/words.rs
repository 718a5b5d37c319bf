//! The words of the picture: bubbles, and the picture in sentences.

use super::past::{PastClient, Woken};
use super::stage::{ClientView, LedgerView, MessageView, NodeView, Tone, WatchState, WatchView, Way};
use crate::recipe::{ResourceReply, ResourceRequest, Step};
use crate::sorted::Listed;
use crate::text::{Lang, Text, say, text};

/// The two lines of a client's bubble: what it does, and what it knows; and both as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubble {
    pub line1: Text,
    pub line2: Text,
    pub whole: Text,
}

/// The bubble of a client at `step`.
pub fn bubble(step: Step, past: &PastClient, tone: Tone, now_ms: u64) -> Bubble {
    let (line1, line2) = lines(step, past, tone, now_ms);
    // Where the second line goes on with the first, nothing stands between them.
    let goes_on = match step {
        Step::Creating | Step::Listing | Step::Sorting | Step::Checking | Step::Watching => {
            past.woken != Woken::Looking
        }
        Step::Idle | Step::Napping | Step::Requeuing => true,
        Step::Asleep => tone == Tone::Stuck,
        Step::Reading | Step::Working | Step::Writing | Step::Releasing | Step::Done | Step::Failed(_) => {
            false
        }
    };
    // Latin letters keep a space before them.
    let latin = line2.zh.starts_with(|c: char| c.is_ascii_alphanumeric());
    let (en, zh) = if goes_on { (" ", if latin { " " } else { "" }) } else { (", ", "，") };
    let whole = say(format!("{}{en}{}", line1.en, line2.en), format!("{}{zh}{}", line1.zh, line2.zh));
    Bubble { line1, line2, whole }
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
        Step::Reading | Step::Working | Step::Writing => (text("I hold the lock", "锁在我手里"), heard()),
        Step::Releasing => (text("lets go", "释放"), text("deletes its node", "删除节点")),
        Step::Requeuing => (text("gives up", "放弃"), text("its place", "位置")),
        Step::Done => (text("done", "完成"), text("released", "已释放")),
        Step::Failed(error) => (text("failed", "失败"), Text::same(error.name())),
    }
}

/// A virtual duration as people read it: `38 ms`, `1.84 s`.
pub fn duration(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{:02} s", ms / 1000, ms % 1000 / 10) }
}

/// A request to the resource as a pill shows it.
pub fn resource_request(request: ResourceRequest) -> Text {
    match request {
        ResourceRequest::Read => text("read", "读"),
        ResourceRequest::Write { value, .. } => say(format!("write {value}"), format!("写 {value}")),
    }
}

/// The resource's answer as a pill shows it.
pub fn resource_reply(reply: ResourceReply) -> Text {
    match reply {
        ResourceReply::Value(value) => say(format!("stock {value}"), format!("库存 {value}")),
        ResourceReply::Stored => text("stored", "已存"),
    }
}

/// A message with the way it goes.
pub fn arrow(message: &MessageView) -> Text {
    let way = match message.way {
        Way::ToServer => Text::same("→ ZooKeeper"),
        Way::ToClient => Text::same("← ZooKeeper"),
        Way::ToLedger => text("→ ledger", "→ 账本"),
        Way::FromLedger => text("← ledger", "← 账本"),
    };
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
    let alive: Vec<&NodeView> = nodes.iter().filter(|node| !node.deleted).listed();
    match alive.first() {
        None => {
            en.push("The queue is empty.".to_string());
            zh.push("队列是空的。".to_string());
        }
        Some(_) => {
            let list: Vec<String> =
                alive.iter().map(|node| format!("{} ({})", node.label, node.owner)).listed();
            en.push(format!("Queue: {}.", list.join(", ")));
            zh.push(format!("队列：{}。", list.join("、")));
        }
    }
    for client in clients.iter().filter(|client| client.tone != Tone::Away) {
        en.push(format!("{}: {}.", client.client, client.whole.en));
        zh.push(format!("{}：{}。", client.client, client.whole.zh));
    }
    for watch in watches {
        let (client, on) = (watch.client, crate::teach::node_label(&watch.on));
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
    if !messages.is_empty() {
        let list = |lang: Lang, between| {
            let one = |m: &MessageView| format!("{} {}", m.client, arrow(m).get(lang));
            messages.iter().map(one).collect::<Vec<_>>().join(between)
        };
        en.push(format!("On the way: {}.", list(Lang::En, ", ")));
        zh.push(format!("途中：{}。", list(Lang::Zh, "、")));
    }
    en.push(format!("Stock: {}.", ledger.stock));
    zh.push(format!("库存：{}。", ledger.stock));
    say(en.join(" "), zh.join(""))
}
