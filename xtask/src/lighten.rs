//! What makes the built page lighter to load and no different: short names between the glue and the wasm, no
//! comments, one file of styles.

use crate::Outcome;

/// The glue with the names that wasm-opt has given to imports and exports, as its list `names` says: a hash in each
/// of a hundred names does not pack.
pub fn renamed(glue: &str, names: &str) -> Outcome<String> {
    let mut glue = glue.to_string();
    let mut modules = Vec::new();
    for line in names.lines() {
        let line: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        match line[..] {
            [module, name, short] => {
                glue = replaced(&glue, &format!(" {name}: "), &format!(" {short}: "))?;
                modules.push(module.to_string());
            }
            // An export that the glue has no use for has no place in it.
            [name, short] => glue = replace_name(&glue, &format!("wasm.{name}"), &format!("wasm.{short}")),
            _ => {}
        }
    }
    modules.dedup();
    match &modules[..] {
        [module] => replaced(&glue, &format!("\"{module}\": "), "a: "),
        _ => Err(format!("The wasm imports from {modules:?}; one module was expected.")),
    }
}

fn replaced(glue: &str, from: &str, to: &str) -> Outcome<String> {
    match glue.matches(from).count() {
        1 => Ok(glue.replace(from, to)),
        count => Err(format!(
            "The glue names `{from}` {count} times; once was expected. Has wasm-bindgen changed?"
        )),
    }
}

/// Replaces a name wherever it is not the beginning of a longer one.
fn replace_name(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        out.push_str(before);
        out.push_str(if ends { to } else { from });
        rest = after;
    }
    out + rest
}

/// A script without the comments that fill whole lines, and without what stands before each line.
pub fn script(text: &str) -> String {
    let mut in_comment = false;
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        in_comment |= opens;
        if !in_comment && !line.starts_with("//") && !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
        in_comment &= !line.ends_with("*/");
    }
    out
}

/// A style sheet without comments and without the spaces that only people need.
pub fn style(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    let lines = bare.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |out, line| {
        // A selector or a value may go on in the next line; what ends in one of these does not.
        let gap = if out.is_empty() || out.ends_with(['{', '}', ';', ',']) { "" } else { " " };
        out + gap + line
    })
}

/// The page with one style sheet in place of several, and the names of those, in their order.
pub fn one_style_sheet(html: &str, name: &str) -> (String, Vec<String>) {
    let mut names = Vec::new();
    let mut out = String::new();
    for line in html.lines() {
        let file =
            line.trim().strip_prefix("<link rel=\"stylesheet\" href=\"./").and_then(|l| l.split('"').next());
        if let Some(file) = file {
            if names.is_empty() {
                out.push_str(&format!("    <link rel=\"stylesheet\" href=\"./{name}\"/>\n"));
            }
            names.push(file.to_string());
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    (out, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "{\n \"imports\": [\n  [\"./x_bg.js\", \"__wbg_go_12ab\", \"$\"]\n ],\n \"exports\": [\n  \
                         [\"memory\", \"b\"],\n  [\"main\", \"c\"]\n ]\n}\n";

    #[test]
    fn imports_and_exports_get_their_short_names() {
        let glue = "const import0 = { __wbg_go_12ab: function() { wasm.memory_grow(wasm.memory); } };\nreturn { \
                    \"./x_bg.js\": import0 };";
        assert_eq!(
            renamed(glue, NAMES).unwrap(),
            "const import0 = { $: function() { wasm.memory_grow(wasm.b); } };\nreturn { a: import0 };"
        );
    }

    #[test]
    fn glue_that_lacks_an_import_is_refused() {
        assert!(renamed("return { \"./x_bg.js\": import0 };", NAMES).is_err());
    }

    #[test]
    fn comments_go_and_code_stays() {
        let text = "// one\nlet a = 1; // kept\n  /** two\n   * three */\n\n  f(`a//b`);\n";
        assert_eq!(script(text), "let a = 1; // kept\nf(`a//b`);\n");
        let text =
            "/* one */\n.a,\n.b {\n  margin: 0\n    auto; /* two\n  three */\n}\n\n.c > .d { top: 0; }\n";
        assert_eq!(style(text), ".a,.b {margin: 0 auto;}.c > .d { top: 0; }");
    }

    #[test]
    fn several_style_sheets_become_one() {
        let html = "<head>\n    <link rel=\"stylesheet\" href=\"./a.css\"/>\n    <link rel=\"stylesheet\" \
                    href=\"./b.css\"/>\n</head>\n";
        let (html, names) = one_style_sheet(html, "all.css");
        assert_eq!(html, "<head>\n    <link rel=\"stylesheet\" href=\"./all.css\"/>\n</head>\n");
        assert_eq!(names, ["a.css", "b.css"]);
    }
}
