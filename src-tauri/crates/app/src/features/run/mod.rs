//! `run/*`: running skills, stopping them, and the list of what ran.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
