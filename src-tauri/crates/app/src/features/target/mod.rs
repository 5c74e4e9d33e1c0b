//! The skills that a person's other agents have.

mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::ListTargets;
