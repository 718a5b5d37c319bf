//! What a client does about lost contact: a lost reply, a lost connection, a lost session; and how it
//! gives up waiting.

use super::client::LockClient;
use super::{
    DeleteTries, Disconnect, Expired, GiveUp, Guard, Loss, LostReply, Output, Reconnect, SINGLE_NAME, Step,
    WaitError, join,
};

use crate::zookeeper::{ErrorCode, Path, Reply, Request, SessionId};

impl LockClient {
    pub(super) fn disconnected(&mut self, out: &mut Vec<Output>) {
        // Without a connection before, no request is under way.
        let asks = std::mem::replace(&mut self.connected, false);
        match self.step {
            step if step.believes() && self.decisions.disconnect == Disconnect::Requeue => {
                let asked = self.waits_for_the_resource();
                self.lost(Loss::Disconnected, out);
                self.leave_the_lock(asked);
            }
            Step::Listing | Step::Checking | Step::Watching if asks && self.fails_to_wait() => {
                self.fail_to_wait(ErrorCode::ConnectionLoss, out);
            }
            Step::Releasing | Step::Requeuing | Step::Quitting
                if asks && self.decisions.delete == DeleteTries::Once =>
            {
                self.leave_the_node(out);
            }
            _ => {}
        }
    }

    /// Whether an error ends its wait.
    fn fails_to_wait(&self) -> bool {
        self.decisions.error != WaitError::Retry && !self.quitting
    }

    /// Its `delete` got no reply, and it does not try again: the node may stay as long as the session lives.
    fn leave_the_node(&mut self, out: &mut Vec<Output>) {
        out.push(Output::RequestFailed(ErrorCode::ConnectionLoss));
        match self.step {
            Step::Releasing => self.released(out),
            Step::Requeuing => self.rejoin(out),
            _ => self.finish(false, out),
        }
    }

    pub(super) fn reconnected(&mut self, out: &mut Vec<Output>) {
        self.connected = true;
        let looks = match self.decisions.reconnect {
            Reconnect::RearmAndLook | Reconnect::Look => true,
            Reconnect::Rearm | Reconnect::Forget => false,
        };
        if looks && self.step == Step::Asleep {
            out.push(Output::Woke);
            self.look(out);
        } else {
            self.resume(out);
        }
    }

    pub(super) fn new_session(&mut self, session: SessionId, out: &mut Vec<Output>) {
        self.note_session(session);
        self.connected = true;
        let looks_for_its_node =
            matches!(self.step, Step::Creating | Step::Syncing | Step::Finding | Step::Verifying);
        if looks_for_its_node && !self.single() && self.decisions.lost_reply == LostReply::OwnNoSync {
            // What it asked for in another session is not its own any more.
            self.create(out);
            return;
        }
        // Whatever it waited for was watched in the session that is over (`expired=reuse`).
        if self.step == Step::Asleep { self.look(out) } else { self.resume(out) }
    }

    /// The server has ended the session, and its nodes with it.
    pub(super) fn expired(&mut self, out: &mut Vec<Output>) {
        self.connected = false;
        let waits_in_the_queue = match self.step {
            Step::Listing
            | Step::Sorting
            | Step::Checking
            | Step::Watching
            | Step::Asleep
            | Step::Napping => true,
            Step::Idle
            | Step::Creating
            | Step::MakingDir
            | Step::Syncing
            | Step::Finding
            | Step::Verifying
            | Step::Reading
            | Step::Working
            | Step::Rechecking
            | Step::Writing
            | Step::Committing
            | Step::Releasing
            | Step::LateCommitting
            | Step::Settling
            | Step::Requeuing
            | Step::Rejoining
            | Step::Quitting
            | Step::Done
            | Step::Failed(_) => false,
        };
        if waits_in_the_queue && self.fails_to_wait() {
            self.fail_without_a_node(ErrorCode::SessionExpired, out);
            return;
        }
        if self.decisions.expired == Expired::Reuse {
            return;
        }
        match self.step {
            step if step.believes() => {
                let asked = self.waits_for_the_resource();
                self.lost(Loss::Expired, out);
                self.leave_the_lock(asked);
            }
            Step::Releasing => self.released(out),
            Step::Quitting => self.finish(false, out),
            step if step.waits() && self.quitting => self.finish(false, out),
            step if step.waits() => {
                if self.me.is_some() {
                    out.push(Output::GaveUpPlace);
                }
                self.leave_the_lock(false);
            }
            _ => {}
        }
    }

    /// Whether the resource has a request of its holder and has not answered.
    fn waits_for_the_resource(&self) -> bool {
        let at_resource = matches!(self.step, Step::Reading | Step::Writing | Step::Committing);
        at_resource && !self.held_back && self.decisions.resource != Guard::Multi
    }

    /// Its node is not its own any more. It queues again once it can, but first hears what becomes of a
    /// request that the resource has.
    fn leave_the_lock(&mut self, asked: bool) {
        self.me = None;
        self.token = None;
        self.held_back = false;
        self.uncommitted = false;
        self.step = if asked { Step::Settling } else { Step::Rejoining };
    }

    /// Queues again, at the back.
    pub(super) fn rejoin(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Rejoining;
        if self.connected {
            self.create(out);
        }
    }

    /// Goes on from where the connection was lost: what was under way is asked again.
    fn resume(&mut self, out: &mut Vec<Output>) {
        match self.step {
            Step::Creating | Step::Syncing | Step::Finding | Step::Verifying => self.recover(out),
            Step::MakingDir => self.make_dir(out),
            Step::Listing | Step::Sorting | Step::Checking | Step::Watching if self.quitting => {
                self.quit(out)
            }
            Step::Listing | Step::Sorting | Step::Checking | Step::Watching => self.look(out),
            Step::Rejoining => self.create(out),
            Step::Reading | Step::Writing if self.decisions.resource == Guard::Multi => self.act(out),
            Step::Rechecking => self.act(out),
            Step::Reading | Step::Writing | Step::Committing if self.held_back => {
                self.held_back = false;
                self.act(out);
            }
            Step::Releasing | Step::Requeuing | Step::Quitting => self.delete(self.step, out),
            Step::Idle
            | Step::Asleep
            | Step::Napping
            | Step::Reading
            | Step::Working
            | Step::Writing
            | Step::Committing
            | Step::LateCommitting
            | Step::Settling
            | Step::Done
            | Step::Failed(_) => {}
        }
    }

    /// The reply to `create` was lost: the node may be there or not.
    fn recover(&mut self, out: &mut Vec<Output>) {
        if self.single() {
            self.step = Step::Verifying;
            self.list = Some([SINGLE_NAME.into()].into());
            self.verify(out);
            return;
        }
        match self.decisions.lost_reply {
            LostReply::Again => self.create(out),
            LostReply::GuidNoSync | LostReply::AnyGuidNoSync | LostReply::OwnNoSync => self.find(out),
            LostReply::Guid | LostReply::AnyGuid => {
                self.step = Step::Syncing;
                self.send(Request::Sync { path: self.dir.clone() }, out);
            }
        }
    }

    fn find(&mut self, out: &mut Vec<Output>) {
        self.step = Step::Finding;
        self.send(Request::GetChildren { path: self.dir.clone(), watch: false }, out);
    }

    /// The answer to one step of the search for its own node.
    pub(super) fn searched(&mut self, reply: &Result<Reply, ErrorCode>, out: &mut Vec<Output>) {
        match (self.step, reply) {
            (Step::Finding, Ok(Reply::Children { children })) => {
                let mine = children.iter().filter(|name| name.starts_with(&*self.guid)).cloned();
                self.list = Some(mine.collect::<Vec<_>>().into());
                self.step = Step::Verifying;
                match self.candidate().filter(|_| self.trusts_the_list()) {
                    Some(name) => {
                        self.list = None;
                        self.found(&name, None, out);
                    }
                    None => self.verify(out),
                }
            }
            (Step::Verifying, Ok(Reply::Data { stat, .. })) => {
                let trusts = self.trusts_any_node() && !self.single();
                let candidate = self.candidate();
                if trusts || stat.ephemeral_owner == Some(self.session) {
                    self.list = None;
                    self.found(&candidate.unwrap_or_default(), Some(stat.czxid), out);
                } else if self.single() {
                    self.list = None;
                    self.taken(out);
                } else {
                    self.next_candidate(out);
                }
            }
            (Step::Verifying, _) => self.next_candidate(out),
            (Step::Finding, _) => self.not_found(out),
            // Whatever came of the sync: it has come through.
            (_, _) => self.find(out),
        }
    }

    /// Whether a node with its GUID is its own, whoever owns it.
    fn trusts_any_node(&self) -> bool {
        match self.decisions.lost_reply {
            LostReply::AnyGuid | LostReply::AnyGuidNoSync | LostReply::OwnNoSync => true,
            LostReply::Guid | LostReply::GuidNoSync | LostReply::Again => false,
        }
    }

    /// Whether a name in the list is enough. A token that is a czxid has to be asked for all the same.
    fn trusts_the_list(&self) -> bool {
        let asks = self.wants_czxid() || self.decisions.lost_reply == LostReply::AnyGuid;
        self.trusts_any_node() && !asks
    }

    fn candidate(&self) -> Option<Path> {
        self.list.as_ref().and_then(|list| list.first()).cloned()
    }

    /// Asks whose the first of the nodes with its GUID is.
    fn verify(&mut self, out: &mut Vec<Output>) {
        match self.candidate() {
            Some(name) => {
                self.send(Request::GetData { path: join(&self.dir, &name), watch: false }, out);
            }
            None => self.not_found(out),
        }
    }

    fn next_candidate(&mut self, out: &mut Vec<Output>) {
        let rest = self.list.take().map(|list| list.iter().skip(1).cloned().collect::<Vec<_>>());
        self.list = rest.map(Into::into);
        self.verify(out);
    }

    fn found(&mut self, name: &str, czxid: Option<crate::zookeeper::Zxid>, out: &mut Vec<Output>) {
        self.note_node(name, czxid);
        out.push(Output::Found { node: Some(name.into()) });
        if self.quitting {
            self.quit(out);
        } else if self.single() {
            self.acquire(true, out);
        } else {
            self.look(out);
        }
    }

    fn not_found(&mut self, out: &mut Vec<Output>) {
        self.list = None;
        out.push(Output::Found { node: None });
        if self.quitting { self.finish(false, out) } else { self.create(out) }
    }

    pub(super) fn give_up(&mut self, out: &mut Vec<Output>) {
        let leaves = self.decisions.give_up == GiveUp::Leave;
        out.push(Output::GaveUp { leaves });
        if leaves {
            self.finish(false, out);
            return;
        }
        self.quitting = true;
        // With a request under way, it waits for the answer first.
        if matches!(self.step, Step::Asleep | Step::Napping | Step::Sorting | Step::Rejoining) {
            self.quit(out);
        }
    }

    /// Deletes its node, if it knows of one, and is through.
    pub(super) fn quit(&mut self, out: &mut Vec<Output>) {
        if self.me.is_some() {
            self.delete(Step::Quitting, out);
        } else {
            self.finish(false, out);
        }
    }
}
