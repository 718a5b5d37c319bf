//! The list of ready stories: one decision each, as a scenario that opens as the lanes that differ.

use super::fault_stories::{CONTACT, EDGES, LEAVING, PROTECTED};
use super::queue_stories::QUEUE;
use super::server_stories::ENSEMBLE;
use super::story::{Story, StoryGroup};
use crate::play::Scenario;
use crate::text::fixed;

/// Every story, in the order in which they are best read.
pub const GROUPS: &[StoryGroup] = &[
    StoryGroup { title: fixed("The queue", "排队"), stories: QUEUE },
    StoryGroup { title: fixed("What the lock protects", "锁保护什么"), stories: PROTECTED },
    StoryGroup { title: fixed("Lost contact", "断连与会话过期"), stories: CONTACT },
    StoryGroup { title: fixed("Leaving the queue", "离开队列"), stories: LEAVING },
    StoryGroup { title: fixed("The ensemble", "集群"), stories: ENSEMBLE },
    StoryGroup {
        title: fixed("Numbers, names, libraries", "序号、名字与客户端库"), stories: EDGES
    },
];

/// The stories of all groups, in order.
pub fn stories() -> impl Iterator<Item = &'static Story> {
    GROUPS.iter().flat_map(|group| group.stories)
}

/// The story that a scenario tells, whatever a hand has chosen in it. It reads every story: ask once a scenario.
pub fn story_of(scenario: &Scenario) -> Option<&'static Story> {
    let untouched = |mut scenario: Scenario| {
        scenario.lanes.iter_mut().for_each(|lane| lane.choices.clear());
        scenario
    };
    let this = untouched(scenario.clone());
    stories().find(|story| untouched(story.scenario()) == this)
}

/// The story with this id.
pub fn story(id: &str) -> Option<&'static Story> {
    stories().find(|story| story.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Comparison, encode};
    use crate::recipe::Verdict;

    #[test]
    fn every_story_ends_as_it_says_in_every_lane() {
        for story in stories() {
            let comparison = Comparison::run(&story.scenario());
            let verdicts: Vec<Verdict> =
                comparison.lanes().iter().map(|lane| lane.judgement().verdict).collect();
            assert_eq!(verdicts, story.verdicts, "{}", story.id);
        }
    }

    #[test]
    fn every_story_is_written_in_the_words_of_the_links() {
        for story in stories() {
            assert_eq!(encode(&story.scenario()), story.query, "{}", story.id);
        }
    }
}
