//! The past of a skill: its revisions, and ways back to them.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{ListRevisions, ReadRevision, RestoreFiles, Revert, Rollback};
pub(crate) use service::revert;
