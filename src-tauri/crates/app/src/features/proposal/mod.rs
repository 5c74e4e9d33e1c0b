//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
