//! The plain files of a workspace, as reference material. They are searched and read, never written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pages::PagesError;

/// Larger files are returned without their text.
pub const MAX_TEXT_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceFile {
    /// Path relative to the workspace, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// Best first.
    pub files: Vec<WorkspaceFile>,
    /// Whether the search was limited because the workspace has too many files.
    pub is_partial: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileText {
    #[serde(flatten)]
    pub file: WorkspaceFile,
    /// Null if it isn't UTF-8 text or is larger than 1 MiB.
    pub text: Option<String>,
}

/// The files of one workspace. Calls block. Symbolic links that lead out of the folder aren't followed.
pub trait WorkspaceFiles: Send + Sync {
    /// At most `limit` files whose path matches `query`, without pages.
    fn find(&self, query: &str, limit: usize) -> Result<FoundFiles, PagesError>;
    /// `None` if there is no plain file at the path.
    fn file(&self, path: &str) -> Result<Option<WorkspaceFile>, PagesError>;
    /// `None` if there is no plain file at the path.
    fn read(&self, path: &str) -> Result<Option<FileText>, PagesError>;
}
