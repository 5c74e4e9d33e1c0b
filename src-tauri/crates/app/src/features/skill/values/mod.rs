//! Changing the metadata of a skill. The text around the values is kept.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::ValueError;
pub(crate) use service::line;
