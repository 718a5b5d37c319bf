//! Ready stories: one decision each, as a scenario that opens as the lanes that differ.

use crate::play::{Scenario, decode};
use crate::text::{Text, text};

/// A story, a click away.
pub struct Story {
    /// The word in links and tests; it never changes.
    pub id: &'static str,
    /// The question the story asks: the page's title.
    pub question: Text,
    /// One sentence in the list of stories.
    pub about: Text,
    /// The scenario, in the words of the links.
    pub query: &'static str,
}

impl Story {
    /// The scenario to run.
    pub fn scenario(&self) -> Scenario {
        decode(self.query).scenario
    }
}

/// Every story, in the order in which they are best read.
pub const STORIES: &[Story] = &[
    Story {
        id: "who-wakes",
        question: text("A lets go. Who should wake up?", "A 释放了锁，该唤醒谁？"),
        about: text("Watch the one just ahead, or the holder.", "监听前驱节点，还是监听持有者。"),
        query: "v=1&clients=5&seed=1&lane=&lane=watch=holder",
    },
];

/// The story with this id.
pub fn story(id: &str) -> Option<&'static Story> {
    STORIES.iter().find(|story| story.id == id)
}
