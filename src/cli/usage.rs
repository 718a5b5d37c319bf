//! What `lockstep help` prints.

use std::io::{self, Write};

use lockstep::recipe::{Key, PRESETS};

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
  --script FAULT@MS,… what happens from outside, such as pause.A@300,resume.A@9000;
                      faults: pause resume stall heal reset lost-request lost-reply crash
                      restart close give-up hang unhang expire, each with a client;
                      delete.A delete.dir restart.zk restart.ledger
                      of servers: crash.s2 restart.s2 stall.s2 resume.s2 cut.s1-s2 heal.s1-s2
  --servers N         1, 3 or 5 servers; default 1
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
    writeln!(out, "{HEAD}\nDecisions (the first word is the default):")?;
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
