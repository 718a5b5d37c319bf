//! What happens when a panic ends the page: nothing in the wasm runs any more, so `public/boot.js` is told to show
//! the panel of index.html, which is outside the app.

use leptos::prelude::window;

/// Tells `boot.js` about every panic. Called before anything else.
pub fn install() {
    std::panic::set_hook(Box::new(|info| announce(&info.to_string())));
}

fn announce(message: &str) {
    web_sys::console::error_1(&message.into());
    let detail = web_sys::CustomEventInit::new();
    detail.set_detail(&message.into());
    if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict("lockstep-panic", &detail) {
        let _ = window().dispatch_event(&event);
    }
}
