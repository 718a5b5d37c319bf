//! A file says what it is, and is no longer than a reader can hold in the head.

use std::io::{Write, stderr};

use crate::files::{File, assert_tidy, caught, rust_files, style_sheets};

/// From here on a file is worth a second look. It may well be one question all the same, so this is a note.
const LONG: usize = 500;
/// No file is one question at this length.
const TOO_LONG: usize = 1500;

fn length(text: &str) -> usize {
    text.lines().count()
}

fn too_long(path: &str, text: &str) -> Option<String> {
    let lines = length(text);
    (lines > TOO_LONG).then(|| format!("{path} has {lines} lines: it is more than one file"))
}

fn module_doc(file: &File) -> Vec<String> {
    let says = file.rust.doc.as_ref().is_some_and(|doc| doc.trim().len() > 10);
    if says {
        Vec::new()
    } else {
        vec![format!("{} does not say what it is (//! in its first line)", file.path)]
    }
}

/// A style sheet begins with a comment that says what it is.
fn head_comment(path: &str, text: &str) -> Option<String> {
    let comment =
        text.strip_prefix("/*").and_then(|rest| rest.split_once("*/")).map(|(comment, _)| comment.trim());
    let says = comment.is_some_and(|comment| comment.len() > 10);
    (!says).then(|| format!("{path} does not say what it is (/* … */ in its first line)"))
}

#[test]
fn a_reader_can_hold_a_file_in_the_head() {
    let rust = rust_files().iter().map(|file| (file.path.clone(), file.text.clone()));
    let files: Vec<(String, String)> = rust.chain(style_sheets()).collect();
    let mut long: Vec<(usize, &str)> =
        files.iter().map(|(path, text)| (length(text), path.as_str())).collect();
    long.retain(|(lines, _)| *lines > LONG);
    long.sort_by_key(|(lines, path)| (std::cmp::Reverse(*lines), *path));
    // Not `println!`: the harness keeps what that prints of a test that passes.
    for (lines, path) in long {
        writeln!(stderr(), "note: {path} has {lines} lines; is it about one thing?").unwrap();
    }
    let complaints: Vec<String> = files.iter().filter_map(|(path, text)| too_long(path, text)).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    assert!(too_long("src/play/codec.rs", &"x\n".repeat(1501)).is_some());
    assert!(too_long("src/play/codec.rs", &"x\n".repeat(1500)).is_none());
}

#[test]
fn every_file_says_what_it_is() {
    assert_tidy(module_doc);
    assert_eq!(caught(module_doc, "src/play/luck.rs", "use std::fmt;\n"), 1);
    assert_eq!(caught(module_doc, "src/play/luck.rs", "//! x\n"), 1);
    assert_eq!(caught(module_doc, "src/play/luck.rs", "/// A use of luck.\nuse std::fmt;\n"), 1);
    assert_eq!(caught(module_doc, "src/play/luck.rs", "//! Keyed luck.\nuse std::fmt;\n"), 0);
}

#[test]
fn every_style_sheet_says_what_it_is() {
    let complaints: Vec<String> =
        style_sheets().iter().filter_map(|(path, text)| head_comment(path, text)).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    assert!(head_comment("style/lab.css", ".lab { display: flex; }").is_some());
    assert!(head_comment("style/lab.css", "/* x */").is_some());
    assert!(head_comment("style/lab.css", "/* The lab: lanes and rail. */\n.lab {}").is_none());
}
