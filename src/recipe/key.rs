//! The list of decisions: a key for each, and one answer to each.

use super::options::{
    Absent, Check, Commit, DeleteTries, DirGone, Disconnect, Expired, GiveUp, Guard, Guid, LostReply,
    Missing, NodeKind, OptionInfo, Order, ReaderWaits, Reconnect, Token, WaitError, Wake, Watch,
};
use crate::text::{Fixed, Text, fixed, text};

/// What a decision is about, for lists that show the decisions in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    Queue,
    Wait,
    Contact,
    Protect,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Group; 4] = [Group::Queue, Group::Wait, Group::Contact, Group::Protect];

    /// The group's stable word.
    pub fn word(self) -> &'static str {
        match self {
            Group::Queue => "queue",
            Group::Wait => "wait",
            Group::Contact => "contact",
            Group::Protect => "protect",
        }
    }

    /// The group as a heading.
    pub fn label(self) -> Text {
        match self {
            Group::Queue => text("Queue", "排队"),
            Group::Wait => text("Wait", "等待"),
            Group::Contact => text("Lost contact", "断连与会话过期"),
            Group::Protect => text("Protect", "保护资源"),
        }
    }

    /// The group's decisions.
    pub fn keys(self) -> impl Iterator<Item = Key> {
        Key::ALL.into_iter().filter(move |key| key.group() == self)
    }
}

/// When a decision counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// In every run.
    Always,
    /// Only after a fault.
    AfterFault,
}

macro_rules! decisions {
    ($( $key:ident, $field:ident: $type:ident, $group:ident, $counts:ident, $word:literal, ($en:literal, $zh:literal),
        ($qen:literal, $qzh:literal); )+) => {
        /// Which decision: the key in `--set KEY=WORD` and in links.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Key { $($key,)+ }

        /// One answer to each decision.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct Decisions { $(pub $field: $type,)+ }

        struct KeyInfo { word: &'static str, group: Group, counts: Counts, label: Fixed, question: Fixed }

        impl Key {
            /// Every decision, in the order of the pseudo-code's lines.
            pub const ALL: [Key; [$($word),+].len()] = [$(Key::$key),+];

            const INFO: &'static [KeyInfo] = &[$(KeyInfo {
                word: $word, group: Group::$group, counts: Counts::$counts,
                label: fixed($en, $zh), question: fixed($qen, $qzh),
            }),+];

            /// The options, the default first.
            pub fn options(self) -> &'static [OptionInfo] {
                match self { $(Key::$key => $type::INFO,)+ }
            }
        }

        impl Decisions {
            /// The chosen option of `key`.
            pub fn chosen(&self, key: Key) -> &'static OptionInfo {
                match key { $(Key::$key => self.$field.info(),)+ }
            }

            /// The same decisions with the option `word` for `key`; `None` if there is no such word.
            pub fn with(mut self, key: Key, word: &str) -> Option<Decisions> {
                let at = key.options().iter().position(|option| option.word == word)?;
                match key { $(Key::$key => self.$field = $type::ALL[at],)+ }
                Some(self)
            }
        }
    };
}

decisions! {
    Node, node: NodeKind, Queue, Always, "node", ("node", "节点"),
        ("What node does a client create?", "客户端创建什么节点？");
    LostReply, lost_reply: LostReply, Contact, AfterFault, "lost-reply", ("reply lost", "答复丢失"),
        ("The reply to create is lost. What now?", "create 的答复丢了，怎么办？");
    Guid, guid: Guid, Contact, AfterFault, "guid", ("a GUID lasts", "GUID 的范围"),
        ("By what does it know a node as its own?", "它凭什么认出自己的节点？");
    Order, order: Order, Queue, Always, "order", ("sort", "排序"),
        ("How does it order the children?", "子节点按什么排序？");
    ReaderWaits, reader_waits: ReaderWaits, Queue, Always, "reader-waits", ("readers wait for", "读者等谁"),
        ("Whom does a reader wait for?", "读者等的是谁？");
    Absent, absent: Absent, Wait, AfterFault, "absent", ("own node not listed", "自己不在列表里"),
        ("Its own node is not in the list. What now?", "列表里没有自己的节点，怎么办？");
    DirGone, dir_gone: DirGone, Wait, AfterFault, "dir-gone", ("directory gone", "目录没了"),
        ("The lock's directory is gone. What now?", "锁目录没了，怎么办？");
    Watch, watch: Watch, Wait, Always, "watch", ("watch", "监听"),
        ("Whom does a waiting client watch?", "等待的客户端监听谁？");
    Check, check: Check, Wait, Always, "check", ("check", "检查"),
        ("How does it set the watch?", "它怎样设置 Watch？");
    Missing, missing: Missing, Wait, Always, "missing", ("if gone", "若已消失"),
        ("What if the watched node is already gone?", "要监听的节点已经不在了，怎么办？");
    Wake, wake: Wake, Wait, Always, "wake", ("on waking", "醒来后"),
        ("What does a wake-up mean?", "被唤醒意味着什么？");
    GiveUp, give_up: GiveUp, Wait, AfterFault, "give-up", ("giving up", "放弃等待"),
        ("How does it give up waiting?", "不想等了，怎样离开？");
    Resource, resource: Guard, Protect, Always, "resource", ("the resource checks", "资源检查"),
        ("What does the resource check?", "资源检查什么？");
    Token, token: Token, Protect, Always, "token", ("token", "令牌"),
        ("Which number is the token?", "用哪个数作令牌？");
    Commit, commit: Commit, Protect, Always, "commit", ("commit", "提交"),
        ("When is the work committed?", "工作在什么时候提交？");
    Delete, delete: DeleteTries, Contact, AfterFault, "delete", ("delete, no reply", "delete 无答复"),
        ("The reply to delete is lost. What now?", "delete 的答复丢了，怎么办？");
    Error, error: WaitError, Contact, AfterFault, "error", ("error while waiting", "等待时出错"),
        ("Its connection breaks under a request of the wait. What now?", "等待期间请求还没答复，连接就断了，怎么办？");
    Disconnect, disconnect: Disconnect, Contact, AfterFault, "disconnect", ("while disconnected", "断开期间"),
        ("What does it do while it is disconnected?", "断开期间它做什么？");
    Reconnect, reconnect: Reconnect, Contact, AfterFault, "reconnect", ("after a reconnect", "重连之后"),
        ("What becomes of its watches after a reconnect?", "重连之后，Watch 怎么办？");
    Expired, expired: Expired, Contact, AfterFault, "expired", ("after Expired", "过期之后"),
        ("Its session has expired. What now?", "会话过期了，怎么办？");
}

impl Key {
    /// The word in links and on the command line.
    pub fn word(self) -> &'static str {
        Key::INFO[self as usize].word
    }

    /// What the decision is about.
    pub fn group(self) -> Group {
        Key::INFO[self as usize].group
    }

    /// Whether the decision counts only after a fault.
    pub fn is_about_faults(self) -> bool {
        Key::INFO[self as usize].counts == Counts::AfterFault
    }

    /// The decision as a short label.
    pub fn label(self) -> Text {
        Key::INFO[self as usize].label.text()
    }

    /// The decision as a question.
    pub fn question(self) -> Text {
        Key::INFO[self as usize].question.text()
    }

    /// The decision with this word.
    pub fn from_word(word: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.word() == word)
    }
}

impl Decisions {
    /// Whether there is one node for all, so that there is no queue.
    pub fn single(&self) -> bool {
        self.node == NodeKind::EphemeralSingle
    }

    /// Whether requests to the resource carry a token.
    pub fn has_token(&self) -> bool {
        matches!(self.resource, Guard::Fenced | Guard::WritesOnly | Guard::Forgetful)
    }

    /// Why `key` means nothing beside the other decisions, or `None` where it matters. `shared`: some
    /// clients only read.
    pub fn greyed(&self, key: Key, shared: bool) -> Option<Text> {
        let single = self.single();
        let aims = self.watch.aims_at_one_node();
        match key {
            Key::Order if single => Some(text("One single name has no order.", "只有一个名字，无须排序。")),
            Key::LostReply if single => Some(text(
                "One single name carries no GUID: its owner says whose it is.",
                "只有一个名字，没有 GUID：看它的所有者就知道是谁的。",
            )),
            Key::Guid if single => {
                Some(text("One single name carries no GUID.", "只有一个名字，没有 GUID。"))
            }
            Key::Guid if self.lost_reply == LostReply::Again => Some(text(
                "Whoever creates again looks for no node of its own.",
                "再 create 一次的客户端不去找自己的节点。",
            )),
            Key::Absent if single => Some(text(
                "Whoever waits for one single name has no node of its own.",
                "只有一个名字时，等待者没有自己的节点。",
            )),
            Key::DirGone if single && self.watch != Watch::Parent => Some(text(
                "Whoever waits for one single name lists nothing: create makes the directory.",
                "只有一个名字时不列子节点：create 会重建目录。",
            )),
            Key::Error if single && self.watch == Watch::Poll => Some(text(
                "Whoever polls for one single name sends nothing but create.",
                "轮询一个名字的客户端只发 create。",
            )),
            Key::ReaderWaits if single => Some(text(
                "One single name has one owner: it cannot be shared.",
                "只有一个名字，只有一个所有者，无法共享。",
            )),
            Key::ReaderWaits if !shared => Some(text(
                "Nobody here only reads. Let some clients be readers first.",
                "这里没有只读的客户端。先把一些客户端设为读者。",
            )),
            Key::Check | Key::Missing if !aims => Some(match self.watch {
                Watch::Parent => text(
                    "Listing the children already sets the watch.",
                    "列出子节点的请求本身就设置了 Watch。",
                ),
                Watch::Poll | Watch::Predecessor | Watch::Holder => {
                    text("A client that polls watches nothing.", "轮询的客户端什么也不监听。")
                }
            }),
            Key::Wake if self.watch == Watch::Poll => {
                Some(text("A client that polls is never woken.", "轮询的客户端不会被唤醒。"))
            }
            Key::Reconnect if self.watch == Watch::Poll => {
                Some(text("A client that polls has no watches.", "轮询的客户端没有 Watch。"))
            }
            Key::Token if !self.has_token() => {
                Some(text("This resource looks at no token.", "这种资源不看令牌。"))
            }
            Key::Commit if self.resource == Guard::Multi => {
                Some(text("A multi is committed as a whole.", "multi 整个一起提交。"))
            }
            Key::Node
            | Key::LostReply
            | Key::Guid
            | Key::Order
            | Key::Absent
            | Key::DirGone
            | Key::ReaderWaits
            | Key::Watch
            | Key::Check
            | Key::Missing
            | Key::Wake
            | Key::GiveUp
            | Key::Resource
            | Key::Token
            | Key::Commit
            | Key::Delete
            | Key::Error
            | Key::Disconnect
            | Key::Reconnect
            | Key::Expired => None,
        }
    }

    /// Why one option of `key` is the same as another beside the other decisions.
    pub fn option_greyed(&self, key: Key, word: &str) -> Option<Text> {
        let single = self.single();
        match (key, word) {
            (Key::Watch, "predecessor") if single => Some(text(
                "With one single name, the one ahead is the holder.",
                "只有一个名字时，前面那个就是持有者。",
            )),
            (Key::Missing, "requeue") if single => Some(text(
                "With one single name there is no queue to join again.",
                "只有一个名字时，没有队列可以重排。",
            )),
            (Key::Error, "fail-delete") if single => Some(text(
                "Whoever waits for one single name has no node to delete.",
                "只有一个名字时，等待者没有节点可删。",
            )),
            (Key::Token, "sequence") if single => {
                Some(text("One single name has no sequence number.", "只有一个名字，没有序号。"))
            }
            _ => None,
        }
    }
}
