//! Elements as plain values: what a component returns.
//!
//! A component is a function from a scene to an [`El`]. It can be called and looked at on any
//! machine; `patch` puts it on the page. Views are values and not Leptos' own view types because of
//! the page's weight: the same page written with `view!` weighed 427 kB gzip, more than twice what
//! the whole page may weigh, nearly all of it code that the compiler had written once for each
//! closure. Leptos holds the model, derives the scenes and runs the effect that draws.

use std::borrow::Cow;
use std::rc::Rc;

use crate::app::Msg;

/// Text that may be constant.
pub type Str = Cow<'static, str>;

/// What an element does when something happens to it.
#[derive(Clone)]
pub enum Act {
    Send(Msg),
    /// Two messages, one after the other.
    Both(Msg, Msg),
    /// Sends what its value says.
    Value(Rc<dyn Fn(String) -> Option<Msg>>),
    /// Sends what its check mark says.
    Checked(fn(bool) -> Msg),
    CopyLink,
    /// Moves the focus to the first element that this selector finds.
    SkipTo(&'static str),
}

/// An element: its tag, what it carries, and what stands in it.
///
/// It is a pointer, and what fills it is never inlined: a page is thousands of these calls, and each
/// must be short in code.
#[derive(Clone)]
pub struct El(Box<Parts>);

/// What an element is made of.
#[derive(Clone)]
pub struct Parts {
    pub tag: &'static str,
    /// A key among siblings: each keeps its element when others come and go.
    pub key: Option<Str>,
    pub attrs: Vec<(&'static str, Str)>,
    pub kids: Vec<Node>,
    /// For `click`, and for Enter and Space on what is not a button by itself.
    pub click: Option<Act>,
    /// For `change`; for `input` on a scrubber; for `close` on a dialog.
    pub change: Option<Act>,
}

/// What stands in an element.
#[derive(Clone)]
pub enum Node {
    El(El),
    Text(Str),
}

/// An element without anything.
pub fn el(tag: &'static str) -> El {
    El(Box::new(Parts { tag, key: None, attrs: Vec::new(), kids: Vec::new(), click: None, change: None }))
}

/// An element with a class.
pub fn div(tag: &'static str, class: impl Into<Str>) -> El {
    el(tag).set("class", class.into())
}

impl El {
    /// What it is made of.
    pub fn parts(&self) -> &Parts {
        &self.0
    }

    /// What it is made of, to take things out of.
    pub fn parts_mut(&mut self) -> &mut Parts {
        &mut self.0
    }

    fn set(mut self, name: &'static str, value: Str) -> El {
        self.0.attrs.push((name, value));
        self
    }

    fn push(mut self, node: Node) -> El {
        self.0.kids.push(node);
        self
    }

    /// Adds an attribute. A name that starts with `.` is a property of the DOM element, one that
    /// starts with `--` a custom property of its style.
    pub fn attr(self, name: &'static str, value: impl Into<Str>) -> El {
        self.set(name, value.into())
    }

    /// Adds a number as an attribute.
    pub fn num(self, name: &'static str, value: f32) -> El {
        self.set(name, short(value).into())
    }

    /// Adds an attribute if there is a value.
    pub fn opt(self, name: &'static str, value: Option<Str>) -> El {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    /// Adds an empty attribute if `on`.
    pub fn flag(self, name: &'static str, on: bool) -> El {
        if on { self.set(name, Cow::Borrowed("")) } else { self }
    }

    /// Puts a space between its kids, which is not drawn: words that stand apart are apart for voice
    /// control too, which compares what is seen with the name.
    pub fn spaced(mut self) -> El {
        let kids = std::mem::take(&mut self.0.kids);
        for kid in kids {
            if !self.0.kids.is_empty() {
                self.0.kids.push(Node::Text(Cow::Borrowed(" ")));
            }
            self.0.kids.push(kid);
        }
        self
    }

    /// Adds `true` or `false` as an attribute, as ARIA wants it.
    pub fn aria(self, name: &'static str, on: bool) -> El {
        self.set(name, Cow::Borrowed(if on { "true" } else { "false" }))
    }

    pub fn key(self, key: impl Into<Str>) -> El {
        self.keyed(key.into())
    }

    fn keyed(mut self, key: Str) -> El {
        self.0.key = Some(key);
        self
    }

    pub fn text(self, text: impl Into<Str>) -> El {
        self.push(Node::Text(text.into()))
    }

    pub fn kid(self, kid: El) -> El {
        self.push(Node::El(kid))
    }

    pub fn maybe(self, kid: Option<El>) -> El {
        match kid {
            Some(kid) => self.push(Node::El(kid)),
            None => self,
        }
    }

    pub fn kids(mut self, kids: impl IntoIterator<Item = El>) -> El {
        for kid in kids {
            self = self.kid(kid);
        }
        self
    }

    pub fn click(mut self, act: Act) -> El {
        self.0.click = Some(act);
        self
    }

    /// Sends a message on click.
    pub fn sends(self, msg: Msg) -> El {
        self.click(Act::Send(msg))
    }

    pub fn change(mut self, act: Act) -> El {
        self.0.change = Some(act);
        self
    }

    /// Sends what its value says when it changes.
    pub fn value_sends(self, msg: impl Fn(String) -> Option<Msg> + 'static) -> El {
        self.change(Act::Value(Rc::new(msg)))
    }

    /// The element and all in it as HTML, for tests and for looking at a view without a browser.
    pub fn to_html(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        let Parts { tag, attrs, kids, .. } = self.parts();
        out.push('<');
        out.push_str(tag);
        for (name, value) in attrs {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(&escape(value));
            out.push('"');
        }
        out.push('>');
        for kid in kids {
            match kid {
                Node::El(el) => el.write(out),
                Node::Text(text) => out.push_str(&escape(text)),
            }
        }
        out.push_str("</");
        out.push_str(tag);
        out.push('>');
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A number for SVG: a tenth of a unit is as fine as anybody sees, and floats print long otherwise.
pub fn short(value: f32) -> String {
    let tenths = (value * 10.0).round() as i32;
    let sign = if tenths < 0 { "-" } else { "" };
    match tenths.abs() % 10 {
        0 => format!("{sign}{}", tenths.abs() / 10),
        tenth => format!("{sign}{}.{tenth}", tenths.abs() / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            el("p").attr("title", "\"<").text("<b>&").to_html(),
            "<p title=\"&quot;&lt;\">&lt;b>&amp;</p>"
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 1.0, -2.25, 10.04, 0.96].map(short), ["0", "1", "-2.3", "10", "1"]);
    }
}
