//! One client of the lock: where it stands, what it believes, and what it does with what it hears.
//!
//! [`LockClient::input`] takes one thing that happened to the client and returns what the client
//! does about it. The order of the steps is that of ZooKeeper's recipe page ("Locks"); each
//! decision is one `match` below.

use std::sync::Arc;

use serde::Serialize;

use super::{
    Check, Decisions, Missing, NodeKind, Order, SINGLE_NAME, Step, Wake, Watch, join, last_part, prefix,
    sequence,
};
use crate::zookeeper::{CreateMode, ErrorCode, EventType, Path, Reply, Request, WatchedEvent};

/// A request to the guarded resource: stock that a holder reads, and writes back less one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub enum ResourceRequest {
    Read,
    /// Stores `value`; `base` is the value the writer had read, which the resource does not check.
    Write {
        base: i64,
        value: i64,
    },
}

/// The resource's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceReply {
    Value(i64),
    Stored,
}

/// A timer of the client's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientTimer {
    /// The end of the work under the lock.
    Work,
    /// The next question of a client that polls.
    Poll,
}

/// One thing that happens to a client.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// It is asked to take the lock, work, and let it go.
    Start,
    /// The answer to its last ZooKeeper request.
    Reply(&'a Result<Reply, ErrorCode>),
    /// A watch event.
    Event(&'a WatchedEvent),
    /// It gets to think about the list it has heard.
    Sort,
    /// The answer of the resource.
    Resource(ResourceReply),
    /// One of its timers went off.
    Timer(ClientTimer),
}

/// What a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Sends a request to ZooKeeper. It never has two under way.
    Send(Request),
    /// Sends a request to the resource.
    Ask(ResourceRequest),
    SetTimer(ClientTimer),
    /// Will think: the world must give it an [`Input::Sort`].
    WillSort,
    /// Has sorted the list: `place` nodes stand before its own (0 is first), `of` is how many
    /// there are, `ahead` is the name it will aim at.
    Sorted {
        place: u32,
        of: u32,
        ahead: Option<Path>,
    },
    /// Heard an event while it waited for one.
    Woke,
    /// Waits for an event about `on`.
    Slept {
        on: Path,
    },
    /// Believes from here on that it holds the lock. `looked` is false where it took an event's word for it.
    Acquired {
        looked: bool,
    },
    /// Believes no longer that it holds the lock.
    Released,
    /// Gives up its place in the queue, to start at the back.
    GaveUpPlace,
    /// Is through.
    Finished,
    /// Stops for good: the recipe has no answer to this error.
    Failed(ErrorCode),
}

/// A client of the lock. It knows its decisions, its own name, and what messages told it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockClient {
    decisions: Decisions,
    dir: Path,
    guid: Arc<str>,
    step: Step,
    /// The name of its own node, once a reply has told it.
    me: Option<Path>,
    /// The name it aims its watch at.
    ahead: Option<Path>,
    /// The children as last listed, until they are sorted.
    list: Option<Arc<[Path]>>,
    /// An event about what it watches came before it lay down to sleep.
    stirred: bool,
    /// The value it read from the resource.
    stock: i64,
}

impl LockClient {
    /// A client that has not started. `dir` is the lock's directory, `guid` goes into its node's name.
    pub fn new(decisions: Decisions, dir: Path, guid: Arc<str>) -> LockClient {
        LockClient {
            decisions,
            dir,
            guid,
            step: Step::Idle,
            me: None,
            ahead: None,
            list: None,
            stirred: false,
            stock: 0,
        }
    }

    pub fn step(&self) -> Step {
        self.step
    }

    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The name of its own node as it knows it.
    pub fn me(&self) -> Option<&Path> {
        self.me.as_ref()
    }

    /// The name it last aimed at.
    pub fn ahead(&self) -> Option<&Path> {
        self.ahead.as_ref()
    }

    /// The list it is about to sort.
    pub fn list(&self) -> Option<&Arc<[Path]>> {
        self.list.as_ref()
    }

    /// Whether an event came before it lay down to sleep.
    pub fn stirred(&self) -> bool {
        self.stirred
    }

    /// The value it last read from the resource.
    pub fn stock(&self) -> i64 {
        self.stock
    }

    /// Takes one input and returns what the client does, in order. An input that does not fit the
    /// step (a reply without a request, say) is a fault of the caller and changes nothing.
    pub fn input(&mut self, input: Input<'_>) -> Vec<Output> {
        let mut out = Vec::new();
        match input {
            Input::Start if self.step == Step::Idle => self.create(&mut out),
            Input::Reply(reply) => self.reply(reply, &mut out),
            Input::Event(event) => self.event(event, &mut out),
            Input::Sort if self.step == Step::Sorting => self.sort(&mut out),
            Input::Resource(reply) => self.resource(reply, &mut out),
            Input::Timer(ClientTimer::Work) if self.step == Step::Working => {
                self.step = Step::Writing;
                out.push(Output::Ask(ResourceRequest::Write { base: self.stock, value: self.stock - 1 }));
            }
            Input::Timer(ClientTimer::Poll) if self.step == Step::Napping => self.look(&mut out),
            Input::Start | Input::Sort | Input::Timer(_) => {}
        }
        out
    }

    fn single(&self) -> bool {
        self.decisions.node == NodeKind::EphemeralSingle
    }

    fn create(&mut self, out: &mut Vec<Output>) {
        let (name, mode) = match self.decisions.node {
            NodeKind::EphemeralSequential => (prefix(&self.guid), CreateMode::EphemeralSequential),
            NodeKind::PersistentSequential => (prefix(&self.guid), CreateMode::PersistentSequential),
            NodeKind::EphemeralSingle => (SINGLE_NAME.to_string(), CreateMode::Ephemeral),
        };
        self.step = Step::Creating;
        self.me = None;
        out.push(Output::Send(Request::Create { path: join(&self.dir, &name), data: "".into(), mode }));
    }

    /// Reads the queue, or tries for the single name.
    fn look(&mut self, out: &mut Vec<Output>) {
        if self.single() {
            self.create(out);
        } else {
            self.list_children(out);
        }
    }

    fn list_children(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Listing;
        let watch = self.decisions.watch == Watch::Parent;
        out.push(Output::Send(Request::GetChildren { path: self.dir.clone(), watch }));
    }

    fn reply(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match (self.step, reply) {
            (Step::Creating, Ok(Reply::Created { path })) => {
                self.me = Some(last_part(path).into());
                if self.single() { self.acquire(true, out) } else { self.list_children(out) }
            }
            (Step::Creating, Err(ErrorCode::NodeExists)) if self.single() => self.taken(out),
            (Step::Listing, Ok(Reply::Children { children })) => {
                // What was heard before this reply is older than the reply.
                self.stirred = false;
                self.list = Some(children.clone());
                self.step = Step::Sorting;
                out.push(Output::WillSort);
            }
            (Step::Checking, Ok(_)) => self.watch(out),
            (Step::Checking, Err(ErrorCode::NoNode)) => self.missing(out),
            (Step::Watching, Err(ErrorCode::NoNode)) if self.decisions.check != Check::Separate => {
                self.missing(out)
            }
            // With check=separate this answer is not looked at, whatever it is.
            (Step::Watching, _) => self.sleep(out),
            (Step::Releasing, Ok(_) | Err(ErrorCode::NoNode)) => {
                self.step = Step::Done;
                out.push(Output::Finished);
            }
            (Step::Requeuing, Ok(_) | Err(ErrorCode::NoNode)) => self.create(out),
            (_, Err(error)) => {
                self.step = Step::Failed(*error);
                out.push(Output::Failed(*error));
            }
            (_, Ok(_)) => {}
        }
    }

    /// The single name is taken: how to wait for it.
    fn taken(&mut self, out: &mut Vec<Output>) {
        match self.decisions.watch {
            Watch::Predecessor | Watch::Holder => {
                self.ahead = Some(SINGLE_NAME.into());
                self.aim(out);
            }
            Watch::Parent => self.list_children(out),
            Watch::Poll => self.nap(out),
        }
    }

    fn sort(&mut self, out: &mut Vec<Output>) {
        let Some(list) = self.list.take() else { return };
        if self.single() {
            self.sort_single(&list, out);
            return;
        }
        let Some((place, ahead)) = self.place_in(&list) else {
            // Its own node is gone: there is no place to wait in.
            out.push(Output::GaveUpPlace);
            self.create(out);
            return;
        };
        self.ahead = ahead.clone();
        out.push(Output::Sorted { place, of: list.len() as u32, ahead });
        if place == 0 {
            self.acquire(true, out);
            return;
        }
        match self.decisions.watch {
            Watch::Predecessor | Watch::Holder => self.aim(out),
            Watch::Parent => self.sleep(out),
            Watch::Poll => self.nap(out),
        }
    }

    fn sort_single(&mut self, list: &[Path], out: &mut Vec<Output>) {
        let taken = list.iter().any(|name| &**name == SINGLE_NAME);
        self.ahead = taken.then(|| SINGLE_NAME.into());
        out.push(Output::Sorted { place: taken.into(), of: list.len() as u32, ahead: self.ahead.clone() });
        if taken { self.sleep(out) } else { self.create(out) }
    }

    /// How many nodes stand before its own, and the name to aim at. One pass: the list need not be
    /// sorted to find the first and the one just ahead.
    fn place_in(&self, list: &[Path]) -> Option<(u32, Option<Path>)> {
        let me = self.me.as_ref()?;
        let by_number = self.decisions.order == Order::Sequence;
        let mine = sort_key(by_number, me);
        let mut found = false;
        let mut place = 0;
        let (mut first, mut just_ahead) = (None, None);
        for name in list {
            let other = (sort_key(by_number, name), name);
            if other.0 == mine {
                found = true;
            } else if other.0 < mine {
                place += 1;
                first = Some(first.map_or(other, |best| other.min(best)));
                just_ahead = Some(just_ahead.map_or(other, |best| other.max(best)));
            }
        }
        let target = match self.decisions.watch {
            Watch::Predecessor => just_ahead,
            Watch::Holder | Watch::Parent | Watch::Poll => first,
        };
        found.then_some((place, target.map(|(_, name)| name.clone())))
    }

    /// Checks and watches the name it aims at, in one request or in two.
    fn aim(&mut self, out: &mut Vec<Output>) {
        self.stirred = false;
        match self.decisions.check {
            Check::GetData | Check::Exists => self.watch(out),
            Check::Separate => {
                self.step = Step::Checking;
                let path = self.target();
                out.push(Output::Send(Request::Exists { path, watch: false }));
            }
        }
    }

    fn watch(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Watching;
        let path = self.target();
        out.push(Output::Send(match self.decisions.check {
            Check::GetData => Request::GetData { path, watch: true },
            Check::Exists | Check::Separate => Request::Exists { path, watch: true },
        }));
    }

    /// The path it watches or is about to.
    fn target(&self) -> Path {
        match (self.decisions.watch, &self.ahead) {
            (Watch::Predecessor | Watch::Holder, Some(name)) => join(&self.dir, name),
            (Watch::Parent | Watch::Poll, _) | (_, None) => self.dir.clone(),
        }
    }

    fn missing(&mut self, out: &mut Vec<Output>) {
        match self.decisions.missing {
            Missing::Ignore => self.sleep(out),
            Missing::Requeue if !self.single() => {
                self.step = Step::Requeuing;
                out.push(Output::GaveUpPlace);
                self.delete(out);
            }
            Missing::Relist | Missing::Requeue => self.look(out),
        }
    }

    fn sleep(&mut self, out: &mut Vec<Output>) {
        if self.stirred {
            self.woken(out);
            return;
        }
        self.step = Step::Asleep;
        out.push(Output::Slept { on: self.target() });
    }

    fn nap(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Napping;
        out.push(Output::SetTimer(ClientTimer::Poll));
    }

    fn event(&mut self, event: &WatchedEvent, out: &mut Vec<Output>) {
        let about_mine = event.path == self.target();
        if self.step == Step::Asleep {
            self.woken(out);
        } else if about_mine && event.kind != EventType::NodeCreated && self.step.waits() {
            self.stirred = true;
        }
    }

    fn woken(&mut self, out: &mut Vec<Output>) {
        self.stirred = false;
        out.push(Output::Woke);
        match self.decisions.wake {
            Wake::Recheck => self.look(out),
            Wake::Assume => {
                if self.single() {
                    // It will delete the one name when it is through, whoever made it.
                    self.me = Some(SINGLE_NAME.into());
                }
                self.acquire(false, out);
            }
        }
    }

    fn acquire(&mut self, looked: bool, out: &mut Vec<Output>) {
        self.step = Step::Reading;
        self.ahead = None;
        out.push(Output::Acquired { looked });
        out.push(Output::Ask(ResourceRequest::Read));
    }

    fn resource(&mut self, reply: ResourceReply, out: &mut Vec<Output>) {
        match (self.step, reply) {
            (Step::Reading, ResourceReply::Value(value)) => {
                self.stock = value;
                self.step = Step::Working;
                out.push(Output::SetTimer(ClientTimer::Work));
            }
            (Step::Writing, ResourceReply::Stored) => {
                self.step = Step::Releasing;
                out.push(Output::Released);
                self.delete(out);
            }
            (_, ResourceReply::Value(_) | ResourceReply::Stored) => {}
        }
    }

    fn delete(&mut self, out: &mut Vec<Output>) {
        if let Some(me) = &self.me {
            out.push(Output::Send(Request::Delete { path: join(&self.dir, me), version: -1 }));
        }
    }
}

/// What children are compared by. Names with equal numbers are told apart by the whole name.
fn sort_key(by_number: bool, name: &str) -> (Option<i32>, &str) {
    (if by_number { sequence(name) } else { None }, name)
}
