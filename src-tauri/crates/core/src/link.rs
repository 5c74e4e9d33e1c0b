//! Skills whose files are a folder on disk that other programs edit, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::change::FileStamp;
use crate::id::SkillId;
use crate::path::SkillPath;
use crate::storage_error::StorageError;

/// The state of a file as `stat` reports it. If it is unchanged, so is the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStat {
    pub bytes: u64,
    /// Nanoseconds since 1970. 0 if the file was so new when it was read that a later write could have the same time.
    pub modified: i64,
    pub inode: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// A file that folder and store agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedFile {
    #[serde(flatten)]
    pub content: FileStamp,
    pub stat: FileStat,
    /// The revision with this content, which is older than that of the base if a change couldn't be stored or written. `None` if it is
    /// that of the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
}

/// The last state that folder and store agreed on: the base of their three-way merge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkBase {
    /// Revision of the skill; 0 if it was in neither of them.
    pub revision: i64,
    pub files: BTreeMap<SkillPath, LinkedFile>,
}

impl LinkBase {
    /// The revision that has a file of this base.
    #[must_use]
    pub fn revision_of(&self, file: &LinkedFile) -> i64 {
        file.revision.unwrap_or(self.revision)
    }

    /// All revisions that have files of this base, and its own.
    #[must_use]
    pub fn revisions(&self) -> BTreeSet<i64> {
        self.files.values().filter_map(|file| file.revision).chain([self.revision]).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillLink {
    /// Folder of the skill's workspace; empty for the account.
    pub workspace: String,
    pub skill: SkillId,
    /// Absolute, without symbolic links.
    pub folder: PathBuf,
    /// Id of the agent that the folder was found at; `None` if the user chose it.
    pub agent: Option<String>,
    /// False after the user has unlinked it, so that it isn't linked again by itself.
    pub active: bool,
    pub base: LinkBase,
    /// Why folder and store differ now.
    pub problem: Option<String>,
}

/// The links of all scopes. They are stored in the account's database, since a workspace's file is untrusted. Calls block.
pub trait SkillLinks: Send + Sync {
    /// `workspace` is empty for the account.
    fn links(&self, workspace: &str) -> Result<Vec<SkillLink>, StorageError>;
    /// Unknown ids are skipped.
    fn links_of(&self, workspace: &str, skills: &[SkillId]) -> Result<Vec<SkillLink>, StorageError>;
    /// The link of a skill, unless the user has unlinked it.
    fn active_link(&self, workspace: &str, skill: SkillId) -> Result<Option<SkillLink>, StorageError> {
        Ok(self.links_of(workspace, &[skill])?.pop().filter(|link| link.active))
    }
    /// Stores links in one transaction, replacing those of the same skills and of the same folders.
    fn put_links(&self, links: &[SkillLink]) -> Result<(), StorageError>;
    /// Forgets the link of a skill. Returns whether there was one.
    fn remove_link(&self, workspace: &str, skill: SkillId) -> Result<bool, StorageError>;
}
