//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
