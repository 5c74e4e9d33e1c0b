//! Deleting skills, looking into deleted ones, bringing them back.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Delete, ListDeleted, ReadDeleted, ReadDeletedFile, Restore};
pub(crate) use service::{DeletionPlan, delete, restore};
