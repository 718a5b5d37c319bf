//! A Rust file as the rules see it: paths, strings, calls, type names and matches, read by `syn`. What stands inside a
//! macro is read too: as expressions where it is some, else token by token.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprCall, ExprLit, ExprMatch, ExprMethodCall, Item, ItemMod, ItemUse, Lit, LitStr,
    Macro, Pat, Path, Token, UseTree, Visibility,
};

/// What the rules ask of a file.
#[derive(Debug, Default)]
pub struct Rust {
    /// Every path, the imports included: `crate::a::{b, c}` is two. `$crate` is `crate`, and `super` is
    /// followed to what it means, as far as the file's place tells.
    pub paths: Vec<Vec<String>>,
    /// The values of all string literals, doc comments left out.
    pub strings: Vec<String>,
    /// Calls of a function by its name, with those arguments that are string literals.
    pub calls: Vec<Call>,
    /// The names of types and traits that more than their own module sees.
    pub types: Vec<String>,
    pub matches: Vec<Match>,
    /// The text of the first attribute, if that is a `//!` comment.
    pub doc: Option<String>,
}

#[derive(Debug)]
pub struct Call {
    pub name: String,
    pub arguments: Vec<Option<String>>,
}

/// A `match` whose arms name an enum's variants.
#[derive(Debug)]
pub struct Match {
    pub line: usize,
    /// The enums that the arms name, one for each arm and alternative: `Event` of `Event::Sent`.
    pub enums: Vec<String>,
    /// Whether one arm takes whatever is left: `_`, or a name alone.
    pub takes_the_rest: bool,
}

impl Rust {
    /// Reads `text`, which stands at `path` from the package's root. Panics if it is no Rust.
    pub fn read(path: &str, text: &str) -> Rust {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut reader = Reader { rust: Rust::default(), module: module(path) };
        reader.rust.doc = file.attrs.first().and_then(doc);
        reader.visit_file(&file);
        reader.rust
    }
}

/// The text of a doc comment's line.
fn doc(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if pair.path.is_ident("doc") => Some(text.value()),
        _ => None,
    }
}

/// The module of a file: `["a", "b"]` of `src/a/b.rs` and of `src/a/b/mod.rs`.
fn module(path: &str) -> Vec<String> {
    let inside = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
    let mut module: Vec<String> = inside.split('/').map(str::to_string).collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

struct Reader {
    rust: Rust,
    /// Where the reader stands, the modules inside the file included.
    module: Vec<String>,
}

impl Reader {
    fn path(&mut self, path: Vec<String>) {
        let above = path.iter().take_while(|name| *name == "super").count();
        if above == 0 {
            self.rust.paths.push(path);
            return;
        }
        let kept = self.module.len().saturating_sub(above);
        let mut whole = vec!["crate".to_string()];
        whole.extend(self.module[..kept].iter().cloned());
        whole.extend(path[above..].iter().cloned());
        self.rust.paths.push(whole);
    }

    fn imports(&mut self, before: &[String], tree: &UseTree) {
        let longer = |name: String| {
            let mut path = before.to_vec();
            path.push(name);
            path
        };
        match tree {
            UseTree::Path(path) => self.imports(&longer(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => self.path(longer(name.ident.to_string())),
            UseTree::Rename(renamed) => self.path(longer(renamed.ident.to_string())),
            UseTree::Glob(_) => self.path(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.imports(before, tree)),
        }
    }

    fn call<'a>(&mut self, name: String, arguments: impl Iterator<Item = &'a Expr>) {
        let arguments = arguments.map(literal).collect();
        self.rust.calls.push(Call { name, arguments });
    }

    /// What a macro is given: expressions between commas, else tokens.
    fn given(&mut self, tokens: TokenStream) {
        match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone()) {
            Ok(expressions) => expressions.iter().for_each(|expression| self.visit_expr(expression)),
            Err(_) => self.tokens(tokens),
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut joined = false;
        // The last two names: `pub enum` is followed by the name of a type.
        let mut before = [String::new(), String::new()];
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            if let TokenTree::Ident(name) = &token {
                if before[0] == "pub" && ["enum", "struct", "type", "trait"].contains(&before[1].as_str()) {
                    self.rust.types.push(name.to_string());
                }
                before.rotate_left(1);
                before[1] = name.to_string();
            }
            match token {
                TokenTree::Ident(name) => {
                    if !joined && !path.is_empty() {
                        let ended = std::mem::take(&mut path);
                        self.path(ended);
                    }
                    path.push(name.to_string());
                    joined = false;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => {
                    joined = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':')
                        || joined;
                }
                TokenTree::Punct(sign) => {
                    // `#[doc = "…"]` is what a doc comment is inside a macro.
                    let about_next = sign.as_char() == '#';
                    if let (true, Some(TokenTree::Group(group))) = (about_next, tokens.peek())
                        && group.stream().to_string().starts_with("doc")
                    {
                        tokens.next();
                    }
                    self.end(&mut path);
                }
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.rust.strings.push(text.value());
                    }
                    self.end(&mut path);
                }
                TokenTree::Group(group) => self.group(&mut path, joined, group.delimiter(), group.stream()),
            }
        }
        self.end(&mut path);
    }

    /// A group of tokens after a path: its call, what it imports of it, or something by itself.
    fn group(&mut self, path: &mut Vec<String>, joined: bool, delimiter: Delimiter, inside: TokenStream) {
        let imports = joined && delimiter == Delimiter::Brace;
        if imports && let Ok(UseTree::Group(group)) = syn::parse2::<UseTree>(in_braces(inside.clone())) {
            let before = std::mem::take(path);
            group.items.iter().for_each(|tree| self.imports(&before, tree));
            return;
        }
        if delimiter == Delimiter::Parenthesis
            && let Some(name) = path.last()
            && let Ok(arguments) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(inside.clone())
        {
            self.call(name.clone(), arguments.iter());
        }
        self.end(path);
        self.given(inside);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        if !path.is_empty() {
            let ended = std::mem::take(path);
            self.path(ended);
        }
    }
}

fn in_braces(inside: TokenStream) -> TokenStream {
    TokenStream::from(TokenTree::Group(proc_macro2::Group::new(Delimiter::Brace, inside)))
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_path(&mut self, path: &'ast Path) {
        self.path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.imports(&[], &item.tree);
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.rust.strings.push(text.value());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if doc(attribute).is_none() {
            visit::visit_attribute(self, attribute);
        }
    }

    fn visit_macro(&mut self, macro_call: &'ast Macro) {
        self.visit_path(&macro_call.path);
        self.given(macro_call.tokens.clone());
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(name) = function.path.segments.last()
        {
            self.call(name.ident.to_string(), call.args.iter());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.call(call.method.to_string(), call.args.iter());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_match(&mut self, found: &'ast ExprMatch) {
        let mut enums = Vec::new();
        found.arms.iter().for_each(|arm| enums_of(&arm.pat, &mut enums));
        let takes_the_rest =
            found.arms.iter().any(|arm| matches!(&arm.pat, Pat::Wild(_)) || is_a_name(&arm.pat));
        let line = found.match_token.span.start().line;
        self.rust.matches.push(Match { line, enums, takes_the_rest });
        visit::visit_expr_match(self, found);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let named = match item {
            Item::Enum(item) => Some((&item.vis, &item.ident)),
            Item::Struct(item) => Some((&item.vis, &item.ident)),
            Item::Type(item) => Some((&item.vis, &item.ident)),
            Item::Trait(item) => Some((&item.vis, &item.ident)),
            Item::Union(item) => Some((&item.vis, &item.ident)),
            _ => None,
        };
        if let Some((vis, name)) = named
            && !matches!(vis, Visibility::Inherited)
        {
            self.rust.types.push(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

/// A pattern that is a new name and nothing else: `other`, but no constant and no variant.
fn is_a_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.subpat.is_none() && name.ident.to_string().starts_with(char::is_lowercase),
        _ => false,
    }
}

/// The enums whose variants a pattern names at its top: `Event` of `Event::Sent { .. } | Event::Read`.
fn enums_of(pattern: &Pat, into: &mut Vec<String>) {
    let path = match pattern {
        Pat::Or(or) => return or.cases.iter().for_each(|case| enums_of(case, into)),
        Pat::Paren(inner) => return enums_of(&inner.pat, into),
        Pat::Reference(inner) => return enums_of(&inner.pat, into),
        Pat::Guard(inner) => return enums_of(&inner.pat, into),
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) => return enums_of(inner, into),
            None => return,
        },
        Pat::Path(pattern) => &pattern.path,
        Pat::Struct(pattern) => &pattern.path,
        Pat::TupleStruct(pattern) => &pattern.path,
        _ => return,
    };
    if let Some(name) = path.segments.iter().rev().nth(1) {
        into.push(name.ident.to_string());
    }
}

#[test]
fn paths_are_found_in_imports_code_and_macros() {
    let code = "use crate::{a::{x, y}, b};
        fn f() { crate::c::d(); vec![crate::e::g; 3]; odd!(=> crate::h::{i, j}); format!(\"{}\", super::k()) }
        mod inner { use super::super::l::M; }
        macro_rules! m { ($x:expr) => { $crate::n::o($x) } }
        // crate::not
        const S: &str = \"crate::not\";";
    let rust = Rust::read("src/room/file.rs", code);
    let found: Vec<String> =
        rust.paths.iter().filter(|path| path[0] == "crate").map(|path| path[1..].join("::")).collect();
    let wanted = ["a::x", "a::y", "b", "c::d", "e::g", "h::i", "h::j", "room::k", "room::l::M", "n::o"];
    assert_eq!(found, wanted);
}

#[test]
fn strings_and_calls_are_found_in_code_and_macros() {
    let code = "/// \"not a string\"
        fn f() { say(\"a\\\n   b\", r#\"c\"#); vec![text(\"d\", x)]; odd!(=> fixed(\"e\", \"f\") ;); 'g'; b\"h\"; }";
    let rust = Rust::read("src/text.rs", code);
    assert_eq!(rust.strings, ["ab", "c", "d", "e", "f"]);
    let calls: Vec<&str> = rust.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(calls, ["say", "text", "fixed"]);
    assert_eq!(rust.calls[1].arguments, [Some("d".to_string()), None]);
}

#[test]
fn types_are_found_in_code_and_macros() {
    let code = "pub enum A {} pub(super) struct B; struct Private; mod m { pub type C = u8; }
        macro_rules! make { () => { #[derive(Clone)] pub enum D { E } } }
        table! { pub struct F; }";
    let rust = Rust::read("src/a.rs", code);
    assert_eq!(rust.types, ["A", "B", "C", "D", "F"]);
}
