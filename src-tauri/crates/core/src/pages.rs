//! The pages of a workspace: its Markdown files.
//!
//! [`Pages`] is the port; like the repositories it is synchronous. Deliberately absent: how pages are found, parsed and indexed,
//! and any way to write one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cancel::CancellationToken;
use crate::storage_error::StorageError;
use crate::time::Time;

/// Names of entry pages, which aren't orphans if nothing links to them. Compared with the end of the slug.
pub const ENTRY_PAGES: [&str; 4] = ["index", "home", "readme", "start"];

#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// No page has this slug, title or alias.
    #[error("page {slug:?} not found")]
    NotFound {
        /// As requested.
        slug: String,
    },
    /// The folder of the workspace no longer exists.
    #[error("the workspace {} was moved or deleted", .path.display())]
    Removed { path: PathBuf },
    #[error("{action} {} failed: {source}", .path.display())]
    Io {
        /// A present participle, e.g. `reading`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Pages indexed so far are kept.
    #[error("indexing was cancelled")]
    Cancelled,
}

/// A page without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageSummary {
    /// Lower-case path without extension, e.g. `characters/mara-venn`.
    pub slug: String,
    /// From the frontmatter, the first heading, or the file name.
    pub title: String,
    /// `type` of the frontmatter.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted.
    pub tags: Vec<String>,
    /// Path of the file relative to the workspace, with `/`.
    pub path: String,
    pub modified: Time,
    /// In bytes.
    pub size: u64,
    /// Problem with the file, e.g. invalid frontmatter.
    pub remark: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    #[serde(flatten)]
    pub summary: PageSummary,
    /// The text below the frontmatter.
    pub body: String,
    /// The line of the file, from 1, at which the body begins.
    pub body_line: u32,
    /// All fields of the frontmatter.
    pub frontmatter: Map<String, Value>,
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    pub slug: String,
    pub title: String,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub tags: Vec<String>,
    /// Text around the first match, on one line.
    pub snippet: String,
    /// Higher is better. Comparable within one search only.
    pub score: f64,
}

/// A link between two pages, seen from one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// The page at the other end of the link.
    pub slug: String,
    pub title: String,
    /// Display text.
    pub text: String,
    /// The target as written.
    pub target: String,
    /// Line in the file that contains the link, from 1.
    pub line: u32,
}

/// A link to a page that doesn't exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLink {
    pub page: String,
    pub title: String,
    /// The target as written.
    pub target: String,
    /// Display text.
    pub text: String,
    /// Line in the file, from 1.
    pub line: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct References {
    /// Links of this page, in the order of its lines.
    pub out: Vec<Reference>,
    /// Links of other pages to this one, by page and line.
    #[serde(rename = "in")]
    pub incoming: Vec<Reference>,
    /// Links of this page to pages that don't exist.
    pub broken: Vec<BrokenLink>,
}

/// A change of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryEntry {
    /// Commit hash. Empty if the page isn't in a git repository.
    pub id: String,
    pub time: Time,
    /// Empty if unknown.
    pub author: String,
    pub summary: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageOrder {
    #[default]
    Slug,
    /// By title, ignoring case.
    Title,
    /// Last changed first.
    Modified,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageFilter {
    /// Type, ignoring case.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// Tag, ignoring case.
    #[serde(default)]
    pub tag: Option<String>,
    /// Folder in the slug, e.g. `characters`.
    #[serde(default)]
    pub folder: Option<String>,
    #[serde(default)]
    pub order: PageOrder,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageList {
    pub pages: Vec<PageSummary>,
    /// Number of all matching pages.
    pub total: usize,
}

/// A Markdown file that couldn't be indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The file or folder, relative to the workspace.
    pub path: String,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexProgress {
    pub done: usize,
    /// Number of files found so far.
    pub total: usize,
}

/// By slug.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageChanges {
    pub added: Vec<String>,
    /// Pages whose text or slug changed.
    pub changed: Vec<String>,
    /// Slugs that no longer exist.
    pub removed: Vec<String>,
}

impl PageChanges {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PagesStatus {
    /// Number of indexed pages. 0 before the folder is indexed for the first time.
    pub pages: usize,
    /// When this process last compared the folder with the index.
    pub indexed_at: Option<Time>,
    /// `None` if no indexing is in progress.
    pub progress: Option<IndexProgress>,
    /// Why the index is temporary, e.g. because the folder can't be written.
    pub temporary: Option<String>,
    pub skipped: Vec<Skipped>,
}

/// Called periodically with the progress.
pub type OnIndexProgress<'a> = &'a dyn Fn(IndexProgress);

/// The pages of one workspace. Calls block: callers in async code move them to a blocking thread, once, at the boundary.
///
/// The first call that needs the index creates or updates it; later ones use its state of the last
/// [`Pages::refresh`]. Wherever a `slug` is expected, a title or alias works as well, as in a `[[wikilink]]`.
pub trait Pages: Send + Sync {
    /// Pages that match the words of `query`, best first. The query has no syntax. Its last word matches by prefix
    /// (from two letters in titles and tags, from three in the text). If no page has all words, returns pages
    /// with some of them.
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, PagesError>;

    fn page(&self, slug: &str) -> Result<Page, PagesError>;

    /// In the requested order; missing pages are skipped.
    fn pages(&self, slugs: &[String]) -> Result<Vec<Page>, PagesError>;

    /// Pages of a type, ignoring case, by slug.
    fn pages_by_type(&self, kind: &str) -> Result<Vec<PageSummary>, PagesError>;

    /// Number of pages by type. Pages without a type aren't counted.
    fn types(&self) -> Result<BTreeMap<String, usize>, PagesError>;

    /// Number of pages by tag.
    fn tags(&self) -> Result<BTreeMap<String, usize>, PagesError>;

    fn references(&self, slug: &str) -> Result<References, PagesError>;

    /// Newest first.
    fn history(&self, slug: &str, limit: usize) -> Result<Vec<HistoryEntry>, PagesError>;

    fn list(&self, filter: &PageFilter, offset: usize, limit: usize) -> Result<PageList, PagesError>;

    /// By slug, without [`ENTRY_PAGES`].
    fn orphans(&self) -> Result<Vec<PageSummary>, PagesError>;

    /// By page and line.
    fn broken(&self) -> Result<Vec<BrokenLink>, PagesError>;

    /// Compares the folder with the index and updates the index.
    fn refresh(&self, progress: OnIndexProgress<'_>, cancel: &CancellationToken) -> Result<PageChanges, PagesError>;

    /// Doesn't wait for the index and doesn't create one.
    fn status(&self) -> PagesStatus;
}
