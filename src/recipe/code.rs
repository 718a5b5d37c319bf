//! The recipe as pseudo-code: lines that are lit as a client stands on them, with a slot for each
//! decision.

use Part::{Code, Slot};

use super::{Check, Decisions, Guard, Key, LostReply, Step, Watch};

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Code, the same in both languages.
    Code(&'static str),
    /// The chosen option of a decision, which can be changed here.
    Slot(Key),
}

/// A line of pseudo-code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How deep it stands, in steps of two spaces.
    pub indent: u8,
    pub parts: Vec<Part>,
    /// The steps at which a client stands on this line.
    pub steps: &'static [Step],
}

/// The lines for these decisions. A line appears only where its decision means something. `shared`: some
/// clients only read.
pub fn lines(decisions: &Decisions, shared: bool) -> Vec<Line> {
    let mut page = Page { decisions, lines: Vec::new() };
    if decisions.single() {
        page.fight()
    } else {
        page.queue(shared)
    }
    page.wait();
    page.hold();
    page.lost_contact();
    page.lines
}

/// The lines, as they are written one below the other.
struct Page<'a> {
    decisions: &'a Decisions,
    lines: Vec<Line>,
}

impl Page<'_> {
    fn add(&mut self, indent: u8, steps: &'static [Step], parts: &[Part]) {
        self.lines.push(Line { indent, parts: parts.to_vec(), steps });
    }

    /// Everybody fights for one name.
    fn fight(&mut self) {
        self.add(0, &[], &[Code("loop:")]);
        self.add(1, CREATING, &[Code("create(\"lock\", "), Slot(Key::Node), Code(")")]);
        self.add(1, SEARCHING, &[Code("if it worked: held")]);
        if self.decisions.watch == Watch::Parent {
            self.add(1, &[Step::Listing, Step::Sorting], &[Code("if getChildren(dir, watch) has it: sleep")]);
            self.add(2, &[], &[Code("directory gone: "), Slot(Key::DirGone)]);
        }
    }

    /// Everybody queues, and looks whether it is first.
    fn queue(&mut self, shared: bool) {
        if self.decisions.lost_reply != LostReply::Again {
            self.add(0, &[], &[Code("guid: "), Slot(Key::Guid)]);
        }
        self.add(0, CREATING, &[Code("me = create("), Slot(Key::Node), Code(")")]);
        self.add(1, SEARCHING, &[Code("reply lost: "), Slot(Key::LostReply)]);
        self.add(0, &[], &[Code("loop:")]);
        let list = if self.decisions.watch == Watch::Parent {
            "kids = getChildren(dir, watch)"
        } else {
            "kids = getChildren(dir)"
        };
        self.add(1, &[Step::Listing], &[Code(list)]);
        self.add(2, &[], &[Code("directory gone: "), Slot(Key::DirGone)]);
        self.add(1, &[Step::Sorting], &[Code("sort kids "), Slot(Key::Order)]);
        self.add(2, &[], &[Code("me not among them: "), Slot(Key::Absent)]);
        if shared {
            self.add(1, &[], &[Code("a reader waits for "), Slot(Key::ReaderWaits)]);
        }
        self.add(1, &[], &[Code("if me is first: held")]);
    }

    fn wait(&mut self) {
        let aims = self.decisions.watch.aims_at_one_node();
        self.add(1, if aims { &[] } else { WAITING }, &[Code("watch "), Slot(Key::Watch)]);
        if aims {
            let steps: &[Step] = match self.decisions.check {
                Check::GetData | Check::Exists => &[Step::Watching],
                Check::Separate => &[Step::Checking, Step::Watching],
            };
            self.add(1, steps, &[Code("if "), Slot(Key::Check)]);
            self.add(2, &[Step::Asleep], &[Code("sleep")]);
            self.add(1, &[Step::Requeuing], &[Code("else: "), Slot(Key::Missing)]);
        }
        if self.decisions.watch != Watch::Poll {
            self.add(1, &[], &[Code("on waking: "), Slot(Key::Wake)]);
        }
        self.add(1, &[Step::Quitting], &[Code("giving up: "), Slot(Key::GiveUp)]);
    }

    fn hold(&mut self) {
        self.add(0, &[], &[Code("held:")]);
        if self.decisions.has_token() {
            self.add(1, &[], &[Code("token = "), Slot(Key::Token)]);
        }
        let [read, write] = match self.decisions.resource {
            Guard::Multi => ["n = getData(\"/stock\")", "setData(\"/stock\", n - 1)"],
            Guard::Fenced | Guard::Forgetful => ["n = ledger.read(token)", "ledger.write(n - 1, token)"],
            Guard::WritesOnly => ["n = ledger.read()", "ledger.write(n - 1, token)"],
            Guard::ClientCheck | Guard::Open => ["n = ledger.read()", "ledger.write(n - 1)"],
        };
        self.add(1, &[Step::Reading], &[Code(read)]);
        self.add(1, &[Step::Working], &[Code("work()")]);
        self.add(1, &[Step::Rechecking], &[Code("check: "), Slot(Key::Resource)]);
        self.add(1, &[Step::Writing], &[Code(write)]);
        if self.decisions.resource != Guard::Multi {
            self.add(1, &[Step::Committing, Step::LateCommitting], &[Slot(Key::Commit)]);
        }
        let delete = if self.decisions.single() { "delete(\"lock\")" } else { "delete(me)" };
        self.add(1, &[Step::Releasing], &[Code(delete)]);
        self.add(2, &[], &[Code("no reply: "), Slot(Key::Delete)]);
    }

    fn lost_contact(&mut self) {
        if !self.decisions.single() || self.decisions.watch != Watch::Poll {
            self.add(0, &[], &[Code("error while waiting: "), Slot(Key::Error)]);
        }
        self.add(0, &[], &[Code("Disconnected: "), Slot(Key::Disconnect)]);
        if self.decisions.watch != Watch::Poll {
            self.add(0, &[], &[Code("Connected: "), Slot(Key::Reconnect)]);
        }
        self.add(0, &[Step::Settling, Step::Rejoining], &[Code("Expired: "), Slot(Key::Expired)]);
    }
}

const CREATING: &[Step] = &[Step::Creating, Step::MakingDir];
const SEARCHING: &[Step] = &[Step::Syncing, Step::Finding, Step::Verifying];
const WAITING: &[Step] = &[Step::Asleep, Step::Napping];

/// The number of the line that a client at `step` stands on, from 0.
pub fn line_of(lines: &[Line], step: Step) -> Option<usize> {
    lines.iter().position(|line| line.steps.contains(&step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of options beside the right answers: what a line depends on is never more than two.
    fn all() -> impl Iterator<Item = (Decisions, bool)> {
        let one = |base: Decisions| {
            Key::ALL
                .into_iter()
                .flat_map(move |key| key.options().iter().filter_map(move |o| base.with(key, o.word)))
        };
        one(Decisions::default()).flat_map(one).flat_map(|decisions| [(decisions, false), (decisions, true)])
    }

    #[test]
    fn a_slot_is_shown_exactly_where_its_decision_means_something() {
        for (decisions, shared) in all() {
            let lines = lines(&decisions, shared);
            for key in Key::ALL {
                let shown = lines.iter().any(|line| line.parts.contains(&Part::Slot(key)));
                assert_eq!(shown, decisions.greyed(key, shared).is_none(), "{key:?} in {decisions:?}");
            }
        }
    }

    #[test]
    fn no_step_stands_on_two_lines() {
        for (decisions, shared) in all() {
            let lines = lines(&decisions, shared);
            let mut steps: Vec<Step> = lines.iter().flat_map(|line| line.steps).copied().collect();
            let count = steps.len();
            steps.sort();
            steps.dedup();
            assert_eq!(steps.len(), count, "{decisions:?}");
        }
    }
}
