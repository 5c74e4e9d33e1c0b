//! Which scope's skill wins, what it hides, and where else on this machine the skill is.

mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::FindPlaces;
