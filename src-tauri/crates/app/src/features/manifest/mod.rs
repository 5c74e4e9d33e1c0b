//! `manifest/*`: what a skill's manifest requires, and whether it is there.

mod api;
pub(crate) mod operations;
mod readiness;

pub use api::*;
pub use operations::*;
