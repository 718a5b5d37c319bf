//! The drawing of a lane: the stage wide and tall, the truth strips and the space-time diagram.
//!
//! [`Picture`] works a scene out as places and fitted words; the functions here turn that into
//! elements, one an item with a key of its own, so that an item keeps its focus and moves from step
//! to step. They know no rule of the lock.

mod diagram;
mod dots;
mod gate;
pub mod geometry;
mod icons;
pub mod labels;
pub mod picture;
pub mod pills;
mod stage;
mod strips;
mod tall;
mod target;
mod watches;

pub use diagram::space_time;
pub use geometry::NARROW;
pub use picture::Picture;
pub use stage::stage_picture;
pub use strips::truth_strips;
pub use tall::tall_stage;
pub use target::Hand;
