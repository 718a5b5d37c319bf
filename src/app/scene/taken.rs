//! What the resource took: a fold over its answers, for the gate and the third strip.

use crate::judge::Used;
use crate::recipe::{ResourceReply, ResourceRequest};
use crate::world::{ClientId, Event};
use crate::zookeeper::Zxid;

/// Cards that are kept.
const CARDS: usize = 3;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It was taken in its turn.
    Taken,
    /// It was taken, though one of a later grant had been there before it.
    Stale,
    Refused,
}

/// A request that came to the resource, and what became of it. What one client does under one grant
/// without another in between is one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastRequest {
    pub at_ms: u64,
    pub client: ClientId,
    pub grant: Option<Zxid>,
    pub request: ResourceRequest,
    pub reply: ResourceReply,
    pub fate: Fate,
    /// It overwrote what its writer had not read.
    pub lost_update: bool,
}

/// A mark on the third strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark3 {
    pub at_ms: u64,
    pub client: ClientId,
    pub fate: Fate,
}

/// What the resource took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastLedger {
    /// The stock before anything came.
    pub initial: Option<i64>,
    /// Orders that were committed.
    pub orders: i64,
    /// Orders that were overwritten.
    pub lost: u32,
    /// The latest cards, newest last.
    pub cards: Vec<PastRequest>,
    pub marks: Vec<Mark3>,
}

impl PastLedger {
    /// Takes one event, and what the judges say became of the request in it.
    pub fn see(&mut self, at_ms: u64, event: &Event, used: Option<Used>) {
        if let (Event::ResourceTaken { client, request, reply, before, .. }, Some(used)) = (event, used) {
            self.initial.get_or_insert(*before);
            self.take(at_ms, *client, (*request, *reply), used);
        }
    }

    fn take(
        &mut self,
        at_ms: u64,
        client: ClientId,
        (request, reply): (ResourceRequest, ResourceReply),
        Used { grant, refused, stale, lost_update }: Used,
    ) {
        let fate = match (refused, stale) {
            (true, _) => Fate::Refused,
            (false, true) => Fate::Stale,
            (false, false) => Fate::Taken,
        };
        let commits = matches!(request, ResourceRequest::Commit { .. });
        let writes = matches!(request, ResourceRequest::Write { .. });
        if commits && !refused {
            self.orders += 1;
            self.lost += u32::from(lost_update);
        }
        let same = |card: &&mut PastRequest| {
            card.client == client && card.grant == grant && card.fate != Fate::Refused
        };
        let card = PastRequest { at_ms, client, grant, request, reply, fate, lost_update };
        match self.cards.last_mut().filter(same).filter(|_| !refused) {
            Some(last) => {
                let was_stale = last.fate == Fate::Stale;
                *last = card;
                if was_stale {
                    last.fate = Fate::Stale;
                }
            }
            None => {
                self.cards.push(card);
                if self.cards.len() > CARDS {
                    self.cards.remove(0);
                }
            }
        }
        // A write is seen once it is committed.
        if refused || fate == Fate::Stale || !writes {
            self.marks.push(Mark3 { at_ms, client, fate });
        }
    }
}
