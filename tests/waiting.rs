//! Why somebody waits is found in the world: asked of every story, in every lane, at every step, and checked
//! against the world by other means.

use std::collections::BTreeSet;

use lockstep::judge::{Left, Life, NoWatch, OwnerState, Reason, Violation, Wait, WaitLog, why_waits};
use lockstep::play::{Comparison, Timeline};
use lockstep::recipe::{Step, join, last_part, node_label, sequence};
use lockstep::teach::{consequences, predictions, stories, story, why};
use lockstep::world::{Action, Actor, ClientId, Contact, LOCK_DIR, Packet, Process, Sent, World};
use lockstep::zookeeper::{Path, SessionId, WatchTable};

// Every claim of a reason, looked up again without the walk along the chain.

fn actor(world: &World, client: ClientId) -> &Actor {
    world.actor(client).expect("the client is there")
}

fn owner(world: &World, node: &Path) -> Option<SessionId> {
    world.server().stat(node).expect("the node is there").ephemeral_owner
}

fn check(world: &World, wait: &Wait) -> Result<(), String> {
    let claim = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    for behind in &wait.chain {
        claim(world.server().node(&behind.node).is_some(), "a node of the chain is not there")?;
        let own = actor(world, behind.client).client.me().map(|me| join(LOCK_DIR, me));
        claim(own != Some(behind.node.clone()), "a client waits for its own node")?;
    }
    match &wait.end {
        Reason::Node { node, owner, first, state, life } => {
            check_node(world, wait, node, Some(*owner), *life)?;
            let own = &actor(world, *owner).client;
            let knows = own.me().is_some_and(|me| **me == *last_part(node));
            let dead = matches!(state, OwnerState::Crashed | OwnerState::Closed);
            claim(knows || dead, "its owner does not know of it")?;
            check_first(world, node, *first)?;
            check_state(world, *owner, *state)
        }
        Reason::LeftOver { node, maker, how, life } => {
            check_node(world, wait, node, *maker, *life)?;
            let Some(maker) = maker.map(|maker| actor(world, maker)) else { return Ok(()) };
            let knows = maker.client.me().is_some_and(|me| **me == *last_part(node));
            let counts = knows && maker.runs() && !maker.client.step().is_over();
            claim(!counts || *how == Left::OldSession, "its maker counts it as its own")
        }
        Reason::Ring { members } => {
            claim(members.len() >= 2, "a ring of one")?;
            let next = members.iter().skip(1).chain(members.first());
            for (member, other) in members.iter().zip(next) {
                let link = wait.chain.iter().find(|behind| behind.client == *member);
                let node = &link.ok_or("a member is not in the chain")?.node;
                let own = actor(world, *other).client.me();
                claim(own.is_some_and(|me| **me == *last_part(node)), "a member waits for somebody else")?;
            }
            Ok(())
        }
        Reason::NoWatch { client, node, why } => check_no_watch(world, *client, node, *why),
        Reason::EventComing { client } => {
            let event = |packet: &Packet| matches!(packet, Packet::Event(_));
            claim(actor(world, *client).to_client.iter().any(event), "no event is on its way")
        }
        Reason::Asks { client } => {
            let actor = actor(world, *client);
            let sends = actor.to_server.iter().any(|sent| matches!(sent, Sent::Request(_)));
            let hears = !actor.to_client.is_empty();
            let moves = sends || hears || actor.will_sort || world.is_asking(*client);
            claim(moves, "nothing of it is on its way")?;
            claim(actor.runs() && actor.contact == Contact::Connected, "it cannot ask")
        }
        Reason::Polls { client } => {
            claim(actor(world, *client).client.step() == Step::Napping, "it does not poll")
        }
        Reason::Itself { client, state } => check_state(world, *client, *state),
        Reason::ServerLags { client, server, node } => {
            claim(world.server_of(*client) == Some(*server), "it is at another server")?;
            let here = world.member_of(*client);
            claim(here.zxid() < world.server().zxid(), "the server does not lag")?;
            claim(
                here.node(node).is_some() != world.server().node(node).is_some(),
                "it has the node as it is",
            )
        }
        Reason::NoQuorum => claim(!world.decides(), "a quorum decides"),
        Reason::OwnNodeGone { client, node } => {
            let own = actor(world, *client).client.me().map(|me| join(LOCK_DIR, me));
            claim(own.as_ref() == Some(node), "it is not its own node")?;
            claim(world.server().node(node).is_none(), "its own node is there")
        }
        Reason::Nobody { .. } => Ok(()),
    }
}

/// The node is the last of the chain, it exists, its owner made it, and it lives as long as is said.
fn check_node(
    world: &World,
    wait: &Wait,
    node: &Path,
    maker: Option<ClientId>,
    life: Life,
) -> Result<(), String> {
    let claim = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    claim(wait.chain.last().is_some_and(|behind| behind.node == *node), "the chain ends elsewhere")?;
    let session = owner(world, node);
    if let Some(session) = session {
        claim(world.client_of(session) == maker, "the node belongs to somebody else")?;
    }
    let lives = session.is_some_and(|session| world.server().timeout_ms(session).is_some());
    match life {
        Life::Persistent => claim(session.is_none(), "the node is ephemeral"),
        Life::Kept => {
            let maker = actor(world, maker.ok_or("nobody keeps the session")?);
            let hears = maker.runs() && !maker.stalled && maker.contact == Contact::Connected;
            claim(lives && hears && maker.session == session, "nobody keeps the session alive")
        }
        Life::Ends(action) => {
            let maker = maker.ok_or("nobody's session ends")?;
            let current = actor(world, maker).session == session;
            let end = if current { Action::Expire(maker) } else { Action::ExpireOld(maker) };
            claim(lives && action == end && world.is_enabled(action), "the session cannot end so")
        }
        Life::Ending => claim(session.is_some(), "there is no session to end"),
    }
}

/// By number, apart from readers who share.
fn check_first(world: &World, node: &Path, first: bool) -> Result<(), String> {
    let reads = |name: &str| name.contains("-read-");
    let czxid = |path: &Path| world.server().stat(path).map(|stat| stat.czxid);
    let paths: Vec<Path> = world.server().children(LOCK_DIR).map(|name| join(LOCK_DIR, name)).collect();
    let before = paths.iter().filter(|path| czxid(path) < czxid(node));
    let apart: Vec<&Path> = before.filter(|path| !(reads(path) && reads(node))).collect();
    match apart.is_empty() == first {
        true => Ok(()),
        false => Err(format!("before {node} stand {apart:?}")),
    }
}

fn check_state(world: &World, client: ClientId, state: OwnerState) -> Result<(), String> {
    let actor = actor(world, client);
    let (step, at) = (actor.client.step(), world.server_of(client));
    let holds = match state {
        OwnerState::Works => {
            actor.runs() && step.believes() && !actor.stalled && actor.contact == Contact::Connected
        }
        OwnerState::Leaves => actor.runs() && !step.believes() && !step.is_over(),
        OwnerState::Paused => actor.process == Process::Paused,
        OwnerState::Hangs => actor.hung && step == Step::Working,
        OwnerState::Crashed => actor.process == Process::Crashed,
        OwnerState::Closed => actor.process == Process::Closed,
        OwnerState::CutOff => actor.stalled,
        OwnerState::Disconnected => actor.contact != Contact::Connected || !world.has_connection(client),
        OwnerState::ServerCutOff => {
            let ensemble = world.ensemble().ok_or("there is one server")?;
            let leader = ensemble.leader();
            at.is_some_and(|at| ensemble.is_stalled(at))
                || leader.is_none_or(|leader| ensemble.is_stalled(leader))
        }
    };
    if holds { Ok(()) } else { Err(format!("{client} is not {state:?}")) }
}

fn check_no_watch(world: &World, client: ClientId, node: &Path, why: NoWatch) -> Result<(), String> {
    let claim = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    let actor = actor(world, client);
    claim(actor.client.step() == Step::Asleep, "it does not sleep")?;
    let table = if **node == *LOCK_DIR { WatchTable::Children } else { WatchTable::Data };
    let mine = |watch: &lockstep::zookeeper::Watch| {
        Some(watch.session) == actor.session && watch.table == table && watch.path == *node
    };
    let watched = world.member_of(client).watchers().any(|watch| mine(&watch));
    let believed = actor.watches.iter().any(|(_, path)| path == node);
    match why {
        NoWatch::NeverSet => claim(!watched && !believed, "there is a watch, or its library set one"),
        NoWatch::OnMissing => {
            claim(watched && world.server().node(node).is_none(), "the node is there, or no watch")
        }
        NoWatch::DiedWithConnection | NoWatch::EventLost => {
            claim(!watched && believed, "the watch is there, or was never set")
        }
    }
}

/// Asks it of everybody at every step of a run.
fn check_run(of: &str, run: &Timeline) {
    let mut world = run.world_at(0);
    let mut log = WaitLog::default();
    for (at, step) in run.steps().iter().enumerate() {
        world.step(step.action).expect("a step of the run");
        step.events.iter().for_each(|event| log.see(event));
        for (client, actor) in world.actors() {
            let wait = why_waits(&world, &log, client);
            assert_eq!(wait.is_some(), actor.client.step().waits(), "{of}, step {at}: {client}");
            let Some(wait) = wait else { continue };
            if let Err(wrong) = check(&world, &wait) {
                panic!("{of}, step {at}, {}: {wrong}: {wait:?}", step.action);
            }
            let sentence = why(&wait, None);
            assert!(sentence.en.ends_with('.') && sentence.zh.ends_with('。'), "{sentence:?}");
        }
    }
}

#[test]
fn at_every_step_of_every_story_the_reason_is_true_of_the_world() {
    for story in stories() {
        let comparison = Comparison::run(&story.scenario());
        for (lane, run) in comparison.lanes().iter().enumerate() {
            check_run(&format!("{}, lane {}", story.id, lane + 1), run);
        }
    }
}

/// Those who wait for ever in a lane, from 1: who waits behind whom, and the reason in a few words. Found by hand.
const EXPECTED: &[(&str, usize, &[&str])] = &[
    (
        "lost-wake-up",
        2,
        &["B: B has no watch (on-missing) on 0000", "C: B has no watch (on-missing) on 0000"],
    ),
    ("already-gone", 2, &["B: B has no watch (never-set) on 0000", "C: B has no watch (never-set) on 0000"]),
    ("libraries", 3, &["B: B has no watch (on-missing) on 0000", "C: B has no watch (on-missing) on 0000"]),
    ("readers", 3, &["B>D>C: ring DC", "C>D: ring CD", "D>C: ring DC"]),
    ("short-reset", 3, &["A>B: left 0000 of A (taken-for-lost)", "B: left 0000 of A (taken-for-lost)"]),
    ("lost-create", 4, &["A>B: left 0000 of A (reply-lost)", "B: left 0000 of A (reply-lost)"]),
    ("walked-away", 2, &["C: left 0001 of B (walked-away)"]),
    ("cancel-race", 2, &["C: left 0001 of B (walked-away)"]),
    ("leak", 2, &["B: left 0000 of A (died)"]),
    ("hung", 1, &["B: node 0000 of A (hangs)"]),
    ("dead-watch", 2, &["B: B has no watch (died-with-connection) on 0000"]),
    ("missed-and-heard", 2, &["B: B has no watch (died-with-connection) on 0000"]),
    ("find-on-lagging", 2, &["A>B: left 0000 of A (reply-lost)", "B: left 0000 of A (reply-lost)"]),
    ("leader-dies-in-create", 2, &["A>B: left 0000 of A (reply-lost)", "B: left 0000 of A (reply-lost)"]),
    ("minority-client", 2, &["A>B: left 0000 of A (taken-for-lost)", "B: left 0000 of A (taken-for-lost)"]),
    ("quorum-lost", 2, &["A>B: left 0000 of A (taken-for-lost)", "B: left 0000 of A (taken-for-lost)"]),
    ("two-clocks", 2, &["A>B: left 0000 of A (taken-for-lost)", "B: left 0000 of A (taken-for-lost)"]),
];

fn word(of: &impl serde::Serialize) -> String {
    serde_json::to_value(of).unwrap().as_str().unwrap_or("?").to_string()
}

fn in_words(wait: &Wait) -> String {
    let end = match &wait.end {
        Reason::Node { node, owner, state, .. } => {
            format!("node {} of {owner} ({})", node_label(node), word(state))
        }
        Reason::LeftOver { node, maker, how, .. } => {
            let maker = maker.map_or("?".to_string(), |maker| maker.to_string());
            format!("left {} of {maker} ({})", node_label(node), word(how))
        }
        Reason::Ring { members } => {
            format!("ring {}", members.iter().map(ToString::to_string).collect::<String>())
        }
        Reason::NoWatch { client, node, why } => {
            format!("{client} has no watch ({}) on {}", word(why), node_label(node))
        }
        other => format!("{other:?}"),
    };
    let chain: Vec<String> = wait.chain.iter().map(|behind| behind.client.to_string()).collect();
    let who = if chain.is_empty() { wait.client.to_string() } else { chain.join(">") };
    format!("{who}: {end}")
}

#[test]
fn each_story_that_sticks_names_the_reason_that_is_known() {
    let mut wrong = Vec::new();
    for (id, lane, expected) in EXPECTED {
        let comparison = Comparison::run(&story(id).expect("the story is there").scenario());
        let waits: Vec<String> = comparison.lanes()[lane - 1].waits().iter().map(in_words).collect();
        if waits != *expected {
            wrong.push(format!("{id}, lane {lane}: {waits:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_story_that_sticks_is_missing_above() {
    for story in stories() {
        let comparison = Comparison::run(&story.scenario());
        for (lane, run) in (1..).zip(comparison.lanes()) {
            let stuck = run.findings().iter().any(|f| matches!(f.violation, Violation::Stuck { .. }));
            let named = EXPECTED.iter().any(|(id, at, _)| *id == story.id && *at == lane);
            assert_eq!(stuck, named, "{}, lane {lane}", story.id);
            let clients: Vec<ClientId> = run.waits().iter().map(|wait| wait.client).collect();
            assert_eq!(clients.is_empty(), !stuck);
        }
    }
}

#[test]
fn a_graded_question_has_exactly_one_right_answer_and_the_reason_gives_it() {
    let mut asked = BTreeSet::new();
    for story in stories() {
        let comparison = Comparison::run(&story.scenario());
        for prediction in predictions(&comparison, &consequences(&comparison)) {
            let right: Vec<_> = prediction.answers.iter().filter(|a| a.word == prediction.right).collect();
            assert_eq!(right.len(), 1, "{}", story.id);
            let texts: BTreeSet<String> = prediction.answers.iter().map(|a| a.text.en.to_string()).collect();
            assert_eq!(texts.len(), prediction.answers.len(), "{}: two answers read the same", story.id);
            assert!(prediction.stop < prediction.seen);
            let waits = comparison.lanes()[prediction.lane].waits();
            if prediction.answer("no-watch").is_some() {
                let sentences: Vec<_> = waits.iter().map(|wait| why(wait, None)).collect();
                assert!(sentences.contains(&prediction.because), "{}: {:?}", story.id, prediction.because);
                assert_ne!(prediction.right, "wakes", "{}", story.id);
                asked.insert(prediction.right);
            }
        }
    }
    assert_eq!(asked, BTreeSet::from(["no-watch", "node-stays", "ring"]));
}

#[test]
fn the_number_of_the_ring_is_of_nodes_that_stand() {
    let comparison = Comparison::run(&story("readers").unwrap().scenario());
    let run = &comparison.lanes()[2];
    let world = run.world_at(run.len());
    for wait in run.waits() {
        assert!(wait.chain.iter().all(|behind| sequence(&behind.node).is_some()));
        assert!(check(&world, wait).is_ok());
    }
}
