//! `script/*`: what the editor knows about scripts.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
