//! What holds for a member whatever it is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lockstep::zookeeper::{
    Change, CreateMode, Member, MultiOp, MultiResult, Path, Reply, Request, SessionId, WatcherType, Zxid,
};
use proptest::prelude::*;

/// Anything that can happen to a member.
#[derive(Clone, Debug)]
enum Act {
    Connect,
    Disconnect(u32),
    Reconnect(u32),
    End(u32),
    Restart,
    Ask(u32, Request),
}

fn path() -> impl Strategy<Value = Path> {
    let usual =
        prop::sample::select(vec!["/", "/a", "/b", "/a/x", "/a/b", "/a/b/n-", "/a/n-", "/b/n-0000000001"]);
    let odd = prop::sample::select(vec![
        "",
        "a",
        "/a/",
        "//",
        "/a//b",
        "/..",
        "/a/.",
        "/a\0",
        "/a/\u{1}",
        "/锁",
        "/\u{1f512}",
    ]);
    prop_oneof![9 => usual, 1 => odd].prop_map(Path::from)
}

fn data() -> impl Strategy<Value = Arc<str>> {
    prop::sample::select(vec!["", "1", "锁"]).prop_map(Arc::from)
}

fn mode() -> impl Strategy<Value = CreateMode> {
    use CreateMode::{Ephemeral, EphemeralSequential, Persistent, PersistentSequential};
    prop::sample::select(vec![Persistent, Ephemeral, PersistentSequential, EphemeralSequential])
}

fn version() -> impl Strategy<Value = i32> {
    prop::sample::select(vec![-1, -1, 0, 1, i32::MIN, i32::MAX])
}

fn multi_op() -> impl Strategy<Value = MultiOp> {
    prop_oneof![
        3 => (path(), data(), mode()).prop_map(|(path, data, mode)| MultiOp::Create { path, data, mode }),
        1 => (path(), data(), mode()).prop_map(|(path, data, mode)| MultiOp::Create2 { path, data, mode }),
        2 => (path(), version()).prop_map(|(path, version)| MultiOp::Delete { path, version }),
        1 => (path(), data(), version()).prop_map(|(path, data, version)| MultiOp::SetData { path, data, version }),
        1 => (path(), version()).prop_map(|(path, version)| MultiOp::Check { path, version }),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    let paths = || prop::collection::vec(path(), 0..3);
    let kind = || prop::sample::select(vec![WatcherType::Any, WatcherType::Data, WatcherType::Children]);
    prop_oneof![
        8 => (path(), data(), mode()).prop_map(|(path, data, mode)| Request::Create { path, data, mode }),
        2 => (path(), data(), mode()).prop_map(|(path, data, mode)| Request::Create2 { path, data, mode }),
        4 => (path(), version()).prop_map(|(path, version)| Request::Delete { path, version }),
        2 => (path(), data(), version()).prop_map(|(path, data, version)| Request::SetData { path, data, version }),
        1 => (path(), version()).prop_map(|(path, version)| Request::SetAclOpen { path, version }),
        2 => (path(), any::<bool>()).prop_map(|(path, watch)| Request::GetData { path, watch }),
        2 => (path(), any::<bool>()).prop_map(|(path, watch)| Request::Exists { path, watch }),
        2 => (path(), any::<bool>()).prop_map(|(path, watch)| Request::GetChildren { path, watch }),
        1 => (path(), any::<bool>()).prop_map(|(path, watch)| Request::GetChildren2 { path, watch }),
        3 => prop::collection::vec(multi_op(), 0..5).prop_map(|ops| Request::Multi { ops }),
        1 => path().prop_map(|prefix| Request::GetEphemerals { prefix }),
        2 => (path(), any::<bool>()).prop_map(|(path, recursive)| Request::AddWatch { path, recursive }),
        1 => (path(), kind()).prop_map(|(path, kind)| Request::RemoveWatches { path, kind }),
        1 => (path(), kind()).prop_map(|(path, kind)| Request::CheckWatches { path, kind }),
        1 => (-2i64..40, paths(), paths(), paths()).prop_map(|(zxid, data, exist, child)| {
            Request::SetWatches { relative_zxid: Zxid(zxid), data, exist, child }
        }),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let session = || 0u32..6;
    let act = prop_oneof![
        3 => Just(Act::Connect),
        1 => session().prop_map(Act::Disconnect),
        1 => session().prop_map(Act::Reconnect),
        1 => session().prop_map(Act::End),
        1 => Just(Act::Restart),
        30 => (session(), request()).prop_map(|(session, request)| Act::Ask(session, request)),
    ];
    prop::collection::vec(act, 0..80)
}

/// What happened to the tree by one act, and whether the act was refused as a whole.
fn perform(member: &mut Member, act: &Act) -> (Vec<Change>, bool) {
    match act {
        Act::Connect => {
            member.connect(1_000);
            (vec![], false)
        }
        Act::Disconnect(session) => {
            member.disconnect(SessionId(*session));
            (vec![], false)
        }
        Act::Reconnect(session) => (vec![], member.reconnect(SessionId(*session), 1_000).is_err()),
        Act::End(session) => {
            let answer = member.end_session(SessionId(*session), <[Path]>::to_vec);
            (answer.changes, answer.result.is_err())
        }
        Act::Restart => {
            member.restart();
            (vec![], false)
        }
        Act::Ask(session, request) => {
            let answer = member.request(SessionId(*session), request);
            let refused = match &answer.result {
                Ok(Reply::Multi { results }) => matches!(results.last(), Some(MultiResult::Error(_))),
                Ok(_) => false,
                // It answers NoNode, and has left a watch.
                Err(_) => !matches!(request, Request::Exists { watch: true, .. }),
            };
            (answer.changes, refused)
        }
    }
}

fn split(path: &str) -> (&str, &str) {
    let (parent, name) = path.rsplit_once('/').expect("every path has a slash");
    (if parent.is_empty() { "/" } else { parent }, name)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_the_sessions_and_the_watches_fit_together(acts in acts()) {
        let mut member = Member::new();
        for act in &acts {
            perform(&mut member, act);

            let mut children: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            let mut owned: BTreeSet<(SessionId, &str)> = BTreeSet::new();
            for (path, node) in member.nodes() {
                if **path != *"/" {
                    let (parent, name) = split(path);
                    prop_assert!(member.node(parent).is_some_and(|parent| parent.owner().is_none()), "{path}");
                    children.entry(parent).or_default().insert(name);
                }
                owned.extend(node.owner().map(|owner| (owner, &**path)));
            }
            for (path, node) in member.nodes() {
                let named: BTreeSet<&str> = node.children().map(|name| &**name).collect();
                prop_assert_eq!(&named, &children.remove(&**path).unwrap_or_default(), "children of {}", path);
            }
            let of_sessions: BTreeSet<(SessionId, &str)> = member.sessions()
                .flat_map(|(id, _, _)| member.ephemerals(id).iter().map(move |path| (id, &**path)))
                .collect();
            prop_assert_eq!(of_sessions, owned);
            prop_assert!(member.watchers().all(|watch| member.is_connected(watch.session)));
        }
    }

    #[test]
    fn cversion_counts_creates_and_deletes(acts in acts()) {
        let mut member = Member::new();
        let mut counts: BTreeMap<Path, i32> = BTreeMap::from([("/".into(), 0)]);
        for act in &acts {
            for change in perform(&mut member, act).0 {
                match change {
                    Change::Created { path, .. } => {
                        *counts.get_mut(split(&path).0).unwrap() += 1;
                        counts.insert(path, 0);
                    }
                    Change::Deleted { path, .. } => {
                        *counts.get_mut(split(&path).0).unwrap() += 1;
                        counts.remove(&path);
                    }
                    Change::DataSet { .. } => {}
                }
            }
        }
        let shown: BTreeMap<Path, i32> =
            member.nodes().map(|(path, node)| (path.clone(), node.stat().cversion)).collect();
        prop_assert_eq!(shown, counts);
    }

    #[test]
    fn what_is_refused_changes_nothing_but_the_zxid(acts in acts()) {
        let mut member = Member::new();
        for act in &acts {
            let mut before = member.clone();
            let (changes, refused) = perform(&mut member, act);
            if refused {
                prop_assert_eq!(changes, vec![]);
                prop_assert!((0..=1).contains(&(member.zxid().0 - before.zxid().0)));
                before.set_zxid(member.zxid());
                prop_assert_eq!(&before, &member);
            }
        }
    }

    #[test]
    fn events_go_to_connected_sessions_and_come_with_a_change_or_a_set_watches(acts in acts()) {
        let mut member = Member::new();
        for act in &acts {
            let Act::Ask(session, request) = act else {
                perform(&mut member, act);
                continue;
            };
            let answer = member.request(SessionId(*session), request);
            for (hearer, _) in &answer.events {
                prop_assert!(member.is_connected(*hearer));
            }
            let may = !answer.changes.is_empty() || matches!(request, Request::SetWatches { .. });
            prop_assert!(may || answer.events.is_empty());
        }
    }
}
