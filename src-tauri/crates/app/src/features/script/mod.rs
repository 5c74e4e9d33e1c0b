//! `script/*`: the module that scripts can import.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
