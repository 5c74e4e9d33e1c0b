//! `settings/*`: the person's preferences.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
