//! An item of a picture that can be chosen by pointer and by key.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::picture::Picture;

/// A group in an SVG that is a button. It stands at `at` and glides there from where it was.
#[component]
pub fn Target(
    /// What it is, in words.
    #[prop(into)]
    label: Signal<String>,
    #[prop(into)] class: Signal<String>,
    #[prop(into)] at: Signal<(f32, f32)>,
    /// Whether it is the chosen one, where that means something.
    #[prop(optional, into)]
    pressed: MaybeProp<bool>,
    act: Callback<()>,
    children: Children,
) -> impl IntoView {
    let on_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            act.run(());
        }
    };
    view! {
        <g
            class=move || format!("target {}", class.get())
            role="button"
            tabindex="0"
            aria-label=move || label.get()
            aria-pressed=move || pressed.get().map(|pressed| pressed.to_string())
            style:transform=move || {
                let (x, y) = at.get();
                format!("translate({x}px, {y}px)")
            }
            on:click=move |_| act.run(())
            on:keydown=on_key
        >
            {children()}
        </g>
    }
}

/// One item of a picture as a signal of its own, so that only what changed is drawn again. An item
/// that is about to go keeps its last value.
pub fn live<T>(
    picture: Memo<Picture>,
    first: T,
    find: impl Fn(&Picture) -> Option<&T> + Send + Sync + 'static,
) -> Memo<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |before: Option<&T>| {
        let now = picture.with(|picture| find(picture).cloned());
        now.or_else(|| before.cloned()).unwrap_or_else(|| first.clone())
    })
}
