//! Replays recordings of real ZooKeeper servers and reports the first line where [`Member`] or
//! [`Ensemble`] differs.
//!
//! This room knows the format of the recordings (`zktrace/1`, described in `tests/traces/README.md`)
//! and `zookeeper`, and nothing of locks, worlds or the page. A recording is a file of JSON lines: a
//! header, then one step a line with everything the real server answered. Each step is carried out
//! on a member, or on an ensemble of three until all is quiet, and every recorded field must come out the
//! same, except `rk` (ranks of zxids, for replayers without zxids).
//!
//! After a failure of servers of an ensemble the recorded zxid, and how long they were down, are inputs.
//!
//! ```
//! let recording = r#"{"fmt":"zktrace/1","mode":"standalone","root":"/t","sessions":["A"]}
//! {"n":1,"s":"A","op":"connect","a":{"timeout":100},"r":{"timeout":400}}
//! {"n":2,"op":"final","z":1,"tree":[],"data_watches":{}}"#;
//! let failure = lockstep::conform::check(recording.as_bytes()).unwrap_err();
//! assert_eq!(failure.line(), Some(3));
//! assert!(failure.to_string().contains("differs in tree"));
//! ```
//!
//! [`Member`]: crate::zookeeper::Member
//! [`Ensemble`]: crate::zookeeper::Ensemble

mod clients;
mod compare;
mod ensemble;
mod fields;
mod hash_order;
mod recording;
mod replay;
mod standalone;

use std::fmt;
use std::io::{self, Write};

use serde_json::Value;

use compare::{differences, without_ranks};
use recording::{Header, RecordedOperation, RecordedStep, parse_line};
use replay::Replay;

const USAGE: &str = "\
usage: lockstep conform FILE...

Replays recordings of a real ZooKeeper server (zktrace/1) and reports, for each file that comes out
differently, the first line that does. Ends with 1 if any file failed.
";

/// The command `lockstep conform`: checks each file named in `args`, writes a report and returns the
/// exit code: 0 if all passed, 1 if any failed (a file that cannot be read has failed), 2 if it was
/// called wrongly.
pub fn run(args: &[String], out: &mut dyn Write) -> i32 {
    // Nobody reads the report any more (a closed pipe): that is not a pass.
    write_report(args, out).unwrap_or(1)
}

fn write_report(args: &[String], out: &mut dyn Write) -> io::Result<i32> {
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        write!(out, "{USAGE}")?;
        return Ok(0);
    }
    if let Some(option) = args.iter().find(|arg| arg.starts_with('-')) {
        write!(out, "There is no option {option}.\n\n{USAGE}")?;
        return Ok(2);
    }
    if args.is_empty() {
        write!(out, "No file to check.\n\n{USAGE}")?;
        return Ok(2);
    }
    let (mut passed, mut failed) = (0, 0);
    for file in args {
        let verdict = match std::fs::read(file) {
            Ok(bytes) => check(&bytes),
            Err(error) => Err(Failure::damaged(None, format!("the file cannot be read: {error}"))),
        };
        match verdict {
            Ok(_) => passed += 1,
            Err(failure) => {
                failed += 1;
                writeln!(out, "{file}{failure}")?;
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(i32::from(failed > 0))
}

/// Replays one recording to its end and returns the number of its steps.
///
/// # Errors
/// The first line that differs or cannot be replayed.
pub fn check(bytes: &[u8]) -> Result<u64, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
        Failure::damaged(Some(line), "this is not UTF-8 text".into())
    })?;
    let mut lines = (1..).zip(text.trim_end().lines());
    let (first, header) = lines.next().unwrap_or((1, ""));
    let header = parse_line(header)
        .and_then(|json| Header::parse(&json))
        .map_err(|sentence| Failure::damaged(Some(first), sentence))?;
    let mut replay = Replay::new(&header);
    let mut steps = 0;
    let mut complete = false;
    for (line, text) in lines {
        let damaged = |sentence| Failure::damaged(Some(line), sentence);
        let want = parse_line(text).map_err(damaged)?;
        let step = RecordedStep::parse(&want, &header).map_err(damaged)?;
        steps += 1;
        if step.n != steps {
            return Err(damaged(format!("`n` is {} where {steps} comes next", step.n)));
        }
        complete = matches!(step.operation, RecordedOperation::Final);
        let got = replay.step(&step, &want).map_err(damaged)?;
        let want = without_ranks(&want);
        let fields = differences(&want, &got);
        if !fields.is_empty() {
            return Err(Failure::Differs(Box::new(Difference { line, n: step.n, want, got, fields })));
        }
    }
    if complete {
        Ok(steps)
    } else {
        Err(Failure::damaged(None, format!("the recording stops after {steps} steps, without its `final`")))
    }
}

/// Why a recording did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Something else came out than from the real server.
    Differs(Box<Difference>),
    /// The file cannot be read or replayed as a recording.
    Damaged {
        /// From 1; none if the fault is that of the whole file.
        line: Option<u64>,
        sentence: String,
    },
}

/// One step that came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line in the file, from 1.
    pub line: u64,
    /// The step's own number.
    pub n: u64,
    /// The recorded step, without ranks.
    pub want: Value,
    pub got: Value,
    /// What differs, as in `r.stat.v` or `post.B[0]`.
    pub fields: Vec<String>,
}

impl Failure {
    fn damaged(line: Option<u64>, sentence: String) -> Failure {
        Failure::Damaged { line, sentence }
    }

    /// The line of the file, from 1, if the failure has one.
    pub fn line(&self) -> Option<u64> {
        match self {
            Failure::Differs(difference) => Some(difference.line),
            Failure::Damaged { line, .. } => *line,
        }
    }
}

/// What follows the file's name in the report: ` line 5: …`.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Differs(difference) => {
                let Difference { line, n, want, got, fields } = &**difference;
                write!(f, " line {line} (n {n}): differs in {}", fields.join(", "))?;
                write!(f, "\n  wanted {want}\n  got    {got}")
            }
            Failure::Damaged { line: Some(line), sentence } => write!(f, " line {line}: {sentence}"),
            Failure::Damaged { line: None, sentence } => write!(f, ": {sentence}"),
        }
    }
}
