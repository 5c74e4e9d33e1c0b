//! `input/*`: named, saved inputs of an artifact's form.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
