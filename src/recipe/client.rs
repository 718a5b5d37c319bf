//! One client of the lock: where it stands, what it believes, and what it does with what it hears.
//!
//! [`LockClient::input`] takes one thing that happened to the client and returns what the client
//! does about it. The order of the steps is that of ZooKeeper's recipe page ("Locks"); each
//! decision is one `match` here or, for what follows lost contact, in `recover`.

use std::sync::Arc;

use super::{
    ClientTimer, Decisions, Disconnect, Guid, Input, Loss, NodeKind, Output, SINGLE_NAME, Step, Token, join,
    last_part, next_guid, prefix, sequence,
};
use crate::zookeeper::{CreateMode, ErrorCode, Path, Reply, Request, SessionId, Zxid};

/// Where the stock is when ZooKeeper itself is the resource (`resource=multi`).
pub const STOCK_PATH: &str = "/stock";

/// A client of the lock. It knows its decisions, its own name, and what messages told it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockClient {
    pub(super) decisions: Decisions,
    pub(super) dir: Path,
    pub(super) guid: Arc<str>,
    /// It only reads the resource, and may hold together with others that only read.
    pub(super) reads: bool,
    /// The session that its library last told it of.
    pub(super) session: SessionId,
    /// Its library has a connection.
    pub(super) connected: bool,
    pub(super) step: Step,
    /// The name of its own node, once a reply has told it.
    pub(super) me: Option<Path>,
    /// The fencing token of its node.
    pub(super) token: Option<i64>,
    /// The node that it watches or is about to: its predecessor's, or the holder's.
    pub(super) target: Option<Path>,
    /// The children as last listed, until they are sorted; after a lost reply, the nodes with its GUID.
    pub(super) list: Option<Arc<[Path]>>,
    /// An event about what it watches came before it lay down to sleep.
    pub(super) stirred: bool,
    /// The value it read from the resource.
    pub(super) stock: i64,
    /// The stock's version, with `resource=multi`.
    pub(super) stock_version: i32,
    /// What it should do next under the lock cannot be undone, and waits for the connection.
    pub(super) held_back: bool,
    /// It was asked to give up, and a request is under way.
    pub(super) quitting: bool,
    /// It wrote, let the lock go, and has not committed (`commit=after-release`).
    pub(super) uncommitted: bool,
    /// What it came for is committed.
    pub(super) worked: bool,
}

impl LockClient {
    /// A client that has not started and is connected. `dir` is the lock's directory, `guid` goes into its
    /// node's name.
    pub fn new(decisions: Decisions, dir: Path, guid: Arc<str>) -> LockClient {
        LockClient {
            decisions,
            dir,
            guid,
            reads: false,
            session: SessionId(0),
            connected: true,
            step: Step::Idle,
            me: None,
            token: None,
            target: None,
            list: None,
            stirred: false,
            stock: 0,
            stock_version: 0,
            held_back: false,
            quitting: false,
            uncommitted: false,
            worked: false,
        }
    }

    /// The same client, in this session.
    pub fn in_session(mut self, session: SessionId) -> LockClient {
        self.note_session(session);
        self
    }

    /// Notes its session, which stands in its node's name where there is no GUID.
    pub(super) fn note_session(&mut self, session: SessionId) {
        self.session = session;
        if self.decisions.guid == Guid::Session {
            self.guid = format!("{:08x}", session.0).into();
        }
    }

    /// The same client, which only reads the resource, or does not.
    pub fn reading(mut self, reads: bool) -> LockClient {
        self.reads = reads;
        self
    }

    /// The same client in a new process: it knows its decisions, and its GUID if that is kept, and has no
    /// connection yet.
    pub fn restarted(&self) -> LockClient {
        let guid = match self.decisions.guid {
            Guid::Kept | Guid::Session => self.guid.clone(),
            Guid::Process => next_guid(&self.guid).into(),
        };
        let fresh = LockClient::new(self.decisions, self.dir.clone(), guid);
        LockClient { reads: self.reads, connected: false, ..fresh }
    }

    pub fn step(&self) -> Step {
        self.step
    }

    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Whether it only reads.
    pub fn reads(&self) -> bool {
        self.reads
    }

    /// The session that its library last told it of.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The GUID in its node's name.
    pub fn guid(&self) -> &str {
        &self.guid
    }

    /// Whether it has been asked to give up, and waits for an answer before it goes.
    pub fn is_quitting(&self) -> bool {
        self.quitting
    }

    /// Whether its library has told it that it is connected.
    pub fn is_connected(&self) -> bool {
        self.connected
    }

    /// The name of its own node as it knows it.
    pub fn me(&self) -> Option<&Path> {
        self.me.as_ref()
    }

    /// Its fencing token.
    pub fn token(&self) -> Option<i64> {
        self.token
    }

    /// The name of the node that it last aimed its watch at.
    pub fn target(&self) -> Option<&Path> {
        self.target.as_ref()
    }

    /// The list it is about to sort.
    pub fn list(&self) -> Option<&Arc<[Path]>> {
        self.list.as_ref()
    }

    /// What else its behaviour depends on: whether an event came before it lay down to sleep, whether it
    /// holds back, quits, has yet to commit, is connected, and has done its work.
    pub fn flags(&self) -> [bool; 6] {
        [self.stirred, self.held_back, self.quitting, self.uncommitted, self.connected, self.worked]
    }

    /// The value it last read from the resource.
    pub fn stock(&self) -> i64 {
        self.stock
    }

    /// Whether it believes that it holds the lock, and stops work because it has no connection.
    pub fn in_doubt(&self) -> bool {
        self.step.believes() && !self.connected && self.decisions.disconnect == Disconnect::Stop
    }

    /// Takes one input and returns what the client does, in order. An input that does not fit the
    /// step (a reply without a request, say) is a fault of the caller and changes nothing.
    pub fn input(&mut self, input: Input<'_>) -> Vec<Output> {
        let mut out = Vec::new();
        match input {
            Input::Start if self.step == Step::Idle => self.create(&mut out),
            Input::GiveUp if self.step.waits() && !self.quitting => self.give_up(&mut out),
            Input::Reply(reply) if !self.step.is_over() => self.reply(reply, &mut out),
            Input::Event(event) => self.event(event, &mut out),
            Input::Sort if self.step == Step::Sorting => self.sort(&mut out),
            Input::Resource(reply) => self.resource(reply, &mut out),
            Input::Timer(ClientTimer::Work) => self.work_is_over(&mut out),
            Input::Timer(ClientTimer::Poll) if self.step == Step::Napping => self.look(&mut out),
            Input::Disconnected => self.disconnected(&mut out),
            Input::Reconnected => self.reconnected(&mut out),
            Input::Expired => self.expired(&mut out),
            Input::NewSession(session) => self.new_session(session, &mut out),
            Input::Start
            | Input::GiveUp
            | Input::Reply(_)
            | Input::Sort
            | Input::Timer(ClientTimer::Poll) => {}
        }
        out
    }

    pub(super) fn single(&self) -> bool {
        self.decisions.single()
    }

    /// Sends a request. Without a connection it is not sent: `resume` sends it again.
    pub(super) fn send(&self, request: Request, out: &mut Vec<Output>) {
        if self.connected {
            out.push(Output::Send(request));
        } else {
            out.push(Output::HeldBack);
        }
    }

    pub(super) fn create(&mut self, out: &mut Vec<Output>) {
        let (name, mode) = match self.decisions.node {
            NodeKind::EphemeralSequential => {
                (prefix(&self.guid, self.reads), CreateMode::EphemeralSequential)
            }
            NodeKind::PersistentSequential => {
                (prefix(&self.guid, self.reads), CreateMode::PersistentSequential)
            }
            NodeKind::EphemeralSingle => (SINGLE_NAME.to_string(), CreateMode::Ephemeral),
        };
        self.step = Step::Creating;
        self.me = None;
        self.token = None;
        let (path, data) = (join(&self.dir, &name), "".into());
        // The czxid comes with the reply of create2.
        let request = if self.wants_czxid() {
            Request::Create2 { path, data, mode }
        } else {
            Request::Create { path, data, mode }
        };
        self.send(request, out);
    }

    pub(super) fn wants_czxid(&self) -> bool {
        self.decisions.has_token() && (self.decisions.token == Token::Czxid || self.single())
    }

    /// Notes its own node, and the token that comes with it.
    pub(super) fn note_node(&mut self, name: &str, czxid: Option<Zxid>) {
        self.me = Some(name.into());
        self.token = if !self.decisions.has_token() {
            None
        } else if self.wants_czxid() {
            czxid.map(|zxid| zxid.0)
        } else {
            sequence(name).map(i64::from)
        };
    }

    fn reply(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match self.step {
            Step::Creating | Step::MakingDir => self.creating(reply, out),
            Step::Syncing | Step::Finding | Step::Verifying => self.searched(reply, out),
            Step::Listing | Step::Checking | Step::Watching => self.looked(reply, out),
            Step::Reading | Step::Writing | Step::Rechecking => self.answered(reply, out),
            Step::Releasing | Step::Requeuing | Step::Quitting => self.deleted(reply, out),
            // Without a request under way there is no reply.
            Step::Idle
            | Step::Sorting
            | Step::Asleep
            | Step::Napping
            | Step::Working
            | Step::Committing
            | Step::LateCommitting
            | Step::Settling
            | Step::Rejoining
            | Step::Done
            | Step::Failed(_) => {}
        }
    }

    /// The reply to the `create` of its node or of the directory.
    fn creating(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        let makes_dir = self.step == Step::MakingDir;
        match reply {
            Ok(_) | Err(ErrorCode::NodeExists) if makes_dir && self.quitting => self.quit(out),
            Ok(_) | Err(ErrorCode::NodeExists) if makes_dir => self.create(out),
            Ok(Reply::Created { path }) => self.created(path, None, out),
            Ok(Reply::Created2 { path, stat }) => self.created(path, Some(stat.czxid), out),
            Err(ErrorCode::NoNode) if !makes_dir => self.make_dir(out),
            Err(_) if self.quitting => self.quit(out),
            Err(ErrorCode::NodeExists) if self.single() => self.taken(out),
            Err(error) => self.fail(*error, out),
            Ok(_) => {}
        }
    }

    /// The answer to `delete` of its own node. NoNode is as good: the node is gone.
    fn deleted(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match (reply, self.step) {
            (Ok(_) | Err(ErrorCode::NoNode), Step::Releasing) => self.released(out),
            (Ok(_) | Err(ErrorCode::NoNode), Step::Requeuing) => self.create(out),
            (Ok(_) | Err(ErrorCode::NoNode), _) => self.finish(false, out),
            (Err(error), _) => self.fail(*error, out),
        }
    }

    /// Stops for good: the recipe has no answer to this error.
    pub(super) fn fail(&mut self, error: ErrorCode, out: &mut Vec<Output>) {
        if self.step.believes() {
            out.push(Output::LostLock { why: Loss::Looked });
        }
        self.step = Step::Failed(error);
        out.push(Output::Failed(error));
    }

    fn created(&mut self, path: &str, czxid: Option<Zxid>, out: &mut Vec<Output>) {
        self.note_node(last_part(path), czxid);
        if self.quitting {
            self.quit(out);
        } else if self.single() {
            self.acquire(true, out);
        } else {
            self.list_children(out);
        }
    }

    pub(super) fn make_dir(&mut self, out: &mut Vec<Output>) {
        self.step = Step::MakingDir;
        let path = self.dir.clone();
        self.send(Request::Create { path, data: "".into(), mode: CreateMode::Persistent }, out);
    }
}
