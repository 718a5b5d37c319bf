//! A name means one thing, and a match names everything there is.

use std::collections::BTreeMap;

use crate::files::{File, assert_tidy, caught, rust_files};

/// Types of one name in two places of the library, each with its paths.
fn shared_names<'a>(files: impl Iterator<Item = &'a File>) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    // `ui` is left out until it is written anew (step K).
    for file in files.filter(|file| file.path.starts_with("src/") && !file.path.starts_with("src/ui")) {
        for name in &file.rust.types {
            places.entry(name).or_default().push(&file.path);
        }
    }
    places.retain(|_, paths| paths.len() > 1);
    places.iter().map(|(name, paths)| format!("{name} is two types: {}", paths.join(", "))).collect()
}

/// Enums of which a match names every variant, and the rooms that hold to it.
const NAMED_IN_FULL: [(&str, &str); 9] = [
    ("src/world/", "Fault"),
    ("src/world/", "ServerFact"),
    ("src/world/", "Packet"),
    ("src/judge/", "Violation"),
    ("src/teach/narrate/", "Event"),
    ("src/teach/", "Fault"),
    ("src/teach/", "Handshake"),
    ("src/teach/", "ServerFact"),
    ("src/teach/", "Violation"),
];

/// Matches that have an arm for whatever is left, where each variant is to be named. A match that asks for one variant
/// alone may have it: that is a question, not a list.
fn open_matches(file: &File) -> Vec<String> {
    let path = &file.path;
    let mut complaints = Vec::new();
    for found in file.rust.matches.iter().filter(|found| found.takes_the_rest) {
        for (room, full) in NAMED_IN_FULL {
            let named = found.enums.iter().filter(|name| *name == full).count();
            if path.starts_with(room) && named > 1 {
                complaints.push(format!("{path}:{} matches {full} with an arm for the rest", found.line));
            }
        }
    }
    complaints
}

#[test]
fn no_two_types_have_one_name() {
    let shared = shared_names(rust_files().iter());
    assert!(shared.is_empty(), "\n{}\n", shared.join("\n"));
    let files = [
        ("src/a.rs", "pub struct Step;"),
        ("src/b.rs", "pub(crate) enum Step {}"),
        ("src/ui/c.rs", "pub type Step = u8;"),
    ]
    .map(|(path, text)| File::new(path, text));
    assert_eq!(shared_names(files.iter()), ["Step is two types: src/a.rs, src/b.rs"]);
    assert_eq!(shared_names(files[1..].iter()), [""; 0]);
}

#[test]
fn a_forgotten_variant_does_not_compile() {
    assert_tidy(open_matches);
    let caught = |arms: &str| {
        let code = format!("fn f(fault: Fault) {{ match fault {{ {arms} }} }}");
        caught(open_matches, "src/world/fault.rs", &code)
    };
    assert_eq!(caught("Fault::Pause { .. } | Fault::Crash => 1, _ => 2"), 1);
    assert_eq!(caught("world::Fault::Crash => 1, world::Fault::Pause => 2, other => f(other)"), 1);
    assert_eq!(caught("&(Fault::Crash | Fault::Pause) if x => 1, _ => 2"), 1);
    assert_eq!(caught("Fault::Pause { .. } | Fault::Crash => 1"), 0);
    assert_eq!(caught("Fault::Crash => 1, _ => 2"), 0);
    assert_eq!(caught("Some(_) => 1, _ => 2"), 0);
    assert_eq!(caught("Ordering::Less => 1, _ => 2"), 0);
}
