//! `optimize/*`: looking for a better state of a DSPy program. A search only proposes; see `proposal/accept`.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
