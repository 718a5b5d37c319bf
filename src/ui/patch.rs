//! Puts elements on the page: makes what is new, changes what differs, moves what has another place,
//! takes away what is gone. What stays the same is left alone, so it keeps its focus and its
//! transition.
//!
//! Events are heard once, at the root: an element with an act carries its number.

use std::cell::RefCell;

use litemap::LiteMap;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::Reflect;
use web_sys::{Document, Element, HtmlElement};

use super::el::{Act, El, Node, Parts};

/// The attribute with an element's number.
const NUMBER: &str = "data-n";
const SVG: &str = "http://www.w3.org/2000/svg";

/// What is on the page.
pub struct Drawn {
    dom: web_sys::Node,
    node: Node,
    kids: Vec<Drawn>,
    number: Option<u32>,
}

/// What an element does.
#[derive(Clone, Default)]
struct Acts {
    click: Option<Act>,
    change: Option<Act>,
}

#[derive(Default)]
struct Register {
    next: u32,
    acts: LiteMap<u32, Acts>,
}

thread_local! {
    static REGISTER: RefCell<Register> = RefCell::default();
    /// The field that the reader has typed into and not yet confirmed.
    static TYPED_IN: RefCell<Option<Element>> = const { RefCell::new(None) };
}

/// Which of an element's acts an event asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    Click,
    Change,
}

/// The act that an event at `target` asks for, and the element that has it.
pub fn act_at(target: &Element, heard: Heard) -> Option<(Act, Element)> {
    let mut at = Some(target.clone());
    while let Some(element) = at {
        let number = element.get_attribute(NUMBER).and_then(|number| number.parse().ok());
        let acts = number.and_then(|number: u32| REGISTER.with_borrow(|r| r.acts.get(&number).cloned()));
        let act = acts.and_then(|acts| match heard {
            Heard::Click => acts.click,
            Heard::Change => acts.change,
        });
        if let Some(act) = act {
            return Some((act, element));
        }
        at = element.parent_element();
    }
    None
}

/// Draws `el` into `host`, where `before` is what was drawn there last.
pub fn draw(host: &Element, before: Option<Drawn>, el: El) -> Option<Drawn> {
    let document = host.owner_document()?;
    let old = before.into_iter().collect();
    put_kids(&document, host, old, vec![Node::El(el)], false).pop()
}

fn make(document: &Document, node: Node, svg: bool) -> Option<Drawn> {
    match node {
        Node::Text(text) => {
            let dom = document.create_text_node(&text).into();
            Some(Drawn { dom, node: Node::Text(text), kids: Vec::new(), number: None })
        }
        Node::El(mut el) => {
            let parts = el.parts_mut();
            let svg = svg || parts.tag == "svg";
            let element = match svg {
                true => document.create_element_ns(Some(SVG), parts.tag).ok()?,
                false => document.create_element(parts.tag).ok()?,
            };
            let kids = put_kids(document, &element, Vec::new(), std::mem::take(&mut parts.kids), svg);
            for (name, value) in &parts.attrs {
                set(&element, name, value);
            }
            let number = register(&element, None, parts);
            Some(Drawn { dom: element.into(), node: Node::El(el), kids, number })
        }
    }
}

/// Makes the children of `parent` be `new`, using those of `old` that fit.
fn put_kids(document: &Document, parent: &Element, old: Vec<Drawn>, new: Vec<Node>, svg: bool) -> Vec<Drawn> {
    let mut old: Vec<Option<Drawn>> = old.into_iter().map(Some).collect();
    let mut kids = Vec::with_capacity(new.len());
    let mut from = 0;
    for node in new {
        let found =
            (from..old.len()).find(|at| old[*at].as_ref().is_some_and(|drawn| fits(&drawn.node, &node)));
        let drawn = match found.and_then(|at| old[at].take()) {
            Some(drawn) => Some(patch(document, drawn, node, svg)),
            None => make(document, node, svg),
        };
        while from < old.len() && old[from].is_none() {
            from += 1;
        }
        kids.extend(drawn);
    }
    for gone in old.into_iter().flatten() {
        let _ = parent.remove_child(&gone.dom);
        forget(&gone);
    }
    // From the end, so that what has kept its place is not touched.
    let mut after: Option<&web_sys::Node> = None;
    for kid in kids.iter().rev() {
        let in_place = kid.dom.parent_node().is_some_and(|p| p.is_same_node(Some(parent)))
            && match (kid.dom.next_sibling(), after) {
                (Some(next), Some(after)) => next.is_same_node(Some(after)),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
        if !in_place {
            let _ = parent.insert_before(&kid.dom, after);
        }
        after = Some(&kid.dom);
    }
    kids
}

fn fits(old: &Node, new: &Node) -> bool {
    match (old, new) {
        (Node::Text(_), Node::Text(_)) => true,
        (Node::El(old), Node::El(new)) => {
            let (old, new) = (old.parts(), new.parts());
            old.tag == new.tag && old.key == new.key
        }
        (Node::Text(_), Node::El(_)) | (Node::El(_), Node::Text(_)) => false,
    }
}

fn patch(document: &Document, drawn: Drawn, new: Node, svg: bool) -> Drawn {
    let Drawn { dom, node: old, kids, number } = drawn;
    match (old, new) {
        (Node::El(old), Node::El(mut el)) => {
            let element: &Element = dom.unchecked_ref();
            let (before, parts) = (&old.parts().attrs, el.parts_mut());
            let svg = svg || parts.tag == "svg";
            let kids = put_kids(document, element, kids, std::mem::take(&mut parts.kids), svg);
            for (name, _) in before.iter().filter(|(name, _)| parts.attrs.iter().all(|(new, _)| new != name))
            {
                unset(element, name);
            }
            for (name, value) in &parts.attrs {
                let same = before.iter().any(|(old, was)| old == name && was == value);
                // The reader may have changed a property since; what is being typed is not taken away.
                if !same || (name.starts_with('.') && !is_typed_in(element)) {
                    set(element, name, value);
                }
            }
            let number = register(element, number, parts);
            Drawn { node: Node::El(el), kids, number, dom }
        }
        (Node::Text(old), Node::Text(text)) => {
            if old != text {
                dom.set_node_value(Some(&text));
            }
            Drawn { node: Node::Text(text), kids, number, dom }
        }
        // `fits` lets no other pair through.
        (_, node) => Drawn { dom, node, kids, number },
    }
}

/// Says into which field the reader is typing, if into any.
pub fn typing(field: Option<&Element>) {
    TYPED_IN.set(field.cloned());
}

fn is_typed_in(element: &Element) -> bool {
    TYPED_IN.with_borrow(|field| field.as_ref() == Some(element))
}

fn set(element: &Element, name: &str, value: &str) {
    if let Some(property) = name.strip_prefix('.') {
        set_property(element, property, value);
    } else if name.starts_with("--") {
        let _ = element.unchecked_ref::<HtmlElement>().style().set_property(name, value);
    } else {
        let _ = element.set_attribute(name, value);
    }
}

fn set_property(element: &Element, property: &str, value: &str) {
    let value = match value {
        "true" => JsValue::TRUE,
        "false" => JsValue::FALSE,
        text => text.into(),
    };
    if property == "modal" {
        let dialog: &web_sys::HtmlDialogElement = element.unchecked_ref();
        match (value.is_truthy(), dialog.open()) {
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            (true, true) | (false, false) => {}
        }
        return;
    }
    let before = Reflect::get(element, &property.into());
    if before.is_ok_and(|before| before != value) {
        let _ = Reflect::set(element, &property.into(), &value);
    }
}

fn unset(element: &Element, name: &str) {
    if name.starts_with("--") {
        let _ = element.unchecked_ref::<HtmlElement>().style().remove_property(name);
    } else {
        let _ = element.remove_attribute(name);
    }
}

/// Notes what the element does. It gets a number the first time it does anything.
fn register(element: &Element, number: Option<u32>, parts: &mut Parts) -> Option<u32> {
    let acts = Acts { click: parts.click.take(), change: parts.change.take() };
    if number.is_none() && acts.click.is_none() && acts.change.is_none() {
        return None;
    }
    REGISTER.with_borrow_mut(|register| {
        let number = number.unwrap_or_else(|| {
            register.next += 1;
            let _ = element.set_attribute(NUMBER, &register.next.to_string());
            register.next
        });
        register.acts.insert(number, acts);
        Some(number)
    })
}

fn forget(gone: &Drawn) {
    if let Some(number) = gone.number {
        REGISTER.with_borrow_mut(|register| register.acts.remove(&number));
    }
    gone.kids.iter().for_each(forget);
}
