//! `optimize/*`: looking for a better state of a DSPy program. A search only proposes; see `proposal/accept`.

pub mod api;
mod error;
mod examples;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
