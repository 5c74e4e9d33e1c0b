//! `optimize/*`: optimizing DSPy programs. The result is a proposal and changes nothing until it is accepted. It has the examples, so that the
//! program can be optimized again for another version of DSPy.

pub mod api;
mod error;
mod examples;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
