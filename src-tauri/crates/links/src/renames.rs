//! Storing changes of a folder, which may rename its skill.

use std::path::Path;
use std::sync::Arc;

use inklings_core::edit::{self, SaveError, Saved, TreeEdit};
use inklings_core::{Skill, Slug};

use crate::sync::{ACTOR, LinkedScope, Links};

/// Updates what refers to skills by name, outside of their store.
pub trait RenameFollower: Send + Sync {
    /// After a skill was renamed. `workspace` is the folder of its workspace; `None` for the account.
    fn follow_rename(&self, workspace: Option<&Path>, from: &Slug, to: &Slug);
}

impl Links {
    #[must_use]
    pub fn with_renames(mut self, renames: Arc<dyn RenameFollower>) -> Self {
        self.renames = Some(renames);
        self
    }

    /// Saves edits of a skill that were made on disk.
    pub(crate) fn save(&self, scope: &LinkedScope, skill: &Skill, edits: &[TreeEdit], why: &str) -> Result<Saved, SaveError> {
        let saved = edit::save(scope.repository.as_ref(), skill.head.id, edits, skill.head.revision, ACTOR, why)?;
        let (from, to) = (&skill.package.slug, &saved.skill.package.slug);
        if let Some(renames) = self.renames.as_ref().filter(|_| from != to) {
            renames.follow_rename(scope.workspace.as_deref(), from, to);
        }
        Ok(saved)
    }
}
