//! A number for a world, the same on every machine.
//!
//! Two worlds that behave alike have one fingerprint, which keeps the search finite: sequence
//! numbers and zxids count by their rank among those that are still mentioned anywhere, since
//! behaviour depends on their order alone. (A client that polls for the single name uses a zxid
//! with each failed create; one that queues again gets a new number each time. Counted as they
//! are, both would make new worlds for ever.)
//!
//! What the world does not look at is left out: the server's last zxid, and the sequence counter while it
//! is above every number that is mentioned. (Once the directory was deleted it is not: how far off a number
//! is counts then, and where the counter's end is near, the counter.) A node's mzxid and pzxid, and the last
//! zxid that a library has heard of, are compared by setWatches alone; they count as the answers to those
//! comparisons.
//! Where a client queues again when the node ahead is missing, the watches that `exists` left on numbered
//! nodes that are gone are left out too: it leaves one each time, and while the directory stays their numbers
//! never come again. That there are any counts, since a library with watches sets them again.
//!
//! With several servers everything counts as it is: their logs, what is under way between them, every zxid, and the last
//! one that each library has heard of, since a server that is behind it does not take its connection. So two worlds
//! that came to the same in a different number of transactions are two.

use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::servers::Servers;
use super::{Actor, Packet, Sent, WatchKind, World};
use crate::recipe::{
    Guid, Missing, ResourceReply, ResourceRequest, SINGLE_NAME, STOCK_PATH, Token, Watch, sequence,
    split_at_number,
};
use crate::zookeeper::{MultiOp, MultiResult, Node, Path, Reply, Request, SessionId, Zxid};

/// How many creates before its end the sequence counter begins to count.
const NEAR_THE_END: i32 = 1_000;

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
        mentioned.sort();
        let mut hasher = StableHasher::default();
        self.numbers_to_come(&mentioned).hash(&mut hasher);
        let mut sink = Ranks { mentioned, hasher };
        self.visit(&mut sink);
        if let Servers::Many(many) = &self.servers {
            many.hash(&mut sink.hasher);
        }
        Fingerprint(sink.hasher.finish128())
    }

    /// How many nodes away each mentioned number is that the counter has not passed, and the counter itself
    /// where its end is near.
    fn numbers_to_come(&self, mentioned: &Mentioned) -> (Vec<i64>, Option<i32>) {
        let counter = self.server().node(super::LOCK_DIR).map_or(0, Node::creates);
        let ahead = mentioned.sequences.iter().filter(|number| **number >= counter);
        let ahead = ahead.map(|number| i64::from(*number) - i64::from(counter)).collect();
        (ahead, (counter > i32::MAX - NEAR_THE_END).then_some(counter))
    }

    /// Shows the sink everything that behaviour depends on, in a fixed order.
    fn visit(&self, sink: &mut impl Sink) {
        let resource = self.resource();
        sink.value(&(resource.stock, &resource.written, self.server().node(STOCK_PATH).map(Node::data)));
        self.visit_token(resource.highest, sink);
        self.visit_token(resource.highest_exclusive, sink);
        self.visit_nodes(super::LOCK_DIR, sink);
        for watch in self.server().watchers().filter(|watch| self.may_fire(&watch.path)) {
            self.visit_session(watch.session, sink);
            sink.value(&watch.table);
            sink.name(&watch.path);
        }
        let live = self.server().sessions().filter(|(session, _, _)| *session != self.operator);
        for (session, _, connected) in live {
            self.visit_session(session, sink);
            sink.value(&connected);
        }
        for (client, actor) in self.actors() {
            sink.value(&self.has_connection(client));
            self.visit_actor(actor, sink);
            let matters =
                |(kind, path): &&(WatchKind, Path)| *kind != WatchKind::Exist || self.may_fire(path);
            sink.value(&actor.watches.iter().all(|watch| matters(&watch)));
            for (kind, path) in actor.watches.iter().filter(matters) {
                sink.value(kind);
                sink.name(path);
            }
            sink.value(&u8::MAX);
        }
    }

    /// Whether something may still happen to the node at `path`: it is there, or can come (again). After
    /// `delete.dir` any number can.
    fn may_fire(&self, path: &str) -> bool {
        let ever_new = self.actors().any(|(_, actor)| actor.client.decisions().missing == Missing::Requeue);
        !ever_new || sequence(path).is_none() || self.server().node(path).is_some()
    }

    fn visit_nodes(&self, dir: &str, sink: &mut impl Sink) {
        sink.value(&self.server().node(dir).is_some());
        for name in self.server().children(dir) {
            let path = crate::recipe::join(dir, name);
            sink.name(&path);
            if let Some(stat) = self.server().stat(&path) {
                sink.zxid(stat.czxid);
                sink.value(&stat.version);
                sink.value(&stat.ephemeral_owner.is_some());
                stat.ephemeral_owner.into_iter().for_each(|owner| self.visit_session(owner, sink));
            }
        }
        sink.value(&u8::MAX);
    }

    /// A session by what it is to its client, not by its number, which grows.
    fn visit_session(&self, session: SessionId, sink: &mut impl Sink) {
        let client = self.client_of(session);
        let role = client.and_then(|c| self.actor(c)).map(|actor| {
            let old = actor.old_sessions.iter().position(|old| *old == session);
            let comes = actor.coming_session() == Some(session);
            let own = (actor.session == Some(session), comes, actor.client.session() == session);
            (own, old.map(|at| at as u32))
        });
        sink.value(&(client, role));
    }

    fn visit_token(&self, token: Option<i64>, sink: &mut impl Sink) {
        // The single name has no number: its token is a czxid whatever was decided.
        let by_number = self.actors().any(|(_, actor)| {
            let decisions = actor.client.decisions();
            decisions.token == Token::Sequence && !decisions.single()
        });
        sink.value(&token.is_some());
        match token {
            // A sequence number is the same in every world that is alike but for ranks.
            Some(token) if by_number => sink.token(token),
            Some(token) => sink.zxid(Zxid(token)),
            None => {}
        }
    }

    fn visit_request_to_resource(&self, request: &ResourceRequest, sink: &mut impl Sink) {
        match request {
            ResourceRequest::Read { shared, .. } => sink.value(&(0u8, shared)),
            ResourceRequest::Write { base, value, .. } => sink.value(&(1u8, base, value)),
            ResourceRequest::Commit { .. } => sink.value(&2u8),
        }
        self.visit_token(request.token(), sink);
    }

    /// What setWatches would find if a library had last heard of `zxid`; and of several servers, which would take its
    /// connection.
    fn visit_heard(&self, actor: &Actor, zxid: Zxid, sink: &mut impl Sink) {
        if self.ensemble().is_some() {
            sink.value(&zxid);
        }
        let decisions = actor.client.decisions();
        if decisions.watch == Watch::Parent {
            sink.value(&self.server().stat(super::LOCK_DIR).map(|stat| stat.pzxid > zxid));
        }
        if decisions.single() {
            let lock = crate::recipe::join(super::LOCK_DIR, SINGLE_NAME);
            sink.value(&self.server().stat(&lock).map(|stat| stat.mzxid > zxid));
        }
    }

    fn visit_actor(&self, actor: &Actor, sink: &mut impl Sink) {
        let client = &actor.client;
        sink.value(&(client.step(), client.flags(), client.stock()));
        // A kept GUID never changes.
        sink.value(&(client.decisions().guid != Guid::Kept).then(|| client.guid()));
        self.visit_token(client.token(), sink);
        for name in [client.me(), client.target()] {
            sink.value(&name.is_some());
            name.into_iter().for_each(|name| sink.name(name));
        }
        visit_names(client.list().map(|list| &**list), sink);
        sink.value(&actor.condition());
        sink.value(&(actor.session.is_some(), actor.old_sessions.len() as u32));
        sink.value(&(actor.will_arrive, actor.will_sort, actor.works, actor.polls));
        self.visit_heard(actor, actor.last_zxid, sink);
        sink.value(&(actor.to_resource.len(), actor.from_resource.len()));
        for request in &actor.to_resource {
            self.visit_request_to_resource(request, sink);
        }
        for reply in &actor.from_resource {
            // How high the highest was tells the client nothing that it uses.
            match reply {
                ResourceReply::Refused { .. } => sink.value(&u8::MAX),
                other => sink.value(other),
            }
        }
        sink.value(&actor.to_server.len());
        for sent in &actor.to_server {
            match sent {
                Sent::Request(request) => self.visit_request(request, sink),
                Sent::Ping => sink.value(&100u8),
                Sent::Connect(session) => sink.value(&(101u8, session.is_some())),
                Sent::Close => sink.value(&102u8),
            }
        }
        sink.value(&actor.to_client.len());
        for packet in &actor.to_client {
            self.visit_packet(actor, packet, sink);
        }
    }

    fn visit_packet(&self, actor: &Actor, packet: &Packet, sink: &mut impl Sink) {
        match packet {
            Packet::Event(event) => {
                sink.value(&event.kind);
                sink.name(&event.path);
            }
            Packet::Pong => sink.value(&100u8),
            Packet::Connected { new, .. } => sink.value(&(101u8, new)),
            Packet::Expired => sink.value(&102u8),
            Packet::EndOfFile => sink.value(&103u8),
            Packet::Reply { request, result, zxid } => {
                self.visit_request(request, sink);
                self.visit_heard(actor, *zxid, sink);
                match result {
                    Ok(Reply::Created { path }) => sink.name(path),
                    Ok(Reply::Created2 { path, stat }) => {
                        sink.name(path);
                        sink.zxid(stat.czxid);
                    }
                    Ok(Reply::Children { children }) => visit_names(Some(children), sink),
                    Ok(Reply::Data { data, stat }) => {
                        sink.value(data);
                        sink.value(&stat.version);
                        sink.zxid(stat.czxid);
                        sink.value(&stat.ephemeral_owner.is_some());
                        stat.ephemeral_owner.into_iter().for_each(|owner| self.visit_session(owner, sink));
                    }
                    Ok(Reply::Multi { results }) => {
                        for result in results {
                            sink.value(&std::mem::discriminant(result));
                            if let MultiResult::Error(error) = result {
                                sink.value(error);
                            }
                        }
                    }
                    Ok(other) => sink.value(&std::mem::discriminant(other)),
                    Err(error) => sink.value(error),
                }
            }
        }
    }

    fn visit_request(&self, request: &Request, sink: &mut impl Sink) {
        match request {
            Request::Create { path, mode, .. } => {
                sink.value(mode);
                sink.name(path);
            }
            Request::Create2 { path, mode, .. } => {
                sink.value(&(5u8, mode));
                sink.name(path);
            }
            Request::SetWatches { data, exist, child, .. } => {
                sink.value(&6u8);
                visit_names(Some(data), sink);
                exist.iter().filter(|path| self.may_fire(path)).for_each(|path| sink.name(path));
                visit_names(Some(child), sink);
            }
            Request::Multi { ops } => {
                sink.value(&(7u8, ops.len()));
                for op in ops {
                    match op {
                        MultiOp::Check { path, version } => {
                            sink.value(version);
                            sink.name(path);
                        }
                        other => sink.value(other),
                    }
                }
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
}

fn visit_names(names: Option<&[Path]>, sink: &mut impl Sink) {
    sink.value(&names.map(<[Path]>::len));
    names.unwrap_or_default().iter().for_each(|name| sink.name(name));
}

/// What is shown a world, part by part.
trait Sink {
    /// A part that counts as it is.
    fn value(&mut self, value: &impl Hash);
    /// A name or path, which may end in a sequence number.
    fn name(&mut self, name: &str);
    fn zxid(&mut self, zxid: Zxid);
    /// A fencing token that is a sequence number.
    fn token(&mut self, token: i64);
}

/// First pass: which numbers are mentioned.
#[derive(Default)]
struct Mentioned {
    sequences: Vec<i32>,
    zxids: Vec<Zxid>,
}

impl Mentioned {
    /// Puts the numbers in order, so that a number's place is its rank.
    fn sort(&mut self) {
        self.sequences.sort_unstable();
        self.sequences.dedup();
        self.zxids.sort_unstable();
        self.zxids.dedup();
    }

    fn rank_of_sequence(&self, number: i32) -> usize {
        self.sequences.partition_point(|mentioned| *mentioned < number)
    }

    fn rank_of_zxid(&self, zxid: Zxid) -> usize {
        self.zxids.partition_point(|mentioned| *mentioned < zxid)
    }
}

impl Sink for Mentioned {
    fn value(&mut self, _: &impl Hash) {}

    fn name(&mut self, name: &str) {
        self.sequences.extend(sequence(name));
    }

    fn zxid(&mut self, zxid: Zxid) {
        self.zxids.push(zxid);
    }

    fn token(&mut self, token: i64) {
        self.sequences.extend(i32::try_from(token));
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
                self.mentioned.rank_of_sequence(number).hash(&mut self.hasher);
            }
            _ => name.hash(&mut self.hasher),
        }
    }

    fn zxid(&mut self, zxid: Zxid) {
        self.mentioned.rank_of_zxid(zxid).hash(&mut self.hasher);
    }

    fn token(&mut self, token: i64) {
        let rank = i32::try_from(token).map(|number| self.mentioned.rank_of_sequence(number));
        rank.unwrap_or_default().hash(&mut self.hasher);
    }
}
