//! What every component is given.

use leptos::prelude::*;

use super::browser;
use crate::app::{LabScene, Layout, Model, Msg, lab_scene};
use crate::text::{Lang, Text};

/// The model, and what is derived from it once for all components.
#[derive(Clone, Copy)]
pub struct Ctx {
    pub model: RwSignal<Model>,
    pub lang: Memo<Lang>,
    pub layout: Memo<Layout>,
    pub lab: Memo<LabScene>,
}

impl Ctx {
    /// Derives what components share.
    pub fn new(model: RwSignal<Model>) -> Ctx {
        Ctx {
            model,
            lang: Memo::new(move |_| model.with(Model::lang)),
            layout: Memo::new(move |_| model.with(|model| model.layout)),
            lab: Memo::new(move |_| model.with(lab_scene)),
        }
    }

    /// Sends a message.
    pub fn send(self, msg: Msg) {
        browser::send(self, msg);
    }

    /// A text in the language that is shown, as a view that follows it.
    pub fn tr(self, text: Text) -> impl Fn() -> String + Clone + Send + Sync + 'static {
        move || text.get(self.lang.get()).to_string()
    }

    /// A text in the language that is shown now.
    pub fn say(self, text: &Text) -> String {
        text.get(self.lang.get()).to_string()
    }
}
