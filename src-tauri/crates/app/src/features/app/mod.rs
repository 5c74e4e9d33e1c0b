//! `app/*`: what the app is, and its state.

pub mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
