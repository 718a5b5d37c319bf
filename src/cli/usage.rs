//! What `lockstep help` prints.

use std::io::{self, Write};

use lockstep::recipe::{Key, PRESETS};
use lockstep::world::{Action, ClientId, Fault, Operator, ServerFault};
use lockstep::zookeeper::ServerId;

/// Where the explanation of an option begins, and how wide it is.
const INDENT: usize = 22;
const WIDTH: usize = 76;

const HEAD: &str = "\
lockstep runs the ZooKeeper distributed lock, breaks it and proves it.

  lockstep run      [scenario] [--steps N]      one story, step by step, and what it cost
  lockstep compare  [scenario] [--steps N]      lanes side by side, and where they part
  lockstep explore  [scenario] [--limit N] [--property WORD,…] [--faults WORD=N,…]
                                                every order in which things can happen
  lockstep storm    [scenario] [--seeds N]      random faults, one script for each seed
  lockstep conform  FILE…                       recordings of a real server, replayed
  lockstep help                                 this page

Scenario, in the words of the links:
  --link LINK         start from a link of the page, or the part of it after the '?'
  --clients N         1 to 10000 (explore: to 8); default 3
  --seed S            luck: message delays and GUIDs; default 1
  --set KEY=WORD,…    decisions for every lane; may be repeated
  --lane KEY=WORD,…   a lane, on top of --set; up to four; also clients=N and choices
                      such as take@12=zk.B; as=WORD sets all decisions as a library
                      takes them. Without it: compare sets watch=holder
                      beside the rest, the others have one lane
  --script FAULT@MS,… what happens from outside, such as pause.A@300,resume.A@9000
";

const MORE: &str = "  --servers N         1, 3 or 5 servers; default 1
  --lag-ms N          how much longer the leader's messages to followers take; default 0
  --readers B,C       clients that only read
  --stock N           items in stock; default one for each client
  --timeout-ms N      the session timeout that clients ask for; default 20000; also in a lane
  --tick-ms N         the server's tick: timeouts are 2 to 20 of them; default 2000
  --counter N         children that the directory has had before; default 0
  --server WORD       since-3.6 (the counter sticks at its end) or before-3.6 (it wraps);
                      also in a lane
  --gap-ms N  --hold-ms N  --poll-ms N  --hop-ms N  --spread-ms N
                      arrivals, work, polls, a message's least delay and its luck

Output:
  --json              events as JSON lines, and a last line for each lane
  --lang en|zh        the language of the narration
";

const TAIL: &str = "
Properties: no-false-owner, no-stale-request, no-lost-update, fifo, never-stuck, no-orphan.
explore ignores times, choices and the script: --faults says what may happen, such as
pause=1,expire=1,reset=1,lost-reply=1.

Exit codes: 0 done (explore: nothing breaks or sticks); 1 explore: something breaks or sticks,
conform: a recording differs; 2 not understood, not writable, or explore stopped at its limit.
";

/// Prints the commands, the options and the words there are.
pub fn print(out: &mut impl Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    faults(out)?;
    writeln!(out, "{MORE}\nDecisions (the first word is the default):")?;
    for key in Key::ALL {
        let words: Vec<&str> = key.options().iter().map(|option| option.word).collect();
        writeln!(out, "  {:<13}{}", key.word(), words.join(" | "))?;
    }
    writeln!(out, "\nLibraries (as=WORD in a lane):")?;
    for preset in PRESETS {
        writeln!(out, "  {:<15}{}", preset.word, preset.name)?;
    }
    out.write_all(TAIL.as_bytes())
}

/// The words of a script, from the table of faults.
fn faults(out: &mut impl Write) -> io::Result<()> {
    let (a, one, two) = (ClientId(0), ServerId(0), ServerId(1));
    let clients = Fault::ALL.map(|fault| fault.word().to_string());
    let by_hand = Operator::on(a).into_iter().chain(Operator::ONCE);
    let by_hand = by_hand.map(|operator| Action::Operator(operator).to_string());
    let servers = ServerFault::of(one).into_iter().chain(ServerFault::between(one, two));
    let servers = servers.map(|fault| Action::ServerFault(fault).to_string());
    words(out, "with a client:", clients.into_iter())?;
    words(out, "as it is:", by_hand)?;
    words(out, "of servers:", servers)
}

/// A list of words behind the options, a few on each line.
fn words(out: &mut impl Write, title: &str, words: impl Iterator<Item = String>) -> io::Result<()> {
    let mut line = title.to_string();
    for word in words {
        if line.len() + word.len() >= WIDTH {
            writeln!(out, "{:INDENT$}{line}", "")?;
            line = " ".to_string();
        }
        line = format!("{line} {word}");
    }
    writeln!(out, "{:INDENT$}{line}", "")
}
