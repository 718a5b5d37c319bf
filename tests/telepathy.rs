//! A client knows what reached it, and nothing else.
//!
//! Beside each client runs a copy that gets that client's own packets, timers and faults. Whatever changes in the
//! client must change in the copy: then nothing reached it by any other way.

use std::collections::BTreeSet;

use lockstep::explore::{Budget, Outcome, Search};
use lockstep::play::{Scenario, Storm, Timeline, decode};
use lockstep::recipe::{ClientTimer, Input, LockClient, Output};
use lockstep::world::{
    Action, Actor, Cast, ClientId, Contact, Event, Fault, Link, Operator, Packet, Process, WatchKind, World,
};
use lockstep::zookeeper::{ErrorCode, EventType, Path, Request, SessionId, Zxid};

/// What a client and its library know.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    client: LockClient,
    process: Process,
    contact: Contact,
    session: Option<SessionId>,
    watches: BTreeSet<(WatchKind, Path)>,
    last_zxid: Zxid,
    through: bool,
    will_arrive: bool,
    will_sort: bool,
    works: bool,
    polls: bool,
}

impl Known {
    fn of(actor: &Actor) -> Known {
        Known {
            client: actor.client.clone(),
            process: actor.process,
            contact: actor.contact,
            session: actor.session,
            watches: actor.watches.clone(),
            last_zxid: actor.last_zxid,
            through: actor.through,
            will_arrive: actor.will_arrive,
            will_sort: actor.will_sort,
            works: actor.works,
            polls: actor.polls,
        }
    }

    fn input(&mut self, input: Input<'_>) {
        for output in self.client.input(input) {
            match output {
                Output::SetTimer(ClientTimer::Work) => self.works = true,
                Output::SetTimer(ClientTimer::Poll) => self.polls = true,
                Output::WillSort => self.will_sort = true,
                Output::LostLock { .. } => self.works = false,
                Output::GaveUp { .. } => self.polls = false,
                _ => {}
            }
        }
    }

    fn disconnected(&mut self) {
        self.contact = Contact::Disconnected;
        self.input(Input::Disconnected);
    }

    fn ends(&mut self, process: Process, contact: Contact) {
        self.through |= self.client.step().is_over();
        self.client = self.client.restarted();
        self.process = process;
        self.contact = contact;
        self.watches.clear();
        (self.will_sort, self.works, self.polls) = (false, false, false);
    }

    fn hears(&mut self, packet: &Packet) {
        match packet {
            Packet::Reply { request, result, zxid } => {
                self.last_zxid = self.last_zxid.max(*zxid);
                let watch = match (request, result) {
                    (
                        Request::GetData { path, watch: true } | Request::Exists { path, watch: true },
                        Ok(_),
                    ) => Some((WatchKind::Data, path)),
                    (Request::Exists { path, watch: true }, Err(ErrorCode::NoNode)) => {
                        Some((WatchKind::Exist, path))
                    }
                    (Request::GetChildren { path, watch: true }, Ok(_)) => Some((WatchKind::Children, path)),
                    _ => None,
                };
                self.watches.extend(watch.map(|(kind, path)| (kind, path.clone())));
                if !matches!(request, Request::SetWatches { .. }) {
                    self.input(Input::Reply(result));
                }
            }
            Packet::Event(event) => {
                self.watches.retain(|(kind, path)| {
                    let used_up = match event.kind {
                        EventType::NodeCreated | EventType::NodeDataChanged => *kind != WatchKind::Children,
                        EventType::NodeChildrenChanged => *kind == WatchKind::Children,
                        EventType::NodeDeleted => true,
                    };
                    *path != event.path || !used_up
                });
                self.input(Input::Event(event));
            }
            Packet::Pong => {}
            Packet::Connected { session, new, .. } => {
                self.contact = Contact::Connected;
                self.session = Some(*session);
                self.input(if *new { Input::NewSession(*session) } else { Input::Reconnected });
            }
            Packet::Expired => {
                self.contact = Contact::Expired;
                self.session = None;
                self.last_zxid = Zxid(0);
                self.watches.clear();
                self.input(Input::Expired);
                if !self.client.step().is_over() {
                    self.contact = Contact::Connecting;
                }
            }
            Packet::EndOfFile => self.disconnected(),
        }
    }

    /// What an action is to this client, as the world stood before it.
    fn sees(&mut self, me: ClientId, action: Action, before: &Actor) {
        match action {
            Action::Operator(Operator::RestartServer) => {
                let connected = matches!(self.contact, Contact::Connected | Contact::Connecting);
                if connected && self.process == Process::Running && !before.stalled {
                    self.disconnected();
                }
            }
            _ if action.client() != Some(me) => {}
            Action::Arrive(_) => {
                self.will_arrive = false;
                self.input(Input::Start);
            }
            Action::Sort(_) => {
                self.will_sort = false;
                self.input(Input::Sort);
            }
            Action::Work(_) => {
                self.works = false;
                self.input(Input::Timer(ClientTimer::Work));
            }
            Action::Poll(_) => {
                self.polls = false;
                self.input(Input::Timer(ClientTimer::Poll));
            }
            Action::Suspend(_) => self.disconnected(),
            Action::Reconnect(_) => self.contact = Contact::Connecting,
            Action::Deliver(Link::ToClient(_)) => self.hears(before.to_client.front().unwrap()),
            Action::Deliver(Link::FromResource(_)) => {
                self.input(Input::Resource(*before.from_resource.front().unwrap()));
            }
            Action::Fault(fault, _) => self.suffers(fault),
            _ => {}
        }
    }

    fn suffers(&mut self, fault: Fault) {
        match fault {
            Fault::Pause => self.process = Process::Paused,
            Fault::Resume => self.process = Process::Running,
            Fault::Crash => self.ends(Process::Crashed, Contact::Disconnected),
            Fault::Close => self.ends(Process::Closed, Contact::Closed),
            Fault::GiveUp => self.input(Input::GiveUp),
            Fault::Reset | Fault::LostRequest | Fault::LostReply if self.process == Process::Running => {
                self.disconnected();
            }
            Fault::Restart => {
                self.process = Process::Running;
                self.session = None;
                self.last_zxid = Zxid(0);
                if !self.will_arrive && !self.through {
                    self.input(Input::Start);
                }
            }
            _ => {}
        }
    }
}

/// Runs each client of a scenario beside its copy, and counts how many new sessions were lost on their way.
fn runs_beside_copies(scenario: &Scenario) -> usize {
    let (mut world, _) = World::new(&scenario.cast(0));
    let mut copies: Vec<Known> = world.actors().map(|(_, actor)| Known::of(actor)).collect();
    let mut unheard = 0;
    for (number, step) in Timeline::run_to(scenario, 0, 5_000).steps().iter().enumerate() {
        for (copy, (client, actor)) in copies.iter_mut().zip(world.actors()) {
            copy.sees(client, step.action, actor);
        }
        let events = world.step(step.action).unwrap();
        unheard += events.iter().filter(|event| matches!(event, Event::SessionUnheard { .. })).count();
        for (copy, (client, actor)) in copies.iter().zip(world.actors()) {
            let script = lockstep::play::encode(scenario);
            assert_eq!(*copy, Known::of(actor), "{client} at step {number} ({}) of {script}", step.action);
        }
    }
    unheard
}

fn beside_copies_in_storms(query: &str, seeds: u64) -> usize {
    let decoded = decode(query);
    assert_eq!(decoded.problems, [], "{query}");
    let storm = Storm::new(decoded.scenario, 0);
    (0..seeds).map(|seed| runs_beside_copies(&storm.scenario(seed))).sum()
}

#[test]
fn whatever_changes_in_a_client_reached_it_with_one_server() {
    for lane in ["", "watch=parent", "node=ephemeral-single", "resource=multi", "expired=reuse"] {
        beside_copies_in_storms(&format!("v=2&clients=3&timeout-ms=4000&lane={lane}"), 300);
    }
}

#[test]
fn whatever_changes_in_a_client_reached_it_with_three_servers() {
    beside_copies_in_storms("v=2&clients=3&servers=3&timeout-ms=4000&lane=", 300);
    beside_copies_in_storms("v=2&clients=3&servers=3&lag-ms=300&lane=watch=parent", 100);
}

#[test]
fn a_pong_says_nothing_of_zxids_so_that_a_server_that_is_behind_takes_the_client() {
    let query = "v=2&clients=3&servers=3&timeout-ms=6000&lag-ms=2500&hold-ms=500&gap-ms=20000\
                 &script=reset.C@4020&lane=";
    let run = Timeline::run(&decode(query).scenario, 0);
    let refused = |event: &Event| {
        use lockstep::world::ServerFact;
        matches!(event, Event::Server { fact: ServerFact::Refused { .. } })
    };
    assert!(!run.steps().iter().any(|step| step.events.iter().any(refused)));
}

#[test]
fn a_client_whose_new_session_was_never_told_asks_for_another() {
    let query = "v=2&clients=2&hold-ms=3000&script=expire.A@300,restart.zk@445,lost-reply.A@1188&lane=";
    let run = Timeline::run(&decode(query).scenario, 0);
    assert_eq!(run.findings(), [], "it does not stick");
}

/// The faults that one client can have with one server.
const FAULTS: [&str; 15] = [
    "pause",
    "stall",
    "reset",
    "lost-request",
    "lost-reply",
    "crash",
    "restart",
    "close",
    "give-up",
    "hang",
    "expire",
    "delete",
    "delete-dir",
    "restart-zk",
    "restart-ledger",
];

fn holds_for_one_client(faults: &[&str]) {
    let mut counts = std::collections::BTreeMap::new();
    for fault in faults {
        *counts.entry(*fault).or_insert(0) += 1;
    }
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{word}={count}")).collect();
    let budget = Budget::parse(&words.join(",")).unwrap();
    let report = Search { faults: budget, ..Search::new(Cast::of(1)) }.run();
    assert_eq!(report.outcome, Outcome::Holds, "{budget}");
}

#[test]
fn one_client_with_the_right_answers_survives_every_pair_of_faults() {
    for (at, first) in FAULTS.iter().enumerate() {
        for second in &FAULTS[at..] {
            holds_for_one_client(&[first, second]);
        }
    }
}

/// A sample: the triple that used to stick, and every 40th of the others.
#[test]
fn one_client_with_the_right_answers_survives_triples_of_faults() {
    holds_for_one_client(&["expire", "restart-zk", "lost-reply"]);
    let mut number = 0;
    for (a, first) in FAULTS.iter().enumerate() {
        for (b, second) in FAULTS.iter().enumerate().skip(a) {
            for third in &FAULTS[b..] {
                if number % 40 == 0 {
                    holds_for_one_client(&[first, second, third]);
                }
                number += 1;
            }
        }
    }
}
