//! `prompt/*`: what would be sent to a model, and its size in tokens.

pub mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
