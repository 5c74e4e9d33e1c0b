//! `workspace/*`: folders that are opened.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
