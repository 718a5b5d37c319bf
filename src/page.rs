//! Mounts the page into the element `#app` of index.html.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Draws the page. Called once, by `main`.
pub fn mount() {
    let app = document()
        .get_element_by_id("app")
        .expect("index.html has an element #app")
        .unchecked_into::<web_sys::HtmlElement>();
    mount_to(app, Page).forget();
}

#[component]
fn Page() -> impl IntoView {
    view! {
        <header>
            <h1>"Lockstep"</h1>
        </header>
        <main></main>
    }
}
