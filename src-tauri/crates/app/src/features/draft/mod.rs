//! Unsaved edits. Drafts survive crashes, refused writes and removed folders.

mod api;
mod migration;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use migration::DraftMigration;
pub use operations::{DiscardDraft, GetDrafts, ListDrafts, SaveDraft};
pub(crate) use service::wire_draft;
