//! Why a client waits, in a sentence: the words for [`judge::Wait`](crate::judge::Wait).

use crate::judge::{Behind, Left, Life, OwnerState, Reason, Wait};
use crate::recipe::node_label;
use crate::text::{Text, say, text};
use crate::world::ClientId;
use crate::zookeeper::Path;

/// Why a client waits. `left_ms`: how long the session still lives whose end would end the wait, in ms of virtual
/// time, where that is known (see [`Wait::ends_with`]).
pub fn why(wait: &Wait, left_ms: Option<u64>) -> Text {
    let (lead, end) = (lead(wait), end(wait, left_ms));
    match lead {
        Some(lead) => say(format!("{} {}", lead.en, end.en), format!("{}{}", lead.zh, end.zh)),
        None => end,
    }
}

/// As many reasons are said at the end of a run.
const MOST_REASONS: usize = 4;

/// Why those who wait for ever do: a sentence for each, the first few. Whom another's sentence tells of has none of
/// its own.
pub fn reasons(waits: &[Wait]) -> Vec<Text> {
    let told_by = |wait: &Wait, other: &Wait| {
        let longer = other.chain.len() > wait.chain.len() && other.chain.ends_with(&wait.chain);
        longer && other.end.is_same(&wait.end)
    };
    let waits: Vec<&Wait> =
        waits.iter().filter(|wait| !waits.iter().any(|other| told_by(wait, other))).collect();
    let mut reasons: Vec<Text> = waits.iter().take(MOST_REASONS).map(|wait| why(wait, None)).collect();
    if let Some(more) = waits.len().checked_sub(MOST_REASONS).filter(|more| *more > 0) {
        reasons.push(say(format!("And {more} more wait."), format!("还有 {more} 个也在等。")));
    }
    reasons
}

/// Who waits behind whom on the way to the end, where somebody stands between.
fn lead(wait: &Wait) -> Option<Text> {
    let mut clients: Vec<ClientId> = wait.chain.iter().map(|behind| behind.client).collect();
    match &wait.end {
        // What the end says begins with the last one, or with those in the ring.
        Reason::Node { .. } | Reason::LeftOver { .. } => {}
        Reason::Ring { members } => clients.truncate(clients.len() + 1 - members.len()),
        Reason::NoWatch { client, .. }
        | Reason::EventComing { client }
        | Reason::Asks { client }
        | Reason::Polls { client }
        | Reason::Itself { client, .. }
        | Reason::ServerLags { client, .. }
        | Reason::OwnNodeGone { client, .. }
        | Reason::Nobody { client } => clients.push(*client),
        Reason::NoQuorum => {}
    }
    let pairs: Vec<(ClientId, ClientId)> =
        clients.iter().copied().zip(clients.iter().skip(1).copied()).collect();
    let (&(first, second), rest) = pairs.split_first()?;
    let en: String = rest.iter().map(|(client, other)| format!(", {client} behind {other}")).collect();
    let zh: String = rest.iter().map(|(client, other)| format!("，{client} 排在 {other} 后面")).collect();
    Some(say(format!("{first} waits behind {second}{en}."), format!("{first} 排在 {second} 后面{zh}。")))
}

fn end(wait: &Wait, left_ms: Option<u64>) -> Text {
    let last = wait.chain.last();
    match &wait.end {
        Reason::Node { node, owner, first, state, life } => {
            let what = held(last, node, *owner, *first, *state);
            match state {
                OwnerState::Works | OwnerState::Leaves => what,
                OwnerState::Paused
                | OwnerState::Hangs
                | OwnerState::Crashed
                | OwnerState::Closed
                | OwnerState::CutOff
                | OwnerState::Disconnected
                | OwnerState::ServerCutOff => join(what, lives(*life, left_ms)),
            }
        }
        Reason::LeftOver { node, maker, how, life } => {
            join(left_over(wait, node, *maker, *how), lives(*life, left_ms))
        }
        Reason::Ring { members } => ring(members),
        Reason::NoWatch { client, node, why } => why.sentence(*client, node),
        Reason::EventComing { client } => say(
            format!("{client} is about to wake: the event is on its way."),
            format!("{client} 就要醒了：事件正在途中。"),
        ),
        Reason::Asks { client } => {
            say(format!("{client} has not got its answer yet."), format!("{client} 还没有收到响应。"))
        }
        Reason::Polls { client } => say(
            format!("Nothing stands before {client}: it sees that when it asks next."),
            format!("{client} 前面已经没有节点：下次询问时就会看到。"),
        ),
        Reason::Itself { client, state } => itself(*client, *state),
        Reason::ServerLags { client, server, node } => {
            let node = node_label(node);
            say(
                format!(
                    "{client} is connected to {server}, which lags: it has not carried out yet what became of node {node}."
                ),
                format!("{client} 连接的 {server} 落后了：节点 {node} 的变化，它还没有应用。"),
            )
        }
        Reason::NoQuorum => text(
            "No quorum follows a leader: nothing can be decided.",
            "凑不齐过半的服务器：什么也决定不了。",
        ),
        Reason::OwnNodeGone { client, node } => {
            let node = node_label(node);
            say(
                format!("{client}'s own node {node} is not in the list: {client} has no place in the queue."),
                format!("{client} 自己的节点 {node} 不在列表里：它已经没有位置。"),
            )
        }
        Reason::Nobody { client } => {
            say(format!("No node stands before {client}."), format!("{client} 前面没有节点。"))
        }
    }
}

/// Who waits for the node whose owner is so.
fn held(last: Option<&Behind>, node: &Path, owner: ClientId, first: bool, state: OwnerState) -> Text {
    let does = match (state, first) {
        (OwnerState::Works, true) => text("holds the lock and works", "持有锁，正在工作"),
        (OwnerState::Works, false) => {
            text("believes that it holds the lock, and works", "自认为持有锁，正在工作")
        }
        (OwnerState::Leaves, _) => {
            text("is through, and its deletion is on its way", "已经完事，删除请求正在途中")
        }
        (OwnerState::Paused, _) => text("stands still", "停住不动"),
        (OwnerState::Hangs, _) => text("hangs in its work", "工作卡住了"),
        (OwnerState::Crashed, _) => text("has crashed", "已经崩溃"),
        (OwnerState::Closed, _) => text("has left", "已经退出"),
        (OwnerState::CutOff, _) => {
            text("has a connection that carries nothing", "连接不通，消息到不了服务器")
        }
        (OwnerState::Disconnected, _) => text("has no connection", "已断连"),
        (OwnerState::ServerCutOff, _) => {
            text("is at a server that hears nothing of the others", "所连的服务器与其他服务器失联")
        }
    };
    let node = node_label(node);
    let who = last.map_or(owner, |behind| behind.client);
    say(
        format!("{who} waits for node {node} of {owner}, and {owner} {}.", does.en),
        format!("{who} 等的节点 {node} 属于 {owner}，而 {owner} {}。", does.zh),
    )
}

fn left_over(wait: &Wait, node: &Path, maker: Option<ClientId>, how: Left) -> Text {
    let node = node_label(node);
    let who = wait.chain.last().map(|behind| behind.client);
    let (it_en, it_zh) = match (who, maker) {
        (Some(who), Some(maker)) if who == maker => (
            format!("{who} waits for node {node}, which it has made itself"),
            format!("{who} 等的节点 {node} 是它自己创建的"),
        ),
        (Some(who), Some(maker)) if maker == wait.client => (
            format!("{who} waits for node {node}, which {maker} has made itself"),
            format!("{who} 等的节点 {node} 正是 {maker} 自己创建的"),
        ),
        (Some(who), Some(maker)) => (
            format!("{who} waits for node {node} of {maker}"),
            format!("{who} 等的节点 {node} 是 {maker} 创建的"),
        ),
        (Some(who), None) => (format!("{who} waits for node {node}"), format!("{who} 在等节点 {node}")),
        (None, _) => (format!("Node {node} is left"), format!("节点 {node} 留了下来")),
    };
    let maker = maker.map_or_else(|| text("somebody", "别人"), |maker| Text::same(maker.to_string()));
    let (en, zh) = (&maker.en, &maker.zh);
    let how = match how {
        Left::ReplyLost => say(
            format!("the reply to that create was lost, and {en} made another node"),
            format!("那次 create 的响应丢了，{zh} 又建了一个"),
        ),
        Left::TakenForLost => say(
            format!("{en} took the lock for lost when it was disconnected, and queues again"),
            format!("{zh} 断连时认定锁已丢失，要重新排队"),
        ),
        Left::WalkedAway => {
            say(format!("{en} stopped waiting and walked away"), format!("{zh} 不再等待，丢下节点走了"))
        }
        Left::OldSession => {
            say(format!("it belongs to an old session of {en}"), format!("它属于 {zh} 的旧会话"))
        }
        Left::Died => say(format!("{en}'s process is gone"), format!("{zh} 的进程已经没了")),
        Left::Unknown => text("nobody counts it as their own", "没有谁认领它"),
    };
    say(format!("{it_en}: {}.", how.en), format!("{it_zh}：{}。", how.zh))
}

/// How long the node lives.
fn lives(life: Life, left_ms: Option<u64>) -> Text {
    match (life, left_ms) {
        (Life::Persistent, _) => text(
            "The node is persistent: it stays until somebody deletes it.",
            "它是持久节点：没有谁删除，就一直在。",
        ),
        (Life::Kept, _) => text("The session lives, and the node with it.", "会话还活着，节点就还在。"),
        (Life::Ends(_), Some(left_ms)) => {
            let left = tenths(left_ms);
            say(
                format!("The session still lives for {left} s, and the node with it."),
                format!("会话还能活 {left} 秒，节点也就还在。"),
            )
        }
        (Life::Ends(_), None) => text("The node goes when the session ends.", "会话过期，节点才会删除。"),
        (Life::Ending, _) => text("The session is ending.", "会话正在结束。"),
    }
}

fn ring(members: &[ClientId]) -> Text {
    let next = members.iter().skip(1).chain(members.first());
    let pairs: Vec<(&ClientId, &ClientId)> = members.iter().zip(next).collect();
    let en: Vec<String> = pairs.iter().map(|(client, other)| format!("{client} waits for {other}")).collect();
    let zh: Vec<String> = pairs.iter().map(|(client, other)| format!("{client} 等 {other}")).collect();
    say(format!("{}: a deadlock.", en.join(", ")), format!("{}：死锁。", zh.join("，")))
}

/// What keeps a client itself from doing anything.
fn itself(client: ClientId, state: OwnerState) -> Text {
    match state {
        OwnerState::Works | OwnerState::Leaves => {
            say(format!("{client} works."), format!("{client} 正在工作。"))
        }
        OwnerState::Paused => say(
            format!("{client}'s process stands still: it hears nothing until it goes on."),
            format!("{client} 的进程停住不动：恢复运行之前什么也收不到。"),
        ),
        OwnerState::Hangs => say(format!("{client} hangs in its work."), format!("{client} 的工作卡住了。")),
        OwnerState::Crashed => {
            say(format!("{client}'s process has crashed."), format!("{client} 的进程已经崩溃。"))
        }
        OwnerState::Closed => say(format!("{client} has left."), format!("{client} 已经退出。")),
        OwnerState::CutOff => say(
            format!("{client}'s connection carries nothing, and nobody is told."),
            format!("{client} 的连接不通，两端都不知道。"),
        ),
        OwnerState::Disconnected => say(
            format!("{client} has no connection, and cannot ask."),
            format!("{client} 已断连，无法询问。"),
        ),
        OwnerState::ServerCutOff => say(
            format!("{client}'s server hears nothing of the others."),
            format!("{client} 所连的服务器与其他服务器失联。"),
        ),
    }
}

fn join(first: Text, second: Text) -> Text {
    say(format!("{} {}", first.en, second.en), format!("{}{}", first.zh, second.zh))
}

/// Seconds with one decimal.
fn tenths(ms: u64) -> String {
    format!("{}.{}", ms / 1000, ms % 1000 / 100)
}

/// The word of the answer to *will anything wake it?* that a reason makes right. Every reason makes one of the
/// answers right, and no other.
pub(super) fn answer_of(reason: &Reason) -> &'static str {
    match reason {
        Reason::NoWatch { .. } => "no-watch",
        Reason::Ring { .. } => "ring",
        Reason::Node { life: Life::Kept | Life::Persistent, state, .. }
            if !matches!(state, OwnerState::Works | OwnerState::Leaves) =>
        {
            "node-stays"
        }
        Reason::LeftOver { life: Life::Kept | Life::Persistent, .. } => "node-stays",
        Reason::Node { .. }
        | Reason::LeftOver { .. }
        | Reason::EventComing { .. }
        | Reason::Asks { .. }
        | Reason::Polls { .. }
        | Reason::Itself { .. }
        | Reason::ServerLags { .. }
        | Reason::NoQuorum
        | Reason::OwnNodeGone { .. }
        | Reason::Nobody { .. } => "wakes",
    }
}
