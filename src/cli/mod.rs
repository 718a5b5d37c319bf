//! The `lockstep` command line: runs, comparisons, searches and replays in a terminal or a script.
//!
//! Its words are those of the links ([`lockstep::play::decode`]); what it prints is a fold over the
//! same events that the page draws. It knows every room but the page.

mod args;
mod compare;
mod explore;
mod json;
mod plain;
mod run;
mod storm;
mod table;
mod usage;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use args::Command;

/// The exit code of something that could not be done as asked.
const REFUSED: u8 = 2;

/// Why a command line is not carried out: a sentence for people.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// What a command answers to the shell, unless its output cannot be written.
type Outcome = io::Result<u8>;

/// Reads the command line, carries it out, and says how it went.
pub fn main() -> ExitCode {
    let mut notes = Vec::new();
    let command = match args::parse(lexopt::Parser::from_env(), &mut notes) {
        Ok(command) => command,
        Err(Refusal(sentence)) => return refuse(&sentence),
    };
    for note in notes {
        // Nobody may be listening on stderr.
        let _ = writeln!(io::stderr(), "lockstep: {note}");
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let done = carry_out(command, &mut out).and_then(|code| out.flush().map(|()| code));
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer has no reader: do not try again on drop.
            std::mem::forget(out);
            refuse("The output was not read to its end.")
        }
        Err(error) => refuse(&format!("The output could not be written: {error}.")),
    }
}

fn carry_out(command: Command, out: &mut impl Write) -> Outcome {
    match command {
        Command::Help => usage::print(out).map(|()| 0),
        Command::Nothing => usage::print(out).map(|()| REFUSED),
        Command::Run(plan) => run::run(&plan, out).map(|()| 0),
        Command::Compare(plan) => compare::compare(&plan, out).map(|()| 0),
        Command::Explore(hunt) => explore::explore(&hunt, out),
        Command::Storm(weather) => storm::storm(&weather, out),
        Command::Conform(files) => Ok(u8::try_from(lockstep::conform::run(&files, out)).unwrap_or(REFUSED)),
    }
}

fn refuse(sentence: &str) -> ExitCode {
    // Nobody may be listening on stderr either.
    let _ = writeln!(io::stderr(), "lockstep: {sentence}");
    ExitCode::from(REFUSED)
}
