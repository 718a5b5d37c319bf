//! Drives the release site in `dist/` in a real Chromium, for stories (`tests/`) and screenshots (`bin/shots.rs`).
//!
//! A story opens a [`Page`], acts as a person would, and looks at what a person would see. The site is served under
//! a sub-path, as on a shared static host. Everything here panics with a sentence, since it is used in tests only:
//!
//! ```no_run
//! use lockstep_e2e::Page;
//!
//! let page = Page::open("#/lab?lang=en");
//! page.press("Space");
//! page.wait_for_text("h1", "Lockstep");
//! page.assert_clean();
//! ```
//!
//! There are no sleeps in stories: `wait_for…` looks again until it holds, for a bounded time. The browser itself is
//! Chromium or Chrome from PATH (or `$CHROME`), with `chromedriver` from PATH (or `$CHROMEDRIVER`).

mod axe;
mod boxes;
mod driver;
mod hand;
mod keys;
mod lab;
mod page;
mod site;
mod witness;

pub use boxes::{SCREENS, Screen};
pub use lab::Lab;
pub use page::Page;
pub use site::Site;
