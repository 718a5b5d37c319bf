//! What can happen next, and its name in links and scripts.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Fault, Operator, ServerFault};
use crate::zookeeper::{ServerAction, ServerId};

/// A client's number, from 0. People see letters: A … Z, then A1 … Z1, A2 …
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientId(pub u32);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'A' + (self.0 % 26) as u8);
        match self.0 / 26 {
            0 => write!(f, "{letter}"),
            turn => write!(f, "{letter}{turn}"),
        }
    }
}

impl Serialize for ClientId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for ClientId {
    type Err = ();

    fn from_str(s: &str) -> Result<ClientId, ()> {
        let letter = s.bytes().next().filter(u8::is_ascii_uppercase).ok_or(())?;
        let turn: u32 = match s.get(1..).unwrap_or_default() {
            "" => 0,
            digits if digits.starts_with('0') || digits.starts_with('+') => return Err(()),
            digits => digits.parse().map_err(|_| ())?,
        };
        let number = turn.checked_mul(26).and_then(|n| n.checked_add(u32::from(letter - b'A'))).ok_or(())?;
        Ok(ClientId(number))
    }
}

/// One direction of one client's two connections. Each is first in, first out, as TCP is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Link {
    ToServer(ClientId),
    ToClient(ClientId),
    ToResource(ClientId),
    FromResource(ClientId),
}

impl Link {
    /// The client at one end.
    pub fn client(self) -> ClientId {
        match self {
            Link::ToServer(c) | Link::ToClient(c) | Link::ToResource(c) | Link::FromResource(c) => c,
        }
    }
}

/// A timer that is armed until it fires or is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timer {
    /// Somebody will ask the client to take the lock.
    Arrive(ClientId),
    /// The work under the lock will end.
    Work(ClientId),
    /// A client that polls will ask again.
    Poll(ClientId),
    /// The client's library will try to reach the server.
    Reconnect(ClientId),
}

/// How the search and the detectors count an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// It moves the story on.
    Progress,
    /// It may repeat for ever and change nothing.
    Poll,
    /// It keeps a session alive, or would end one that is kept alive.
    Heartbeat,
    /// Something goes wrong.
    Fault,
    /// Somebody with a shell does it.
    Operator,
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Action::Deliver(*self).serialize(serializer)
    }
}

/// One thing that may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The client is asked to take the lock.
    Arrive(ClientId),
    /// The client thinks about the list it heard.
    Sort(ClientId),
    /// The oldest message of a link arrives.
    Deliver(Link),
    /// The client's work under the lock ends.
    Work(ClientId),
    /// The client's poll timer goes off.
    Poll(ClientId),
    /// The client's library has sent nothing for a third of the session timeout: it sends a ping.
    Ping(ClientId),
    /// The client's library has heard nothing for two thirds of the session timeout: it takes the
    /// connection for lost.
    Suspend(ClientId),
    /// The client's library, without a connection, tries to reach the server.
    Reconnect(ClientId),
    /// The server has heard nothing of the session for its timeout: it ends it.
    Expire(ClientId),
    /// The same for a session that an earlier process of the client has left behind.
    ExpireOld(ClientId),
    Fault(Fault, ClientId),
    Operator(Operator),
    /// Servers do something by themselves: a message between two arrives, one notices a loss, they elect a
    /// leader, one joins it.
    Server(ServerAction),
    /// The leader asks this follower whom it has heard of, every half tick.
    Beat(ServerId),
    ServerFault(ServerFault),
}

impl Action {
    /// The client it concerns, if it concerns one.
    pub fn client(self) -> Option<ClientId> {
        match self {
            Action::Arrive(c)
            | Action::Sort(c)
            | Action::Work(c)
            | Action::Poll(c)
            | Action::Ping(c)
            | Action::Suspend(c)
            | Action::Reconnect(c)
            | Action::Expire(c)
            | Action::ExpireOld(c)
            | Action::Fault(_, c) => Some(c),
            Action::Operator(operator) => operator.client(),
            Action::Deliver(link) => Some(link.client()),
            Action::Server(_) | Action::Beat(_) | Action::ServerFault(_) => None,
        }
    }

    /// Whether it is the servers' own, or a fault of theirs.
    pub fn is_of_servers(self) -> bool {
        matches!(self, Action::Server(_) | Action::Beat(_) | Action::ServerFault(_))
    }

    /// What puts right again what this fault makes wrong, if something does.
    pub fn repair(self) -> Option<Action> {
        match self {
            Action::Fault(fault, client) => Some(Action::Fault(fault.repair()?, client)),
            Action::ServerFault(fault) => Some(Action::ServerFault(fault.repair()?)),
            Action::Arrive(_)
            | Action::Sort(_)
            | Action::Deliver(_)
            | Action::Work(_)
            | Action::Poll(_)
            | Action::Ping(_)
            | Action::Suspend(_)
            | Action::Reconnect(_)
            | Action::Expire(_)
            | Action::ExpireOld(_)
            | Action::Operator(_)
            | Action::Server(_)
            | Action::Beat(_) => None,
        }
    }

    /// Whether it is something that a hand or a script does, and no schedule.
    pub fn is_from_outside(self) -> bool {
        self.fault().is_some()
    }

    /// The action that an armed timer is.
    pub fn fire(timer: Timer) -> Action {
        match timer {
            Timer::Arrive(c) => Action::Arrive(c),
            Timer::Work(c) => Action::Work(c),
            Timer::Poll(c) => Action::Poll(c),
            Timer::Reconnect(c) => Action::Reconnect(c),
        }
    }
}

/// The action's name in links and scripts: `arrive.A`, `sort.A`, `A.zk`, `zk.A`, `A.ledger`,
/// `ledger.A`, `work.A`, `poll.A`, `ping.A`, `suspend.A`, `reconnect.A`, `timeout.A`, `old-timeout.A`. Servers are
/// `s1`, `s2`, … (`S1` is a client): `s1.s2` (a message between them), `give-up.s1`, `elect.s2`, `join.s1-s2`,
/// `beat.s1`. A fault is its word in the table and whom it concerns: `pause.A`, `delete.dir`, `cut.s1-s2`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Arrive(c) => write!(f, "arrive.{c}"),
            Action::Sort(c) => write!(f, "sort.{c}"),
            Action::Deliver(Link::ToServer(c)) => write!(f, "{c}.zk"),
            Action::Deliver(Link::ToClient(c)) => write!(f, "zk.{c}"),
            Action::Deliver(Link::ToResource(c)) => write!(f, "{c}.ledger"),
            Action::Deliver(Link::FromResource(c)) => write!(f, "ledger.{c}"),
            Action::Work(c) => write!(f, "work.{c}"),
            Action::Poll(c) => write!(f, "poll.{c}"),
            Action::Ping(c) => write!(f, "ping.{c}"),
            Action::Suspend(c) => write!(f, "suspend.{c}"),
            Action::Reconnect(c) => write!(f, "reconnect.{c}"),
            Action::Expire(c) => write!(f, "timeout.{c}"),
            Action::ExpireOld(c) => write!(f, "old-timeout.{c}"),
            Action::Fault(..) | Action::Operator(_) | Action::ServerFault(_) => {
                f.write_str(&self.fault_word().unwrap_or_default())
            }
            Action::Server(ServerAction::Deliver { from, to }) => {
                write!(f, "{}.{}", member_word(*from), member_word(*to))
            }
            Action::Server(ServerAction::GiveUp(server)) => write!(f, "give-up.{}", member_word(*server)),
            Action::Server(ServerAction::Elect(server)) => write!(f, "elect.{}", member_word(*server)),
            Action::Server(ServerAction::Join { server, leader }) => {
                write!(f, "join.{}-{}", member_word(*server), member_word(*leader))
            }
            Action::Beat(server) => write!(f, "beat.{}", member_word(*server)),
        }
    }
}

/// A server in links and scripts: `s1` is the first. (`S1` is a client.)
pub fn member_word(server: ServerId) -> String {
    format!("s{}", server.0 + 1)
}

/// The server that a word in a link or a script means.
pub fn member_of_word(word: &str) -> Option<ServerId> {
    match word.as_bytes() {
        [b's', digit @ b'1'..=b'9'] => Some(ServerId(digit - b'1')),
        _ => None,
    }
}

/// What servers do by themselves.
fn of_servers(left: &str, right: &str) -> Option<Action> {
    if let Some((a, b)) = right.split_once('-') {
        let (server, leader) = (member_of_word(a)?, member_of_word(b)?);
        return (left == "join").then_some(Action::Server(ServerAction::Join { server, leader }));
    }
    let at = member_of_word(right)?;
    match left {
        "give-up" => Some(Action::Server(ServerAction::GiveUp(at))),
        "elect" => Some(Action::Server(ServerAction::Elect(at))),
        "beat" => Some(Action::Beat(at)),
        from => Some(Action::Server(ServerAction::Deliver { from: member_of_word(from)?, to: at })),
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// As the action that it is when it fires.
impl Serialize for Timer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Action::fire(*self).serialize(serializer)
    }
}

impl FromStr for Action {
    type Err = ();

    fn from_str(s: &str) -> Result<Action, ()> {
        let (left, right) = s.split_once('.').ok_or(())?;
        if let Some(action) = Action::fault_of_word(s).or_else(|| of_servers(left, right)) {
            return Ok(action);
        }
        match (left, right) {
            (client, "zk") => Ok(Action::Deliver(Link::ToServer(client.parse()?))),
            (client, "ledger") => Ok(Action::Deliver(Link::ToResource(client.parse()?))),
            ("zk", client) => Ok(Action::Deliver(Link::ToClient(client.parse()?))),
            ("ledger", client) => Ok(Action::Deliver(Link::FromResource(client.parse()?))),
            ("arrive", client) => Ok(Action::Arrive(client.parse()?)),
            ("sort", client) => Ok(Action::Sort(client.parse()?)),
            ("work", client) => Ok(Action::Work(client.parse()?)),
            ("poll", client) => Ok(Action::Poll(client.parse()?)),
            ("ping", client) => Ok(Action::Ping(client.parse()?)),
            ("suspend", client) => Ok(Action::Suspend(client.parse()?)),
            ("reconnect", client) => Ok(Action::Reconnect(client.parse()?)),
            ("timeout", client) => Ok(Action::Expire(client.parse()?)),
            ("old-timeout", client) => Ok(Action::ExpireOld(client.parse()?)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_no_client() {
        for word in ["s1.s2", "give-up.s1", "elect.s3", "join.s1-s2", "beat.s5", "crash.s1", "cut.s1-s3"] {
            let action: Action = word.parse().unwrap();
            assert!(action.is_of_servers() && action.to_string() == word, "{word}");
        }
        assert_eq!("crash.S1".parse(), Ok(Action::Fault(Fault::Crash, ClientId(44))));
        assert!(["cut.s2-s1", "s0.s1", "join.s1", "s1.A"].iter().all(|s| s.parse::<Action>().is_err()));
    }

    #[test]
    fn after_z_comes_a1() {
        let names: Vec<String> = [0, 25, 26, 51, 52].map(|n| ClientId(n).to_string()).into();
        assert_eq!(names, ["A", "Z", "A1", "Z1", "A2"]);
        assert!((0..2000).all(|n| ClientId(n).to_string().parse() == Ok(ClientId(n))));
        assert!(
            ["", "a", "A0", "A01", "A+1", "AA", "Ä", "A4294967295"]
                .iter()
                .all(|s| s.parse::<ClientId>().is_err())
        );
    }
}
