//! The drawing of a lane: the stage wide and tall, the truth strips and the space-time diagram.
//!
//! [`Picture`] works a scene out as places and fitted words, on any machine; the components put
//! that on the page, one element an item, so that an item keeps its focus and moves from step to
//! step. They know no rule of the lock.

mod geometry;
mod picture;
mod pills;

pub use geometry::NARROW;
pub use picture::Picture;

#[cfg(target_arch = "wasm32")]
mod components {
    pub use super::diagram::SpaceTime;
    pub use super::stage::Stage;
    pub use super::strips::TruthStrips;
    pub use super::tall::TallStage;
}
#[cfg(target_arch = "wasm32")]
pub use components::*;

#[cfg(target_arch = "wasm32")]
mod diagram;
#[cfg(target_arch = "wasm32")]
mod dots;
#[cfg(target_arch = "wasm32")]
mod icons;
#[cfg(target_arch = "wasm32")]
mod stage;
#[cfg(target_arch = "wasm32")]
mod strips;
#[cfg(target_arch = "wasm32")]
mod tall;
#[cfg(target_arch = "wasm32")]
mod target;
#[cfg(target_arch = "wasm32")]
mod watches;
