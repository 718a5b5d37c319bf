//! Servers that keep one history, told as stories. What holds whatever breaks is in `ensemble_laws`.

use std::collections::BTreeSet;

use lockstep::zookeeper::{
    Answer, ConnectRefusal, ConnectionId, ConnectionLoss, CreateMode, Ensemble, EnsembleAction, EnsembleSize,
    ErrorCode, EventType, Hello, Member, Path, Reply, Request, Role, ServerAction, ServerEvent, ServerId,
    ServerMessage, SessionId, Transaction, Zxid,
};

/// In an ensemble of three: two followers and, at the start, their leader.
const F1: ServerId = ServerId(0);
const F2: ServerId = ServerId(1);
const L: ServerId = ServerId(2);

fn three() -> Ensemble {
    Ensemble::new(EnsembleSize::Three, Member::new())
}

fn hello(session: Option<SessionId>, last_zxid: Zxid) -> Hello {
    Hello { session, last_zxid, timeout_ms: 10_000 }
}

/// Takes an action and all that follows.
fn act(ensemble: &mut Ensemble, action: EnsembleAction) -> Vec<ServerEvent> {
    let mut events = ensemble.step(&action);
    events.extend(ensemble.settle());
    events
}

fn progress(ensemble: &mut Ensemble, action: ServerAction) -> Vec<ServerEvent> {
    assert!(ensemble.enabled().contains(&action), "{action:?} is not enabled: {:?}", ensemble.enabled());
    ensemble.step(&EnsembleAction::Progress(action))
}

fn deliver(ensemble: &mut Ensemble, from: ServerId, to: ServerId) -> Vec<ServerEvent> {
    progress(ensemble, ServerAction::Deliver { from, to })
}

fn accepted(events: &[ServerEvent]) -> ConnectionId {
    match events.first() {
        Some(ServerEvent::Accepted { connection, .. }) => *connection,
        other => panic!("{other:?}"),
    }
}

fn opened(events: &[ServerEvent]) -> Option<(ConnectionId, SessionId)> {
    events.iter().find_map(|event| match event {
        ServerEvent::Opened { connection, session, .. } => Some((*connection, *session)),
        _ => None,
    })
}

fn closed(events: &[ServerEvent]) -> Vec<(ConnectionId, ConnectionLoss)> {
    let closed = events.iter().filter_map(|event| match event {
        ServerEvent::Closed { connection, why } => Some((*connection, *why)),
        _ => None,
    });
    closed.collect()
}

fn replies(events: &[ServerEvent]) -> Vec<(ConnectionId, Answer)> {
    let replies = events.iter().filter_map(|event| match event {
        ServerEvent::Replied { connection, answer } => Some((*connection, answer.clone())),
        _ => None,
    });
    replies.collect()
}

fn fired(events: &[ServerEvent]) -> Vec<(ConnectionId, EventType, &str)> {
    let fired = events.iter().filter_map(|event| match event {
        ServerEvent::Fired { connection, event, .. } => Some((*connection, event.kind, &*event.path)),
        _ => None,
    });
    fired.collect()
}

fn committed(events: &[ServerEvent]) -> Vec<Zxid> {
    let committed = events.iter().filter_map(|event| match event {
        ServerEvent::Committed { zxid, .. } => Some(*zxid),
        _ => None,
    });
    committed.collect()
}

fn applied_at(events: &[ServerEvent]) -> Vec<ServerId> {
    let applied = events.iter().filter_map(|event| match event {
        ServerEvent::Applied { server, .. } => Some(*server),
        _ => None,
    });
    applied.collect()
}

fn touched(events: &[ServerEvent]) -> Vec<(ServerId, SessionId, u32)> {
    let touched = events.iter().filter_map(|event| match event {
        ServerEvent::Touched { leader, session, timeout_ms } => Some((*leader, *session, *timeout_ms)),
        _ => None,
    });
    touched.collect()
}

/// A new session at a server.
fn connect(ensemble: &mut Ensemble, server: ServerId) -> (ConnectionId, SessionId) {
    let events = act(ensemble, EnsembleAction::Connect { server, hello: hello(None, Zxid(0)) });
    let (connection, session) = opened(&events).expect("the session is made");
    assert_eq!(connection, accepted(&events));
    (connection, session)
}

/// A session goes on at a server.
fn reconnect(
    ensemble: &mut Ensemble,
    server: ServerId,
    session: SessionId,
    seen: Zxid,
) -> Option<ConnectionId> {
    let hello = hello(Some(session), seen);
    let events = act(ensemble, EnsembleAction::Connect { server, hello });
    opened(&events).map(|(connection, _)| connection)
}

fn start(ensemble: &mut Ensemble, connection: ConnectionId, request: Request) -> Vec<ServerEvent> {
    ensemble.step(&EnsembleAction::Ask { connection, request })
}

fn ask(ensemble: &mut Ensemble, connection: ConnectionId, request: Request) -> Answer {
    let events = act(ensemble, EnsembleAction::Ask { connection, request });
    let mut all = replies(&events);
    assert_eq!(all.len(), 1, "{events:?}");
    assert_eq!(all[0].0, connection);
    all.remove(0).1
}

fn create(path: &str, mode: CreateMode) -> Request {
    Request::Create { path: path.into(), data: "".into(), mode }
}

fn node(path: &str) -> Request {
    create(path, CreateMode::Persistent)
}

fn exists(path: &str) -> Request {
    Request::Exists { path: path.into(), watch: false }
}

fn sync() -> Request {
    Request::Sync { path: "/".into() }
}

fn sees(ensemble: &mut Ensemble, connection: ConnectionId, path: &str) -> bool {
    match ask(ensemble, connection, exists(path)).result {
        Ok(Reply::Stat(_)) => true,
        Err(ErrorCode::NoNode) => false,
        other => panic!("{other:?}"),
    }
}

// One write.

#[test]
fn a_write_goes_to_the_leader_and_is_carried_out_by_each_server_when_it_hears_of_the_commit() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, F1);
    start(&mut ensemble, a, node("/x"));
    assert_eq!(ensemble.enabled(), [ServerAction::Deliver { from: F1, to: L }]);
    let proposed = deliver(&mut ensemble, F1, L);
    assert!(proposed.contains(&ServerEvent::Proposed { server: L, zxid: Zxid(2) }));
    deliver(&mut ensemble, L, F1);
    deliver(&mut ensemble, L, F2);
    assert_eq!(ensemble.server(F2).uncommitted().count(), 1);
    let acknowledged = deliver(&mut ensemble, F2, L);
    assert_eq!(acknowledged[0], ServerEvent::Acknowledged { server: F2, zxid: Zxid(2) });
    assert_eq!(committed(&acknowledged), [Zxid(2)]);
    assert_eq!(applied_at(&acknowledged), [L]);
    let second = deliver(&mut ensemble, F1, L);
    assert_eq!(committed(&second), []);
    assert!(ensemble.server(F1).member().node("/x").is_none());
    let carried_out = deliver(&mut ensemble, L, F1);
    assert_eq!(applied_at(&carried_out), [F1]);
    assert_eq!(replies(&carried_out)[0].1.result, Ok(Reply::Created { path: "/x".into() }));
    assert!(ensemble.server(F2).member().node("/x").is_none());
    assert_eq!(applied_at(&deliver(&mut ensemble, L, F2)), [F2]);
    assert_eq!(ensemble.enabled(), []);
}

#[test]
fn a_write_waits_for_a_quorum_and_not_for_all() {
    let mut ensemble = Ensemble::new(EnsembleSize::Five, Member::new());
    let leader = ServerId(4);
    let (a, _) = connect(&mut ensemble, leader);
    for lagging in [ServerId(0), ServerId(1)] {
        ensemble.step(&EnsembleAction::Stall(lagging));
    }
    assert!(ask(&mut ensemble, a, node("/x")).result.is_ok());
    ensemble.step(&EnsembleAction::Stall(ServerId(2)));
    let waiting = act(&mut ensemble, EnsembleAction::Ask { connection: a, request: node("/y") });
    assert_eq!(replies(&waiting), []);
    let resumed = act(&mut ensemble, EnsembleAction::Resume(ServerId(0)));
    assert_eq!(replies(&resumed)[0].1.result, Ok(Reply::Created { path: "/y".into() }));
}

#[test]
fn two_creates_under_way_get_different_numbers() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, F1);
    let (b, _) = connect(&mut ensemble, F2);
    start(&mut ensemble, a, create("/n-", CreateMode::EphemeralSequential));
    start(&mut ensemble, b, create("/n-", CreateMode::EphemeralSequential));
    let events = ensemble.settle();
    let made: BTreeSet<(ConnectionId, Path)> = replies(&events)
        .into_iter()
        .map(|(connection, answer)| match answer.result {
            Ok(Reply::Created { path }) => (connection, path),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(made, BTreeSet::from([(a, "/n-0000000000".into()), (b, "/n-0000000001".into())]));
}

// Reads.

#[test]
fn a_read_shows_what_its_server_has_carried_out_until_a_sync() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    let (b, _) = connect(&mut ensemble, F1);
    ensemble.step(&EnsembleAction::Stall(F1));
    assert!(ask(&mut ensemble, a, node("/x")).result.is_ok());
    assert!(sees(&mut ensemble, a, "/x"));
    assert!(!sees(&mut ensemble, b, "/x"));
    // The sync waits, and with it the read behind it.
    let mut events = start(&mut ensemble, b, sync());
    events.extend(act(&mut ensemble, EnsembleAction::Ask { connection: b, request: exists("/x") }));
    assert_eq!(replies(&events), []);
    let resumed = act(&mut ensemble, EnsembleAction::Resume(F1));
    let [(_, synced), (_, found)] = &replies(&resumed)[..] else { panic!("{resumed:?}") };
    assert_eq!(synced.result, Ok(Reply::Synced { path: "/".into() }));
    assert!(found.result.is_ok());
}

#[test]
fn a_sync_waits_for_what_was_proposed_before_it() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    let (b, _) = connect(&mut ensemble, F1);
    start(&mut ensemble, a, node("/x"));
    start(&mut ensemble, b, sync());
    deliver(&mut ensemble, F1, L);
    // The proposal is on its way to F1, and no word of the sync behind it.
    let to_f1: Vec<_> = ensemble.links().filter(|(_, to, _)| *to == F1).collect();
    assert!(matches!(to_f1[..], [(L, F1, [ServerMessage::Propose(_)])]), "{to_f1:?}");
    let events = ensemble.settle();
    let order: Vec<ConnectionId> = replies(&events).iter().map(|(connection, _)| *connection).collect();
    assert_eq!(order, [a, b]);
    assert!(ensemble.server(F1).member().node("/x").is_some());
}

#[test]
fn a_read_waits_for_the_same_clients_write_and_for_nobody_elses() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, F1);
    let (b, _) = connect(&mut ensemble, F1);
    start(&mut ensemble, a, node("/x"));
    assert_eq!(replies(&start(&mut ensemble, a, exists("/x"))), []);
    assert_eq!(replies(&start(&mut ensemble, b, exists("/x")))[0].1.result, Err(ErrorCode::NoNode));
    let events = ensemble.settle();
    let [(_, made), (_, found)] = &replies(&events)[..] else { panic!("{events:?}") };
    assert_eq!(made.result, Ok(Reply::Created { path: "/x".into() }));
    assert!(found.result.is_ok());
}

#[test]
fn a_watch_fires_when_its_own_server_carries_out_the_change() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    let (b, _) = connect(&mut ensemble, F1);
    ask(&mut ensemble, b, Request::Exists { path: "/x".into(), watch: true });
    ensemble.step(&EnsembleAction::Stall(F1));
    let events = act(&mut ensemble, EnsembleAction::Ask { connection: a, request: node("/x") });
    assert_eq!((replies(&events).len(), fired(&events)), (1, vec![]));
    let events = act(&mut ensemble, EnsembleAction::Resume(F1));
    assert_eq!(fired(&events), [(b, EventType::NodeCreated, "/x")]);
}

// Sessions.

#[test]
fn a_follower_tells_whom_it_has_heard_of_when_the_leader_asks() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    act(&mut ensemble, EnsembleAction::Ping { to: F1 });
    assert_eq!(touched(&act(&mut ensemble, EnsembleAction::Ping { to: F1 })), []);
    let heard = act(&mut ensemble, EnsembleAction::Ask { connection: a, request: Request::Ping });
    assert_eq!(touched(&heard), []);
    let told = act(&mut ensemble, EnsembleAction::Ping { to: F1 });
    assert_eq!(touched(&told), [(L, session, 10_000)]);
    assert_eq!(touched(&act(&mut ensemble, EnsembleAction::Ping { to: F1 })), []);
    // Its own clients the leader hears itself.
    let (b, own) = connect(&mut ensemble, L);
    let heard = act(&mut ensemble, EnsembleAction::Ask { connection: b, request: Request::Ping });
    assert_eq!(touched(&heard), [(L, own, 10_000)]);
}

#[test]
fn an_expired_session_loses_its_nodes_everywhere_and_its_connection() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    let (b, _) = connect(&mut ensemble, F2);
    ask(&mut ensemble, a, create("/lock", CreateMode::Ephemeral));
    ask(&mut ensemble, b, Request::Exists { path: "/lock".into(), watch: true });
    let events = act(&mut ensemble, EnsembleAction::Expire { session, order: vec![] });
    assert_eq!(fired(&events), [(b, EventType::NodeDeleted, "/lock")]);
    assert_eq!(closed(&events), [(a, ConnectionLoss::SessionExpired)]);
    for (id, server) in ensemble.servers() {
        assert!(server.member().node("/lock").is_none(), "{id:?}");
    }
    assert_eq!(reconnect(&mut ensemble, F2, session, Zxid(0)), None);
}

#[test]
fn a_write_under_way_when_its_session_ends_is_refused() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    start(&mut ensemble, a, create("/lock", CreateMode::Ephemeral));
    let mut events = ensemble.step(&EnsembleAction::Expire { session, order: vec![] });
    events.extend(ensemble.settle());
    assert_eq!(replies(&events), []);
    assert_eq!(closed(&events), [(a, ConnectionLoss::SessionExpired)]);
    assert!(ensemble.server(L).member().node("/lock").is_none());
    // It took its number all the same, as a refused write does.
    assert_eq!(ensemble.server(L).member().zxid(), Zxid(3));
}

#[test]
fn a_session_that_is_closed_gets_its_reply_and_then_the_end() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, F1);
    for path in ["/1", "/2", "/3"] {
        ask(&mut ensemble, a, create(path, CreateMode::Ephemeral));
    }
    let order: Vec<Path> = vec!["/3".into(), "/1".into()];
    let events = act(&mut ensemble, EnsembleAction::Close { connection: a, order });
    assert_eq!(replies(&events)[0].1.result, Ok(Reply::Done));
    assert_eq!(closed(&events), [(a, ConnectionLoss::SessionClosed)]);
    let deleted = events.iter().find_map(|event| match event {
        ServerEvent::Applied { entry, .. } => Some(entry.transaction.clone()),
        _ => None,
    });
    let Some(Transaction::CloseSession { ephemerals, .. }) = deleted else { panic!("{deleted:?}") };
    assert_eq!(ephemerals, ["/3".into(), "/1".into(), Path::from("/2")]);
}

#[test]
fn a_directory_is_empty_for_the_next_write_when_a_session_has_ended() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    let (b, _) = connect(&mut ensemble, F2);
    ask(&mut ensemble, b, node("/l"));
    ask(&mut ensemble, a, create("/l/lock", CreateMode::Ephemeral));
    act(&mut ensemble, EnsembleAction::Expire { session, order: vec![] });
    let gone = ask(&mut ensemble, b, Request::Delete { path: "/l".into(), version: -1 });
    assert_eq!(gone.result, Ok(Reply::Done));
}

#[test]
fn a_session_that_moved_reads_and_does_not_write_through_its_old_connection() {
    let mut ensemble = three();
    let (old, session) = connect(&mut ensemble, F1);
    let new = reconnect(&mut ensemble, F2, session, Zxid(0)).expect("it goes on");
    assert!(!sees(&mut ensemble, old, "/x"));
    let events = act(&mut ensemble, EnsembleAction::Ask { connection: old, request: node("/x") });
    assert_eq!((replies(&events), closed(&events)), (vec![], vec![(old, ConnectionLoss::SessionMoved)]));
    assert!(!sees(&mut ensemble, new, "/x"));
    assert_eq!(ensemble.server(F2).member().zxid(), Zxid(2));
    assert!(ask(&mut ensemble, new, node("/x")).result.is_ok());
}

#[test]
fn a_leader_does_not_even_read_for_a_session_that_moved_away() {
    let mut ensemble = three();
    let (old, session) = connect(&mut ensemble, L);
    let new = reconnect(&mut ensemble, F2, session, Zxid(0)).expect("it goes on");
    let events = act(&mut ensemble, EnsembleAction::Ask { connection: old, request: exists("/x") });
    assert_eq!((replies(&events), closed(&events)), (vec![], vec![(old, ConnectionLoss::SessionMoved)]));
    assert!(ask(&mut ensemble, new, node("/x")).result.is_ok());
}

#[test]
fn a_second_connection_to_the_same_server_closes_the_first() {
    let mut ensemble = three();
    let (old, session) = connect(&mut ensemble, F1);
    let events =
        act(&mut ensemble, EnsembleAction::Connect { server: F1, hello: hello(Some(session), Zxid(0)) });
    assert_eq!(closed(&events), [(old, ConnectionLoss::Replaced)]);
    let (new, _) = opened(&events).expect("it goes on");
    assert!(ask(&mut ensemble, new, node("/x")).result.is_ok());
}

#[test]
fn a_server_behind_what_the_client_has_seen_refuses_it() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, L);
    ensemble.step(&EnsembleAction::Stall(F1));
    let seen = ask(&mut ensemble, a, node("/x")).zxid;
    let connect = EnsembleAction::Connect { server: F1, hello: hello(Some(session), seen) };
    let refused = ServerEvent::Refused { server: F1, refusal: ConnectRefusal::Behind };
    assert_eq!(act(&mut ensemble, connect.clone()), [refused]);
    act(&mut ensemble, EnsembleAction::Resume(F1));
    assert!(opened(&act(&mut ensemble, connect)).is_some());
}

#[test]
fn a_client_may_move_at_once_to_a_server_that_has_not_heard_of_its_session() {
    let mut ensemble = three();
    ensemble.step(&EnsembleAction::Connect { server: L, hello: hello(None, Zxid(0)) });
    // F2 makes the quorum; the commit is still on its way to F1.
    deliver(&mut ensemble, L, F2);
    let (_, session) = opened(&deliver(&mut ensemble, F2, L)).expect("the session is made");
    let moves = EnsembleAction::Connect { server: F1, hello: hello(Some(session), Zxid(0)) };
    assert_eq!(opened(&ensemble.step(&moves)), None);
    assert_eq!(ensemble.server(F1).member().sessions().count(), 0);
    let (connection, _) = opened(&ensemble.settle()).expect("it goes on");
    ask(&mut ensemble, connection, Request::Exists { path: "/x".into(), watch: true });
    let events = act(&mut ensemble, EnsembleAction::Ask { connection, request: node("/x") });
    assert_eq!(fired(&events), [(connection, EventType::NodeCreated, "/x")]);
}

#[test]
fn a_reply_never_goes_to_the_next_one_that_connects() {
    let way = [(F1, L), (L, F2), (F2, L), (L, F1)];
    for reached in 0..=way.len() {
        let mut ensemble = three();
        let (a, _) = connect(&mut ensemble, F1);
        let (_, other) = connect(&mut ensemble, F2);
        start(&mut ensemble, a, node("/x"));
        for (from, to) in &way[..reached] {
            deliver(&mut ensemble, *from, *to);
        }
        ensemble.step(&EnsembleAction::HangUp { connection: a });
        let moves = EnsembleAction::Connect { server: F1, hello: hello(Some(other), Zxid(0)) };
        let next = accepted(&ensemble.step(&moves));
        assert_ne!(next, a, "after {reached} messages");
        let events = ensemble.settle();
        assert_eq!((opened(&events), replies(&events)), (Some((next, other)), vec![]));
    }
}

#[test]
fn the_first_connection_to_a_server_is_closed_before_anything_is_known_of_the_second() {
    let mut ensemble = three();
    let (old, session) = connect(&mut ensemble, F1);
    let again = EnsembleAction::Connect { server: F1, hello: hello(Some(session), Zxid(0)) };
    assert_eq!(closed(&ensemble.step(&again)), [(old, ConnectionLoss::Replaced)]);
    // A third that comes before the leader's word on the second takes its place in turn.
    let third = accepted(&ensemble.step(&again));
    let events = ensemble.settle();
    assert_eq!(closed(&events).len(), 1);
    assert!(ask(&mut ensemble, third, node("/x")).result.is_ok());
}

// What breaks.

#[test]
fn sessions_nodes_and_counters_outlive_their_leader_and_connections_do_not() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    let (b, other) = connect(&mut ensemble, L);
    ask(&mut ensemble, a, create("/n-", CreateMode::EphemeralSequential));
    ask(&mut ensemble, a, Request::GetChildren { path: "/".into(), watch: true });
    let events = act(&mut ensemble, EnsembleAction::Crash(L));
    let all = [(b, ConnectionLoss::ServerLost), (a, ConnectionLoss::ServerLost)];
    assert_eq!(closed(&events), all);
    assert_eq!(ensemble.leader(), Some(F2));
    // A full timeout for each, whoever was alive.
    assert_eq!(touched(&events), [(F2, session, 10_000), (F2, other, 10_000)]);
    assert_eq!(ensemble.server(F1).member().zxid(), Zxid::start_of(1));
    assert_eq!(ensemble.server(F1).member().watchers().count(), 0);
    let a = reconnect(&mut ensemble, F1, session, Zxid(3)).expect("it goes on");
    let made = ask(&mut ensemble, a, create("/n-", CreateMode::EphemeralSequential));
    assert_eq!(made.result, Ok(Reply::Created { path: "/n-0000000001".into() }));
    assert_eq!((made.zxid.epoch(), made.zxid.counter()), (1, 1));
    assert!(sees(&mut ensemble, a, "/n-0000000000"));
}

#[test]
fn without_a_quorum_nothing_is_served_and_nobody_expires() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, L);
    ask(&mut ensemble, a, create("/lock", CreateMode::Ephemeral));
    for server in [F1, F2] {
        ensemble.step(&EnsembleAction::Crash(server));
    }
    assert_eq!(
        act(&mut ensemble, EnsembleAction::Expire { session, order: vec![] })
            .iter()
            .filter(|event| matches!(event, ServerEvent::Proposed { .. }))
            .count(),
        0
    );
    assert_eq!(ensemble.leader(), None);
    let connect = EnsembleAction::Connect { server: L, hello: hello(Some(session), Zxid(0)) };
    let refused = ServerEvent::Refused { server: L, refusal: ConnectRefusal::NotServing };
    assert_eq!(ensemble.step(&connect), [refused]);
    for server in [F1, F2] {
        act(&mut ensemble, EnsembleAction::Restart(server));
    }
    let a = reconnect(&mut ensemble, L, session, Zxid(2)).expect("it goes on");
    assert!(sees(&mut ensemble, a, "/lock"));
}

#[test]
fn what_only_a_dead_leader_wrote_down_is_gone_when_it_comes_back() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, L);
    start(&mut ensemble, a, node("/x"));
    let mut events = ensemble.step(&EnsembleAction::Crash(L));
    events.extend(ensemble.settle());
    assert_eq!(replies(&events), []);
    assert_eq!(ensemble.server(L).uncommitted().count(), 1);
    let back = act(&mut ensemble, EnsembleAction::Restart(L));
    assert!(back.contains(&ServerEvent::Truncated { server: L, after: Zxid(1) }), "{back:?}");
    let a = reconnect(&mut ensemble, L, session, Zxid(1)).expect("it goes on");
    assert!(!sees(&mut ensemble, a, "/x"));
}

#[test]
fn what_one_follower_wrote_down_is_committed_by_the_next_leader_and_the_client_has_no_reply() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, L);
    start(&mut ensemble, a, node("/x"));
    deliver(&mut ensemble, L, F1);
    let mut events = ensemble.step(&EnsembleAction::Crash(L));
    events.extend(ensemble.settle());
    assert_eq!(replies(&events), []);
    // F2 has the greater number, and F1 the more complete log.
    assert_eq!(ensemble.leader(), Some(F1));
    assert_eq!(committed(&events), [Zxid(2)]);
    let a = reconnect(&mut ensemble, F2, session, Zxid(1)).expect("it goes on");
    assert!(sees(&mut ensemble, a, "/x"));
}

#[test]
fn an_old_leaders_longer_log_loses_against_a_later_epoch() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    for path in ["/x", "/y", "/z"] {
        start(&mut ensemble, a, node(path));
    }
    act(&mut ensemble, EnsembleAction::Crash(L));
    assert_eq!(ensemble.leader(), Some(F2));
    act(&mut ensemble, EnsembleAction::Crash(F2));
    let events = act(&mut ensemble, EnsembleAction::Restart(L));
    assert_eq!(ensemble.leader(), Some(F1), "{events:?}");
    assert!(ensemble.server(L).member().node("/x").is_none());
}

#[test]
fn a_leader_that_is_cut_off_reads_until_it_notices_and_commits_nothing() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, L);
    for follower in [F1, F2] {
        ensemble.step(&EnsembleAction::Cut(L, follower));
    }
    // The others agree on a new leader first, and a client of theirs changes something.
    for action in [ServerAction::GiveUp(F1), ServerAction::GiveUp(F2), ServerAction::Elect(F2)] {
        progress(&mut ensemble, action);
    }
    let hello_new = hello(None, Zxid(0));
    let b = accepted(&ensemble.step(&EnsembleAction::Connect { server: F2, hello: hello_new }));
    deliver(&mut ensemble, F2, F1);
    assert!(opened(&deliver(&mut ensemble, F1, F2)).is_some());
    start(&mut ensemble, b, node("/x"));
    deliver(&mut ensemble, F2, F1);
    deliver(&mut ensemble, F2, F1);
    let changed = deliver(&mut ensemble, F1, F2);
    assert_eq!(replies(&changed)[0].0, b, "{changed:?}");
    // The old leader does not know.
    let stale = start(&mut ensemble, a, exists("/x"));
    assert_eq!(replies(&stale)[0].1.result, Err(ErrorCode::NoNode));
    assert_eq!(committed(&start(&mut ensemble, a, node("/y"))), []);
    assert_eq!(closed(&progress(&mut ensemble, ServerAction::GiveUp(L))), [(a, ConnectionLoss::ServerLost)]);
    for follower in [F1, F2] {
        ensemble.step(&EnsembleAction::Heal(L, follower));
    }
    ensemble.settle();
    let a = reconnect(&mut ensemble, L, session, Zxid(1)).expect("it goes on");
    assert_eq!((sees(&mut ensemble, a, "/x"), sees(&mut ensemble, a, "/y")), (true, false));
}

#[test]
fn a_follower_cut_off_from_its_leader_is_served_again_only_when_it_can_talk_to_it() {
    let mut ensemble = three();
    let (a, session) = connect(&mut ensemble, F1);
    let events = act(&mut ensemble, EnsembleAction::Cut(F1, L));
    assert_eq!(closed(&events), [(a, ConnectionLoss::ServerLost)]);
    assert!(!ensemble.server(F1).serves());
    let b = reconnect(&mut ensemble, F2, session, Zxid(1)).expect("it goes on");
    ask(&mut ensemble, b, node("/x"));
    act(&mut ensemble, EnsembleAction::Heal(L, F1));
    assert!(matches!(ensemble.server(F1).role(), Role::Following { leader: L, attached: true, .. }));
    let a = reconnect(&mut ensemble, F1, session, Zxid(2)).expect("it goes on");
    assert!(sees(&mut ensemble, a, "/x"));
}

#[test]
fn a_server_that_joins_gets_the_open_proposals_too() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    act(&mut ensemble, EnsembleAction::Crash(F1));
    start(&mut ensemble, a, node("/x"));
    ensemble.step(&EnsembleAction::Stall(F2));
    act(&mut ensemble, EnsembleAction::Restart(F1));
    // F2 has not heard of it: F1 made the quorum.
    assert!(ensemble.server(L).member().node("/x").is_some());
    assert!(ensemble.server(F2).member().node("/x").is_none());
}

#[test]
fn an_acknowledgement_from_before_a_break_does_not_count_after_it() {
    let mut ensemble = three();
    let (a, _) = connect(&mut ensemble, L);
    act(&mut ensemble, EnsembleAction::Stall(F2));
    start(&mut ensemble, a, node("/x"));
    deliver(&mut ensemble, L, F1);
    // The acknowledgement is under way when the connection breaks.
    let parted = ensemble.step(&EnsembleAction::Cut(F1, L));
    assert_eq!(parted, [ServerEvent::Parted { follower: F1, leader: L }]);
    ensemble.step(&EnsembleAction::Heal(F1, L));
    progress(&mut ensemble, ServerAction::GiveUp(F1));
    progress(&mut ensemble, ServerAction::Join { server: F1, leader: L });
    assert!(!ensemble.enabled().contains(&ServerAction::Deliver { from: F1, to: L }));
    assert_eq!(committed(&deliver(&mut ensemble, L, F1)), []);
    assert_eq!(committed(&deliver(&mut ensemble, F1, L)), [Zxid(2)]);
}

#[test]
fn two_who_cannot_talk_to_each_other_elect_nobody() {
    let mut ensemble = three();
    ensemble.step(&EnsembleAction::Cut(F1, F2));
    // Both still follow the leader.
    assert_eq!(ensemble.enabled(), []);
    act(&mut ensemble, EnsembleAction::Crash(L));
    assert_eq!(ensemble.leader(), None);
    act(&mut ensemble, EnsembleAction::Heal(F2, F1));
    assert_eq!(ensemble.leader(), Some(F2));
}

#[test]
fn a_leader_says_for_whom_it_no_longer_waits() {
    let mut ensemble = three();
    let (_, a) = connect(&mut ensemble, F1);
    let (_, b) = connect(&mut ensemble, F2);
    let expired = act(&mut ensemble, EnsembleAction::Expire { session: a, order: vec![] });
    assert!(expired.contains(&ServerEvent::Untracked { leader: L, session: a }));
    // Moving is being heard of.
    let moves = EnsembleAction::Connect { server: F1, hello: hello(Some(b), Zxid(0)) };
    assert_eq!(touched(&act(&mut ensemble, moves)), [(L, b, 10_000)]);
    let crashed = ensemble.step(&EnsembleAction::Crash(L));
    let untracked = crashed.iter().filter(|event| matches!(event, ServerEvent::Untracked { .. }));
    assert_eq!(untracked.collect::<Vec<_>>(), [&ServerEvent::Untracked { leader: L, session: b }]);
}

#[test]
fn a_stalled_server_has_no_say_in_an_election() {
    let mut ensemble = three();
    ensemble.step(&EnsembleAction::Stall(F2));
    act(&mut ensemble, EnsembleAction::Crash(L));
    assert_eq!(ensemble.leader(), None);
    act(&mut ensemble, EnsembleAction::Resume(F2));
    assert_eq!(ensemble.leader(), Some(F2));
}

#[test]
fn an_ensemble_at_rest_remembers_nothing_of_how_it_came_there() {
    let mut straight = three();
    let (a, _) = connect(&mut straight, F1);
    ask(&mut straight, a, node("/x"));
    let mut crooked = three();
    let (b, _) = connect(&mut crooked, F1);
    crooked.step(&EnsembleAction::Stall(F2));
    start(&mut crooked, b, node("/x"));
    crooked.settle();
    assert_ne!(straight, crooked);
    act(&mut crooked, EnsembleAction::Resume(F2));
    assert_eq!(straight, crooked);
    // A number is free again when nothing speaks of it.
    let (c, session) = connect(&mut straight, F2);
    act(&mut straight, EnsembleAction::HangUp { connection: c });
    assert_eq!(reconnect(&mut straight, L, session, Zxid(0)), Some(c));
}
