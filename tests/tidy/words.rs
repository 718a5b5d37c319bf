//! Both languages are spoken, and Chinese is written as Chinese is.

use lockstep::recipe::Key;
use lockstep::text::Lang;

use crate::files::{File, assert_tidy, caught};

/// `text("…", "…")`, `say("…", "…")` and `fixed("…", "…")` with the same characters twice.
fn both_languages(file: &File) -> Vec<String> {
    let calls = file.rust.calls.iter().filter(|call| ["text", "say", "fixed"].contains(&call.name.as_str()));
    let same = calls.filter_map(|call| match call.arguments.as_slice() {
        [Some(en), Some(zh)] if en == zh && !is_code(en) => Some(en),
        _ => None,
    });
    let path = &file.path;
    same.map(|en| format!("{path}: {en:?} is not translated (Text::same, if it needs no translation)"))
        .collect()
}

/// A call or a constant, which is the same in every language.
fn is_code(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let call = text.split_once('(').is_some_and(|(name, _)| name.chars().all(is_name));
    call || text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Chinese has its own punctuation, and a space between it and Latin letters or digits.
fn chinese(file: &File) -> Vec<String> {
    // The rules themselves quote what they catch.
    if file.path.starts_with("tests/tidy/") {
        return Vec::new();
    }
    let path = &file.path;
    let mut complaints = Vec::new();
    for literal in &file.rust.strings {
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

#[test]
fn no_sentence_is_left_untranslated() {
    assert_tidy(both_languages);
    let caught = |body: &str| caught(both_languages, "src/x.rs", &format!("fn f() {{ {body} }}"));
    assert_eq!(caught("let t = text(\"the lock\", \"the lock\");"), 1);
    assert_eq!(caught("text(\"lock (held)\", \"lock (held)\")"), 1);
    assert_eq!(caught("vec![say(\n    \"a\",\n    \"a\",\n)]"), 1);
    assert_eq!(caught("odd!(key => fixed(\"a\", \"a\"))"), 1);
    assert_eq!(caught("text(\"getData(ahead)\", \"getData(ahead)\")"), 0);
    assert_eq!(caught("text(\"the lock\", \"锁\"); Text::same(\"zk\"); context(\"a\", \"a\");"), 0);
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
    let caught = |literal: &str| caught(chinese, "src/x.rs", &format!("fn f() {{ g({literal}) }}"));
    assert_eq!(caught("\"锁空闲.\""), 1);
    assert_eq!(caught("\"锁,空闲\""), 1);
    assert_eq!(caught("\"设置Watch\""), 1);
    assert_eq!(caught("\"第3步\""), 2);
    assert_eq!(caught("format!(\"锁{n}.空闲,\")"), 1);
    assert_eq!(caught("\"设置 Watch：{n} 次，在{zh}上。\" /* 锁, */"), 0);
    assert_eq!(caught("r#\"锁.\"#"), 1);
}
