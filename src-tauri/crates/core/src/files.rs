//! The plain files of a workspace, as far as they are reference material: found by name and read, never written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pages::PagesError;

/// Bytes of a file's text that are shown.
pub const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// A file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceFile {
    /// Path below the workspace, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// Best first.
    pub files: Vec<WorkspaceFile>,
    /// Whether the workspace has more files than are looked at.
    pub is_partial: bool,
}

/// A file's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileText {
    /// The file.
    #[serde(flatten)]
    pub file: WorkspaceFile,
    /// Its text; null when it isn't UTF-8 text, or is larger than 1 MiB.
    pub text: Option<String>,
}

/// The files of one workspace. Calls block. Nothing outside of the folder is reached, also not through a link.
pub trait WorkspaceFiles: Send + Sync {
    /// Files that aren't pages and whose path has the words of `query`, at most `limit`.
    fn find(&self, query: &str, limit: usize) -> Result<FoundFiles, PagesError>;
    /// The plain file at a path; none if there is none.
    fn file(&self, path: &str) -> Result<Option<WorkspaceFile>, PagesError>;
    /// A plain file with its text; none if there is none.
    fn read(&self, path: &str) -> Result<Option<FileText>, PagesError>;
}
