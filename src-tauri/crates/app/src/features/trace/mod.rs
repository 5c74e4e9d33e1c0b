//! `trace/*`: what was recorded of each execution.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
