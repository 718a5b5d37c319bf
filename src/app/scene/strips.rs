//! Truth strips: when a client believed that it held the lock, when the server agreed, and what the
//! resource took of it.

use super::past::Past;
use super::taken::Fate;
use super::words::duration;
use crate::play::{Span, open_since};
use crate::recipe::Step;

use crate::text::{Text, say};
use crate::world::ClientId;

/// A stretch of a strip, in virtual ms. It is cut off at the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    pub from_ms: u64,
    pub to_ms: u64,
    /// The other strip does not agree.
    pub alone: bool,
}

/// What the resource did with a request of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    pub at_ms: u64,
    pub fate: Fate,
}

/// One lane's three strips for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripRow {
    /// The lane, from 0.
    pub lane: usize,
    pub belief: Vec<Bar>,
    pub truth: Vec<Bar>,
    pub taken: Vec<Took>,
    /// How long it believed what was not so, all in all.
    pub wrong_ms: u64,
    pub note: Text,
}

/// The strips of one client in every lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strips {
    pub client: ClientId,
    pub now_ms: u64,
    /// Where the strips end, in virtual ms.
    pub end_ms: u64,
    pub rows: Vec<StripRow>,
}

/// Builds the strips of `client`.
/// `steps` is where it stands in each lane.
pub fn strips(client: ClientId, pasts: &[&Past], steps: &[Step], now_ms: u64, end_ms: u64) -> Strips {
    let rows = pasts
        .iter()
        .zip(steps)
        .enumerate()
        .map(|(lane, (past, step))| row(client, lane, past, *step, now_ms));
    Strips { client, now_ms, end_ms: end_ms.max(1), rows: rows.collect() }
}

fn row(client: ClientId, lane: usize, past: &Past, step: Step, now_ms: u64) -> StripRow {
    let mine = past.holders.of(client);
    let believes = open_since(&mine.belief);
    let owns = open_since(&mine.truth);
    let owner = past.holders.nodes().holding().next().map(|node| node.client);
    let note = match (believes, owns, owner) {
        (Some(_), Some(_), _) => say(
            format!("{client} holds, and the server agrees"),
            format!("{client} 持有锁，服务器也这么认为"),
        ),
        (Some(_), None, Some(owner)) => say(
            format!("{client} believes that it holds; the key is {owner}'s"),
            format!("{client} 以为自己持有锁，锁却在 {owner} 手里"),
        ),
        (Some(_), None, None) => say(
            format!("{client} believes that it holds; the key is nobody's"),
            format!("{client} 以为自己持有锁，其实锁空着"),
        ),
        (None, Some(_), _) if matches!(step, Step::Releasing | Step::Done) => say(
            format!("{client} lets go; its node is still there"),
            format!("{client} 正在释放，节点尚未删除"),
        ),
        (None, Some(since), _) => {
            let ago = duration(now_ms.saturating_sub(since));
            say(
                format!("the key has been {client}'s for {ago}; {client} does not know"),
                format!("锁归 {client} 已有 {ago}，{client} 还不知道"),
            )
        }
        (None, None, Some(owner)) => say(format!("the key is {owner}'s"), format!("锁在 {owner} 手里")),
        (None, None, None) => say("the lock is free", "锁空着"),
    };
    let belief = bars(&mine.belief, &mine.truth, now_ms);
    let wrong_ms = belief.iter().filter(|bar| bar.alone).map(|bar| bar.to_ms - bar.from_ms).sum();
    // A hop's time is no disagreement worth a word.
    let note = match wrong_ms {
        0..100 => note,
        _ => {
            let wrong = duration(wrong_ms);
            say(format!("{}: wrong for {wrong}", note.en), format!("{}：误判 {wrong}", note.zh))
        }
    };
    let marks = past.ledger.marks.iter().filter(|mark| mark.client == client);
    StripRow {
        lane,
        belief,
        truth: bars(&mine.truth, &mine.belief, now_ms),
        taken: marks.map(|mark| Took { at_ms: mark.at_ms, fate: mark.fate }).collect(),
        wrong_ms,
        note,
    }
}

/// Cuts spans into bars that the other strip agrees with or does not.
fn bars(spans: &[Span], other: &[Span], now_ms: u64) -> Vec<Bar> {
    let mut bars = Vec::new();
    for span in spans {
        let end = span.to_ms.unwrap_or(now_ms);
        let mut cuts = vec![span.from_ms, end];
        for edge in other.iter().flat_map(|o| [o.from_ms, o.to_ms.unwrap_or(now_ms)]) {
            if edge > span.from_ms && edge < end {
                cuts.push(edge);
            }
        }
        cuts.sort();
        for pair in cuts.windows(2) {
            let alone = !other.iter().any(|o| o.from_ms <= pair[0] && pair[1] <= o.to_ms.unwrap_or(now_ms));
            bars.push(Bar { from_ms: pair[0], to_ms: pair[1], alone });
        }
    }
    bars
}
