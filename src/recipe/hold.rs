//! A client that holds the lock, as it believes: it reads, works, writes, commits, and lets go.

use super::client::{LockClient, STOCK_PATH};
use super::{
    ClientTimer, Commit, Guard, Loss, Output, ResourceReply, ResourceRequest, SINGLE_NAME, Step, join,
};
use crate::zookeeper::{ErrorCode, MultiOp, MultiResult, Reply, Request};

impl LockClient {
    pub(super) fn acquire(&mut self, looked: bool, out: &mut Vec<Output>) {
        self.target = None;
        out.push(Output::Acquired { looked, token: self.token });
        self.go(Step::Reading, out);
    }

    /// Goes to a step under the lock and does what is to be done there, unless it has no connection and
    /// waits for one.
    pub(super) fn go(&mut self, step: Step, out: &mut Vec<Output>) {
        self.step = step;
        self.held_back = self.in_doubt();
        if self.held_back {
            out.push(Output::HeldBack);
        } else {
            self.act(out);
        }
    }

    /// Does what is to be done at this step under the lock.
    pub(super) fn act(&mut self, out: &mut Vec<Output>) {
        let token = self.token;
        let (base, value) = (self.stock, self.stock - 1);
        let multi = self.decisions.resource == Guard::Multi;
        match self.step {
            Step::Reading if multi => {
                self.send(Request::GetData { path: STOCK_PATH.into(), watch: false }, out);
            }
            Step::Writing if multi => {
                let me = self.me.as_deref().unwrap_or_default();
                let (path, data) = (STOCK_PATH.into(), value.to_string().into());
                let ops = vec![
                    MultiOp::Check { path: join(&self.dir, me), version: -1 },
                    MultiOp::SetData { path, data, version: self.stock_version },
                ];
                self.send(Request::Multi { ops }, out);
            }
            Step::Reading => out.push(Output::Ask(ResourceRequest::Read { token, shared: self.reads })),
            Step::Writing => out.push(Output::Ask(ResourceRequest::Write { token, base, value })),
            Step::Committing | Step::LateCommitting => {
                out.push(Output::Ask(ResourceRequest::Commit { token }));
            }
            Step::Rechecking => {
                self.send(Request::GetChildren { path: self.dir.clone(), watch: false }, out);
            }
            _ => {}
        }
    }

    /// ZooKeeper's answer to a request that it sent under the lock.
    pub(super) fn answered(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match (self.step, reply) {
            (Step::Rechecking, reply) => self.rechecked(reply, out),
            (Step::Reading, Ok(Reply::Data { data, stat })) => {
                self.stock_version = stat.version;
                self.stock = data.parse().unwrap_or(0);
                self.has_read(out);
            }
            (Step::Writing, Ok(Reply::Multi { results })) => self.multi_done(results, out),
            (_, Err(error)) => self.fail(*error, out),
            (_, Ok(_)) => {}
        }
    }

    /// It has read the stock. A reader works on it all the same; with nothing left there is
    /// nothing to sell.
    pub(super) fn has_read(&mut self, out: &mut Vec<Output>) {
        if self.stock <= 0 && !self.reads {
            self.release(out);
            return;
        }
        self.step = Step::Working;
        out.push(Output::SetTimer(ClientTimer::Work));
    }

    /// The work is over.
    pub(super) fn work_is_over(&mut self, out: &mut Vec<Output>) {
        match self.step {
            Step::Working if self.reads => {
                self.worked = true;
                self.release(out);
            }
            Step::Working if self.decisions.resource == Guard::ClientCheck => {
                self.go(Step::Rechecking, out);
            }
            Step::Working => self.go(Step::Writing, out),
            Step::LateCommitting => self.act(out),
            _ => {}
        }
    }

    /// `resource=client-check`: it has looked once more whether it is the first.
    pub(super) fn rechecked(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        let first = match reply {
            Ok(Reply::Children { children }) if self.single() => {
                children.iter().any(|name| &**name == SINGLE_NAME)
            }
            Ok(Reply::Children { children }) => {
                self.place_in(children).is_some_and(|place| place.listed && place.ahead == 0)
            }
            _ => false,
        };
        if first {
            self.go(Step::Writing, out);
        } else {
            self.lost(Loss::Looked, out);
            self.delete(Step::Releasing, out);
        }
    }

    pub(super) fn resource(&mut self, reply: ResourceReply, out: &mut Vec<Output>) {
        match (self.step, reply) {
            (Step::Reading, ResourceReply::Value(value)) => {
                self.stock = value;
                self.has_read(out);
            }
            (Step::Writing, ResourceReply::Written) => match self.decisions.commit {
                Commit::Inside => self.go(Step::Committing, out),
                Commit::AfterRelease => {
                    self.uncommitted = true;
                    self.release(out);
                }
            },
            (Step::Committing, ResourceReply::Committed) => {
                self.worked = true;
                self.release(out);
            }
            (Step::LateCommitting | Step::Settling, ResourceReply::Committed) => self.finish(true, out),
            (Step::LateCommitting, ResourceReply::Refused { .. }) => self.finish(false, out),
            (Step::Settling, _) => self.rejoin(out),
            (Step::Reading | Step::Writing | Step::Committing, ResourceReply::Refused { .. }) => {
                self.lost(Loss::Refused, out);
                self.delete(Step::Releasing, out);
            }
            (
                _,
                ResourceReply::Value(_)
                | ResourceReply::Written
                | ResourceReply::Committed
                | ResourceReply::Refused { .. },
            ) => {}
        }
    }

    /// `resource=multi`: the transaction was carried out, or nothing of it was.
    pub(super) fn multi_done(&mut self, results: &[MultiResult], out: &mut Vec<Output>) {
        let check_failed = matches!(results.first(), Some(MultiResult::Error(Some(_))));
        if check_failed {
            self.lost(Loss::Refused, out);
            self.delete(Step::Releasing, out);
        } else {
            // BadVersion alone: an earlier attempt, whose reply was lost, has been carried out.
            self.worked = true;
            self.release(out);
        }
    }

    pub(super) fn release(&mut self, out: &mut Vec<Output>) {
        out.push(Output::Released);
        self.delete(Step::Releasing, out);
    }

    /// It learns that the lock is not its own any more.
    pub(super) fn lost(&mut self, why: Loss, out: &mut Vec<Output>) {
        self.held_back = false;
        out.push(Output::LostLock { why });
    }

    /// Its node is gone.
    pub(super) fn released(&mut self, out: &mut Vec<Output>) {
        if self.uncommitted {
            self.uncommitted = false;
            self.step = Step::LateCommitting;
            out.push(Output::SetTimer(ClientTimer::Work));
        } else {
            self.finish(self.worked, out);
        }
    }

    pub(super) fn finish(&mut self, worked: bool, out: &mut Vec<Output>) {
        self.step = Step::Done;
        out.push(Output::Finished { worked });
    }

    /// Deletes its own node, being at `step` until it hears that it is gone.
    pub(super) fn delete(&mut self, step: Step, out: &mut Vec<Output>) {
        self.step = step;
        if let Some(me) = &self.me {
            let path = join(&self.dir, me);
            self.send(Request::Delete { path, version: -1 }, out);
        }
    }
}
