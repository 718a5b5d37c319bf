//! What a message between servers, or a transaction, is about, and whose it is: parts of sentences.

use crate::text::{Text, say, text};
use crate::world::{ClientId, Matter};

/// A request and whose it is.
pub(super) fn of_whom(matter: Matter, client: Option<ClientId>) -> Text {
    let what = matter_name(matter);
    match client {
        Some(client) => say(format!("{client}'s {}", what.en), format!(" {client} 的{}", what.zh)),
        None if matter == Matter::Other => text("it", "它"),
        None if matter == Matter::EndOfSession => text("the end of a session", "一个会话的结束"),
        None => say(format!("a {}", what.en), format!("一个{}", what.zh)),
    }
}

/// What it is about, after whose it is.
pub(super) fn matter_name(matter: Matter) -> Text {
    match matter {
        Matter::Create => text("create", " create "),
        Matter::Delete => text("delete", " delete "),
        Matter::SetData => text("setData", " setData "),
        Matter::Multi => text("multi", " multi "),
        Matter::Sync => text("sync", " sync "),
        Matter::NewSession => text("new session", "新会话"),
        Matter::EndOfSession => text("end of session", "会话结束"),
        Matter::Refused => text("request that was refused", "被拒绝的请求"),
        Matter::Moved => text(
            "request (refused: the session has left the server it came through)",
            "请求（已拒绝：会话已离开它经过的那台服务器）",
        ),
        Matter::Other => text("request", "请求"),
    }
}
