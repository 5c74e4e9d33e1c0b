//! Parameters and results of `page/*`.

use std::collections::BTreeMap;

use inklings_core::pages::{BrokenLink, HistoryEntry, Hit, Page, PageFilter, PageSummary, References};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to look for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageSearchParams {
    /// Words; there is no syntax, and the last word may be unfinished.
    pub query: String,
    /// Hits at most; 50 if nothing is said, never more than 1,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageHits {
    /// Best first.
    pub hits: Vec<Hit>,
}

/// Which part of the pages.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageListParams {
    /// Which pages.
    #[serde(default)]
    pub filter: PageFilter,
    /// Pages to leave out at the beginning.
    #[serde(default)]
    pub offset: usize,
    /// Pages at most; 50 if nothing is said, never more than 1,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Names a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRef {
    /// Its slug, title or alias, as in a `[[wikilink]]`.
    pub slug: String,
}

/// A page with its surroundings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageDetail {
    pub page: Page,
    /// What it links to and what links to it.
    pub references: References,
}

/// Whose changes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageHistoryParams {
    /// The page's slug, title or alias.
    pub slug: String,
    /// Changes at most; 50 if nothing is said.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Changes of a page.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageHistory {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
}

/// What pages can be filtered by, and how many have it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageFacets {
    pub types: BTreeMap<String, usize>,
    pub tags: BTreeMap<String, usize>,
}

/// What is loose in the workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LooseEnds {
    /// Links to pages that don't exist, by page and line.
    pub broken: Vec<BrokenLink>,
    /// Pages that nothing links to.
    pub orphans: Vec<PageSummary>,
}
