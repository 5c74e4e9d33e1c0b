//! Deleting, reading and restoring skills.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::DeletionError;
pub(crate) use service::{DeletionPlan, delete, restore};
