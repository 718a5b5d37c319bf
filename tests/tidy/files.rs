//! The files that the rules read: all Rust and all style sheets of this repository.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::rust::Rust;

/// A Rust file with its path from the package's root, `/` between its parts.
pub struct File {
    pub path: String,
    pub text: String,
    pub rust: Rust,
}

impl File {
    pub fn new(path: &str, text: &str) -> File {
        File { path: path.to_string(), text: text.to_string(), rust: Rust::read(path, text) }
    }
}

/// Every Rust file: the library with its programs, the tests in both packages, the tools.
pub fn rust_files() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let found = ["src", "tests", "benches", "xtask"].map(|dir| below(dir, "rs"));
        assert!(found.iter().all(|files| !files.is_empty()), "the Rust files were not found");
        found.concat().iter().map(|(path, text)| File::new(path, text)).collect()
    });
    &FILES
}

/// Every style sheet: its path and its text.
pub fn style_sheets() -> Vec<(String, String)> {
    let sheets = below("style", "css");
    assert!(!sheets.is_empty(), "the style sheets were not found");
    sheets
}

/// The files below `dir` whose names end in `.extension`, in order.
fn below(dir: &str, extension: &str) -> Vec<(String, String)> {
    fn walk(dir: &Path, extension: &str, into: &mut Vec<(String, String)>) {
        let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, extension, into);
            } else if path.extension().is_some_and(|found| found == extension) {
                let name = path.to_str().unwrap().replace('\\', "/");
                into.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    walk(Path::new(dir), extension, &mut files);
    files
}

/// Fails with all complaints of `rule` about all Rust files.
pub fn assert_tidy(rule: fn(&File) -> Vec<String>) {
    let complaints: Vec<String> = rust_files().iter().flat_map(rule).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// How often `rule` complains about `text` at `path`.
pub fn caught(rule: fn(&File) -> Vec<String>, path: &str, text: &str) -> usize {
    rule(&File::new(path, text)).len()
}
