//! A client in the queue: it lists, sorts, watches, sleeps and wakes.

use std::sync::Arc;

use super::client::LockClient;
use super::{
    Absent, Check, ClientTimer, DirGone, Disconnect, Missing, Order, Output, ReaderWaits, SINGLE_NAME, Step,
    WaitError, Wake, Watch, is_reader, join, sequence,
};
use crate::zookeeper::{ErrorCode, EventType, Path, Reply, Request, WatchedEvent};

impl LockClient {
    /// Reads the queue, or tries for the single name.
    pub(super) fn look(&mut self, out: &mut Vec<Output>) {
        if self.single() {
            self.create(out);
        } else {
            self.list_children(out);
        }
    }

    /// The answer to `getChildren`, or to a request that checks or watches.
    pub(super) fn looked(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match (self.step, reply) {
            // A client that gives up goes once its last request is answered.
            _ if self.quitting => self.quit(out),
            (Step::Listing, Ok(Reply::Children { children })) => self.listed(children, out),
            (Step::Listing, Err(ErrorCode::NoNode)) => self.dir_gone(out),
            (Step::Checking, Ok(_)) => self.watch(out),
            (Step::Checking, Err(ErrorCode::NoNode)) => self.missing(out),
            (Step::Watching, Err(ErrorCode::NoNode)) if self.decisions.check != Check::Separate => {
                self.missing(out)
            }
            // With check=separate this answer is not looked at, whatever it is.
            (Step::Watching, _) => self.sleep(out),
            (_, Err(error)) => self.fail(*error, out),
            (_, Ok(_)) => {}
        }
    }

    /// The whole directory is gone, its own node with it.
    fn dir_gone(&mut self, out: &mut Vec<Output>) {
        match self.decisions.dir_gone {
            DirGone::Make => {
                out.push(Output::GaveUpPlace);
                self.create(out);
            }
            DirGone::Fail => self.fail_without_a_node(ErrorCode::NoNode, out),
            DirGone::Idle => {
                self.target = None;
                self.sleep(out);
            }
        }
    }

    fn listed(&mut self, children: &Arc<[Path]>, out: &mut Vec<Output>) {
        // What was heard before this reply is older than the reply.
        self.stirred = false;
        self.list = Some(children.clone());
        self.step = Step::Sorting;
        out.push(Output::WillSort);
    }

    pub(super) fn list_children(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Listing;
        let watch = self.decisions.watch == Watch::Parent;
        self.send(Request::GetChildren { path: self.dir.clone(), watch }, out);
    }

    /// The single name is taken: how to wait for it.
    pub(super) fn taken(&mut self, out: &mut Vec<Output>) {
        match self.decisions.watch {
            Watch::Predecessor | Watch::Holder => {
                self.target = Some(SINGLE_NAME.into());
                self.aim(out);
            }
            Watch::Parent => self.list_children(out),
            Watch::Poll => self.nap(out),
        }
    }

    pub(super) fn sort(&mut self, out: &mut Vec<Output>) {
        if !self.connected && self.decisions.disconnect != Disconnect::Continue {
            // The list is of before the connection was lost: it will ask again.
            return;
        }
        let Some(list) = self.list.take() else { return };
        if self.single() {
            self.sort_single(&list, out);
            return;
        }
        let Some(Place { ahead, target, listed }) = self.place_in(&list) else {
            out.push(Output::GaveUpPlace);
            self.create(out);
            return;
        };
        let of = list.len() as u32;
        if !listed && !self.goes_on_without_a_node(&list) {
            out.push(Output::Sorted { place: ahead, of, target: None, listed });
            self.has_lost_its_node(out);
            return;
        }
        self.target = target.clone();
        out.push(Output::Sorted { place: ahead, of, target, listed });
        if ahead == 0 && (listed || self.decisions.absent == Absent::Mine) {
            self.acquire(true, out);
            return;
        }
        match self.decisions.watch {
            // Nobody is ahead, and the first is another: there is nothing to watch (`WriteLock.java`, lines 234-257).
            Watch::Predecessor | Watch::Holder if self.target.is_none() => self.sleep(out),
            Watch::Predecessor | Watch::Holder => self.aim(out),
            Watch::Parent => self.sleep(out),
            Watch::Poll => self.nap(out),
        }
    }

    /// Whether it takes no notice of its own node's absence, and waits or holds as though it were in the list.
    fn goes_on_without_a_node(&self, list: &[Path]) -> bool {
        match self.decisions.absent {
            Absent::Mine => true,
            // An empty list makes WriteLock queue again (`WriteLock.java`, "No children in").
            Absent::Wait => !list.is_empty(),
            Absent::QueueAgain | Absent::Fail => false,
        }
    }

    fn has_lost_its_node(&mut self, out: &mut Vec<Output>) {
        match self.decisions.absent {
            Absent::Fail => self.fail_without_a_node(ErrorCode::NoNode, out),
            Absent::QueueAgain | Absent::Wait | Absent::Mine => {
                out.push(Output::GaveUpPlace);
                self.create(out);
            }
        }
    }

    /// Its wait ends with an error: whoever called it gets no lock.
    pub(super) fn fail_to_wait(&mut self, error: ErrorCode, out: &mut Vec<Output>) {
        out.push(Output::RequestFailed(error));
        if self.decisions.error == WaitError::FailAndDelete {
            out.push(Output::GaveUpPlace);
            self.quitting = true;
            self.quit(out);
        } else {
            let leaves = self.me.is_some();
            out.push(if leaves { Output::GaveUp { leaves } } else { Output::GaveUpPlace });
            self.finish(false, out);
        }
    }

    /// Its wait ends with an error, and its node is not there.
    pub(super) fn fail_without_a_node(&mut self, error: ErrorCode, out: &mut Vec<Output>) {
        self.me = None;
        out.push(Output::RequestFailed(error));
        out.push(Output::GaveUpPlace);
        self.finish(false, out);
    }

    fn sort_single(&mut self, list: &[Path], out: &mut Vec<Output>) {
        let taken = list.iter().any(|name| &**name == SINGLE_NAME);
        self.target = taken.then(|| SINGLE_NAME.into());
        out.push(Output::Sorted {
            place: taken.into(),
            of: list.len() as u32,
            target: self.target.clone(),
            listed: true,
        });
        if taken { self.sleep(out) } else { self.create(out) }
    }

    /// Its place in the list; `None` if it has no node. One pass: the list need not be sorted to
    /// find the first and the predecessor.
    pub(super) fn place_in(&self, list: &[Path]) -> Option<Place> {
        let me = self.me.as_ref()?;
        let order = self.decisions.order;
        let mine = sort_key(order, me);
        let mut listed = false;
        let mut count = 0;
        let (mut first, mut predecessor) = (None, None);
        for name in list {
            let other = (sort_key(order, name), name);
            if name == me {
                listed = true;
            } else if self.waits_for(name, other.0 < mine) {
                count += 1;
                first = Some(first.map_or(other, |best| other.min(best)));
                predecessor = Some(predecessor.map_or(other, |best| other.max(best)));
            }
        }
        let target = match self.decisions.watch {
            Watch::Predecessor => predecessor,
            Watch::Holder | Watch::Parent | Watch::Poll => first,
        };
        Some(Place { ahead: count, target: target.map(|(_, name)| name.clone()), listed })
    }

    /// Whether it must wait for the node `name`, which stands `ahead` of its own or behind it.
    fn waits_for(&self, name: &str, ahead: bool) -> bool {
        if !self.reads {
            return ahead;
        }
        match self.decisions.reader_waits {
            ReaderWaits::NearestWriter => ahead && !is_reader(name),
            ReaderWaits::NodeAhead => ahead,
            ReaderWaits::AnyWriter => !is_reader(name),
        }
    }

    /// Checks and watches the name it aims at, in one request or in two.
    pub(super) fn aim(&mut self, out: &mut Vec<Output>) {
        self.stirred = false;
        match self.decisions.check {
            Check::GetData | Check::Exists => self.watch(out),
            Check::Separate => {
                self.step = Step::Checking;
                let path = self.watched_path();
                self.send(Request::Exists { path, watch: false }, out);
            }
        }
    }

    pub(super) fn watch(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Watching;
        let path = self.watched_path();
        let request = match self.decisions.check {
            Check::GetData => Request::GetData { path, watch: true },
            Check::Exists | Check::Separate => Request::Exists { path, watch: true },
        };
        self.send(request, out);
    }

    /// The path it watches or is about to.
    fn watched_path(&self) -> Path {
        match (self.decisions.watch, &self.target) {
            (Watch::Predecessor | Watch::Holder, Some(name)) => join(&self.dir, name),
            (Watch::Parent | Watch::Poll, _) | (_, None) => self.dir.clone(),
        }
    }

    pub(super) fn missing(&mut self, out: &mut Vec<Output>) {
        match self.decisions.missing {
            Missing::Ignore => self.sleep(out),
            Missing::Requeue if !self.single() => {
                out.push(Output::GaveUpPlace);
                self.delete(Step::Requeuing, out);
            }
            Missing::Fail => self.fail_to_wait(ErrorCode::NoNode, out),
            Missing::Relist | Missing::Requeue => self.look(out),
        }
    }

    pub(super) fn sleep(&mut self, out: &mut Vec<Output>) {
        if self.stirred {
            self.woken(out);
            return;
        }
        self.step = Step::Asleep;
        out.push(Output::Slept { on: self.watched_path() });
    }

    pub(super) fn nap(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Napping;
        out.push(Output::SetTimer(ClientTimer::Poll));
    }

    pub(super) fn event(&mut self, event: &WatchedEvent, out: &mut Vec<Output>) {
        let about_mine = event.path == self.watched_path();
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
                    // It will delete the single name when it is done, even if another client made it.
                    self.me = Some(SINGLE_NAME.into());
                }
                self.acquire(false, out);
            }
        }
    }
}

/// A client's place in a list.
pub(super) struct Place {
    /// How many nodes it must wait for.
    pub ahead: u32,
    /// The node to aim its watch at.
    pub target: Option<Path>,
    /// Whether its own node is in the list.
    pub listed: bool,
}

/// What children are compared by.
fn sort_key(order: Order, name: &str) -> (Option<i32>, &str) {
    match order {
        // Names with equal numbers are told apart by the whole name.
        Order::Sequence => (sequence(name), name),
        Order::NumberOnly => (sequence(name), ""),
        Order::Name => (None, name),
    }
}
