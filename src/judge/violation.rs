//! What broke a property, in a sentence.

use super::Property;
use crate::recipe::Verdict;

use crate::text::{Text, say, text};
use crate::world::ClientId;
use crate::zookeeper::Path;

/// What broke a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// `client` took the lock, and its node has never stood first, or it has none. `owner`: whose stands first.
    FalseOwner { client: ClientId, owner: Option<ClientId> },
    /// `client` took the lock like that while `other` rightly held it.
    TwoHold { client: ClientId, other: ClientId },
    /// `client` took the lock for a node of an earlier session of its own, which will take the node along.
    DyingNode { client: ClientId },
    /// `client` was told that its session is over, and went on under the lock of that session.
    ActsAfterExpiry { client: ClientId },
    /// The resource took a request of `client` after one of a later grant.
    StaleRequest { client: ClientId },
    /// `client` stored a value computed from one that `over` had changed meanwhile.
    LostUpdate { client: ClientId, over: ClientId },
    /// `client` took the lock before `other`, who came earlier and still waits.
    Overtakes { client: ClientId, other: ClientId },
    /// These clients wait, and nothing is left that could wake them.
    Stuck { clients: Vec<ClientId> },
    /// A lock node that nobody counts as their own, and who made it, as far as that can be told.
    Orphan { path: Path, client: Option<ClientId> },
}

impl Violation {
    /// The property it breaks.
    pub fn property(&self) -> Property {
        match self {
            Violation::FalseOwner { .. }
            | Violation::TwoHold { .. }
            | Violation::DyingNode { .. }
            | Violation::ActsAfterExpiry { .. } => Property::NoFalseOwner,
            Violation::StaleRequest { .. } => Property::NoStaleRequest,
            Violation::LostUpdate { .. } => Property::NoLostUpdate,
            Violation::Overtakes { .. } => Property::Fifo,
            Violation::Stuck { .. } => Property::NeverStuck,
            Violation::Orphan { .. } => Property::NoOrphan,
        }
    }

    /// The word of the design for it.
    pub fn verdict(&self) -> Verdict {
        match self {
            Violation::FalseOwner { .. }
            | Violation::TwoHold { .. }
            | Violation::DyingNode { .. }
            | Violation::ActsAfterExpiry { .. }
            | Violation::StaleRequest { .. }
            | Violation::LostUpdate { .. }
            | Violation::Overtakes { .. } => Verdict::Breaks,
            Violation::Stuck { .. } | Violation::Orphan { .. } => Verdict::Sticks,
        }
    }

    /// How bad it is, beside other violations: the worst is the headline. Work that is lost or done twice is worse
    /// than two who act at once, that is worse than one who acts wrongly, and a place in the queue comes last of what
    /// breaks.
    pub fn severity(&self) -> u8 {
        match self {
            Violation::LostUpdate { .. } => 8,
            Violation::StaleRequest { .. } => 7,
            Violation::TwoHold { .. } => 6,
            Violation::FalseOwner { .. } => 5,
            Violation::ActsAfterExpiry { .. } => 4,
            Violation::DyingNode { .. } => 3,
            Violation::Overtakes { .. } => 2,
            Violation::Stuck { .. } => 1,
            Violation::Orphan { .. } => 0,
        }
    }

    /// One sentence.
    pub fn sentence(&self) -> Text {
        match self {
            Violation::FalseOwner { client, owner: Some(owner) } => say(
                format!("{client} takes the lock, but {owner}'s node stands first."),
                format!("{client} 以为拿到了锁，但排在第一的是 {owner} 的节点。"),
            ),
            Violation::FalseOwner { client, owner: None } => say(
                format!("{client} takes the lock, but its node does not stand first."),
                format!("{client} 以为拿到了锁，但它的节点并不在第一位。"),
            ),
            Violation::TwoHold { client, other } => say(
                format!("{client} takes the lock while {other} still holds it: two act at once."),
                format!("{other} 还持有锁，{client} 又拿了锁：两个客户端同时操作。"),
            ),
            Violation::DyingNode { client } => say(
                format!("{client} takes the lock for a node of its old session, which is dying."),
                format!("{client} 凭旧会话的节点拿了锁，而那个会话即将过期。"),
            ),
            Violation::ActsAfterExpiry { client } => say(
                format!("{client} has heard Expired and still acts under the old lock."),
                format!("{client} 已得知会话过期，却仍按原来的锁操作。"),
            ),
            Violation::StaleRequest { client } => say(
                format!(
                    "The resource takes a stale request of {client}: a later holder was there before it."
                ),
                format!("资源接受了 {client} 的过时请求：后来的持有者早已操作过。"),
            ),
            Violation::LostUpdate { client, over } => say(
                format!("{client} stores a value it computed before {over} stored: {over}'s update is lost."),
                format!("{client} 存入的值是在 {over} 存入之前算出的：{over} 的更新丢失了。"),
            ),
            Violation::Overtakes { client, other } => say(
                format!("{client} takes the lock before {other}, who came earlier and still waits."),
                format!("{other} 来得更早，还在等，锁却被 {client} 先拿了。"),
            ),
            Violation::Stuck { clients } => {
                let (en, zh) = (list(clients, " and ", ", "), list(clients, "、", "、"));
                match clients.as_slice() {
                    [_] => say(
                        format!("{en} waits for ever: nothing is left that could wake it."),
                        format!("{zh} 永远等下去：再没有什么能唤醒它。"),
                    ),
                    _ => say(
                        format!("{en} wait for ever: nothing is left that could wake them."),
                        format!("{zh} 永远等下去：再没有什么能唤醒它们。"),
                    ),
                }
            }
            Violation::Orphan { path, client } => {
                let node = crate::recipe::node_label(path);
                match client {
                    Some(client) => say(
                        format!("Node {node} of {client} stays, and nobody counts it as their own."),
                        format!("{client} 的节点 {node} 留了下来，没有人认领。"),
                    ),
                    None => say(
                        format!("Node {node} stays, and nobody counts it as their own."),
                        format!("节点 {node} 留了下来，没有人认领。"),
                    ),
                }
            }
        }
    }

    /// A few words, for the lane's title.
    pub fn short(&self) -> Text {
        match self {
            Violation::FalseOwner { client, .. } => {
                say(format!("{client} is a false owner"), format!("{client} 误以为持有"))
            }
            Violation::TwoHold { client, other } => {
                say(format!("{other} and {client} hold at once"), format!("{other} 和 {client} 同时持有"))
            }
            Violation::DyingNode { client } => {
                say(format!("{client} trusts a dying node"), format!("{client} 信了即将消失的旧节点"))
            }
            Violation::ActsAfterExpiry { client } => {
                say(format!("{client} acts after Expired"), format!("{client} 过期后仍在操作"))
            }
            Violation::StaleRequest { client } => {
                say(format!("a stale request of {client} is taken"), format!("{client} 的过时请求被接受"))
            }
            Violation::LostUpdate { over, .. } => {
                say(format!("{over}'s update is lost"), format!("{over} 的更新丢失"))
            }
            Violation::Overtakes { client, other } => {
                say(format!("{client} overtakes {other}"), format!("{client} 插到 {other} 前面"))
            }
            Violation::Stuck { clients } => match clients.as_slice() {
                [one] => say(format!("{one} waits for ever"), format!("{one} 永远等待")),
                many => {
                    say(format!("{} wait for ever", many.len()), format!("{} 个客户端永远等待", many.len()))
                }
            },
            Violation::Orphan { .. } => text("a node nobody owns stays", "留下无人认领的节点"),
        }
    }
}

/// The clients as people list them; beyond eight, the first seven and how many more.
pub(crate) fn list(clients: &[ClientId], last: &str, between: &str) -> String {
    let shown = if clients.len() > 8 { 7 } else { clients.len() };
    let mut names: Vec<String> = clients[..shown].iter().map(ClientId::to_string).collect();
    if shown < clients.len() {
        names.push(format!("+{}", clients.len() - shown));
    }
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(between)),
        None => String::new(),
    }
}
