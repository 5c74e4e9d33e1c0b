//! `settings/*`: the person's preferences.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
