//! `model/*`: the providers that are set up, their keys and models.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
