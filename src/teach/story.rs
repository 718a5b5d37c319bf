//! What a ready story is.

use crate::play::{Scenario, decode};
use crate::recipe::Verdict;
use crate::text::Fixed;

/// A story, a click away.
#[derive(Debug)]
pub struct Story {
    /// The word in links and tests; it never changes.
    pub id: &'static str,
    /// The question the story asks: the page's title.
    pub question: Fixed,
    /// One sentence in the list of stories.
    pub about: Fixed,
    /// The scenario, in the words of the links.
    pub query: &'static str,
    /// What becomes of each lane.
    pub verdicts: &'static [Verdict],
}

impl Story {
    /// The scenario to run.
    pub fn scenario(&self) -> Scenario {
        decode(self.query).scenario
    }
}

/// Stories that belong together, under one heading.
pub struct StoryGroup {
    pub title: Fixed,
    pub stories: &'static [Story],
}
