//! A stage for stories: a test drives a world action by action, and then shows it as a run with
//! those choices.
#![allow(dead_code, reason = "each test file uses its part")]

use lockstep::app::{LabScene, Model, Msg, lab_scene, update};
use lockstep::play::{Choice, Chosen, Lane, Scenario, Timeline, encode, set_decision};
use lockstep::recipe::{Decisions, Step};
use lockstep::teach::story;
use lockstep::world::{Action, Class, ClientId, Event, World};

/// A scenario of one lane with these clients and decisions, such as `watch=holder,wake=assume`.
pub fn scenario(clients: u32, words: &str) -> Scenario {
    Scenario { clients, ..Scenario::single(decisions(words)) }
}

pub fn decisions(words: &str) -> Decisions {
    let words = words.split(',').filter(|word| !word.is_empty());
    words.fold(Decisions::default(), |decisions, word| set_decision(decisions, word).unwrap())
}

/// The run of one lane with these clients and decisions, by the schedule alone.
pub fn run(clients: u32, words: &str) -> Timeline {
    Timeline::run(&scenario(clients, words), 0)
}

/// The client with this letter.
pub fn client(letter: &str) -> ClientId {
    letter.parse().unwrap()
}

/// The page at a ready story.
pub fn page_at(id: &str) -> Model {
    let scenario = story(id).expect("the story is there").scenario();
    Model::open(&format!("#/lab?{}", encode(&scenario)))
}

/// The first scene in which something holds; the page stands there.
pub fn first_scene(model: &mut Model, holds: impl Fn(&LabScene) -> bool) -> LabScene {
    for stop in 0..=model.lab.run.comparison.last_stop() {
        update(model, Msg::Seek(stop));
        let scene = lab_scene(model);
        if holds(&scene) {
            return scene;
        }
    }
    panic!("it never comes to that");
}

/// All events of a run, in order.
pub fn events(run: &Timeline) -> impl Iterator<Item = &Event> {
    run.steps().iter().flat_map(|step| &step.events)
}

/// Who took the lock, in order.
pub fn holders(run: &Timeline) -> String {
    run.measures().acquisitions.iter().map(|acquisition| acquisition.client.as_str()).collect()
}

/// A world driven by hand.
pub struct Stage {
    pub scenario: Scenario,
    pub world: World,
    taken: Vec<Action>,
    last: Vec<Event>,
}

impl Stage {
    pub fn of(clients: u32, words: &str) -> Stage {
        Stage::set(scenario(clients, words))
    }

    pub fn set(scenario: Scenario) -> Stage {
        let (world, _) = World::new(&scenario.cast(0));
        Stage { scenario, world, taken: Vec::new(), last: Vec::new() }
    }

    /// Takes actions by name, in order, and returns what followed the last of them.
    pub fn go(&mut self, actions: &str) -> &[Event] {
        for action in actions.split_whitespace() {
            self.take(action.parse().unwrap());
        }
        &self.last
    }

    /// Takes the actions of one client alone until it stands at `step`.
    pub fn bring(&mut self, letter: &str, step: Step) -> &[Event] {
        let who = client(letter);
        while self.step_of(letter) != step {
            let world = &self.world;
            let own = |a: &Action| a.client() == Some(who) && world.class(*a) == Class::Progress;
            let next = world.enabled().into_iter().find(own);
            self.take(next.unwrap_or_else(|| panic!("{letter} gets stuck before {step:?}")));
        }
        &self.last
    }

    pub fn step_of(&self, letter: &str) -> Step {
        self.world.actor(client(letter)).unwrap().client.step()
    }

    /// How many watches the server holds.
    pub fn watches(&self) -> usize {
        self.world.server().watchers().count()
    }

    /// What was done so far as a run by hand, which then follows its schedule to its end.
    pub fn play_on(&self) -> Timeline {
        let choice = |(at, action): (u32, &Action)| Choice { at, what: Chosen::Take(*action) };
        let choices = (0..).zip(&self.taken).map(choice).collect();
        let lane = Lane { choices, ..self.scenario.lanes[0].clone() };
        let run = Timeline::run(&Scenario { lanes: vec![lane], ..self.scenario.clone() }, 0);
        assert_eq!(run.misfit(), None);
        assert_eq!(run.world_at(self.taken.len() as u32), self.world);
        run
    }

    fn take(&mut self, action: Action) {
        self.last = self.world.step(action).unwrap();
        self.taken.push(action);
    }
}
