//! The revisions of a skill, and how to restore them.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::HistoryError;
pub(crate) use service::revert;
