//! Unsaved edits. Drafts survive crashes, refused writes, removed folders and deletions: those of a deleted skill are kept until it can't
//! be restored any more. They are in the account's database also for workspaces, whose files are untrusted.

mod api;
mod migration;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use migration::DraftMigration;
pub use operations::{DiscardDraft, GetDrafts, ListDrafts, SaveDraft};
pub(crate) use service::wire_draft;
