//! Exporting skills, as folders or packages.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
