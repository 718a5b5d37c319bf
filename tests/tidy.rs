//! The order of the house: who may know whom, how long a file is, that it says what it is, that both
//! languages are spoken well. Each rule is shown to catch what it is for.

use std::fs;
use std::path::Path;

use lockstep::recipe::Key;
use lockstep::text::Lang;

/// The rooms of the library in the order of knowledge, and which earlier rooms each may know.
const ROOMS: [(&str, &[&str]); 11] = [
    ("text", &[]),
    ("zookeeper", &["text"]),
    ("conform", &["text", "zookeeper"]),
    ("recipe", &["text", "zookeeper"]),
    ("world", &["text", "zookeeper", "recipe"]),
    ("judge", &["text", "zookeeper", "recipe", "world"]),
    ("play", &["text", "zookeeper", "recipe", "world", "judge"]),
    ("explore", &["text", "zookeeper", "recipe", "world", "judge"]),
    ("teach", &["text", "zookeeper", "recipe", "world", "judge", "play", "explore"]),
    ("app", &["text", "zookeeper", "recipe", "world", "judge", "play", "explore", "teach"]),
    ("ui", &["text", "zookeeper", "recipe", "world", "judge", "play", "explore", "teach", "app"]),
];

/// The command line may know these rooms no more than they know it.
const NOT_FOR_CLI: [&str; 2] = ["app", "ui"];

const MOST_LINES: usize = 500;
const MOST_LINES_OF_THE_SEARCH: usize = 200;

/// Words of crates that draw or talk to a browser.
const WEB_CRATES: [&str; 6] =
    ["leptos", "web_sys", "wasm_bindgen", "js_sys", "gloo_timers", "wasm_bindgen_futures"];

fn is_for_the_web(path: &str) -> bool {
    let rest = path.strip_prefix("src/").unwrap_or(path);
    rest.starts_with("ui/")
        || rest.starts_with("page")
        || ["ui.rs", "main.rs", "panic_panel.rs"].contains(&rest)
}

/// The room of a file of the library; `None` for the binary's own.
fn room(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    let name = rest.split('/').next()?.trim_end_matches(".rs");
    ROOMS.iter().map(|(room, _)| *room).find(|room| *room == name)
}

// The rules. Each takes one file and returns complaints.

fn knowledge(path: &str, text: &str) -> Vec<String> {
    let code = without_comments_and_strings(text);
    let complain = |known: &str| format!("{path} may not know {known}");
    if let Some(room) = room(path) {
        let (_, may_know) = ROOMS.iter().find(|(name, _)| *name == room).unwrap();
        let mut known = roots_after(&code, "crate::");
        known.extend(roots_after(&code, "lockstep::"));
        known.retain(|root| ROOMS.iter().any(|(name, _)| name == root));
        let strange = known.iter().filter(|root| *root != room && !may_know.contains(&root.as_str()));
        return strange.map(|root| complain(root)).collect();
    }
    if path.starts_with("src/cli/") {
        let known = roots_after(&code, "lockstep::");
        return known
            .iter()
            .filter(|root| NOT_FOR_CLI.contains(&root.as_str()))
            .map(|r| complain(r))
            .collect();
    }
    Vec::new()
}

fn web_crates(path: &str, text: &str) -> Vec<String> {
    if is_for_the_web(path) {
        return Vec::new();
    }
    let code = without_comments_and_strings(text);
    let used = WEB_CRATES.into_iter().filter(|name| has_word(&code, name));
    used.map(|name| format!("{path} may not know {name}")).collect()
}

fn size(path: &str, text: &str) -> Vec<String> {
    let most = if path == "src/explore/mod.rs" { MOST_LINES_OF_THE_SEARCH } else { MOST_LINES };
    let lines = text.lines().count();
    if lines > most { vec![format!("{path} has {lines} lines; {most} are enough")] } else { Vec::new() }
}

fn module_doc(path: &str, text: &str) -> Vec<String> {
    let first = text.lines().next().unwrap_or_default();
    let says = first.strip_prefix("//! ").is_some_and(|doc| doc.len() > 10);
    if says { Vec::new() } else { vec![format!("{path} does not say what it is (//! in its first line)")] }
}

/// `text("…", "…")` and `say("…", "…")` with the same characters twice.
fn both_languages(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let pieces = pieces(text);
    for (at, piece) in pieces.iter().enumerate() {
        let Piece::Code(before) = piece else { continue };
        let calls = ["text(", "say(", "fixed("].iter().any(|call| {
            let before = before.trim_end();
            before.strip_suffix(call).is_some_and(|rest| !rest.ends_with(is_name))
        });
        if let (true, Some([Piece::Literal(en), Piece::Code(between), Piece::Literal(zh)])) =
            (calls, pieces.get(at + 1..at + 4))
            && between.trim() == ","
            && en == zh
            && !is_code(en)
        {
            complaints
                .push(format!("{path}: {en:?} is not translated (Text::same, if it needs no translation)"));
        }
    }
    complaints
}

/// A call or a constant, which is the same in every language.
fn is_code(text: &str) -> bool {
    let call = text.split_once('(').is_some_and(|(name, _)| name.chars().all(is_name));
    call || text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Chinese has its own punctuation, and a space between it and Latin letters or digits.
fn chinese(path: &str, text: &str) -> Vec<String> {
    let literals = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Literal(literal) => Some(literal),
        Piece::Code(_) => None,
    });
    let mut complaints = Vec::new();
    for literal in literals {
        let chars: Vec<char> = literal.chars().collect();
        for pair in chars.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if is_han(a) && ",.:;?!()".contains(b) {
                complaints.push(format!("{path}: {b:?} after Chinese in {literal:?}"));
            }
            let latin = |c: char| c.is_ascii_alphanumeric();
            if (is_han(a) && latin(b)) || (latin(a) && is_han(b)) {
                complaints.push(format!("{path}: no space between {a} and {b} in {literal:?}"));
            }
        }
    }
    complaints
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

// Reading Rust, as much of it as the rules need.

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Code(String),
    /// A string literal without its quotes; `\` at a line's end and `\n` are read.
    Literal(String),
}

/// A file as code and string literals in turns, without its comments.
fn pieces(text: &str) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut code = String::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        match rest {
            ['/', '/', ..] => at += rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => {
                let end = rest.windows(2).position(|pair| pair == ['*', '/']).unwrap_or(rest.len());
                at += (end + 2).min(rest.len());
            }
            // A character, not a lifetime.
            ['\'', '\\', _, ..] => {
                at += 3 + rest[3..].iter().position(|c| *c == '\'').map_or(0, |n| n + 1);
                code.push_str("' '");
            }
            ['\'', _, '\'', ..] => {
                at += 3;
                code.push_str("' '");
            }
            ['r', '"' | '#', ..] if !code.ends_with(is_name) => {
                let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
                if rest.get(1 + hashes) == Some(&'"') {
                    let close: Vec<char> =
                        std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                    let body = &rest[2 + hashes..];
                    let end = body.windows(close.len()).position(|w| w == close).unwrap_or(body.len());
                    pieces.push(Piece::Code(std::mem::take(&mut code)));
                    pieces.push(Piece::Literal(body[..end].iter().collect()));
                    at += 2 + hashes + (end + close.len()).min(body.len());
                } else {
                    code.push('r');
                    at += 1;
                }
            }
            ['"', ..] => {
                let (literal, length) = literal(&rest[1..]);
                pieces.push(Piece::Code(std::mem::take(&mut code)));
                pieces.push(Piece::Literal(literal));
                at += 1 + length;
            }
            [c, ..] => {
                code.push(*c);
                at += 1;
            }
            [] => {}
        }
    }
    pieces.push(Piece::Code(code));
    pieces
}

/// A string literal after its opening quote, and how many characters it takes with its closing one.
fn literal(chars: &[char]) -> (String, usize) {
    let mut literal = String::new();
    let mut at = 0;
    while at < chars.len() {
        match chars[at..] {
            ['"', ..] => return (literal, at + 1),
            ['\\', '\n', ..] => {
                at += 1 + chars[at + 1..].iter().take_while(|c| c.is_whitespace()).count();
            }
            ['\\', escaped, ..] => {
                literal.push(if escaped == 'n' { '\n' } else { escaped });
                at += 2;
            }
            _ => {
                literal.push(chars[at]);
                at += 1;
            }
        }
    }
    (literal, at)
}

fn without_comments_and_strings(text: &str) -> String {
    let code = pieces(text).into_iter().map(|piece| match piece {
        Piece::Code(code) => code,
        Piece::Literal(_) => "\"\"".to_string(),
    });
    code.collect()
}

/// The names that follow `prefix`: `text` in `crate::text::Lang`, both in `crate::{text::Lang, play}`.
fn roots_after(code: &str, prefix: &str) -> Vec<String> {
    let mut roots = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(is_name) || code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => roots.push(rest.chars().take_while(|c| is_name(*c)).collect()),
            Some(group) => {
                let mut depth = 0;
                let mut name = String::new();
                for c in group.chars() {
                    match c {
                        '}' if depth == 0 => break,
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 0 => roots.push(std::mem::take(&mut name)),
                        c if depth == 0 => name.push(c),
                        _ => {}
                    }
                }
                roots.push(name);
                for root in &mut roots {
                    *root = root.trim().chars().take_while(|c| is_name(*c)).collect();
                }
            }
        }
    }
    roots
}

fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(is_name) && !code[at + word.len()..].starts_with(is_name))
}

/// Every Rust file below `src`, with its path from the package's root.
fn sources() -> Vec<(String, String)> {
    fn walk(dir: &Path, into: &mut Vec<(String, String)>) {
        let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.to_str().unwrap().replace('\\', "/");
                into.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(Path::new("src"), &mut files);
    assert!(files.len() > 40, "the files of src/ were not found");
    files
}

fn assert_tidy(rule: fn(&str, &str) -> Vec<String>) {
    let complaints: Vec<String> = sources().iter().flat_map(|(path, text)| rule(path, text)).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn knowledge_flows_one_way() {
    assert_tidy(knowledge);
    let caught = |path: &str, code: &str| knowledge(path, code).len();
    assert_eq!(caught("src/zookeeper/tree.rs", "use crate::recipe::Step;"), 1);
    assert_eq!(caught("src/zookeeper/tree.rs", "use crate::{text::Lang, world::{World, Event}};"), 1);
    assert_eq!(caught("src/play/luck.rs", "fn f() { crate::explore::Search::new(x) }"), 1);
    assert_eq!(caught("src/explore/mod.rs", "use crate::play::Timeline;"), 1);
    assert_eq!(caught("src/conform/mod.rs", "use crate::recipe::Step;"), 1);
    assert_eq!(caught("src/recipe/mod.rs", "use crate::conform::run;"), 1);
    assert_eq!(caught("src/app/mod.rs", "use crate::ui::draw;"), 1);
    assert_eq!(caught("src/cli/mod.rs", "use lockstep::app::Model;"), 1);
    assert_eq!(caught("src/text.rs", "use lockstep::world::World;"), 1);
    // What is before it, itself, and what is only talked about.
    assert_eq!(caught("src/world/state.rs", "use crate::{zookeeper::Member, recipe, world::Link};"), 0);
    assert_eq!(
        caught("src/world/state.rs", "//! use lockstep::play::Timeline;\nlet s = \"crate::ui::x\";"),
        0
    );
    assert_eq!(caught("src/cli/mod.rs", "use lockstep::conform;"), 0);
}

#[test]
fn every_room_is_in_the_order_of_knowledge() {
    let lib = fs::read_to_string("src/lib.rs").unwrap();
    let declared = without_comments_and_strings(&lib);
    for line in declared.lines().filter_map(|line| line.trim().strip_prefix("pub mod ")) {
        let name = line.trim_end_matches(';');
        assert!(ROOMS.iter().any(|(room, _)| *room == name), "{name} has no place in the order");
    }
    for (at, (room, may_know)) in ROOMS.iter().enumerate() {
        let before = |name: &&str| ROOMS[..at].iter().any(|(earlier, _)| earlier == name);
        assert!(may_know.iter().all(before), "{room} knows a room after it");
    }
}

#[test]
fn only_the_page_knows_the_browser() {
    assert_tidy(web_crates);
    assert_eq!(web_crates("src/app/mod.rs", "use leptos::prelude::*;").len(), 1);
    assert_eq!(web_crates("src/world/mod.rs", "fn now() { web_sys::window() }").len(), 1);
    assert_eq!(web_crates("src/ui/lab.rs", "use leptos::prelude::*;").len(), 0);
    assert_eq!(web_crates("src/world/mod.rs", "// leptos\nlet leptoskeleton = \"web_sys\";").len(), 0);
}

/// The dependencies of each section of a manifest that may not be there.
fn web_dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut complaints = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        let Some((name, _)) = line.split_once('=') else { continue };
        let name = name.trim().replace('-', "_");
        let web = WEB_CRATES.contains(&name.as_str()) || name == "console_error_panic_hook";
        if web && section.contains("dependencies") && !section.contains("cfg(target_arch = \"wasm32\")") {
            complaints.push(format!("{name} in {section}"));
        }
    }
    complaints
}

#[test]
fn the_web_crates_are_dependencies_of_wasm32_alone() {
    assert_eq!(web_dependencies(&fs::read_to_string("Cargo.toml").unwrap()), [""; 0]);
    assert_eq!(web_dependencies("[dependencies]\nserde = \"1\"\nleptos = \"0.8\"\n").len(), 1);
    assert_eq!(
        web_dependencies("[target.'cfg(not(target_arch = \"wasm32\"))'.dependencies]\nweb-sys = \"0.3\"")
            .len(),
        1
    );
}

#[test]
fn a_reader_can_hold_a_file_in_the_head() {
    assert_tidy(size);
    assert_eq!(size("src/play/codec.rs", &"x\n".repeat(501)).len(), 1);
    assert_eq!(size("src/explore/mod.rs", &"x\n".repeat(201)).len(), 1);
    assert_eq!(size("src/play/codec.rs", &"x\n".repeat(500)).len(), 0);
}

#[test]
fn every_file_says_what_it_is() {
    assert_tidy(module_doc);
    assert_eq!(module_doc("src/play/luck.rs", "use std::fmt;\n").len(), 1);
    assert_eq!(module_doc("src/play/luck.rs", "//! x\n").len(), 1);
}

#[test]
fn no_sentence_is_left_untranslated() {
    assert_tidy(both_languages);
    assert_eq!(both_languages("x", "let t = text(\"the lock\", \"the lock\");").len(), 1);
    assert_eq!(both_languages("x", "text(\"lock (held)\", \"lock (held)\")").len(), 1);
    assert_eq!(both_languages("x", "text(\"getData(ahead)\", \"getData(ahead)\")").len(), 0);
    assert_eq!(both_languages("x", "say(\n    \"a\",\n    \"a\",\n)").len(), 1);
    assert_eq!(
        both_languages("x", "text(\"the lock\", \"锁\"); Text::same(\"zk\"); context(\"a\", \"a\");").len(),
        0
    );
}

#[test]
fn options_are_explained_in_both_languages() {
    for key in Key::ALL {
        for text in [key.label(), key.question()] {
            assert_ne!(text.en, text.zh);
        }
        for option in key.options() {
            assert_ne!(option.why.en, option.why.zh);
            // A label may be code, which is the same in both.
            let label = option.label.get(Lang::En);
            assert!(is_code(label) || option.label.en != option.label.zh, "{label}");
        }
    }
}

#[test]
fn chinese_has_its_own_punctuation_and_space_around_latin() {
    assert_tidy(chinese);
    assert_eq!(chinese("x", "\"锁空闲.\"").len(), 1);
    assert_eq!(chinese("x", "\"锁,空闲\"").len(), 1);
    assert_eq!(chinese("x", "\"设置Watch\"").len(), 1);
    assert_eq!(chinese("x", "\"第3步\"").len(), 2);
    assert_eq!(chinese("x", "\"设置 Watch：{n} 次，在{zh}上。\" // 锁,").len(), 0);
    assert_eq!(chinese("x", "r#\"锁.\"#").len(), 1);
}

#[test]
fn wasm_bindgen_s_program_has_the_version_of_the_lock_file() {
    let lock = fs::read_to_string("Cargo.lock").unwrap();
    let versions = lock.match_indices("name = \"wasm-bindgen\"\n").count();
    assert_eq!(versions, 1, "one wasm-bindgen");
    // There is no second place to keep in step: the tools read the lock file.
    let tools = fs::read_to_string("xtask/src/tools.rs").unwrap();
    assert!(tools.contains("locked_version(\"wasm-bindgen\")"));
    let trunk = fs::read_to_string("Trunk.toml").unwrap();
    assert!(
        !trunk.lines().any(|line| line.trim_start().starts_with("wasm_bindgen")),
        "a version in Trunk.toml"
    );
}

#[test]
fn rust_is_read_as_far_as_the_rules_need_it() {
    let code = "let a = 'x'; let b = '\"'; let c = '\\''; fn f<'a>() {} /* \"no\" */ \"yes\\\n   so\" r\"raw\\\" // \"end\"";
    let literals: Vec<String> = pieces(code)
        .into_iter()
        .filter_map(|piece| if let Piece::Literal(literal) = piece { Some(literal) } else { None })
        .collect();
    assert_eq!(literals, ["yesso", "raw\\"]);
    assert_eq!(roots_after("use crate::{a::{x, y}, b}; crate::c::d; $crate::e", "crate::"), ["a", "b", "c"]);
}
