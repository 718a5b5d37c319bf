//! What a ZooKeeper server does, told as stories. The names in comments are recordings in `tests/traces`
//! that show the same on a real server.

use lockstep::zookeeper::{
    Answer, Change, CounterEnd, CreateMode, ErrorCode, EventType, Member, MemberSettings, MultiOp,
    MultiResult, Outstanding, Path, Reply, Request, SessionId, Stat, WatchMode, WatchTable, WatcherType,
    Zxid,
};

use CreateMode::{Ephemeral, EphemeralSequential, Persistent, PersistentSequential};
use EventType::{NodeChildrenChanged, NodeCreated, NodeDataChanged, NodeDeleted};

/// A server with the directory `/l` and as many sessions as there are names to take them.
fn server<const N: usize>() -> (Member, [SessionId; N]) {
    let mut member = Member::new();
    member.preset_node("/l", 0, Zxid(0)).unwrap();
    let sessions = [(); N].map(|()| member.connect(10_000).session);
    (member, sessions)
}

fn create(member: &mut Member, session: SessionId, path: &str, mode: CreateMode) -> Result<Path, ErrorCode> {
    let request = Request::Create { path: path.into(), data: "".into(), mode };
    member.request(session, &request).result.map(|reply| match reply {
        Reply::Created { path } => path,
        other => panic!("create answered {other:?}"),
    })
}

fn delete(member: &mut Member, session: SessionId, path: &str) -> Answer {
    member.request(session, &Request::Delete { path: path.into(), version: -1 })
}

fn set(member: &mut Member, session: SessionId, path: &str, data: &str) -> Answer {
    member.request(session, &Request::SetData { path: path.into(), data: data.into(), version: -1 })
}

fn exists(member: &mut Member, session: SessionId, path: &str) -> Answer {
    member.request(session, &Request::Exists { path: path.into(), watch: true })
}

fn get(member: &mut Member, session: SessionId, path: &str) -> Answer {
    member.request(session, &Request::GetData { path: path.into(), watch: true })
}

fn get_children(member: &mut Member, session: SessionId, path: &str) -> Answer {
    member.request(session, &Request::GetChildren { path: path.into(), watch: true })
}

fn multi(member: &mut Member, session: SessionId, ops: Vec<MultiOp>) -> Vec<MultiResult> {
    match member.request(session, &Request::Multi { ops }).result {
        Ok(Reply::Multi { results }) => results,
        other => panic!("multi answered {other:?}"),
    }
}

fn stat(member: &Member, path: &str) -> Stat {
    member.stat(path).expect("the node is there")
}

fn names(member: &Member, path: &str) -> Vec<String> {
    member.children(path).map(|name| name.to_string()).collect()
}

/// The events as (session, kind, path), in order.
fn heard(answer: &Answer) -> Vec<(SessionId, EventType, &str)> {
    answer.events.iter().map(|(session, event)| (*session, event.kind, &*event.path)).collect()
}

fn watching(member: &Member) -> Vec<(WatchTable, String)> {
    member.watchers().map(|watch| (watch.table, watch.path.to_string())).collect()
}

// The sequence counter.

#[test]
fn a_failed_create_uses_a_zxid_and_does_not_move_the_counter() {
    let (mut member, [a]) = server();
    create(&mut member, a, "/l/x", Persistent).unwrap();
    let before = (member.zxid(), stat(&member, "/l"));
    assert_eq!(create(&mut member, a, "/l/x", Persistent), Err(ErrorCode::NodeExists));
    assert_eq!(member.zxid(), before.0.next());
    assert_eq!(stat(&member, "/l"), before.1);
    assert_eq!(create(&mut member, a, "/l/n-", PersistentSequential).as_deref(), Ok("/l/n-0000000001"));
}

#[test]
fn every_create_moves_the_counter_and_no_delete_does() {
    let (mut member, [a]) = server();
    create(&mut member, a, "/l/plain", Persistent).unwrap();
    create(&mut member, a, "/l/mine", Ephemeral).unwrap();
    assert_eq!(delete(&mut member, a, "/l/plain").result, Ok(Reply::Done));
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n-0000000002"));
    // The visible cversion is something else: three creates and one delete.
    assert_eq!(stat(&member, "/l").cversion, 4);
    assert_eq!(member.node("/l").unwrap().creates(), 3);
}

#[test]
fn prefixes_share_one_counter_and_may_be_empty() {
    let (mut member, [a]) = server();
    assert_eq!(create(&mut member, a, "/l/read-", EphemeralSequential).as_deref(), Ok("/l/read-0000000000"));
    assert_eq!(
        create(&mut member, a, "/l/write-", EphemeralSequential).as_deref(),
        Ok("/l/write-0000000001")
    );
    assert_eq!(create(&mut member, a, "/l/", EphemeralSequential).as_deref(), Ok("/l/0000000002"));
}

/// `fence_seq_restarts`, `fence_token_is_czxid`.
#[test]
fn a_directory_made_anew_counts_from_zero_while_czxids_go_on() {
    let (mut member, [a]) = server();
    let first = create(&mut member, a, "/l/lock-", PersistentSequential).unwrap();
    let first_czxid = stat(&member, &first).czxid;
    delete(&mut member, a, &first);
    delete(&mut member, a, "/l");
    create(&mut member, a, "/l", Persistent).unwrap();
    let second = create(&mut member, a, "/l/lock-", PersistentSequential).unwrap();
    assert_eq!(second, first);
    assert!(stat(&member, &second).czxid > first_czxid);
}

/// `seq_collision_with_manual_name`.
#[test]
fn a_hand_made_node_with_the_next_number_blocks_sequential_creates_until_another_create_succeeds() {
    let (mut member, [a]) = server();
    create(&mut member, a, "/l/n-0000000001", Persistent).unwrap();
    for _ in 0..3 {
        assert_eq!(create(&mut member, a, "/l/n-", PersistentSequential), Err(ErrorCode::NodeExists));
    }
    create(&mut member, a, "/l/other", Persistent).unwrap();
    assert_eq!(create(&mut member, a, "/l/n-", PersistentSequential).as_deref(), Ok("/l/n-0000000002"));
}

/// `o_overflow_sequential_creates`.
#[test]
fn the_counter_sticks_at_2147483647_since_3_6() {
    let (mut member, [a, b]) = server();
    member.preset_node("/l", i32::MAX - 1, Zxid(0)).unwrap();
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n-2147483646"));
    assert_eq!(create(&mut member, b, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n-2147483647"));
    let pzxid = stat(&member, "/l").pzxid;
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential), Err(ErrorCode::NodeExists));
    assert_eq!(create(&mut member, b, "/l/m-", EphemeralSequential).as_deref(), Ok("/l/m-2147483647"));
    assert_eq!(stat(&member, "/l").pzxid, pzxid);
}

#[test]
fn before_3_6_the_counter_went_on_at_minus_2147483648() {
    let settings = MemberSettings { counter_end: CounterEnd::Wraps, ..MemberSettings::default() };
    let mut member = Member::with_settings(settings);
    let a = member.connect(10_000).session;
    member.preset_node("/l", i32::MAX, Zxid(0)).unwrap();
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n-2147483647"));
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n--2147483648"));
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential).as_deref(), Ok("/l/n--2147483647"));
}

/// `o_overflow_in_multi`.
#[test]
fn inside_one_multi_the_pending_counter_wraps() {
    let (mut member, [a]) = server();
    member.preset_node("/l", i32::MAX, Zxid(0)).unwrap();
    let op = MultiOp::Create { path: "/l/n-".into(), data: "".into(), mode: EphemeralSequential };
    multi(&mut member, a, vec![op; 3]);
    assert_eq!(names(&member, "/l"), ["n--2147483647", "n--2147483648", "n-2147483647"]);
    assert_eq!(create(&mut member, a, "/l/n-", EphemeralSequential), Err(ErrorCode::NodeExists));
}

/// `o_overflow_visible_cversion`.
#[test]
fn the_visible_cversion_turns_negative_at_two_to_the_thirtieth_creates() {
    let (mut member, [a]) = server();
    member.preset_node("/l", (1 << 30) - 1, Zxid(0)).unwrap();
    assert_eq!(stat(&member, "/l").cversion, i32::MAX - 1);
    create(&mut member, a, "/l/x", Persistent).unwrap();
    delete(&mut member, a, "/l/x");
    assert_eq!(stat(&member, "/l").cversion, i32::MIN);
}

// Requests and their errors.

/// `zxid_consumption`.
#[test]
fn sessions_and_writes_use_a_zxid_each_and_reads_none() {
    let (mut member, [a]) = server();
    let at = |member: &Member| member.zxid().0;
    assert_eq!(at(&member), 1);
    assert_eq!(member.connect(1_000).zxid, Zxid(2));
    create(&mut member, a, "/l/x", Persistent).unwrap();
    set(&mut member, a, "/l/x", "1");
    set(&mut member, a, "/missing", "1");
    multi(&mut member, a, vec![]);
    assert_eq!(at(&member), 6);
    for read in [
        Request::GetData { path: "/l/x".into(), watch: true },
        Request::Exists { path: "/l/y".into(), watch: true },
        Request::GetChildren { path: "/l".into(), watch: true },
        Request::Sync { path: "/l".into() },
        Request::Ping,
        Request::GetEphemerals { prefix: "/".into() },
        Request::AddWatch { path: "/l".into(), recursive: true },
        Request::RemoveWatches { path: "/l".into(), kind: WatcherType::Any },
    ] {
        assert!(member.request(a, &read).result.is_ok() || matches!(read, Request::Exists { .. }));
    }
    member.reconnect(a, 1_000).unwrap();
    assert_eq!(at(&member), 6);
    member.end_session(a, <[Path]>::to_vec);
    assert_eq!(at(&member), 7);
}

/// `bad_paths`.
#[test]
fn a_missing_parent_is_noticed_before_a_malformed_path() {
    let (mut member, [a]) = server();
    for (path, error) in [
        ("l", ErrorCode::BadArguments),
        ("", ErrorCode::BadArguments),
        ("/l/", ErrorCode::BadArguments),
        ("/l/a\u{1}b", ErrorCode::BadArguments),
        ("/l//a", ErrorCode::NoNode),
        ("/l/../a", ErrorCode::NoNode),
        ("/", ErrorCode::NodeExists),
    ] {
        assert_eq!(create(&mut member, a, path, Persistent), Err(error), "{path:?}");
    }
    // The number is appended before the path is looked at.
    assert_eq!(create(&mut member, a, "/l/", PersistentSequential).as_deref(), Ok("/l/0000000000"));
    assert_eq!(delete(&mut member, a, "/").result, Err(ErrorCode::BadArguments));
    assert_eq!(get(&mut member, a, "/l//a").result, Err(ErrorCode::NoNode));
}

/// `delete_not_empty`.
#[test]
fn a_wrong_version_is_noticed_before_children() {
    let (mut member, [a]) = server();
    create(&mut member, a, "/l/x", Persistent).unwrap();
    let request = |version| Request::Delete { path: "/l".into(), version };
    assert_eq!(member.request(a, &request(7)).result, Err(ErrorCode::BadVersion));
    assert_eq!(member.request(a, &request(0)).result, Err(ErrorCode::NotEmpty));
}

#[test]
fn an_ephemeral_node_has_no_children_and_an_existing_name_is_noticed_first() {
    let (mut member, [a]) = server();
    create(&mut member, a, "/l/mine", Ephemeral).unwrap();
    let below = create(&mut member, a, "/l/mine/x", Persistent);
    assert_eq!(below, Err(ErrorCode::NoChildrenForEphemerals));
    assert_eq!(create(&mut member, a, "/l/mine", Ephemeral), Err(ErrorCode::NodeExists));
}

/// `delete_others_ephemeral`.
#[test]
fn anybody_may_delete_anothers_ephemeral_node() {
    let (mut member, [a, b]) = server();
    let lock = create(&mut member, a, "/l/lock-", EphemeralSequential).unwrap();
    assert_eq!(delete(&mut member, b, &lock).result, Ok(Reply::Done));
    assert_eq!(member.ephemerals(a), []);
}

#[test]
fn children_are_named_by_their_last_part_in_order() {
    let (mut member, [a]) = server();
    for path in ["/l/b", "/l/a", "/l/c", "/l/a/deeper"] {
        create(&mut member, a, path, Persistent).unwrap();
    }
    assert_eq!(names(&member, "/l"), ["a", "b", "c"]);
    let children = ["a", "b", "c"].map(Path::from).into();
    assert_eq!(get_children(&mut member, a, "/l").result, Ok(Reply::Children { children }));
}

#[test]
fn an_acl_has_a_version_of_its_own_and_setting_it_fires_nothing() {
    let (mut member, [a]) = server();
    get(&mut member, a, "/l");
    let answer = member.request(a, &Request::SetAclOpen { path: "/l".into(), version: 0 });
    assert!(matches!(answer.result, Ok(Reply::Stat(Stat { aversion: 1, version: 0, .. }))));
    assert_eq!(heard(&answer), []);
    let again = member.request(a, &Request::SetAclOpen { path: "/l".into(), version: 0 });
    assert_eq!(again.result, Err(ErrorCode::BadVersion));
}

// Watches.

/// `watch_exists_missing_*`, `watch_get_missing_*`.
#[test]
fn exists_on_a_missing_node_leaves_a_watch_and_get_does_not() {
    let (mut member, [a, b]) = server();
    assert_eq!(get(&mut member, a, "/l/x").result, Err(ErrorCode::NoNode));
    assert_eq!(get_children(&mut member, a, "/l/x").result, Err(ErrorCode::NoNode));
    assert_eq!(watching(&member), []);
    assert_eq!(exists(&mut member, a, "/l/x").result, Err(ErrorCode::NoNode));
    assert_eq!(watching(&member), [(WatchTable::Data, "/l/x".to_owned())]);
    let request = Request::Create { path: "/l/x".into(), data: "".into(), mode: Ephemeral };
    assert_eq!(heard(&member.request(b, &request)), [(a, NodeCreated, "/l/x")]);
}

/// `watch_data_and_child_delete`.
#[test]
fn one_deletion_sends_one_event_to_a_session_that_watched_data_and_children() {
    let (mut member, [a, b]) = server();
    create(&mut member, b, "/l/x", Persistent).unwrap();
    get(&mut member, a, "/l/x");
    get_children(&mut member, a, "/l/x");
    assert_eq!(heard(&delete(&mut member, b, "/l/x")), [(a, NodeDeleted, "/l/x")]);
    assert_eq!(watching(&member), []);
}

#[test]
fn a_deletion_reaches_data_watchers_then_child_watchers_then_the_parents() {
    let (mut member, [a, b, c]) = server();
    create(&mut member, a, "/l/x", Persistent).unwrap();
    get_children(&mut member, a, "/l");
    get_children(&mut member, b, "/l/x");
    get(&mut member, c, "/l/x");
    let told = [(c, NodeDeleted, "/l/x"), (b, NodeDeleted, "/l/x"), (a, NodeChildrenChanged, "/l")];
    assert_eq!(heard(&delete(&mut member, a, "/l/x")), told);
}

/// `watch_twice_one_event`.
#[test]
fn asking_twice_for_a_watch_is_asking_once() {
    let (mut member, [a]) = server();
    get(&mut member, a, "/l");
    get(&mut member, a, "/l");
    exists(&mut member, a, "/l");
    assert_eq!(heard(&set(&mut member, a, "/l", "1")), [(a, NodeDataChanged, "/l")]);
    assert_eq!(heard(&set(&mut member, a, "/l", "2")), []);
}

/// `watch_same_data_fires`.
#[test]
fn writing_the_same_bytes_is_a_change() {
    let (mut member, [a]) = server();
    set(&mut member, a, "/l", "same");
    get(&mut member, a, "/l");
    assert_eq!(heard(&set(&mut member, a, "/l", "same")), [(a, NodeDataChanged, "/l")]);
    assert_eq!(stat(&member, "/l").version, 2);
}

#[test]
fn a_refused_write_fires_nothing() {
    let (mut member, [a]) = server();
    get(&mut member, a, "/l");
    get_children(&mut member, a, "/l");
    let wrong = Request::SetData { path: "/l".into(), data: "1".into(), version: 9 };
    assert_eq!(heard(&member.request(a, &wrong)), []);
    assert_eq!(watching(&member).len(), 2);
}

/// `watch_persistent`.
#[test]
fn a_persistent_watch_stays_until_it_is_removed() {
    let (mut member, [a, b]) = server();
    member.request(a, &Request::AddWatch { path: "/l".into(), recursive: false });
    for round in 0..2 {
        assert_eq!(heard(&set(&mut member, b, "/l", "1")), [(a, NodeDataChanged, "/l")], "{round}");
        let path = create(&mut member, b, "/l/n-", PersistentSequential).unwrap();
        assert_eq!(heard(&delete(&mut member, b, &path)), [(a, NodeChildrenChanged, "/l")], "{round}");
    }
    let remove = Request::RemoveWatches { path: "/l".into(), kind: WatcherType::Any };
    assert_eq!(member.request(a, &remove).result, Ok(Reply::Done));
    assert_eq!(member.request(a, &remove).result, Err(ErrorCode::NoWatcher));
}

/// `WatchManager.containsWatcher` of 3.8.0, of which the recordings are: the path is asked for, not the session.
#[test]
fn check_watches_is_content_with_anybodys_watch_and_remove_watches_is_not() {
    let (mut member, [a, b]) = server();
    let path: Path = "/l".into();
    let check = Request::CheckWatches { path: path.clone(), kind: WatcherType::Data };
    let remove = Request::RemoveWatches { path, kind: WatcherType::Data };
    assert_eq!(member.request(b, &check).result, Err(ErrorCode::NoWatcher));
    exists(&mut member, a, "/l");
    assert_eq!(member.request(b, &check).result, Ok(Reply::Done));
    assert_eq!(member.request(b, &remove).result, Err(ErrorCode::NoWatcher));
    let children = Request::CheckWatches { path: "/l".into(), kind: WatcherType::Children };
    assert_eq!(member.request(b, &children).result, Err(ErrorCode::NoWatcher), "the other table");
}

#[test]
fn a_recursive_watch_hears_of_every_node_below_once_and_of_no_children_changed() {
    let (mut member, [a, b]) = server();
    member.request(a, &Request::AddWatch { path: "/".into(), recursive: true });
    member.request(a, &Request::AddWatch { path: "/l".into(), recursive: true });
    let request = Request::Create { path: "/l/x".into(), data: "".into(), mode: Persistent };
    assert_eq!(heard(&member.request(b, &request)), [(a, NodeCreated, "/l/x")]);
    assert_eq!(heard(&delete(&mut member, b, "/l/x")), [(a, NodeDeleted, "/l/x")]);
}

#[test]
fn a_later_one_shot_watch_takes_the_place_of_a_persistent_one() {
    let (mut member, [a]) = server();
    member.request(a, &Request::AddWatch { path: "/l".into(), recursive: false });
    get(&mut member, a, "/l");
    let data = member.watchers().find(|watch| watch.table == WatchTable::Data);
    assert_eq!(data.map(|watch| watch.mode), Some(WatchMode::OneShot));
}

// Sessions.

#[test]
fn a_session_ends_with_one_zxid_and_its_nodes_go_in_creation_order() {
    let (mut member, [a, b]) = server();
    for _ in 0..12 {
        create(&mut member, a, "/l/lock-", EphemeralSequential).unwrap();
    }
    create(&mut member, a, "/l/stays", Persistent).unwrap();
    let before = member.zxid();
    for path in member.ephemerals(a).to_vec() {
        exists(&mut member, b, &path);
    }
    let answer = member.end_session(a, <[Path]>::to_vec);
    assert_eq!((answer.zxid, member.zxid()), (before.next(), before.next()));
    let deleted: Vec<String> = (0..12).map(|n| format!("/l/lock-{n:010}")).collect();
    assert_eq!(answer.events.iter().map(|(_, event)| &*event.path).collect::<Vec<_>>(), deleted);
    assert!(
        answer
            .changes
            .iter()
            .all(|change| matches!(change, Change::Deleted { owner, .. } if *owner == Some(a)))
    );
    assert_eq!(names(&member, "/l"), ["stays"]);
    assert_eq!(stat(&member, "/l").pzxid, before.next());
}

#[test]
fn whatever_order_is_asked_for_all_of_a_sessions_nodes_go_and_no_others() {
    let (mut member, [a, b]) = server();
    let [one, two, three] =
        ["/l/1", "/l/2", "/l/3"].map(|path| create(&mut member, a, path, Ephemeral).unwrap());
    let others = create(&mut member, b, "/l/b", Ephemeral).unwrap();
    let answer = member.end_session(a, |created| {
        assert_eq!(created, [one.clone(), two.clone(), three.clone()]);
        vec![three.clone(), others.clone(), three.clone()]
    });
    let deleted = answer.changes.iter().map(|change| match change {
        Change::Deleted { path, .. } => &**path,
        other => panic!("{other:?}"),
    });
    assert_eq!(deleted.collect::<Vec<_>>(), ["/l/3", "/l/1", "/l/2"]);
    assert_eq!(names(&member, "/l"), ["b"]);
}

#[test]
fn a_session_that_has_ended_is_expired_and_uses_no_zxid() {
    let (mut member, [a]) = server();
    member.end_session(a, <[Path]>::to_vec);
    let before = member.clone();
    assert_eq!(create(&mut member, a, "/l/x", Persistent), Err(ErrorCode::SessionExpired));
    assert_eq!(member.reconnect(a, 1_000), Err(ErrorCode::SessionExpired));
    assert_eq!(member.end_session(a, <[Path]>::to_vec).result, Err(ErrorCode::SessionExpired));
    assert_eq!(member, before);
    assert_ne!(member.connect(1_000).session, a);
}

#[test]
fn a_reconnect_keeps_session_and_nodes_and_loses_the_watches() {
    let (mut member, [a]) = server();
    let lock = create(&mut member, a, "/l/lock-", EphemeralSequential).unwrap();
    exists(&mut member, a, &lock);
    member.disconnect(a);
    assert_eq!(watching(&member), []);
    assert_eq!(member.sessions().collect::<Vec<_>>(), [(a, 10_000, false)]);
    assert_eq!(member.reconnect(a, 90_000), Ok(60_000));
    assert_eq!(member.ephemerals(a), [lock]);
    assert!(member.is_connected(a));
}

/// `reattach_steals`.
#[test]
fn a_second_connection_takes_the_session_from_the_first() {
    let (mut member, [a]) = server();
    get(&mut member, a, "/l");
    member.reconnect(a, 10_000).unwrap();
    assert_eq!(heard(&set(&mut member, a, "/l", "1")), []);
}

#[test]
fn a_request_whose_connection_is_gone_is_carried_out_and_leaves_no_watch() {
    let (mut member, [a]) = server();
    member.disconnect(a);
    create(&mut member, a, "/l/x", Ephemeral).unwrap();
    exists(&mut member, a, "/l/x");
    assert_eq!(watching(&member), []);
}

/// `timeout_negotiation`.
#[test]
fn a_session_timeout_is_kept_within_the_servers_limits() {
    let mut member = Member::new();
    assert_eq!(member.connect(1).timeout_ms, 400);
    assert_eq!(member.connect(5_000).timeout_ms, 5_000);
    assert_eq!(member.connect(u32::MAX).timeout_ms, 60_000);
}

/// `restart_keeps_sessions_not_watches`.
#[test]
fn a_restart_keeps_everything_but_connections_and_watches() {
    let (mut member, [a]) = server();
    let lock = create(&mut member, a, "/l/lock-", EphemeralSequential).unwrap();
    get(&mut member, a, "/l");
    let zxid = member.zxid();
    member.restart();
    assert_eq!((watching(&member), member.is_connected(a), member.zxid()), (vec![], false, zxid));
    assert_eq!(member.ephemerals(a), [lock]);
    member.reconnect(a, 10_000).unwrap();
    assert_eq!(create(&mut member, a, "/l/lock-", EphemeralSequential).as_deref(), Ok("/l/lock-0000000001"));
}

// Setting watches again after a reconnect.

fn set_watches(member: &mut Member, session: SessionId, since: Zxid, lists: [&[&str]; 3]) -> Answer {
    let [data, exist, child] = lists.map(|paths| paths.iter().map(|path| Path::from(*path)).collect());
    member.request(session, &Request::SetWatches { relative_zxid: since, data, exist, child })
}

#[test]
fn set_watches_reports_what_was_missed_and_arms_the_rest() {
    let (mut member, [a, b]) = server();
    for path in ["/l/gone", "/l/changed", "/l/same", "/l/parent"] {
        create(&mut member, b, path, Persistent).unwrap();
    }
    member.disconnect(a);
    let since = member.zxid();
    delete(&mut member, b, "/l/gone");
    set(&mut member, b, "/l/changed", "1");
    create(&mut member, b, "/l/parent/x", Persistent).unwrap();
    create(&mut member, b, "/l/new", Persistent).unwrap();
    member.reconnect(a, 10_000).unwrap();
    let data = ["/l/gone", "/l/changed", "/l/same"];
    let lists: [&[&str]; 3] = [&data, &["/l/new", "/l/never"], &["/l/gone", "/l/parent", "/l/same"]];
    let told = [
        (a, NodeDeleted, "/l/gone"),
        (a, NodeDataChanged, "/l/changed"),
        (a, NodeCreated, "/l/new"),
        (a, NodeDeleted, "/l/gone"),
        (a, NodeChildrenChanged, "/l/parent"),
    ];
    assert_eq!(heard(&set_watches(&mut member, a, since, lists)), told);
    let armed =
        [(WatchTable::Data, "/l/never"), (WatchTable::Data, "/l/same"), (WatchTable::Children, "/l/same")];
    assert_eq!(watching(&member), armed.map(|(table, path)| (table, path.to_owned())));
}

/// `setwatches_create_delete_missed`.
#[test]
fn a_node_that_came_and_went_while_away_is_never_heard_of() {
    let (mut member, [a, b]) = server();
    let since = member.zxid();
    create(&mut member, b, "/l/x", Persistent).unwrap();
    delete(&mut member, b, "/l/x");
    assert_eq!(heard(&set_watches(&mut member, a, since, [&[], &["/l/x"], &[]])), []);
}

/// `setwatches_delete_recreate`.
#[test]
fn a_node_deleted_and_made_again_while_away_is_reported_as_changed() {
    let (mut member, [a, b]) = server();
    create(&mut member, b, "/l/x", Persistent).unwrap();
    let since = member.zxid();
    delete(&mut member, b, "/l/x");
    create(&mut member, b, "/l/x", Persistent).unwrap();
    let answer = set_watches(&mut member, a, since, [&["/l/x"], &[], &[]]);
    assert_eq!(heard(&answer), [(a, NodeDataChanged, "/l/x")]);
}

// Multi.

#[test]
fn a_multi_is_one_zxid_and_its_operations_see_each_other() {
    let (mut member, [a]) = server();
    let before = member.zxid();
    let results = multi(
        &mut member,
        a,
        vec![
            MultiOp::Create { path: "/l/x".into(), data: "1".into(), mode: Persistent },
            MultiOp::Create { path: "/l/x/n-".into(), data: "".into(), mode: PersistentSequential },
            MultiOp::SetData { path: "/l/x".into(), data: "22".into(), version: 0 },
            MultiOp::Check { path: "/l/x".into(), version: 1 },
            MultiOp::Delete { path: "/l/x/n-0000000000".into(), version: 0 },
        ],
    );
    assert_eq!(member.zxid(), before.next());
    assert!(matches!(
        &results[2],
        MultiResult::Stat(Stat { version: 1, data_length: 2, num_children: 1, .. })
    ));
    assert_eq!(results[3..], [MultiResult::Checked, MultiResult::Deleted]);
    assert_eq!(names(&member, "/l/x").len(), 0);
}

#[test]
fn a_refused_multi_changes_nothing_gives_its_numbers_back_and_uses_one_zxid() {
    let (mut member, [a]) = server();
    get_children(&mut member, a, "/l");
    let before = member.clone();
    let sequential = MultiOp::Create { path: "/l/n-".into(), data: "".into(), mode: PersistentSequential };
    let check = MultiOp::Check { path: "/l".into(), version: 5 };
    let request = Request::Multi { ops: vec![sequential.clone(), check, sequential] };
    let answer = member.request(a, &request);
    let errors = [None, Some(ErrorCode::BadVersion), Some(ErrorCode::RuntimeInconsistency)];
    let results = errors.map(MultiResult::Error).to_vec();
    assert_eq!((answer.result.clone(), heard(&answer)), (Ok(Reply::Multi { results }), vec![]));
    let mut expected = before;
    expected.set_zxid(expected.zxid().next());
    assert_eq!(member, expected);
    assert_eq!(create(&mut member, a, "/l/n-", PersistentSequential).as_deref(), Ok("/l/n-0000000000"));
}

// Preparing ahead of applying, as a leader does.

#[test]
fn outstanding_creates_get_different_numbers_and_every_member_that_applies_them_is_the_same() {
    let (mut leader, [a]) = server();
    let mut follower = leader.clone();
    let mut outstanding = Outstanding::default();
    let request = Request::Create { path: "/l/n-".into(), data: "".into(), mode: EphemeralSequential };
    let first = leader.zxid().next();
    let log = [first, first.next()].map(|zxid| {
        (zxid, leader.prepare(&mut outstanding, zxid, a, &request).expect("a create is a write"))
    });
    for (zxid, transaction) in &log {
        leader.apply(*zxid, transaction);
        outstanding.retire(*zxid);
    }
    assert_eq!(outstanding, Outstanding::default());
    assert_eq!(names(&leader, "/l"), ["n-0000000000", "n-0000000001"]);
    for (zxid, transaction) in &log {
        follower.apply(*zxid, transaction);
    }
    assert_eq!(follower, leader);
}

#[test]
fn a_session_whose_end_is_outstanding_takes_its_outstanding_nodes_along_and_writes_no_more() {
    let (mut leader, [a]) = server();
    let mut outstanding = Outstanding::default();
    let [one, two, three] = [1, 2, 3].map(|n| Zxid(leader.zxid().0 + n));
    let request = Request::Create { path: "/l/n-".into(), data: "".into(), mode: EphemeralSequential };
    let create = leader.prepare(&mut outstanding, one, a, &request).unwrap();
    let end = leader.prepare_end(&mut outstanding, two, a, <[Path]>::to_vec);
    let late = leader.prepare(&mut outstanding, three, a, &request).unwrap();
    leader.apply(one, &create);
    assert_eq!(leader.apply(two, &end).changes.len(), 1);
    assert_eq!(leader.apply(three, &late).result, Err(ErrorCode::SessionExpired));
    assert_eq!((names(&leader, "/l").len(), leader.zxid()), (0, three));
}
