//! What can happen next, and its name in links and scripts.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

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
}

/// How the search and the detectors count an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// It moves the story on.
    Progress,
    /// It may repeat for ever and change nothing.
    Poll,
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
}

impl Action {
    /// The client it concerns.
    pub fn client(self) -> ClientId {
        match self {
            Action::Arrive(c) | Action::Sort(c) | Action::Work(c) | Action::Poll(c) => c,
            Action::Deliver(link) => link.client(),
        }
    }

    pub fn class(self) -> Class {
        match self {
            Action::Poll(_) => Class::Poll,
            Action::Arrive(_) | Action::Sort(_) | Action::Deliver(_) | Action::Work(_) => Class::Progress,
        }
    }

    /// The action that an armed timer is.
    pub fn fire(timer: Timer) -> Action {
        match timer {
            Timer::Arrive(c) => Action::Arrive(c),
            Timer::Work(c) => Action::Work(c),
            Timer::Poll(c) => Action::Poll(c),
        }
    }
}

/// The action's name in links and scripts: `arrive.A`, `sort.A`, `A.zk`, `zk.A`, `A.ledger`,
/// `ledger.A`, `work.A`, `poll.A`.
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
        }
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
        match (left, right) {
            (client, "zk") => Ok(Action::Deliver(Link::ToServer(client.parse()?))),
            (client, "ledger") => Ok(Action::Deliver(Link::ToResource(client.parse()?))),
            ("zk", client) => Ok(Action::Deliver(Link::ToClient(client.parse()?))),
            ("ledger", client) => Ok(Action::Deliver(Link::FromResource(client.parse()?))),
            ("arrive", client) => Ok(Action::Arrive(client.parse()?)),
            ("sort", client) => Ok(Action::Sort(client.parse()?)),
            ("work", client) => Ok(Action::Work(client.parse()?)),
            ("poll", client) => Ok(Action::Poll(client.parse()?)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
