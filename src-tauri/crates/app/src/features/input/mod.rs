//! `input/*`: named, saved inputs of an artifact's form.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
