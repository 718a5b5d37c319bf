//! Which room may know which, and who may know the browser.

use std::fs;

use crate::files::{File, assert_tidy, caught};

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

/// The command line may not know these rooms, nor they the command line.
const NOT_FOR_CLI: [&str; 2] = ["app", "ui"];

/// Crates that draw or talk to a browser.
pub const WEB_CRATES: [&str; 6] =
    ["leptos", "web_sys", "wasm_bindgen", "js_sys", "gloo_timers", "wasm_bindgen_futures"];

fn is_for_the_web(path: &str) -> bool {
    let rest = path.strip_prefix("src/").unwrap_or(path);
    rest.starts_with("ui/")
        || rest.starts_with("page")
        || ["ui.rs", "main.rs", "panic_panel.rs"].contains(&rest)
        || path == "tests/wasm.rs"
}

/// The room of a file of the library; `None` for the programs and the tests.
fn room(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    let name = rest.split('/').next()?.trim_end_matches(".rs");
    ROOMS.iter().map(|(room, _)| *room).find(|room| *room == name)
}

fn knowledge(file: &File) -> Vec<String> {
    let path = &file.path;
    let ours = |path: &&Vec<String>| ["crate", "lockstep"].contains(&path[0].as_str());
    let mut known: Vec<&str> =
        file.rust.paths.iter().filter(ours).filter_map(|path| path.get(1)).map(String::as_str).collect();
    known.sort_unstable();
    known.dedup();
    let may_not: Vec<&str> = match room(path) {
        Some(room) => {
            let (_, may) = ROOMS.iter().find(|(name, _)| *name == room).unwrap();
            let is_room = |root: &&str| ROOMS.iter().any(|(name, _)| name == root);
            known.into_iter().filter(is_room).filter(|root| *root != room && !may.contains(root)).collect()
        }
        None if path.starts_with("src/cli/") => {
            known.into_iter().filter(|root| NOT_FOR_CLI.contains(root)).collect()
        }
        None => Vec::new(),
    };
    may_not.iter().map(|root| format!("{path} may not know {root}")).collect()
}

fn web_crates(file: &File) -> Vec<String> {
    if is_for_the_web(&file.path) {
        return Vec::new();
    }
    let used = |name: &&str| file.rust.paths.iter().any(|path| path.len() > 1 && path[0] == **name);
    WEB_CRATES.into_iter().filter(used).map(|name| format!("{} may not know {name}", file.path)).collect()
}

#[test]
fn knowledge_flows_one_way() {
    assert_tidy(knowledge);
    let caught = |path, code| caught(knowledge, path, code);
    assert_eq!(caught("src/zookeeper/tree.rs", "use crate::recipe::Step;"), 1);
    assert_eq!(caught("src/zookeeper/tree.rs", "use crate::{text::Lang, world::{World, Event}};"), 1);
    assert_eq!(caught("src/zookeeper/tree.rs", "use super::super::world::World;"), 1);
    assert_eq!(caught("src/zookeeper/tree.rs", "fn f() { vec![crate::recipe::Step::First] }"), 1);
    assert_eq!(caught("src/play/luck.rs", "fn f() { crate::explore::Search::new(x) }"), 1);
    assert_eq!(caught("src/explore/mod.rs", "use crate::play::Timeline;"), 1);
    assert_eq!(caught("src/conform/mod.rs", "use crate::recipe::Step;"), 1);
    assert_eq!(caught("src/recipe/mod.rs", "use crate::conform::run;"), 1);
    assert_eq!(caught("src/app/mod.rs", "use crate::ui::draw;"), 1);
    assert_eq!(caught("src/cli/mod.rs", "use lockstep::app::Model;"), 1);
    assert_eq!(caught("src/text.rs", "use lockstep::world::World;"), 1);
    // What is before it, itself, and what is only talked about.
    assert_eq!(caught("src/world/state.rs", "use crate::{zookeeper::Member, recipe, world::Link};"), 0);
    assert_eq!(caught("src/world/state.rs", "use super::{Event, super::zookeeper};"), 0);
    let talk = "//! use lockstep::play::Timeline;\nconst S: &str = \"crate::ui::x\";";
    assert_eq!(caught("src/world/state.rs", talk), 0);
    assert_eq!(caught("src/cli/mod.rs", "use lockstep::conform;"), 0);
}

#[test]
fn every_room_is_in_the_order_of_knowledge() {
    let lib = syn::parse_file(&fs::read_to_string("src/lib.rs").unwrap()).unwrap();
    for item in &lib.items {
        if let syn::Item::Mod(room) = item {
            let name = room.ident.to_string();
            assert!(ROOMS.iter().any(|(room, _)| *room == name), "{name} has no place in the order");
        }
    }
    for (at, (room, may_know)) in ROOMS.iter().enumerate() {
        let before = |name: &&str| ROOMS[..at].iter().any(|(earlier, _)| earlier == name);
        assert!(may_know.iter().all(before), "{room} knows a room after it");
    }
}

#[test]
fn only_the_page_knows_the_browser() {
    assert_tidy(web_crates);
    let caught = |path, code| caught(web_crates, path, code);
    assert_eq!(caught("src/app/mod.rs", "use leptos::prelude::*;"), 1);
    assert_eq!(caught("src/world/mod.rs", "fn now() { web_sys::window() }"), 1);
    assert_eq!(caught("tests/page.rs", "use web_sys::Window;"), 1);
    assert_eq!(caught("src/ui/lab.rs", "use leptos::prelude::*;"), 0);
    assert_eq!(caught("src/world/mod.rs", "// leptos\nconst leptoskeleton: &str = \"web_sys\";"), 0);
}
