//! The one table of faults: whatever goes wrong, or is put right again, or is done by somebody with a shell.
//!
//! It has three parts: what goes wrong with a client ([`Fault`]), what somebody does by hand ([`Operator`]), what
//! goes wrong with one of several servers ([`ServerFault`]). Adding a fault is one row, what it does in
//! `world::contact` or `world::servers`, and, where it changes times, the schedule. Links, the storm, the search's
//! budget, the row of faults, the inspector, the narration, the command line's help and `docs/faults.md` read it.

mod client;
mod operator;
mod server;
mod words;

pub use client::Fault;
pub use operator::Operator;
pub use server::ServerFault;

use crate::text::{Fixed, fixed};

/// One row of the table. In its texts `{c}` is the client, `{a}` and `{b}` are the servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultDefinition {
    /// The word in links and scripts; before the client or the servers, if it concerns any.
    pub word: &'static str,
    /// What it happens to.
    pub part: FaultPart,
    /// On a button of the row of faults, where whom it is for is known.
    pub label: Fixed,
    /// In a list: the whole of what it does.
    pub name: Fixed,
    /// What became of whom it happened to, in a few words.
    pub brief: Fixed,
    /// The narration's sentence when it happens.
    pub told: Fixed,
    /// What the client can do afterwards.
    pub effect: FaultEffect,
    /// The word in a search's budget; `None` for what puts right what another fault has made wrong. That costs
    /// nothing and comes sooner or later.
    pub budget: Option<&'static str>,
    /// How often a storm draws it.
    pub storm: StormWeight,
    /// Whether the row of faults on the page offers it; a fault brings its repair along.
    pub in_row: bool,
}

/// What a fault happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPart {
    /// A client's process, its wish or its work.
    Process,
    /// A client's connection to its server.
    Connection,
    /// A client's session.
    Session,
    /// A client's lock node, by hand.
    Node,
    /// The lock's directory, by hand.
    Directory,
    /// The one server.
    ZooKeeper,
    /// The guarded resource.
    Resource,
    /// One server of several.
    Server,
    /// Two servers of several.
    Pair,
}

/// What a client can do after a fault, for the schedule and for measuring how long the lock was of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultEffect {
    /// As much as before, or what its connection allows.
    Nothing,
    /// Its process does nothing until it goes on.
    StandsStill,
    GoesOn,
    /// It is not reached until its connection carries again.
    CutOff,
    Reached,
    /// Its process is gone until a new one starts.
    Ends,
    Starts,
    /// Its library has to open a new session first.
    NewSession,
}

/// How many faces of a storm's dice show a fault: put right after a random time, put right after the longest, and
/// never put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StormWeight {
    pub for_a_while: u8,
    pub for_long: u8,
    pub for_good: u8,
}

impl StormWeight {
    pub const NONE: StormWeight = StormWeight { for_a_while: 0, for_long: 0, for_good: 0 };
    pub(super) const ONCE: StormWeight = StormWeight { for_good: 1, ..StormWeight::NONE };
    pub(super) const REPAIRED: StormWeight = StormWeight { for_a_while: 1, ..StormWeight::NONE };
}

impl FaultDefinition {
    /// What a row has that says nothing else.
    pub(super) const PLAIN: FaultDefinition = FaultDefinition {
        word: "",
        part: FaultPart::Process,
        label: fixed("", ""),
        name: fixed("", ""),
        brief: fixed("", ""),
        told: fixed("", ""),
        effect: FaultEffect::Nothing,
        budget: None,
        storm: StormWeight::NONE,
        in_row: false,
    };

    /// Whether it puts right what another fault has made wrong, and comes sooner or later. A process that has
    /// crashed need not start again.
    pub const fn is_repair(&self) -> bool {
        self.budget.is_none()
    }
}

/// The whole table.
pub const FAULTS: [&FaultDefinition; ROWS] = {
    let mut rows = [Fault::TABLE[0]; ROWS];
    let mut at = 0;
    while at < ROWS {
        rows[at] = if at < Fault::TABLE.len() {
            Fault::TABLE[at]
        } else if at < Fault::TABLE.len() + Operator::TABLE.len() {
            Operator::TABLE[at - Fault::TABLE.len()]
        } else {
            ServerFault::TABLE[at - Fault::TABLE.len() - Operator::TABLE.len()]
        };
        at += 1;
    }
    rows
};

/// How many rows it has.
const ROWS: usize = Fault::TABLE.len() + Operator::TABLE.len() + ServerFault::TABLE.len();
