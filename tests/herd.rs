//! The herd against a real server: events and requests per release, as counted on ZooKeeper 3.8.0.
//!
//! There the queue was filled first and the lock then released one by one (20 hand-offs, 8 with 10
//! clients); the numbers are averages over the hand-offs. They are counts, so they must be equal.

use lockstep::play::{Scenario, Timeline, Timings};
use lockstep::recipe::{Decisions, Watch};

/// Clients; then events and requests per release when the predecessor, the parent's children, the
/// holder are watched.
const RECORDED: [(u32, [(f64, f64); 3]); 4] = [
    (10, [(1.0, 1.0), (5.5, 5.5), (5.5, 10.0)]),
    (50, [(1.0, 1.0), (39.5, 39.5), (39.5, 78.0)]),
    (200, [(1.0, 1.0), (189.5, 189.5), (189.5, 378.0)]),
    (500, [(1.0, 1.0), (489.5, 489.5), (489.5, 978.0)]),
];

#[test]
fn ten_clients_cost_what_a_real_server_counted() {
    compare(0);
}

#[test]
fn fifty_clients_cost_what_a_real_server_counted() {
    compare(1);
}

#[test]
fn two_hundred_clients_cost_what_a_real_server_counted() {
    compare(2);
}

#[test]
fn five_hundred_clients_cost_what_a_real_server_counted() {
    compare(3);
}

fn compare(row: usize) {
    let (clients, recorded) = RECORDED[row];
    let hand_offs = if clients == 10 { 8 } else { 20 };
    for (watch, expected) in [Watch::Predecessor, Watch::Parent, Watch::Holder].into_iter().zip(recorded) {
        let measured = per_release(clients, watch, hand_offs);
        assert_eq!(measured, expected, "{clients} clients, watching {watch:?}");
    }
}

/// The averages of events and requests over the first hand-offs of a filled queue.
fn per_release(clients: u32, watch: Watch, hand_offs: u32) -> (f64, f64) {
    // Everybody comes at once, and the holder works until the herd has settled.
    let timings = Timings { arrival_gap_ms: 0, hold_ms: 2_000, ..Timings::default() };
    let scenario =
        Scenario { clients, timings, ..Scenario::single(Decisions { watch, ..Decisions::default() }) };
    // Enough steps for the arrivals, and for everybody to wake and list and watch at each release.
    let limit = clients * (16 + 8 * (hand_offs + 1));
    let run = Timeline::run_to(&scenario, 0, limit);
    let releases = &run.measures().releases[..hand_offs as usize];
    let mean = |count: fn(&lockstep::judge::Release) -> u32| {
        f64::from(releases.iter().map(count).sum::<u32>()) / f64::from(hand_offs)
    };
    (mean(|release| release.events), mean(|release| release.requests))
}
