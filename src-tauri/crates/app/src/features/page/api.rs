use std::collections::BTreeMap;

use inklings_core::pages::{BrokenLink, HistoryEntry, Hit, Page, PageFilter, PageSummary, References};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageSearchParams {
    /// Search terms, without syntax. The last one matches by prefix.
    pub query: String,
    /// Maximum number of results, at most 1,000. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageHits {
    /// Best first.
    pub hits: Vec<Hit>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageListParams {
    #[serde(default)]
    pub filter: PageFilter,
    /// Number of pages to skip.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of pages, at most 1,000. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRef {
    /// Slug, title or alias, as in a `[[wikilink]]`.
    pub slug: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageDetail {
    pub page: Page,
    /// Links and backlinks.
    pub references: References,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageHistoryParams {
    /// Slug, title or alias.
    pub slug: String,
    /// Maximum number of changes, at most 1,000. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageHistory {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
}

/// Values that pages can be filtered by, with the number of pages that have them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageFacets {
    pub types: BTreeMap<String, usize>,
    pub tags: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LinkProblems {
    /// Links to pages that don't exist, by page and line.
    pub broken: Vec<BrokenLink>,
    /// Pages without a backlink.
    pub orphans: Vec<PageSummary>,
}
