//! What goes wrong with one client, or is put right again.

use super::{FaultDefinition, FaultEffect, FaultPart, StormWeight};
use crate::text::fixed;

macro_rules! faults {
    ($( $(#[$doc:meta])* $name:ident $(repaired by $repair:ident)? = { $($row:tt)+ } )+) => {
        /// Something that goes wrong with one client, or is put right again.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fault { $( $(#[$doc])* $name, )+ }

        impl Fault {
            /// Every fault, in the order of the table.
            pub const ALL: [Fault; Fault::TABLE.len()] = [$(Fault::$name),+];

            #[allow(clippy::needless_update, reason = "a row may say all there is to say")]
            pub(super) const TABLE: &[&FaultDefinition] =
                &[$(&FaultDefinition { $($row)+ ..FaultDefinition::PLAIN }),+];

            /// Its row of the table.
            pub const fn definition(self) -> &'static FaultDefinition {
                Fault::TABLE[self as usize]
            }

            /// What puts it right again, if something does.
            pub fn repair(self) -> Option<Fault> {
                match self {
                    $(Fault::$name => [$(Some(Fault::$repair),)? None][0],)+
                }
            }
        }
    };
}

faults! {
    /// The process stands still, and hears and sends nothing: a long garbage collection.
    Pause repaired by Resume = {
        word: "pause",
        label: fixed("pause", "暂停"),
        name: fixed("pause the process", "暂停进程"),
        brief: fixed("{c} stands still", "{c} 停住不动"),
        told: fixed(
            "{c}'s process stands still: a long garbage collection. It sends no heartbeats.",
            "{c} 的进程发生长时间 GC 停顿（STW），不再发心跳。",
        ),
        effect: FaultEffect::StandsStill,
        budget: Some("pause"),
        // Once more for long: pauses and crashes are what the lock is about.
        storm: StormWeight { for_a_while: 1, for_long: 1, for_good: 0 },
        in_row: true,
    }
    /// The process goes on.
    Resume = {
        word: "resume",
        label: fixed("go on", "恢复"),
        name: fixed("let the process go on", "恢复进程"),
        brief: fixed("{c} goes on", "{c} 恢复运行"),
        told: fixed(
            "{c}'s process goes on, and knows of nothing that happened meanwhile.",
            "{c} 的进程恢复运行，对这期间发生的事一无所知。",
        ),
        effect: FaultEffect::GoesOn,
    }
    /// The connection carries nothing any more, and nobody is told.
    Stall repaired by Heal = {
        word: "stall",
        part: FaultPart::Connection,
        label: fixed("stall the link", "网络卡住（不报错）"),
        name: fixed("stall the connection", "网络卡住（不报错）"),
        brief: fixed("{c} is cut off", "{c} 连接不通"),
        told: fixed(
            "The connection of {c} carries nothing any more, and nobody is told.",
            "{c} 的网络卡住：收发都不通，两端却都没有报错。",
        ),
        effect: FaultEffect::CutOff,
        budget: Some("stall"),
        storm: StormWeight::REPAIRED,
        in_row: true,
    }
    /// The connection carries what was sent meanwhile, and goes on.
    Heal = {
        word: "heal",
        part: FaultPart::Connection,
        label: fixed("heal the link", "恢复连接"),
        name: fixed("let the connection carry again", "恢复连接"),
        brief: fixed("{c} is reached again", "{c} 连接恢复"),
        told: fixed("The connection of {c} carries again.", "{c} 的连接又通了。"),
        effect: FaultEffect::Reached,
    }
    /// The process ends without a word. Its connection is closed by its machine; its session lives on.
    Crash repaired by Restart = {
        word: "crash",
        label: fixed("crash", "崩溃"),
        name: fixed("crash the process", "进程崩溃"),
        brief: fixed("{c} crashes", "{c} 崩溃"),
        told: fixed(
            "{c}'s process dies. Its connection is closed; its session lives on.",
            "{c} 的进程崩溃。连接关闭，会话还在。",
        ),
        effect: FaultEffect::Ends,
        budget: Some("crash"),
        storm: StormWeight { for_a_while: 1, for_long: 0, for_good: 1 },
        in_row: true,
    }
    /// A new process starts in its place.
    Restart = {
        word: "restart",
        label: fixed("restart", "重启"),
        name: fixed("start it again", "重新启动"),
        brief: fixed("{c} starts again", "{c} 重新启动"),
        told: fixed("A new process of {c} starts.", "{c} 的新进程启动。"),
        effect: FaultEffect::Starts,
        budget: Some("restart"),
    }
    /// The process closes its session and ends.
    Close = {
        word: "close",
        label: fixed("close its session", "关闭会话"),
        name: fixed("close its session", "关闭会话"),
        brief: fixed("{c} leaves", "{c} 退出"),
        told: fixed("{c} closes its session and ends.", "{c} 关闭会话后退出。"),
        effect: FaultEffect::Ends,
        budget: Some("close"),
        storm: StormWeight::ONCE,
    }
    /// The connection breaks, and both ends are told. What is on its way is lost.
    Reset = {
        word: "reset",
        part: FaultPart::Connection,
        label: fixed("cut the link", "断开连接"),
        name: fixed("break the connection", "断开连接"),
        brief: fixed("{c} loses its connection", "{c} 断开连接"),
        told: fixed(
            "The connection of {c} breaks, and both ends are told.",
            "{c} 的连接断开，两端都知道了。",
        ),
        budget: Some("reset"),
        storm: StormWeight::ONCE,
        in_row: true,
    }
    /// A request is lost, and the connection with it.
    LostRequest = {
        word: "lost-request",
        part: FaultPart::Connection,
        label: fixed("lose its request", "丢失请求"),
        name: fixed("lose its request", "丢失请求"),
        brief: fixed("{c} loses a request", "{c} 丢失请求"),
        told: fixed(
            "{c}'s request is lost, and the connection with it.",
            "{c} 的请求丢失，连接也断了。",
        ),
        budget: Some("lost-request"),
        storm: StormWeight::ONCE,
    }
    /// A reply is lost, and the connection with it: the server has carried out the request.
    LostReply = {
        word: "lost-reply",
        part: FaultPart::Connection,
        label: fixed("lose the reply", "丢失响应"),
        name: fixed("lose the reply", "丢失响应"),
        brief: fixed("{c} loses a reply", "{c} 丢失响应"),
        told: fixed(
            "The reply to {c} is lost, and the connection with it. The server has done what it was asked.",
            "给 {c} 的响应丢失，连接也断了；其实服务器已经执行。",
        ),
        budget: Some("lost-reply"),
        storm: StormWeight::ONCE,
    }
    /// The client is asked to stop waiting for the lock.
    GiveUp = {
        word: "give-up",
        label: fixed("give up waiting", "放弃等待"),
        name: fixed("give up waiting", "放弃等待"),
        brief: fixed("{c} gives up", "{c} 放弃等待"),
        told: fixed("{c} is told to give up.", "外部要求 {c} 放弃等待。"),
        budget: Some("give-up"),
        storm: StormWeight::ONCE,
    }
    /// Its work under the lock does not end; its heartbeats go on.
    Hang repaired by Unhang = {
        word: "hang",
        label: fixed("hang in its work", "工作卡住"),
        name: fixed("hang in its work", "工作卡住"),
        brief: fixed("{c} hangs in its work", "{c} 工作卡住"),
        told: fixed("{c}'s work hangs; its heartbeats go on.", "{c} 的工作卡住了，心跳却照常。"),
        budget: Some("hang"),
        storm: StormWeight::REPAIRED,
    }
    /// Its work goes on.
    Unhang = {
        word: "unhang",
        label: fixed("go on with its work", "工作继续"),
        name: fixed("go on with its work", "工作继续"),
        brief: fixed("{c} works on", "{c} 继续工作"),
        told: fixed("{c}'s work goes on.", "{c} 的工作继续。"),
    }
    /// The server ends the session before its time.
    Expire = {
        word: "expire",
        part: FaultPart::Session,
        label: fixed("expire", "会话过期"),
        name: fixed("end its session now", "立刻结束会话"),
        brief: fixed("{c} loses its session", "{c} 失去会话"),
        told: fixed(
            "The server ends {c}'s session before its time.",
            "服务器提前结束 {c} 的会话。",
        ),
        budget: Some("expire"),
        storm: StormWeight::ONCE,
        in_row: true,
    }
    /// The library lets go of a session that lives and opens another: Curator does so when its own timer says LOST
    /// before the server has decided anything (Curator's Tech Note 14). What the old session owns stays until the
    /// server ends that.
    LeaveSession = {
        word: "leave-session",
        part: FaultPart::Session,
        label: fixed("leave the session", "放弃会话"),
        name: fixed("leave its living session for a new one", "放弃仍有效的会话，另开新会话"),
        brief: fixed("{c} leaves its session", "{c} 放弃会话"),
        told: fixed(
            "{c}'s library says LOST by its own timer and asks for a new session. The old one lives on, and so does its node.",
            "{c} 的客户端库按自己的计时器判定会话丢失（LOST），改开新会话。旧会话仍然有效，它的节点也还在。",
        ),
        effect: FaultEffect::NewSession,
        budget: Some("leave-session"),
    }
    /// The clock that the library goes by jumps ahead: it has heard nothing for too long, as it believes, and gives
    /// up a connection that is good (ZOOKEEPER-1366, for libraries that go by the time of day).
    ClockAhead = {
        word: "clock-ahead",
        part: FaultPart::Connection,
        label: fixed("let its clock jump ahead", "时钟向前跳"),
        name: fixed("let its clock jump ahead", "让它的时钟向前跳"),
        brief: fixed("{c}'s clock jumps ahead", "{c} 的时钟向前跳"),
        told: fixed(
            "{c}'s clock jumps ahead: by it, nothing has been heard for too long.",
            "{c} 的时钟向前跳：按这个时钟，已经太久没有收到消息。",
        ),
        budget: Some("clock-ahead"),
    }
}

impl Fault {
    /// The word in links and scripts.
    pub const fn word(self) -> &'static str {
        self.definition().word
    }

    /// Whether it puts right what another fault has made wrong, and comes sooner or later.
    pub const fn is_repair(self) -> bool {
        self.definition().is_repair()
    }
}
