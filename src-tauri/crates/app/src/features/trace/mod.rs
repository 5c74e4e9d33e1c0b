//! `trace/*`: the recorded steps of runs.

pub mod api;
mod error;
pub(crate) mod operations;
pub(crate) mod service;

pub use api::*;
pub use operations::*;
