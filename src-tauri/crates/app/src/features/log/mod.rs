//! `log/*`: the app's own log.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
