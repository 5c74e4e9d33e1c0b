//! `run/*`: running skills, cancelling them, and the list of runs.

pub(crate) mod active;
pub mod api;
mod error;
pub(crate) mod gates;
pub(crate) mod operations;
pub(crate) mod progress;
pub(crate) mod resources;
pub(crate) mod service;

pub use active::ActiveRuns;
pub use api::*;
pub(crate) use error::RunError;
pub use operations::*;
