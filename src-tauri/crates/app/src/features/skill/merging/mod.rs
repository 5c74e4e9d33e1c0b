//! Merging a skill into another one.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::MergeError;
pub(crate) use service::{PlannedMerge, merge, plan};
