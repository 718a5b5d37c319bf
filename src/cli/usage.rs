//! What `lockstep help` prints.

use std::io::{self, Write};

use lockstep::recipe::Key;

const HEAD: &str = "\
lockstep runs the ZooKeeper distributed lock, breaks it and proves it.

  lockstep run      [scenario] [--steps N]      one story, step by step, and what it cost
  lockstep compare  [scenario] [--steps N]      lanes side by side, and where they part
  lockstep explore  [scenario] [--limit N] [--property WORD,…]
                                                every order in which things can happen
  lockstep conform  FILE…                       recordings of a real server, replayed
  lockstep help                                 this page

Scenario, in the words of the links:
  --link LINK         start from a link of the page, or the part of it after the '?'
  --clients N         1 to 10000 (explore: to 8); default 3
  --seed S            luck: message delays and GUIDs; default 1
  --set KEY=WORD,…    decisions for every lane; may be repeated
  --lane KEY=WORD,…   a lane, on top of --set; up to four; also clients=N and choices
                      such as take@12=zk.B. Without it: compare sets watch=holder
                      beside the rest, the others have one lane
  --gap-ms N  --hold-ms N  --poll-ms N  --hop-ms N  --spread-ms N
                      arrivals, work, polls, a message's least delay and its luck

Output:
  --json              events as JSON lines, and a last line for each lane
  --lang en|zh        the language of the narration
";

const TAIL: &str = "
Properties: no-false-owner, no-lost-update, never-stuck. explore ignores times and choices.

Exit codes: 0 done (explore: nothing breaks or sticks); 1 explore: something breaks or sticks,
conform: a recording differs; 2 not understood, not writable, or explore stopped at its limit.
";

/// Prints the commands, the options and the words there are.
pub fn print(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{HEAD}\nDecisions (the first word is the default):")?;
    for key in Key::ALL {
        let words: Vec<&str> = key.options().iter().map(|option| option.word).collect();
        writeln!(out, "  {:<9}{}", key.word(), words.join(" | "))?;
    }
    out.write_all(TAIL.as_bytes())
}
