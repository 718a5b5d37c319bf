//! What holds for an ensemble in whatever order messages arrive and whatever breaks.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use lockstep::zookeeper::{
    Answer, ConnectionId, ConnectionLoss, CreateMode, Ensemble, EnsembleAction, EnsembleSize, ErrorCode,
    EventType, Hello, Member, Path, Reply, Request, Role, ServerEvent, ServerId, SessionId, Transaction,
    Zxid,
};
use proptest::prelude::*;
use proptest::sample::Index;

const CLIENTS: usize = 4;

/// Anything that can happen. Servers are counted modulo how many there are.
#[derive(Clone, Debug)]
enum Act {
    /// A client that has no connection makes one, with the session that it has.
    Connect(usize, u8),
    Ask(usize, Wish),
    Close(usize),
    HangUp(usize),
    /// One of the things that can go on by themselves.
    Progress(Index),
    Settle,
    Ping(u8),
    Expire(usize),
    Crash(u8),
    Restart(u8),
    Cut(u8, u8),
    Heal(u8, u8),
    Stall(u8),
    Resume(u8),
}

#[derive(Clone, Copy, Debug)]
enum Wish {
    /// A node nobody else makes.
    Create,
    /// Whether the node it asked for last is there.
    Look,
    /// Everybody's counter.
    Set,
    Get,
    Sync,
}

fn wish() -> impl Strategy<Value = Wish> {
    prop_oneof![
        4 => Just(Wish::Create),
        2 => Just(Wish::Look),
        2 => Just(Wish::Set),
        2 => Just(Wish::Get),
        1 => Just(Wish::Sync),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let client = || 0..CLIENTS;
    let server = || 0u8..5;
    let act = prop_oneof![
        8 => (client(), server()).prop_map(|(client, server)| Act::Connect(client, server)),
        20 => (client(), wish()).prop_map(|(client, wish)| Act::Ask(client, wish)),
        1 => client().prop_map(Act::Close),
        1 => client().prop_map(Act::HangUp),
        40 => any::<Index>().prop_map(Act::Progress),
        3 => Just(Act::Settle),
        1 => server().prop_map(Act::Ping),
        1 => client().prop_map(Act::Expire),
        2 => server().prop_map(Act::Crash),
        3 => server().prop_map(Act::Restart),
        1 => (server(), server()).prop_map(|(a, b)| Act::Cut(a, b)),
        2 => (server(), server()).prop_map(|(a, b)| Act::Heal(a, b)),
        1 => server().prop_map(Act::Stall),
        2 => server().prop_map(Act::Resume),
    ];
    prop::collection::vec(act, 0..160)
}

fn size() -> impl Strategy<Value = EnsembleSize> {
    prop_oneof![
        1 => Just(EnsembleSize::One),
        4 => Just(EnsembleSize::Three),
        2 => Just(EnsembleSize::Five),
    ]
}

#[derive(Debug, Default)]
struct Client {
    connection: Option<ConnectionId>,
    open: bool,
    session: Option<SessionId>,
    last_zxid: Zxid,
    /// What it has asked on this connection and has no reply to.
    asked: VecDeque<Request>,
    made: u32,
    /// Of its last create on this connection, whether it succeeded; none before the first reply.
    last_made: Option<bool>,
    /// The greatest version of the counter it has seen with this session.
    version: i32,
    /// The version that it read last with a watch, while the watch is armed.
    watching: Option<i32>,
}

/// An ensemble, its clients, and what has been seen so far.
struct Fleet {
    ensemble: Ensemble,
    clients: Vec<Client>,
    committed: BTreeMap<Zxid, ServerId>,
    history: BTreeMap<Zxid, Transaction>,
    applied: BTreeMap<ServerId, Vec<Zxid>>,
    /// The paths each session asked to make, connection by connection, and those it was told it made.
    asked: BTreeMap<SessionId, Vec<Vec<Path>>>,
    told: BTreeSet<Path>,
}

type Checked = Result<(), TestCaseError>;

impl Fleet {
    fn new(size: EnsembleSize) -> Fleet {
        let mut member = Member::new();
        let session = member.connect(10_000).session;
        let counter = Request::Create { path: "/c".into(), data: "".into(), mode: CreateMode::Persistent };
        member.request(session, &counter);
        Fleet {
            ensemble: Ensemble::new(size, member),
            clients: (0..CLIENTS).map(|_| Client::default()).collect(),
            committed: BTreeMap::new(),
            history: BTreeMap::new(),
            applied: BTreeMap::new(),
            asked: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    fn server(&self, number: u8) -> ServerId {
        ServerId(number % self.ensemble.servers().count() as u8)
    }

    fn perform(&mut self, act: &Act) -> Checked {
        let action = match act {
            Act::Connect(client, server) => {
                let client = &self.clients[*client];
                if client.connection.is_some() {
                    return Ok(());
                }
                let (session, last_zxid) = (client.session, client.last_zxid);
                EnsembleAction::Connect {
                    server: self.server(*server),
                    hello: Hello { session, last_zxid, timeout_ms: 10_000 },
                }
            }
            Act::Ask(client, wish) => match self.request(*client, *wish) {
                Some(action) => action,
                None => return Ok(()),
            },
            Act::Close(client) => {
                let client = &mut self.clients[*client];
                match client.connection {
                    // The reply is the last, so it asks no more, and only one who waits for nothing does.
                    Some(connection) if client.asked.is_empty() && client.open => {
                        client.open = false;
                        EnsembleAction::Close { connection, order: vec![] }
                    }
                    _ => return Ok(()),
                }
            }
            Act::HangUp(client) => match self.clients[*client].lose_connection() {
                Some(connection) => EnsembleAction::HangUp { connection },
                None => return Ok(()),
            },
            Act::Progress(index) => {
                let enabled = self.ensemble.enabled();
                if enabled.is_empty() {
                    return Ok(());
                }
                EnsembleAction::Progress(*index.get(&enabled))
            }
            Act::Settle => return self.settle(),
            Act::Ping(to) => EnsembleAction::Ping { to: self.server(*to) },
            Act::Expire(client) => match self.clients[*client].session {
                Some(session) => EnsembleAction::Expire { session, order: vec![] },
                None => return Ok(()),
            },
            Act::Crash(server) => EnsembleAction::Crash(self.server(*server)),
            Act::Restart(server) => EnsembleAction::Restart(self.server(*server)),
            Act::Cut(a, b) => EnsembleAction::Cut(self.server(*a), self.server(*b)),
            Act::Heal(a, b) => EnsembleAction::Heal(self.server(*a), self.server(*b)),
            Act::Stall(server) => EnsembleAction::Stall(self.server(*server)),
            Act::Resume(server) => EnsembleAction::Resume(self.server(*server)),
        };
        let events = self.ensemble.step(&action);
        if let (Act::Connect(client, _), Some(ServerEvent::Accepted { connection, .. })) =
            (act, events.first())
        {
            self.clients[*client].connection = Some(*connection);
        }
        self.check(events)
    }

    fn settle(&mut self) -> Checked {
        let events = self.ensemble.settle();
        self.check(events)
    }

    fn request(&mut self, number: usize, wish: Wish) -> Option<EnsembleAction> {
        let client = &mut self.clients[number];
        let (connection, session) = (client.connection?, client.session?);
        if !client.open {
            return None;
        }
        let path = |made: u32| Path::from(format!("/{}-{}-{made}", number, session.0));
        let request = match wish {
            Wish::Create => {
                client.made += 1;
                let path = path(client.made);
                let asked = self.asked.entry(session).or_default();
                asked.last_mut().expect("opening begins a list").push(path.clone());
                Request::Create { path, data: "".into(), mode: CreateMode::Persistent }
            }
            Wish::Look => Request::Exists { path: path(client.made), watch: false },
            Wish::Set => Request::SetData { path: "/c".into(), data: "".into(), version: -1 },
            Wish::Get => Request::GetData { path: "/c".into(), watch: true },
            Wish::Sync => Request::Sync { path: "/".into() },
        };
        client.asked.push_back(request.clone());
        Some(EnsembleAction::Ask { connection, request })
    }

    fn check(&mut self, events: Vec<ServerEvent>) -> Checked {
        for event in events {
            match event {
                ServerEvent::Opened { connection, session, .. } => {
                    if let Some(client) = self.client(connection) {
                        if client.session != Some(session) {
                            client.version = 0;
                        }
                        client.session = Some(session);
                        client.open = true;
                        self.asked.entry(session).or_default().push(Vec::new());
                    }
                }
                ServerEvent::Replied { connection, answer } => {
                    let told = match self.client(connection) {
                        Some(client) => client.hear(&answer)?,
                        None => None,
                    };
                    self.told.extend(told);
                }
                ServerEvent::Fired { connection, event, .. } => {
                    if let Some(client) = self.client(connection)
                        && event.kind == EventType::NodeDataChanged
                    {
                        prop_assert!(client.watching.is_some(), "an event without a watch");
                        client.watching = None;
                    }
                }
                ServerEvent::Closed { connection, why } => {
                    if let Some(client) = self.client(connection) {
                        client.lose_connection();
                        if matches!(why, ConnectionLoss::SessionExpired | ConnectionLoss::SessionClosed) {
                            client.session = None;
                        }
                    }
                }
                ServerEvent::Committed { server, zxid } => {
                    self.committed.entry(zxid).or_insert(server);
                }
                ServerEvent::Applied { server, entry, .. } => {
                    let first = self.history.entry(entry.zxid).or_insert(entry.transaction.clone());
                    prop_assert_eq!(&*first, &entry.transaction, "two histories at {:?}", entry.zxid);
                    prop_assert!(self.committed.contains_key(&entry.zxid), "carried out, not committed");
                    let applied = self.applied.entry(server).or_default();
                    prop_assert!(applied.last().is_none_or(|last| *last < entry.zxid), "out of order");
                    applied.push(entry.zxid);
                }
                _ => {}
            }
        }
        for (from, to, _) in self.ensemble.links() {
            let follows = |a, b| match self.ensemble.server(a).role() {
                Role::Following { leader, attached, .. } => *leader == b && *attached,
                Role::Looking | Role::Leading(_) => false,
            };
            prop_assert!(follows(from, to) || follows(to, from), "a message between strangers");
        }
        Ok(())
    }

    fn client(&mut self, connection: ConnectionId) -> Option<&mut Client> {
        self.clients.iter_mut().find(|client| client.connection == Some(connection))
    }

    /// Everything works again but for `down`, and all that can go on has.
    fn heal(&mut self, down: &BTreeSet<ServerId>) -> Checked {
        let ids: Vec<ServerId> = self.ensemble.servers().map(|(id, _)| id).collect();
        for a in &ids {
            self.check_step(&EnsembleAction::Resume(*a))?;
            for b in &ids {
                self.check_step(&EnsembleAction::Heal(*a, *b))?;
            }
            if down.contains(a) {
                self.check_step(&EnsembleAction::Crash(*a))?;
            } else if !self.ensemble.server(*a).is_up() {
                self.check_step(&EnsembleAction::Restart(*a))?;
            }
        }
        self.settle()
    }

    fn check_step(&mut self, action: &EnsembleAction) -> Checked {
        let events = self.ensemble.step(action);
        self.check(events)
    }
}

impl Client {
    fn lose_connection(&mut self) -> Option<ConnectionId> {
        self.open = false;
        self.asked.clear();
        self.last_made = None;
        self.watching = None;
        self.connection.take()
    }

    /// A reply: to the oldest request, never older than what was seen. Returns the node it tells of.
    fn hear(&mut self, answer: &Answer) -> Result<Option<Path>, TestCaseError> {
        prop_assert!(answer.zxid >= self.last_zxid, "time runs backwards: {answer:?} {self:?}");
        self.last_zxid = answer.zxid;
        let Some(request) = self.asked.pop_front() else {
            prop_assert_eq!(&answer.result, &Ok(Reply::Done), "the reply to a close");
            return Ok(None);
        };
        match (&request, &answer.result) {
            (Request::Create { path, .. }, Ok(Reply::Created { path: made })) => {
                prop_assert_eq!(path, made);
                self.last_made = Some(true);
                return Ok(Some(made.clone()));
            }
            (Request::Create { .. }, Err(ErrorCode::SessionExpired)) => self.last_made = Some(false),
            (Request::SetData { .. }, Ok(Reply::Stat(stat))) => self.see(stat.version)?,
            (Request::SetData { .. }, Err(ErrorCode::SessionExpired)) => {}
            (Request::Exists { .. }, Ok(Reply::Stat(_))) => prop_assert_ne!(self.last_made, Some(false)),
            // Of an earlier connection it does not know what became of it.
            (Request::Exists { .. }, Err(ErrorCode::NoNode)) => prop_assert_ne!(self.last_made, Some(true)),
            (Request::GetData { .. }, Ok(Reply::Data { stat, .. })) => {
                self.see(stat.version)?;
                self.watching = Some(stat.version);
            }
            (Request::Sync { .. }, Ok(Reply::Synced { .. })) => {}
            other => prop_assert!(false, "{other:?}"),
        }
        Ok(None)
    }

    /// The counter's version: never less than seen before, nor news while a watch has not fired.
    fn see(&mut self, version: i32) -> Checked {
        prop_assert!(version >= self.version, "version {version} after {}", self.version);
        prop_assert!(self.watching.is_none_or(|watching| watching == version), "news before its event");
        self.version = version;
        Ok(())
    }
}

/// Everything that can follow from two clients' creates and from two deaths of servers, one after the other,
/// and their returns: not some orders, all of them.
#[test]
fn in_no_order_of_two_writes_and_two_deaths_is_a_told_write_lost() {
    let mut ensemble = Ensemble::new(EnsembleSize::Three, Member::new());
    let mut connections = Vec::new();
    for server in [ServerId(0), ServerId(2)] {
        let hello = Hello { session: None, last_zxid: Zxid(0), timeout_ms: 10_000 };
        let events = ensemble.step(&EnsembleAction::Connect { server, hello });
        let Some(ServerEvent::Accepted { connection, .. }) = events.first() else { unreachable!() };
        connections.push(*connection);
        ensemble.settle();
    }
    for (connection, path) in connections.iter().zip(["/a", "/b"]) {
        let request = Request::Create { path: path.into(), data: "".into(), mode: CreateMode::Persistent };
        ensemble.step(&EnsembleAction::Ask { connection: *connection, request });
    }
    // A state, what its clients were told, and how often a server has died or come back.
    let mut seen: HashSet<(Ensemble, BTreeSet<Path>, u8)> = HashSet::new();
    let mut ends: HashSet<(BTreeSet<Path>, BTreeSet<Path>)> = HashSet::new();
    let mut ahead = vec![(ensemble, BTreeSet::new(), 0u8)];
    while let Some(state) = ahead.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (ensemble, told, faults) = state;
        let progress = ensemble.enabled();
        let mut actions: Vec<(EnsembleAction, u8)> =
            progress.iter().map(|action| (EnsembleAction::Progress(*action), faults)).collect();
        for (id, server) in ensemble.servers() {
            match (faults, server.is_up()) {
                (0 | 2, true) => actions.push((EnsembleAction::Crash(id), faults + 1)),
                (1 | 3, false) => actions.push((EnsembleAction::Restart(id), faults + 1)),
                _ => {}
            }
        }
        for (action, faults) in actions {
            let mut next = ensemble.clone();
            let events = next.step(&action);
            let mut told = told.clone();
            told.extend(events.iter().filter_map(|event| match event {
                ServerEvent::Replied { answer, .. } => match &answer.result {
                    Ok(Reply::Created { path }) => Some(path.clone()),
                    _ => None,
                },
                _ => None,
            }));
            ahead.push((next, told, faults));
        }
        if progress.is_empty() {
            assert!(ensemble.leader().is_some(), "two of three are a quorum");
            let up = || ensemble.servers().filter(|(_, server)| server.is_up());
            let trees =
                up().map(|(_, server)| server.member().nodes().map(|(path, _)| path.clone()).collect());
            let trees: HashSet<BTreeSet<Path>> = trees.collect();
            assert_eq!(trees.len(), 1, "{trees:?}");
            let tree = trees.into_iter().next().expect("one tree");
            assert!(told.is_subset(&tree), "{told:?} was told, {tree:?} is there");
            ends.insert((told, tree));
        }
    }
    // A client may be told of neither, either or both, and what it was not told may be there.
    let is_there = |tree: &BTreeSet<Path>, path: &str| tree.contains(path);
    assert!(ends.iter().any(|(told, tree)| told.is_empty() && is_there(tree, "/a") && is_there(tree, "/b")));
    assert!(ends.iter().any(|(told, tree)| told.is_empty() && tree.len() == 1));
    assert!(ends.iter().any(|(told, _)| told.len() == 2));
    assert!(seen.len() > 4_000, "{}", seen.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// And on the way: replies in the order of the requests, events before the news, no time backwards
    /// (see `Client`), nothing carried out that was not committed, and never two things under one number.
    #[test]
    fn any_split_heals_to_one_history(size in size(), acts in acts()) {
        let mut fleet = Fleet::new(size);
        for act in &acts {
            fleet.perform(act)?;
        }
        fleet.heal(&BTreeSet::new())?;
        prop_assert_eq!(fleet.ensemble.enabled(), vec![]);
        let leader = fleet.ensemble.leader().expect("all are there, so one leads");
        let reference = fleet.ensemble.server(leader).member();
        for (id, server) in fleet.ensemble.servers() {
            let member = server.member();
            prop_assert_eq!(member.zxid(), reference.zxid());
            prop_assert!(member.nodes().eq(reference.nodes()), "{:?} has another tree", id);
            let sessions = |member: &Member| member.sessions().map(|(id, _, _)| id).collect::<Vec<_>>();
            prop_assert_eq!(sessions(member), sessions(reference));
            prop_assert_eq!(server.uncommitted().count(), 0);
            let applied = fleet.applied.get(&id).cloned().unwrap_or_default();
            prop_assert!(applied.iter().eq(fleet.history.keys()), "{:?} has left something out", id);
        }
        prop_assert_eq!(fleet.ensemble.links().count(), 0);
    }

    #[test]
    fn what_was_committed_or_told_to_a_client_survives_the_loss_of_any_minority(
        size in prop_oneof![Just(EnsembleSize::Three), Just(EnsembleSize::Five)],
        acts in acts(),
        down in prop::collection::vec(0u8..5, 0..3),
    ) {
        let mut fleet = Fleet::new(size);
        for act in &acts {
            fleet.perform(act)?;
        }
        let minority = usize::from(size.servers() / 2);
        let down: BTreeSet<ServerId> = down.into_iter().map(|n| fleet.server(n)).take(minority).collect();
        let before = fleet.committed.clone();
        fleet.heal(&down)?;
        prop_assert!(fleet.ensemble.leader().is_some());
        for (id, server) in fleet.ensemble.servers().filter(|(id, _)| !down.contains(id)) {
            let applied: BTreeSet<Zxid> = fleet.applied.get(&id).into_iter().flatten().copied().collect();
            prop_assert!(before.keys().all(|zxid| applied.contains(zxid)), "{:?} has lost something", id);
            for path in &fleet.told {
                prop_assert!(server.member().node(path).is_some(), "{:?} has lost {}", id, path);
            }
        }
    }

    #[test]
    fn what_a_session_asks_on_one_connection_happens_in_that_order_and_from_the_start(
        size in size(),
        acts in acts(),
    ) {
        let mut fleet = Fleet::new(size);
        for act in &acts {
            fleet.perform(act)?;
        }
        fleet.heal(&BTreeSet::new())?;
        let leader = fleet.ensemble.leader().expect("all are there, so one leads");
        let member = fleet.ensemble.server(leader).member();
        for asked in fleet.asked.values().flatten() {
            let made: Vec<Option<Zxid>> =
                asked.iter().map(|path| member.stat(path).map(|stat| stat.czxid)).collect();
            let happened: Vec<Zxid> = made.iter().map_while(|zxid| *zxid).collect();
            prop_assert_eq!(happened.len(), made.iter().flatten().count(), "a gap: {:?}", made);
            prop_assert!(happened.is_sorted());
        }
    }

    #[test]
    fn an_ensemble_of_one_answers_like_a_member(wishes in prop::collection::vec((0usize..2, wish()), 0..40)) {
        let mut fleet = Fleet::new(EnsembleSize::One);
        let mut member = fleet.ensemble.server(ServerId(0)).member().clone();
        for client in 0..2 {
            fleet.perform(&Act::Connect(client, 0))?;
            member.connect(10_000);
        }
        for (client, wish) in wishes {
            let action = fleet.request(client, wish).expect("it is connected");
            let EnsembleAction::Ask { request, .. } = &action else { unreachable!() };
            let session = fleet.clients[client].session.expect("it is connected");
            let expected = member.request(session, request);
            let events = fleet.ensemble.step(&action);
            let answers = events.iter().filter_map(|event| match event {
                ServerEvent::Replied { answer, .. } => Some((&answer.result, answer.zxid)),
                _ => None,
            });
            prop_assert_eq!(answers.collect::<Vec<_>>(), vec![(&expected.result, expected.zxid)]);
            let fired = events.iter().filter(|event| matches!(event, ServerEvent::Fired { .. })).count();
            prop_assert_eq!(fired, expected.events.len());
            prop_assert_eq!(fleet.ensemble.server(ServerId(0)).member(), &member);
        }
    }
}
