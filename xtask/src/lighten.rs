//! What makes the built page lighter to load and no different: nothing that nobody reaches, short names between the
//! glue and the wasm, no comments, one file of styles.

use std::collections::BTreeSet;

use crate::Outcome;

/// What wasm-bindgen ends the glue with, and what `boot.js` takes of it.
const OFFERS: (&str, &str) =
    ("export { initSync, __wbg_init as default };", "export { __wbg_init as default };");

/// The glue without the declarations that what it offers does not reach, such as the classes that a crate of streams
/// exports: they stand on the wasm's exports, and so keep their half of the wasm alive.
pub fn reached(glue: &str) -> Outcome<String> {
    let mut items: Vec<String> = Vec::new();
    for line in replaced(glue, OFFERS.0, OFFERS.1)?.lines() {
        // What does not declare goes with the declaration above it.
        let declares = ["export ", "class ", "function ", "async ", "const ", "let "];
        match items.last_mut() {
            Some(item) if !declares.iter().any(|word| line.starts_with(word)) => {
                item.push_str(line);
                item.push('\n');
            }
            _ => items.push(format!("{line}\n")),
        }
    }
    let mut kept: Vec<bool> = items.iter().map(|item| item.starts_with("export {")).collect();
    let mut reached: BTreeSet<&str> = words(OFFERS.1).collect();
    let is_next = |(item, kept): (&String, &bool), reached: &BTreeSet<&str>| {
        !kept && declared(item).any(|name| reached.contains(name))
    };
    while let Some(next) = items.iter().zip(&kept).position(|item| is_next(item, &reached)) {
        kept[next] = true;
        reached.extend(words(&items[next]));
    }
    Ok(items.iter().zip(kept).filter(|(_, kept)| *kept).map(|(item, _)| item.as_str()).collect())
}

/// What an item of the glue declares: its first line names it, before a value, a list or a block begins.
fn declared(item: &str) -> impl Iterator<Item = &str> {
    let keyword = |word: &&str| ["export", "class", "async", "function", "const", "let"].contains(word);
    let names = item.lines().next().and_then(|line| line.split(['=', '(', '{']).next());
    words(names.unwrap_or_default()).filter(move |word| !keyword(word))
}

/// Whether the glue asks the wasm for this export.
pub fn asks_for(glue: &str, export: &str) -> bool {
    glue.split("wasm.").skip(1).any(|after| words(after).next() == Some(export))
}

/// The glue without the imports that wasm-opt has not found in the wasm, as its list `names` says.
pub fn without_idle_imports(glue: &str, names: &str) -> String {
    let imports: BTreeSet<&str> = names.lines().filter_map(|line| line.split('"').nth(3)).collect();
    let mut kept = true;
    let mut out = String::new();
    for line in glue.lines() {
        // An import begins in a line of its own, at this depth alone.
        let at_depth = line.strip_prefix("        ").filter(|line| line.starts_with(is_of_name));
        match at_depth.and_then(|line| line.split_once(": function(")) {
            Some((name, _)) => kept = imports.contains(name),
            None => kept |= line.starts_with("    }"),
        }
        if kept {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_name(c)).filter(|word| !word.is_empty())
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

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

/// The glue of a wasm that is split in two: it hands the first part the function `load` of module `other`, and offers
/// `second` to `boot.js`; `loading` is what does both.
pub fn with_second(glue: &str, loading: &str, other: &str, load: &str) -> Outcome<String> {
    let glue = replaced(glue, "a: import0", &format!("a: import0, {other}: {{ {load} }}"))?;
    let glue = replaced(&glue, OFFERS.1, "export { __wbg_init as default, second };")?;
    Ok(glue + loading)
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
        let ends = !after.starts_with(is_of_name);
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
    fn what_nobody_reaches_goes_from_the_glue() {
        let class = "export class Idle {\n    free() { wasm.free(1); }\n}\nif (Symbol.dispose) Idle();\n";
        let init = "let a, wasm;\nasync function __wbg_init(x) {\n    wasm.go(helper);\n}\n";
        let helper = "const helper = 1;\nif (!helper) {\n}\n";
        let idle = "function initSync(x) {\n    throw 'initSync';\n}\n";
        let glue = format!("{class}{init}{idle}{helper}{}", OFFERS.0);
        let glue = reached(&glue).unwrap();
        assert_eq!(glue, format!("{init}{helper}{}\n", OFFERS.1));
        assert!(asks_for(&glue, "go") && !asks_for(&glue, "g") && !asks_for(&glue, "free"));
    }

    #[test]
    fn imports_that_the_wasm_has_not_go_from_the_glue() {
        let glue = |idle| {
            format!(
                "    const import0 = {{\n        __proto__: null,\n{idle}        __wbg_go_12ab: function(a) {{\n            \
                 return a;\n        }},\n{idle}    }};\n}}\n"
            )
        };
        let idle = "        __wbg_stop_34cd: function() { return handleError(function (a) {\n            \
                    stop();\n        }, arguments); },\n";
        assert_eq!(without_idle_imports(&glue(idle), NAMES), glue(""));
    }

    #[test]
    fn the_glue_of_a_split_wasm_has_the_loader_and_offers_the_second_part() {
        let glue = format!("return {{ a: import0 }};\n{}\n", OFFERS.1);
        let glue = with_second(&glue, "function load() {}\n", "b", "load").unwrap();
        let offers = "export { __wbg_init as default, second };";
        assert_eq!(
            glue,
            format!("return {{ a: import0, b: {{ load }} }};\n{offers}\nfunction load() {{}}\n")
        );
        assert!(with_second("", "", "b", "load").is_err());
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
