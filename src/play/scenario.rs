//! Everything that can vary in a run.

use std::collections::BTreeSet;

use crate::recipe::Decisions;
use crate::world::{Action, Cast, ClientId, TICK_MS, TIMEOUT_MS};
use crate::zookeeper::{CounterEnd, EnsembleSize};

use super::luck;

/// How many lanes stand side by side at most.
pub const MAX_LANES: usize = 4;
/// Clients that a lane may have: enough for the benchmark, few enough for any machine.
pub const CLIENTS: std::ops::RangeInclusive<u32> = 1..=10_000;
/// How long any timing may be: an hour of virtual time.
pub const MAX_MS: u64 = 3_600_000;
/// Outside events that a script may have.
pub const MAX_SCRIPT: usize = 200;

/// Times of a run, in virtual ms. The defaults are those of versions 1 and 2 of the codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timings {
    /// From one client's arrival to the next one's.
    pub arrival_gap_ms: u64,
    /// How long a holder works between its read and its write.
    pub hold_ms: u64,
    /// How long a client that polls waits between two questions.
    pub poll_ms: u64,
    /// The least time that a message is on its way.
    pub hop_ms: u64,
    /// How much longer than that luck can make it.
    pub hop_spread_ms: u64,
    /// The server's tick (`tickTime`): it ends sessions at whole ticks.
    pub tick_ms: u64,
    /// How much longer a message from the leader to a follower is on its way, where there are several servers.
    pub lag_ms: u64,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings {
            arrival_gap_ms: 40,
            hold_ms: 400,
            poll_ms: 100,
            hop_ms: 6,
            hop_spread_ms: 8,
            tick_ms: TICK_MS.into(),
            lag_ms: 0,
        }
    }
}

/// One of the runs that stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub decisions: Decisions,
    /// How many clients, if not as many as the scenario says.
    pub clients: Option<u32>,
    /// The session timeout that the clients ask for, in ms, if not the scenario's.
    pub timeout_ms: Option<u32>,
    /// The server's generation, if not the scenario's.
    pub server: Option<CounterEnd>,
    /// What a hand chose, by step, in order.
    pub choices: Vec<Choice>,
}

impl Lane {
    /// A lane with these decisions and no choices.
    pub fn of(decisions: Decisions) -> Lane {
        Lane { decisions, clients: None, timeout_ms: None, server: None, choices: Vec::new() }
    }
}

/// Something that a hand did instead of the schedule, before step `at` (0 is the first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice {
    pub at: u32,
    pub what: Chosen,
}

/// What a hand can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chosen {
    /// Let this happen now.
    Take(Action),
    /// Let this wait until it is taken or let go.
    Hold(Action),
    /// Let it go its way again.
    LetGo(Action),
}

/// Something that happens from outside, in every lane alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scripted {
    /// In virtual ms.
    pub at_ms: u64,
    /// A fault or an operator's action.
    pub action: Action,
}

/// A story for one to four lanes: the cast, the decisions, the script, the timings and the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    pub clients: u32,
    /// Those that only read.
    pub readers: BTreeSet<ClientId>,
    /// Items in stock, if not one for each client.
    pub stock: Option<u32>,
    pub seed: u64,
    pub timings: Timings,
    /// The session timeout that the clients ask for, in ms; the server cuts it to between 2 and 20 ticks.
    pub timeout_ms: u32,
    /// How many children the lock's directory has had before the story begins.
    pub counter: u32,
    /// The server's generation: what it does at the end of that counter.
    pub server: CounterEnd,
    /// How many servers keep the nodes.
    pub servers: EnsembleSize,
    /// What happens from outside, in the order of time.
    pub script: Vec<Scripted>,
    /// One to [`MAX_LANES`].
    pub lanes: Vec<Lane>,
}

impl Default for Scenario {
    /// The first story: three clients; lane 1 watches the predecessor, lane 2 the holder.
    fn default() -> Scenario {
        let right = Decisions::default();
        let herd = Decisions { watch: crate::recipe::Watch::Holder, ..right };
        Scenario { lanes: vec![Lane::of(right), Lane::of(herd)], ..Scenario::single(right) }
    }
}

impl Scenario {
    /// A scenario of one lane with these decisions, and the defaults for all else.
    pub fn single(decisions: Decisions) -> Scenario {
        Scenario {
            clients: 3,
            readers: BTreeSet::new(),
            stock: None,
            seed: 1,
            timings: Timings::default(),
            timeout_ms: TIMEOUT_MS,
            counter: 0,
            server: CounterEnd::Sticks,
            servers: EnsembleSize::One,
            script: Vec::new(),
            lanes: vec![Lane::of(decisions)],
        }
    }

    /// How many clients lane `lane` has.
    pub fn clients_in(&self, lane: usize) -> u32 {
        self.lanes.get(lane).and_then(|lane| lane.clients).unwrap_or(self.clients)
    }

    /// Whether some clients only read.
    pub fn is_shared(&self) -> bool {
        !self.readers.is_empty()
    }

    /// Items in stock in lane `lane` at the start.
    pub fn stock_in(&self, lane: usize) -> u32 {
        self.stock.unwrap_or(self.clients_in(lane))
    }

    /// Who plays in lane `lane`.
    pub fn cast(&self, lane: usize) -> Cast {
        let clients = self.clients_in(lane);
        let own = self.lanes.get(lane);
        Cast {
            decisions: own.map(|lane| lane.decisions).unwrap_or_default(),
            guids: (0..clients).map(|n| luck::guid(self.seed, ClientId(n)).into()).collect(),
            readers: self.readers.clone(),
            stock: self.stock_in(lane).into(),
            timeout_ms: own.and_then(|lane| lane.timeout_ms).unwrap_or(self.timeout_ms),
            tick_ms: self.timings.tick_ms as u32,
            counter: self.counter as i32,
            counter_end: own.and_then(|lane| lane.server).unwrap_or(self.server),
            servers: self.servers,
        }
    }
}
