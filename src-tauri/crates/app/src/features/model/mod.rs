//! `model/*`: the configured providers, their keys and models.

pub mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
