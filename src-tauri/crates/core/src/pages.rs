//! The pages of a workspace: its markdown files, as scripts, models and the pages browser see them.
//!
//! [`Pages`] is the port; like the repositories it is synchronous. Deliberately absent: how pages are found, parsed and kept,
//! and any way to write one: pages belong to whoever edits them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cancel::CancellationToken;
use crate::ports::StorageError;
use crate::time::Time;

/// Pages that are starting points: nothing has to link to a page whose slug ends with one of these names.
pub const ENTRY_PAGES: [&str; 4] = ["index", "home", "readme", "start"];

/// What a call about pages can fail with.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// No page has this slug, title or alias.
    #[error("there is no page {slug:?} here")]
    NotFound {
        /// As it was asked for.
        slug: String,
    },
    /// The workspace's folder can't be found.
    #[error("the workspace {} is gone: it was moved or deleted", .path.display())]
    Gone {
        /// The folder.
        path: PathBuf,
    },
    /// The operating system refused to read the workspace.
    #[error("{action} {} failed: {source}", .path.display())]
    Io {
        /// What was tried, e.g. `reading`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The index failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Someone stopped it. What was indexed until then stays.
    #[error("indexing was stopped")]
    Cancelled,
}

/// A page without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageSummary {
    /// Names the page: its path without ending, lower case, e.g. `characters/mara-venn`.
    pub slug: String,
    /// From the frontmatter, else the first heading, else the file's name.
    pub title: String,
    /// The frontmatter's `type`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// From the frontmatter and from `#tags` in the text: lower case, without `#`, sorted.
    pub tags: Vec<String>,
    /// The file, relative to the workspace, with `/`.
    pub path: String,
    /// When the file was last changed.
    pub modified: Time,
    /// Bytes of the file.
    pub size: u64,
    /// What was odd about the file, e.g. frontmatter that can't be read.
    pub remark: Option<String>,
}

/// A page with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// Everything but the text.
    #[serde(flatten)]
    pub summary: PageSummary,
    /// The text below the frontmatter.
    pub body: String,
    /// The line of the file, from 1, at which the body begins.
    pub body_line: u32,
    /// All fields of the frontmatter.
    pub frontmatter: Map<String, Value>,
}

/// A page that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// The page.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Some words around the first match, on one line.
    pub snippet: String,
    /// How well it matches; higher is better, comparable within one search only.
    pub score: f64,
}

/// A link between two pages, seen from one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// The page at the other end.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// The text that is shown for the link.
    pub text: String,
    /// What the link names, as written.
    pub target: String,
    /// The line, from 1, of the file that has the link.
    pub line: u32,
}

/// A link to a page that doesn't exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLink {
    /// The page that has the link.
    pub page: String,
    /// Its title.
    pub title: String,
    /// What the link names, as written.
    pub target: String,
    /// The text that is shown for the link.
    pub text: String,
    /// The line of the file, from 1.
    pub line: u32,
}

/// What a page links to and what links to it.
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

/// One change of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryEntry {
    /// The commit; empty where there is no repository that has the page.
    pub id: String,
    /// When.
    pub time: Time,
    /// Who; empty if unknown.
    pub author: String,
    /// What the change is about.
    pub summary: String,
}

/// In which order pages are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageOrder {
    /// By slug.
    #[default]
    Slug,
    /// By title, case ignored.
    Title,
    /// Last changed first.
    Modified,
}

/// Which pages to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageFilter {
    /// Only this type, case ignored.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// Only with this tag, case ignored.
    #[serde(default)]
    pub tag: Option<String>,
    /// Only below this folder of slugs, e.g. `characters`.
    #[serde(default)]
    pub folder: Option<String>,
    /// In which order.
    #[serde(default)]
    pub order: PageOrder,
}

/// A part of a list of pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageList {
    /// The part that was asked for.
    pub pages: Vec<PageSummary>,
    /// How many there are in all.
    pub total: usize,
}

/// A file that is no page although its name says so, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The file or folder, relative to the workspace.
    pub path: String,
    /// Why it was left out.
    pub reason: String,
}

/// How far indexing is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexProgress {
    /// Files that were looked at.
    pub done: usize,
    /// Files in all, as far as is known.
    pub total: usize,
}

/// What a refresh changed, by slug.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageChanges {
    /// New pages.
    pub added: Vec<String>,
    /// Pages with another text or another slug than before.
    pub changed: Vec<String>,
    /// Slugs that no longer name a page.
    pub removed: Vec<String>,
}

impl PageChanges {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The index as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PagesStatus {
    /// Pages in the index; 0 before the first use.
    pub pages: usize,
    /// When the folder was last compared with the index, by this process.
    pub indexed_at: Option<Time>,
    /// Present while indexing goes on.
    pub progress: Option<IndexProgress>,
    /// Why the index is kept only while the program runs, e.g. because the folder can't be written.
    pub temporary: Option<String>,
    /// Files that were left out.
    pub skipped: Vec<Skipped>,
}

/// Is told how far indexing is, from time to time.
pub type OnIndexProgress<'a> = &'a dyn Fn(IndexProgress);

/// The pages of one workspace. Calls block: callers in async code move them to a blocking thread, once, at the boundary.
///
/// The first call that needs the index makes it or brings it up to date; later ones answer from it as of the last
/// [`Pages::refresh`]. Where a `slug` is asked for, a title or alias does as well, as in a `[[wikilink]]`.
pub trait Pages: Send + Sync {
    /// Pages that match the words of `query`, best first. The text has no syntax. Its last word may be unfinished
    /// (two letters are completed in titles and tags, from three on also in the text). When no page has all the words,
    /// pages with some of them are given.
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, PagesError>;

    /// One page.
    fn page(&self, slug: &str) -> Result<Page, PagesError>;

    /// Several pages, in the order asked for; those that don't exist are left out.
    fn pages(&self, slugs: &[String]) -> Result<Vec<Page>, PagesError>;

    /// Pages of a type, case ignored, by slug.
    fn pages_by_type(&self, kind: &str) -> Result<Vec<PageSummary>, PagesError>;

    /// Types and how many pages have them; pages without one are not counted.
    fn types(&self) -> Result<BTreeMap<String, usize>, PagesError>;

    /// Tags and how many pages have them.
    fn tags(&self) -> Result<BTreeMap<String, usize>, PagesError>;

    /// Links from and to a page.
    fn references(&self, slug: &str) -> Result<References, PagesError>;

    /// The last changes of a page, newest first.
    fn history(&self, slug: &str, limit: usize) -> Result<Vec<HistoryEntry>, PagesError>;

    /// A part of the pages.
    fn list(&self, filter: &PageFilter, offset: usize, limit: usize) -> Result<PageList, PagesError>;

    /// Pages that no other page links to, [`ENTRY_PAGES`] left out, by slug.
    fn orphans(&self) -> Result<Vec<PageSummary>, PagesError>;

    /// All links to pages that don't exist, by page and line.
    fn broken(&self) -> Result<Vec<BrokenLink>, PagesError>;

    /// Compares the folder with the index and brings it up to date.
    fn refresh(&self, progress: OnIndexProgress<'_>, cancel: &CancellationToken) -> Result<PageChanges, PagesError>;

    /// How the index stands. Never waits for it and never makes one.
    fn status(&self) -> PagesStatus;
}
