//! The recipe as pseudo-code: lines that are lit as a client stands on them, with a slot for each
//! decision.

use super::{Check, Decisions, Key, NodeKind, Step, Watch};

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

/// The lines for these decisions. A line appears only where its decision means something.
pub fn lines(decisions: &Decisions) -> Vec<Line> {
    use Part::{Code, Slot};
    let mut lines = Vec::new();
    let mut add = |indent, steps, parts: &[Part]| lines.push(Line { indent, parts: parts.to_vec(), steps });
    let single = decisions.node == NodeKind::EphemeralSingle;
    let aims = matches!(decisions.watch, Watch::Predecessor | Watch::Holder);

    if single {
        add(0, &[], &[Code("loop:")]);
        add(1, &[Step::Creating], &[Code("create(\"lock\", "), Slot(Key::Node), Code(")")]);
        add(1, &[], &[Code("if it worked: held")]);
        if decisions.watch == Watch::Parent {
            add(1, &[Step::Listing, Step::Sorting], &[Code("if getChildren(dir, watch) has it: sleep")]);
        }
    } else {
        add(0, &[Step::Creating], &[Code("me = create("), Slot(Key::Node), Code(")")]);
        add(0, &[], &[Code("loop:")]);
        let list = if decisions.watch == Watch::Parent {
            "kids = getChildren(dir, watch)"
        } else {
            "kids = getChildren(dir)"
        };
        add(1, &[Step::Listing], &[Code(list)]);
        add(1, &[Step::Sorting], &[Code("sort kids "), Slot(Key::Order)]);
        add(1, &[], &[Code("if me is first: held")]);
    }
    add(1, if aims { &[] } else { WAITING }, &[Code("watch "), Slot(Key::Watch)]);
    if aims {
        let steps: &[Step] = match decisions.check {
            Check::GetData | Check::Exists => &[Step::Watching],
            Check::Separate => &[Step::Checking, Step::Watching],
        };
        add(1, steps, &[Code("if "), Slot(Key::Check)]);
        add(2, &[Step::Asleep], &[Code("sleep")]);
        add(1, &[Step::Requeuing], &[Code("else: "), Slot(Key::Missing)]);
    }
    if decisions.watch != Watch::Poll {
        add(1, &[], &[Code("on waking: "), Slot(Key::Wake)]);
    }
    add(0, &[], &[Code("held:")]);
    add(1, &[Step::Reading], &[Code("n = ledger.read()")]);
    add(1, &[Step::Working], &[Code("work()")]);
    add(1, &[Step::Writing], &[Code("ledger.write(n - 1)")]);
    add(1, &[Step::Releasing], &[Code(if single { "delete(\"lock\")" } else { "delete(me)" })]);
    lines
}

const WAITING: &[Step] = &[Step::Asleep, Step::Napping];

/// The number of the line that a client at `step` stands on, from 0.
pub fn line_of(lines: &[Line], step: Step) -> Option<usize> {
    lines.iter().position(|line| line.steps.contains(&step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of decisions.
    fn all() -> impl Iterator<Item = Decisions> {
        let base = vec![Decisions::default()];
        let each = |sets: Vec<Decisions>, key: Key| {
            sets.iter().flat_map(|d| key.options().iter().filter_map(|o| d.with(key, o.word))).collect()
        };
        Key::ALL.into_iter().fold(base, each).into_iter()
    }

    #[test]
    fn a_slot_is_shown_exactly_where_its_decision_means_something() {
        for decisions in all() {
            let lines = lines(&decisions);
            for key in Key::ALL {
                let shown = lines.iter().any(|line| line.parts.contains(&Part::Slot(key)));
                assert_eq!(shown, decisions.greyed(key).is_none(), "{key:?} in {decisions:?}");
            }
        }
    }

    #[test]
    fn no_step_stands_on_two_lines() {
        for decisions in all() {
            let lines = lines(&decisions);
            let mut steps: Vec<Step> = lines.iter().flat_map(|line| line.steps).copied().collect();
            let count = steps.len();
            steps.sort();
            steps.dedup();
            assert_eq!(steps.len(), count, "{decisions:?}");
        }
    }
}
