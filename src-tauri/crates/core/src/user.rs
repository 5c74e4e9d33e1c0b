//! What belongs to the person rather than to a skill: drafts, saved inputs, settings, recent workspaces. All of it lives in the
//! account's database; the same tables in a workspace's file are ignored, since that file is untrusted.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::digest::Digest;
use crate::id::SkillId;
use crate::name::Slug;
use crate::path::SkillPath;
use crate::ports::StorageError;
use crate::time::Time;

/// An unsaved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Folder of the workspace that the skill lives in; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
    /// The revision that the typing began on.
    pub base_revision: i64,
    /// The file's content at that revision; none if the file is new.
    pub base_sha256: Option<Digest>,
    pub content: String,
    /// When it was typed.
    pub updated_at: Time,
}

/// That a file has an unsaved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMark {
    /// Folder of the workspace that the skill lives in; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
    /// The revision that was open when typing began.
    pub base_revision: i64,
    /// When it was typed.
    pub updated_at: Time,
}

/// What a draft is filed under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftKey {
    /// Folder of the workspace that the skill lives in; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    pub path: SkillPath,
}

/// A draft as it was when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftStamp {
    pub key: DraftKey,
    /// When it was typed.
    pub updated_at: Time,
}

/// A draft that follows its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMove {
    /// Where it is.
    pub from: DraftKey,
    /// Where its file goes.
    pub to: DraftKey,
    /// Revision and content of the file there, which the text counts as typed on; unchanged without it.
    pub base: Option<(i64, Option<Digest>)>,
}

/// One named set of parameters of an artifact's form. The empty name holds what was used last.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedInput {
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
    /// When it was saved.
    pub updated_at: Time,
}

/// Whose form the inputs belong to.
#[derive(Debug, Clone, Copy)]
pub struct InputKey<'a> {
    /// Folder of the workspace; empty for the account.
    pub workspace: &'a str,
    pub slug: &'a Slug,
    pub path: &'a SkillPath,
}

/// What was decided about keeping our files out of a folder's git repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitExclude {
    /// Not asked yet.
    Ask,
    /// Written to `.git/info/exclude`.
    Done,
    /// Not wanted.
    Declined,
}

impl GitExclude {
    /// The stored text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Done => "done",
            Self::Declined => "declined",
        }
    }
}

/// A workspace that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentWorkspace {
    pub path: String,
    /// When it was opened last.
    pub opened_at: Time,
    /// What was decided about git.
    pub git_exclude: GitExclude,
    /// Whether the person trusts it.
    pub trusted: bool,
}

/// Bytes of a checkpoint as JSON.
pub const CHECKPOINT_BYTES: usize = 1024 * 1024;
/// Characters of a checkpoint's key.
pub const CHECKPOINT_KEY_CHARS: usize = 200;

/// Checkpoints of one script in one workspace.
pub const CHECKPOINTS: u64 = 1_000;
/// Bytes of the checkpoints, with their keys, that one skill has in one workspace.
pub const CHECKPOINTS_BYTES: u64 = 64 * 1024 * 1024;

/// Whose checkpoint it is. Nothing of another workspace, skill or version of the script sees it.
#[derive(Debug, Clone, Copy)]
pub struct CheckpointKey<'a> {
    /// The workspace's folder; empty without one.
    pub workspace: &'a str,
    pub skill: SkillId,
    /// Hash of the script's text: a changed script begins anew.
    pub script: Digest,
    /// What the script calls it.
    pub key: &'a str,
}

/// What scripts keep from one run to the next. Calls block.
pub trait Checkpoints: Send + Sync {
    /// What was kept, if anything.
    fn checkpoint(&self, key: CheckpointKey<'_>) -> Result<Option<Value>, StorageError>;
    /// Keeps a value; the one before is replaced. What other scripts of the skill, such as former texts of this one, keep in the
    /// workspace goes when there is no room beside it.
    fn put_checkpoint(&self, key: CheckpointKey<'_>, value: &Value) -> Result<(), StorageError>;
}

/// Storage of what belongs to the person. Calls block.
pub trait UserData: Send + Sync {
    /// Keeps a draft; the one before of the same file is replaced.
    fn put_draft(&self, draft: &Draft) -> Result<(), StorageError>;
    /// The drafts of a skill's files in a workspace (empty: the account), newest first.
    fn drafts(&self, workspace: &str, skill: SkillId) -> Result<Vec<Draft>, StorageError>;
    /// Where a workspace has drafts, without their texts, newest first.
    fn draft_marks(&self, workspace: &str) -> Result<Vec<DraftMark>, StorageError>;
    /// Gives up the draft of one file, or of a whole skill. Returns whether there was one.
    fn discard_draft(&self, workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> Result<bool, StorageError>;
    /// Gives up those of these drafts that were not typed in since.
    fn discard_unchanged_drafts(&self, drafts: &[DraftStamp]) -> Result<(), StorageError>;
    /// Copies drafts in one transaction, except to where there is one. Returns the copies.
    fn copy_drafts(&self, moves: &[DraftMove]) -> Result<Vec<DraftStamp>, StorageError>;
    /// Moves drafts in one transaction. Of two that meet, the one that was typed in last stays.
    fn move_drafts(&self, moves: &[DraftMove]) -> Result<(), StorageError>;
    /// The saved inputs of an artifact, by name.
    fn inputs(&self, key: InputKey<'_>) -> Result<Vec<SavedInput>, StorageError>;
    /// Saves parameters under a name.
    fn put_input(&self, key: InputKey<'_>, input: &SavedInput, origin: &str) -> Result<(), StorageError>;
    /// Forgets a named set. Returns whether there was one.
    fn delete_input(&self, key: InputKey<'_>, name: &str, origin: &str) -> Result<bool, StorageError>;
    /// Takes the inputs of a skill along to its new slug: in one workspace, or in all for a skill of the account.
    fn move_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError>;
    /// All settings that were ever set.
    fn settings(&self) -> Result<BTreeMap<String, Value>, StorageError>;
    /// Sets a value; null removes it.
    fn put_setting(&self, key: &str, value: &Value, origin: &str) -> Result<(), StorageError>;
    /// Changes a value as one write: `change` is given what is stored, and what it gives back is stored; nothing if it gives none.
    fn change_setting(&self, key: &str, origin: &str, change: &mut dyn FnMut(Option<Value>) -> Option<Value>) -> Result<(), StorageError>;
    /// Notes that a workspace was opened just now.
    fn note_workspace(&self, path: &str) -> Result<(), StorageError>;
    /// Notes the decision about git.
    fn note_git_exclude(&self, path: &str, decision: GitExclude) -> Result<(), StorageError>;
    /// Whether the person trusts a workspace: nothing from it runs or calls a model before.
    fn is_trusted(&self, path: &str) -> Result<bool, StorageError>;
    /// Notes whether the person trusts a workspace.
    fn note_trust(&self, path: &str, trusted: bool, origin: &str) -> Result<(), StorageError>;
    /// Removes a workspace from those that were opened, with what was decided about it.
    fn forget_workspace(&self, path: &str, origin: &str) -> Result<(), StorageError>;
    /// The workspaces that were opened, last first.
    fn recent_workspaces(&self) -> Result<Vec<RecentWorkspace>, StorageError>;
}
