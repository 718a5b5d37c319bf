//! The guarded resource: its gate, the requests that came to it, and the harm in its data.

use super::look::Look;
use super::taken::{Fate, PastRequest};
use crate::recipe::{Guard, ResourceReply, ResourceRequest};

use crate::teach::token_label;
use crate::text::{Text, say, text};
use crate::world::ClientId;

/// What stands before the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Nothing.
    Open,
    /// The client looks before it writes; the resource checks nothing.
    ByClient,
    /// It looks at tokens: on `reads` too or on writes alone, the highest `on_disk` or in memory alone.
    Tokens { on_disk: bool, reads: bool },
    /// The stock is a znode: ZooKeeper checks that the lock node is there.
    InZooKeeper,
}

impl Gate {
    /// What it is, in a few words.
    pub fn words(self) -> Text {
        match self {
            Gate::Open => text("No gate", "不校验"),
            Gate::ByClient => text("No gate: the client looks", "不校验：客户端自查"),
            Gate::Tokens { reads: true, .. } => text("Gate: reads and writes", "校验令牌：读和写"),
            Gate::Tokens { reads: false, .. } => text("Gate: writes only", "校验令牌：只有写"),
            Gate::InZooKeeper => text("Gate: multi in ZooKeeper", "用 ZooKeeper multi 校验"),
        }
    }

    /// Whether anything is checked there.
    pub fn is_shut(self) -> bool {
        matches!(self, Gate::Tokens { .. } | Gate::InZooKeeper)
    }

    /// Where the highest token is kept.
    pub fn kept(self) -> Option<Text> {
        match self {
            Gate::Tokens { on_disk: true, .. } => Some(text("on disk", "在磁盘上")),
            Gate::Tokens { on_disk: false, .. } => Some(text("in memory only", "只在内存里")),
            Gate::Open | Gate::ByClient | Gate::InZooKeeper => None,
        }
    }
}

/// The guarded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerView {
    /// What is left: what was there less what was sold, where the stored number hides that it is less than
    /// nothing.
    pub stock: i64,
    /// The number that is stored.
    pub stored: i64,
    /// Orders that were accepted.
    pub orders: i64,
    pub gate: Gate,
    /// The highest token that it remembers.
    pub highest: Option<i64>,
    /// What is wrong with the data.
    pub harm: Option<Text>,
    pub entries: Vec<LedgerEntry>,
}

/// A card: a request with its writer and its token, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    pub client: ClientId,
    pub text: Text,
    pub fate: Fate,
    pub harm: bool,
    /// It came just now.
    pub fresh: bool,
    pub at_ms: u64,
}

/// Builds the view of the resource.
pub fn ledger(look: &Look<'_>) -> LedgerView {
    let resource = look.world.resource();
    let past = &look.past.ledger;
    let gate = match resource.guard {
        Guard::Open => Gate::Open,
        Guard::ClientCheck => Gate::ByClient,
        Guard::Fenced => Gate::Tokens { on_disk: true, reads: true },
        Guard::WritesOnly => Gate::Tokens { on_disk: true, reads: false },
        Guard::Forgetful => Gate::Tokens { on_disk: false, reads: true },
        Guard::Multi => Gate::InZooKeeper,
    };
    let stored = look.world.stock();
    let left = past.initial.map_or(stored, |initial| initial - past.orders);
    let harm = match (left, past.lost) {
        (..0, _) => {
            let n = -left;
            Some(say(format!("Oversold by {n}"), format!("多卖了 {n} 件")))
        }
        (_, 0) => None,
        (_, 1) => Some(text("1 update lost", "丢失 1 次更新")),
        (_, n) => Some(say(format!("{n} updates lost"), format!("丢失 {n} 次更新"))),
    };
    let entries = past.cards.iter().map(|card| entry(card, look.now_ms));
    LedgerView {
        stock: if left < 0 { left } else { stored },
        stored,
        orders: past.orders,
        gate,
        highest: resource.highest,
        harm,
        entries: entries.collect(),
    }
}

fn entry(card: &PastRequest, now_ms: u64) -> LedgerEntry {
    let stale = card.fate == Fate::Stale;
    let what = match (card.request, card.reply) {
        (request, ResourceReply::Refused { highest }) => {
            match (request.token().map(token_label), highest.map(token_label)) {
                (Some(token), Some(highest)) => {
                    say(format!("refused: {token} < {highest}"), format!("拒绝：{token} < {highest}"))
                }
                _ => text("refused", "拒绝"),
            }
        }
        (_, ResourceReply::Value(value)) if stale => {
            say(format!("read {value}, late"), format!("迟到，读 {value}"))
        }
        (_, ResourceReply::Value(value)) => say(format!("read {value}"), format!("读 {value}")),
        (ResourceRequest::Write { value, .. }, _) if stale => {
            say(format!("wrote {value}, late"), format!("迟到，写 {value}"))
        }
        (ResourceRequest::Write { value, .. }, _) => say(format!("wrote {value} …"), format!("写 {value} …")),
        (_, _) if card.lost_update => text("sold, overwrote", "卖出，覆盖了别人"),
        (_, _) if stale => text("sold one, late", "迟到，卖出一件"),
        (_, _) => text("sold one", "卖出一件"),
    };
    let token = match (card.request.token().map(token_label), card.fate) {
        (Some(token), Fate::Taken | Fate::Stale) => format!("{token} · "),
        _ => String::new(),
    };
    LedgerEntry {
        client: card.client,
        text: say(format!("{token}{}", what.en), format!("{token}{}", what.zh)),
        fate: card.fate,
        harm: card.lost_update || (stale && matches!(card.reply, ResourceReply::Committed)),
        fresh: card.at_ms == now_ms,
        at_ms: card.at_ms,
    }
}
