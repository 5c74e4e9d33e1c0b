//! Importing skills, with a preview.
//!
//! An import is a three-way merge of what is here, what arrives and their base: the revision that was imported last, or an earlier one with
//! the same files as the arrival. Files that one side changed are merged. Files that both changed conflict, and nothing of that skill is
//! stored before a choice. Without a base, every difference conflicts. Third-party skills are locked, so that the stored files are the base:
//! importing them again is an update and never a conflict.
//!
//! A merge stores two revisions in one transaction: the arrival as it came, which is the base of the next import, and the merged files.
//!
//! An import reports what `validate` would find. Faults of the content don't keep a skill out, except those that a save refuses, too:
//! files that can't be read as a skill, and malformed assertions. Strict validation refuses more.

mod api;
mod error;
mod listed;
mod merging;
pub(super) mod service;

pub use api::*;
pub(crate) use error::ImportError;
pub(crate) use service::import;
