//! What the core costs, as ratios from one run: `cargo bench`. Nothing here asserts a time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lockstep::explore::Search;
use lockstep::play::{Scenario, Timeline};
use lockstep::recipe::{Decisions, Watch};
use lockstep::world::{Cast, World};
use lockstep::zookeeper::EnsembleSize;

fn main() {
    growth("predecessor", Watch::Predecessor, &[10, 100, 1_000]);
    growth("holder", Watch::Holder, &[10, 100, 1_000]);
    servers();
    travel();
    search();
}

/// Events a second with one, three and five servers.
fn servers() {
    println!("Twenty clients on one, three and five servers");
    let mut first = None;
    for servers in [EnsembleSize::One, EnsembleSize::Three, EnsembleSize::Five] {
        let scenario = Scenario { clients: 20, servers, ..Scenario::single(Decisions::default()) };
        let (took, run) = quickest(50, || Timeline::run(&scenario, 0));
        let events: usize = run.steps().iter().map(|step| step.events.len()).sum();
        let a_second = events as f64 / took.as_secs_f64();
        let ratio = a_second / *first.get_or_insert(a_second);
        println!(
            "  {servers:?}: {events} events, {:.2} ms, {a_second:.0} events a second, {ratio:.2}x",
            took.as_secs_f64() * 1e3
        );
    }
}

/// The quickest of some runs of `work`, with the last result.
fn quickest<T>(times: u32, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut best = Duration::MAX;
    let mut result = None;
    for _ in 0..times {
        let started = Instant::now();
        result = Some(black_box(work()));
        best = best.min(started.elapsed());
    }
    (best, result.expect("at least one time"))
}

/// A whole run: how its cost for each event and each child in a reply grows with the clients.
fn growth(name: &str, watch: Watch, clients: &[u32]) {
    println!("A run, watch={name}: cost of each event and each child in a reply");
    let mut first = None;
    for &clients in clients {
        let scenario = Scenario { clients, ..Scenario::single(Decisions { watch, ..Decisions::default() }) };
        let times = (20_000 / clients).clamp(1, 400);
        let (took, run) = quickest(times, || Timeline::run(&scenario, 0));
        let events: u64 = run.steps().iter().map(|step| step.events.len() as u64).sum();
        let children = run.measures().children;
        let each_ns = took.as_nanos() as f64 / (events + children) as f64;
        let ratio = each_ns / *first.get_or_insert(each_ns);
        println!(
            "  {clients:>6} clients  {:>7} steps {events:>8} events {children:>10} children  {:>9.2} ms  \
             {each_ns:>7.1} ns each  {ratio:>5.2}x",
            run.len(),
            took.as_secs_f64() * 1e3,
        );
    }
}

/// A step, a step back and a seek in a run of about 10 000 events.
fn travel() {
    let run = Timeline::run(&Scenario { clients: 260, ..Scenario::single(Decisions::default()) }, 0);
    let events: usize = run.steps().iter().map(|step| step.events.len()).sum();
    println!("Travel in a run of {events} events, {} steps", run.len());
    let (whole, _) = quickest(3, || {
        let mut world = run.world_at(0);
        for step in run.steps() {
            let _ = black_box(world.step(step.action));
        }
        world
    });
    let step = whole / run.len();
    let show = |name: &str, took: Duration| {
        let ratio = took.as_secs_f64() / step.as_secs_f64();
        println!("  {name:<28} {:>10.1} us  {ratio:>7.1}x", took.as_secs_f64() * 1e6);
    };
    show("a step of the world", step);
    let middle = run.len() / 2;
    let stops: Vec<u32> = (0..200).map(|n| middle + n).collect();
    show("a step back, mean of 200", mean(&stops, |at| run.world_at(at - 1)));
    let far: Vec<u32> = (0..200).map(|n| n * 7_919 % run.len()).collect();
    show("a seek anywhere, mean of 200", mean(&far, |at| run.world_at(at)));
    show(
        "the dearest of those seeks",
        far.iter().map(|at| quickest(1, || run.world_at(*at)).0).max().unwrap_or_default(),
    );
}

fn mean(stops: &[u32], work: impl Fn(u32) -> World) -> Duration {
    let (took, ()) = quickest(3, || stops.iter().for_each(|at| drop(black_box(work(*at)))));
    took / stops.len() as u32
}

/// How many states a second the search visits, and how that changes with the clients.
fn search() {
    println!("The search, right answers");
    let mut first = None;
    for (clients, limit) in [(2, u32::MAX), (3, u32::MAX), (4, 200_000), (8, 200_000)] {
        let (took, report) = quickest(if clients < 4 { 5 } else { 1 }, || {
            Search { limit, ..Search::new(Cast::of(clients)) }.run()
        });
        let per_second = f64::from(report.states) / took.as_secs_f64();
        let ratio = per_second / *first.get_or_insert(per_second);
        println!(
            "  {clients} clients  {:>7} states  {per_second:>9.0} states/s  {ratio:>5.2}x",
            report.states
        );
    }
}
