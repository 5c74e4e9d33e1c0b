//! `log/*`: the app's own log.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
