//! Words that several parts of the picture use.

use crate::recipe::{ResourceReply, ResourceRequest};
use crate::teach::token_label;
use crate::text::{Text, say, text};

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
