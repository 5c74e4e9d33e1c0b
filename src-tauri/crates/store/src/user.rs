//! The port for what belongs to the person, over the account's file.

use std::collections::BTreeMap;

use inklings_core::user::{Draft, DraftMark, DraftMove, DraftStamp, GitExclude, InputKey, RecentWorkspace, SavedInput};
use inklings_core::{SkillId, SkillPath, Slug, StorageError, UserData};
use serde_json::Value;

use crate::store::Store;

impl UserData for Store {
    fn put_draft(&self, draft: &Draft) -> Result<(), StorageError> {
        Self::put_draft(self, draft)
    }

    fn add_draft(&self, draft: &Draft) -> Result<bool, StorageError> {
        Self::add_draft(self, draft)
    }

    fn drafts(&self, workspace: &str, skill: SkillId) -> Result<Vec<Draft>, StorageError> {
        Self::drafts(self, workspace, skill)
    }

    fn draft_marks(&self, workspace: &str) -> Result<Vec<DraftMark>, StorageError> {
        Self::draft_marks(self, workspace)
    }

    fn discard_draft(&self, workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> Result<bool, StorageError> {
        Self::discard_draft(self, workspace, skill, path)
    }

    fn discard_unchanged_drafts(&self, drafts: &[DraftStamp]) -> Result<(), StorageError> {
        Self::discard_unchanged_drafts(self, drafts)
    }

    fn copy_drafts(&self, moves: &[DraftMove]) -> Result<Vec<DraftStamp>, StorageError> {
        Self::copy_drafts(self, moves)
    }

    fn move_drafts(&self, moves: &[DraftMove]) -> Result<(), StorageError> {
        Self::move_drafts(self, moves)
    }

    fn inputs(&self, key: InputKey<'_>) -> Result<Vec<SavedInput>, StorageError> {
        Self::inputs(self, key)
    }

    fn put_input(&self, key: InputKey<'_>, input: &SavedInput, origin: &str) -> Result<(), StorageError> {
        Self::put_input(self, key, input, origin)
    }

    fn delete_input(&self, key: InputKey<'_>, name: &str, origin: &str) -> Result<bool, StorageError> {
        Self::delete_input(self, key, name, origin)
    }

    fn move_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError> {
        Self::move_inputs(self, workspace, from, to, origin)
    }

    fn copy_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError> {
        Self::copy_inputs(self, workspace, from, to, origin)
    }

    fn settings(&self) -> Result<BTreeMap<String, Value>, StorageError> {
        Self::settings(self)
    }

    fn put_setting(&self, key: &str, value: &Value, origin: &str) -> Result<(), StorageError> {
        Self::put_setting(self, key, value, origin)
    }

    fn change_setting(&self, key: &str, origin: &str, change: &mut dyn FnMut(Option<Value>) -> Option<Value>) -> Result<(), StorageError> {
        Self::change_setting(self, key, origin, change)
    }

    fn note_workspace(&self, path: &str) -> Result<(), StorageError> {
        Self::note_workspace(self, path)
    }

    fn note_git_exclude(&self, path: &str, decision: GitExclude) -> Result<(), StorageError> {
        Self::note_git_exclude(self, path, decision)
    }

    fn is_trusted(&self, path: &str) -> Result<bool, StorageError> {
        Self::is_trusted(self, path)
    }

    fn note_trust(&self, path: &str, trusted: bool, origin: &str) -> Result<(), StorageError> {
        Self::note_trust(self, path, trusted, origin)
    }

    fn forget_workspace(&self, path: &str, origin: &str) -> Result<(), StorageError> {
        Self::forget_workspace(self, path, origin)
    }

    fn recent_workspaces(&self) -> Result<Vec<RecentWorkspace>, StorageError> {
        Self::recent_workspaces(self)
    }
}
