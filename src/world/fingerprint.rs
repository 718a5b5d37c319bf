//! A number for a world, the same on every machine.
//!
//! Two worlds that behave alike have one fingerprint, which keeps the search finite: sequence
//! numbers and zxids count by their rank among those that are still mentioned anywhere, since
//! behaviour depends on their order alone. (A client that polls for the single name uses a zxid
//! with each failed create; one that queues again gets a new number each time. Counted as they
//! are, both would make new worlds for ever.)
//!
//! What the world does not look at is left out: a node's mzxid and pzxid, the server's last zxid,
//! and the sequence counter, which is above every number that is mentioned. So are watches that
//! `exists` left on a numbered node that is gone: its number never comes again, so they never fire.
//! (A client that queues again leaves one each time.)

use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::{Actor, Packet, World};
use crate::recipe::{sequence, split_at_number};
use crate::sorted::SortedSet;
use crate::zookeeper::{Path, Reply, Request, Zxid};

/// A world's number. Equal worlds have equal ones; different worlds differ but for a chance of
/// about 2⁻¹²⁸ a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u128);

/// SipHash-1-3 with 128 bits whose result does not depend on the machine: `usize` and `isize`,
/// which `derive(Hash)` uses for lengths and discriminants, count as 64 bits everywhere.
#[derive(Default)]
pub struct StableHasher(SipHasher13);

impl StableHasher {
    /// The whole result.
    pub fn finish128(&self) -> u128 {
        self.0.finish128().as_u128()
    }
}

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        self.finish128() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn write_usize(&mut self, i: usize) {
        self.0.write(&(i as u64).to_le_bytes());
    }

    fn write_isize(&mut self, i: isize) {
        self.0.write(&(i as i64).to_le_bytes());
    }
}

impl World {
    /// This world's [`Fingerprint`].
    pub fn fingerprint(&self) -> Fingerprint {
        let mut mentioned = Mentioned::default();
        self.visit(&mut mentioned);
        let ranks = Ranks { mentioned, hasher: StableHasher::default() };
        let mut sink = ranks;
        self.visit(&mut sink);
        Fingerprint(sink.hasher.finish128())
    }

    /// Shows the sink everything that behaviour depends on, in a fixed order.
    fn visit(&self, sink: &mut impl Sink) {
        sink.value(&self.resource().stock);
        self.visit_nodes(super::LOCK_DIR, sink);
        for watch in self.server().watchers().filter(|watch| self.may_fire(&watch.path)) {
            sink.value(&(watch.session, watch.table));
            sink.name(&watch.path);
        }
        for (_, actor) in self.actors() {
            visit_actor(actor, sink);
            for (kind, path) in actor.watches.iter().filter(|(_, path)| self.may_fire(path)) {
                sink.value(kind);
                sink.name(path);
            }
            sink.value(&u8::MAX);
        }
    }

    /// Whether something may still happen to the node at `path`: it is there, or can come (again).
    fn may_fire(&self, path: &str) -> bool {
        sequence(path).is_none() || self.server().node(path).is_some()
    }

    fn visit_nodes(&self, dir: &str, sink: &mut impl Sink) {
        for name in self.server().children(dir) {
            let path = crate::recipe::join(dir, name);
            sink.name(&path);
            if let Some(stat) = self.server().stat(&path) {
                sink.zxid(stat.czxid);
                sink.value(&(stat.version, stat.ephemeral_owner));
            }
        }
        sink.value(&u8::MAX);
    }
}

fn visit_actor(actor: &Actor, sink: &mut impl Sink) {
    let client = &actor.client;
    sink.value(&(client.step(), client.stirred(), client.stock()));
    for name in [client.me(), client.ahead()] {
        sink.value(&name.is_some());
        name.into_iter().for_each(|name| sink.name(name));
    }
    visit_names(client.list().map(|list| &**list), sink);
    sink.value(&(actor.will_arrive, actor.will_sort, actor.works, actor.polls));
    sink.value(&(&actor.to_resource, &actor.from_resource));
    sink.value(&actor.to_server.len());
    for request in &actor.to_server {
        visit_request(request, sink);
    }
    sink.value(&actor.to_client.len());
    for packet in &actor.to_client {
        match packet {
            Packet::Event(event) => {
                sink.value(&event.kind);
                sink.name(&event.path);
            }
            Packet::Reply { request, result } => {
                visit_request(request, sink);
                match result {
                    Ok(Reply::Created { path }) => sink.name(path),
                    Ok(Reply::Children { children }) => visit_names(Some(children), sink),
                    Ok(other) => sink.value(&std::mem::discriminant(other)),
                    Err(error) => sink.value(error),
                }
            }
        }
    }
}

fn visit_names(names: Option<&[Path]>, sink: &mut impl Sink) {
    sink.value(&names.map(<[Path]>::len));
    names.unwrap_or_default().iter().for_each(|name| sink.name(name));
}

fn visit_request(request: &Request, sink: &mut impl Sink) {
    match request {
        Request::Create { path, mode, .. } => {
            sink.value(mode);
            sink.name(path);
        }
        Request::Delete { path, version } => {
            sink.value(&(1u8, version));
            sink.name(path);
        }
        Request::GetData { path, watch } => {
            sink.value(&(2u8, watch));
            sink.name(path);
        }
        Request::Exists { path, watch } => {
            sink.value(&(3u8, watch));
            sink.name(path);
        }
        Request::GetChildren { path, watch } => {
            sink.value(&(4u8, watch));
            sink.name(path);
        }
        // The recipe sends none of the others.
        other => sink.value(other),
    }
}

/// What is shown a world, part by part.
trait Sink {
    /// A part that counts as it is.
    fn value(&mut self, value: &impl Hash);
    /// A name or path, which may end in a sequence number.
    fn name(&mut self, name: &str);
    fn zxid(&mut self, zxid: Zxid);
}

/// First pass: which numbers are mentioned.
#[derive(Default)]
struct Mentioned {
    sequences: SortedSet<i32>,
    zxids: SortedSet<Zxid>,
}

impl Sink for Mentioned {
    fn value(&mut self, _: &impl Hash) {}

    fn name(&mut self, name: &str) {
        self.sequences.extend(sequence(name));
    }

    fn zxid(&mut self, zxid: Zxid) {
        self.zxids.insert(zxid);
    }
}

/// Second pass: hashes, with ranks for numbers.
struct Ranks {
    mentioned: Mentioned,
    hasher: StableHasher,
}

impl Sink for Ranks {
    fn value(&mut self, value: &impl Hash) {
        value.hash(&mut self.hasher);
    }

    fn name(&mut self, name: &str) {
        match (sequence(name), split_at_number(name)) {
            (Some(number), Some((before, _))) => {
                before.hash(&mut self.hasher);
                self.mentioned.sequences.rank(&number).hash(&mut self.hasher);
            }
            _ => name.hash(&mut self.hasher),
        }
    }

    fn zxid(&mut self, zxid: Zxid) {
        self.mentioned.zxids.rank(&zxid).hash(&mut self.hasher);
    }
}
