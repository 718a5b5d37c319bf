//! Mounts the page into `#app`, and tells `public/boot.js` when a panic ends it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Installs the panic hook and draws the page. Called once, by `main`.
pub fn start() {
    std::panic::set_hook(Box::new(|info| announce_panic(&info.to_string())));
    let app = document()
        .get_element_by_id("app")
        .expect("index.html has an element #app")
        .unchecked_into::<web_sys::HtmlElement>();
    mount_to(app, Page).forget();
}

/// Sends the event on which `boot.js` shows the panel outside the app: nothing in here runs after a panic.
fn announce_panic(message: &str) {
    web_sys::console::error_1(&message.into());
    let detail = web_sys::CustomEventInit::new();
    detail.set_detail(&message.into());
    if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict("lockstep-panic", &detail) {
        let _ = window().dispatch_event(&event);
    }
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
