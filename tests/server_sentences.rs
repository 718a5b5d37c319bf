//! What is said of several servers, step by step, in the ready stories.

use lockstep::play::Timeline;
use lockstep::teach::{narrate, stories};
use lockstep::text::Text;
use lockstep::zookeeper::EnsembleSize;

/// What each step of the ready stories of servers says, in both languages.
fn said() -> Vec<(String, Text)> {
    let mut said = Vec::new();
    for story in stories() {
        let (id, scenario) = (story.id, story.scenario());
        if scenario.servers == EnsembleSize::One {
            continue;
        }
        for lane in 0..scenario.lanes.len() {
            let timeline = Timeline::run(&scenario, lane);
            let steps = timeline.steps().iter();
            said.extend(steps.map(|step| (format!("{id}: {}", step.action), narrate(&step.events))));
        }
    }
    said
}

#[test]
fn a_step_of_servers_is_said_in_a_sentence_or_three_and_says_which_server() {
    let said = said();
    assert!(said.len() > 1000, "the stories of servers were not found");
    for (step, text) in said {
        let sentences = text.en.matches(". ").count() + 1;
        assert!(sentences <= 3, "{step} takes {sentences} sentences: {}", text.en);
        for vague in ["The server ", "the server answers"] {
            assert!(!text.en.contains(vague), "{step} does not say which server: {}", text.en);
        }
        let latin = |c: char| c.is_ascii_alphanumeric();
        let tight = text.zh.chars().zip(text.zh.chars().skip(1));
        let tight = tight.filter(|(a, b)| latin(*a) && ('\u{4e00}'..='\u{9fff}').contains(b)).count();
        assert!(tight == 0 && !text.zh.contains(" ："), "{step}: {}", text.zh);
    }
}

#[test]
fn a_server_that_is_cut_off_answers_a_heartbeat_and_nobody_says_that_the_session_has_its_time_again() {
    let said = said();
    let pings = said.iter().filter(|(step, _)| *step == "minority-holder: A.zk").map(|(_, text)| &text.en);
    let answered = pings.filter(|en| en.contains("heartbeat")).collect::<Vec<_>>();
    assert!(answered.len() > 1);
    assert!(answered.iter().all(|en| en.contains("once the leader hears of it")), "{answered:?}");
}
