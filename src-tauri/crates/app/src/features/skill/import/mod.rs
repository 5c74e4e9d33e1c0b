//! Importing skills, with a preview.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::ImportError;
pub(crate) use service::import;
