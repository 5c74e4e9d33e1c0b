//! User data: drafts, saved inputs, settings, recent workspaces. All of it is stored in the
//! account's database; the same tables in a workspace's file are ignored, since that file is untrusted.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::digest::Digest;
use crate::id::SkillId;
use crate::name::Slug;
use crate::path::SkillPath;
use crate::storage_error::StorageError;
use crate::time::Time;

/// The key of user data of a workspace: its folder, or an empty text for the account.
#[must_use]
pub fn workspace_key(workspace: Option<&Path>) -> String {
    workspace.map(|path| path.display().to_string()).unwrap_or_default()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Folder of the skill's workspace; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
    /// The revision that the text is based on.
    pub base_revision: i64,
    /// Hash of the file at that revision; `None` for a new file.
    pub base_sha256: Option<Digest>,
    pub content: String,
    pub updated_at: Time,
}

/// A draft without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMark {
    /// Folder of the skill's workspace; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
    /// The revision that the text is based on.
    pub base_revision: i64,
    pub updated_at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftKey {
    /// Folder of the skill's workspace; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
}

/// Identifies the version of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftStamp {
    pub key: DraftKey,
    pub updated_at: Time,
}

/// A draft that follows its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMove {
    pub from: DraftKey,
    pub to: DraftKey,
    /// New base of the text: revision and hash of the file; unchanged if `None`.
    pub base: Option<(i64, Option<Digest>)>,
}

/// A named set of parameter values of an artifact. The one with an empty name holds the values that were used last.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedInput {
    pub name: String,
    /// Values by variable.
    pub params: Map<String, Value>,
    pub updated_at: Time,
}

/// The artifact that inputs belong to.
#[derive(Debug, Clone, Copy)]
pub struct InputKey<'a> {
    /// Folder of the workspace; empty for the account.
    pub workspace: &'a str,
    pub slug: &'a Slug,
    pub path: &'a SkillPath,
}

/// The user's decision whether `.inklings` files are excluded from the git repository of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitExclude {
    Ask,
    /// Written to `.git/info/exclude`.
    Done,
    Declined,
}

impl GitExclude {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Done => "done",
            Self::Declined => "declined",
        }
    }
}

/// A workspace that was opened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentWorkspace {
    pub path: String,
    pub opened_at: Time,
    pub git_exclude: GitExclude,
    pub trusted: bool,
}

/// Maximum size of a checkpoint as JSON.
pub const CHECKPOINT_BYTES: usize = 1024 * 1024;
/// Maximum length of a checkpoint's key.
pub const CHECKPOINT_KEY_CHARS: usize = 200;

/// Maximum number of checkpoints per script and workspace.
pub const CHECKPOINTS: u64 = 1_000;
/// Maximum size of all checkpoints of a skill in a workspace, including keys.
pub const CHECKPOINTS_BYTES: u64 = 64 * 1024 * 1024;

/// The script that a checkpoint belongs to. Other workspaces, skills and versions of the script can't read it.
#[derive(Debug, Clone, Copy)]
pub struct CheckpointKey<'a> {
    /// Folder of the workspace; empty for the account.
    pub workspace: &'a str,
    pub skill: SkillId,
    /// Hash of the script's text: a changed script starts without checkpoints.
    pub script: Digest,
    /// Key chosen by the script.
    pub key: &'a str,
}

/// Calls block.
pub trait Checkpoints: Send + Sync {
    fn checkpoint(&self, key: CheckpointKey<'_>) -> Result<Option<Value>, StorageError>;
    /// Stores a value, replacing an existing one. If the limit is reached, checkpoints of the skill's other scripts, including
    /// former versions of this one, are deleted.
    fn put_checkpoint(&self, key: CheckpointKey<'_>, value: &Value) -> Result<(), StorageError>;
}

/// A setting. The default if it is absent or has another form. Blocks.
pub fn setting<T: DeserializeOwned + Default>(user: &dyn UserData, key: &str) -> Result<T, StorageError> {
    let stored = user.settings()?.remove(key);
    Ok(stored.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// Storage of user data. Calls block.
pub trait UserData: Send + Sync {
    /// Stores a draft, replacing that of the same file.
    fn put_draft(&self, draft: &Draft) -> Result<(), StorageError>;
    /// Stores a draft unless the file has one. Returns whether it was stored.
    fn add_draft(&self, draft: &Draft) -> Result<bool, StorageError>;
    /// The drafts of a skill's files, newest first. `workspace` is empty for the account.
    fn drafts(&self, workspace: &str, skill: SkillId) -> Result<Vec<Draft>, StorageError>;
    /// The drafts of a workspace without their texts, newest first.
    fn draft_marks(&self, workspace: &str) -> Result<Vec<DraftMark>, StorageError>;
    /// Deletes the draft of a file, or all drafts of a skill. Returns whether there was one.
    fn discard_draft(&self, workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> Result<bool, StorageError>;
    /// Deletes the drafts that weren't changed since.
    fn discard_unchanged_drafts(&self, drafts: &[DraftStamp]) -> Result<(), StorageError>;
    /// Copies drafts in one transaction, skipping targets that have one. Returns the copies.
    fn copy_drafts(&self, moves: &[DraftMove]) -> Result<Vec<DraftStamp>, StorageError>;
    /// In one transaction. Of two drafts with the same target, the newer one is kept.
    fn move_drafts(&self, moves: &[DraftMove]) -> Result<(), StorageError>;
    /// By name.
    fn inputs(&self, key: InputKey<'_>) -> Result<Vec<SavedInput>, StorageError>;
    fn put_input(&self, key: InputKey<'_>, input: &SavedInput, origin: &str) -> Result<(), StorageError>;
    /// Returns whether it existed.
    fn delete_input(&self, key: InputKey<'_>, name: &str, origin: &str) -> Result<bool, StorageError>;
    /// Moves the inputs of a skill to its new slug: in one workspace, or in all if `None`.
    fn move_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError>;
    /// Copies the inputs of a skill for a copy of it: in one workspace, or in all if `None`.
    fn copy_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError>;
    /// All stored settings.
    fn settings(&self) -> Result<BTreeMap<String, Value>, StorageError>;
    /// Null removes the setting.
    fn put_setting(&self, key: &str, value: &Value, origin: &str) -> Result<(), StorageError>;
    /// Changes a setting atomically: `change` receives the stored value and returns the new one, or `None` to keep it.
    fn change_setting(&self, key: &str, origin: &str, change: &mut dyn FnMut(Option<Value>) -> Option<Value>) -> Result<(), StorageError>;
    /// Records that a workspace was opened.
    fn note_workspace(&self, path: &str) -> Result<(), StorageError>;
    fn note_git_exclude(&self, path: &str, decision: GitExclude) -> Result<(), StorageError>;
    /// Whether the user trusts a workspace, so that its skills may run.
    fn is_trusted(&self, path: &str) -> Result<bool, StorageError>;
    fn note_trust(&self, path: &str, trusted: bool, origin: &str) -> Result<(), StorageError>;
    /// Removes a workspace from the list, with the decisions about it.
    fn forget_workspace(&self, path: &str, origin: &str) -> Result<(), StorageError>;
    /// Last opened first.
    fn recent_workspaces(&self) -> Result<Vec<RecentWorkspace>, StorageError>;
}
