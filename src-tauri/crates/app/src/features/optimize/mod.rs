//! `optimize/*`: optimizing DSPy programs. The result is a proposal and changes nothing until it is accepted.

pub mod api;
mod error;
mod examples;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
