//! The page as data: where the reader is, what they chose, what to draw, what to ask of the browser.
//!
//! [`Model`] is the whole page as a value; [`update`] takes one [`Msg`] and returns the [`Effect`]s
//! to carry out; [`lab_scene`] and [`first_scene`] say what to draw. Nothing here knows the browser
//! or Leptos: every rule of the page can be tested on the host.
//!
//! ```
//! use lockstep::app::{Model, Msg, update};
//! let mut model = Model::open("#/lab?clients=3");
//! update(&mut model, Msg::Step(1));
//! assert_eq!(model.lab.stop, 1);
//! ```

mod address;
mod faults;
mod first;
mod inspect;
mod intervene;
mod keys;
mod lab;
mod long;
mod model;
mod place;
mod predict;
mod run;
pub mod scene;
mod setup;
mod store;
mod update;

pub use address::*;
pub use faults::*;
pub use first::*;
pub use inspect::*;
pub use keys::*;
pub use lab::*;
pub use long::*;
pub use model::*;
pub use predict::PredictionScene;
pub use run::*;
pub use setup::*;
pub use store::*;
pub use update::*;
