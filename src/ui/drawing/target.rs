//! An item of a picture that can be chosen by pointer and by key.

use crate::app::Msg;
use crate::app::scene::Pick;
use crate::text::Lang;
use crate::ui::el::{Act, El, div, short};
use crate::world::ClientId;

/// Whose hand points at the picture, and in which language it is labelled.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    pub lang: Lang,
    /// The lane that is pointed into; `None` where nothing can be picked.
    pub lane: Option<usize>,
    /// The client that is picked.
    pub selected: Option<ClientId>,
}

impl Hand {
    /// Makes an element a button that picks `pick`; where nothing can be picked it is a picture.
    pub fn picks(self, el: El, pick: Pick) -> El {
        match self.lane {
            None => el,
            Some(lane) => el.click(Act::Both(Msg::Focus(lane), Msg::Pick(Some(pick)))),
        }
    }
}

/// A group in an SVG that is a button. It stands at `at` and glides there from where it was.
pub fn target(hand: Hand, class: String, label: String, at: (f32, f32), pick: Pick) -> El {
    let group = div("g", format!("target {class}")).attr("--x", px(at.0)).attr("--y", px(at.1));
    let group = match hand.lane {
        Some(_) => group.attr("role", "button").attr("tabindex", "0"),
        None => group.attr("role", "img"),
    };
    hand.picks(group.attr("aria-label", label), pick)
}

fn px(value: f32) -> String {
    format!("{}px", short(value))
}

/// The attribute that moves a group.
pub fn translate(x: f32, y: f32) -> String {
    format!("translate({}, {})", short(x), short(y))
}
