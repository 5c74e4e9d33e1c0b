//! `prompt/*` and `skill/tokens`: what would be sent to a model, and what it costs in tokens.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
