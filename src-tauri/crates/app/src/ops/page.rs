//! `page/*`: the open workspace's pages, as the pages browser and the command line see them. Looking needs no trust.

use std::collections::BTreeMap;
use std::sync::Arc;

use inklings_core::CancellationToken;
use inklings_core::pages::{
    BrokenLink, HistoryEntry, Hit, Page, PageChanges, PageFilter, PageList, PageSummary, Pages, PagesStatus, References,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

/// Entries of an answer when nothing else is said, and at most.
const SOME: usize = 50;
const MOST: usize = 1_000;

/// The open workspace's pages.
fn pages(app: &App, cx: &CallContext) -> Result<Arc<dyn Pages>, Failure> {
    let path = cx.workspace.as_deref();
    app.scopes.pages(path.ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder with pages first"))?)
}

fn most(limit: Option<usize>) -> usize {
    limit.unwrap_or(SOME).min(MOST)
}

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

fn search(app: &App, cx: &CallContext, params: PageSearchParams) -> Result<PageHits, Failure> {
    Ok(PageHits { hits: pages(app, cx)?.search(&params.query, most(params.limit))? })
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

fn list(app: &App, cx: &CallContext, params: PageListParams) -> Result<PageList, Failure> {
    Ok(pages(app, cx)?.list(&params.filter, params.offset, most(params.limit))?)
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
    /// The page.
    pub page: Page,
    /// What it links to and what links to it.
    pub references: References,
}

fn get(app: &App, cx: &CallContext, params: PageRef) -> Result<PageDetail, Failure> {
    let pages = pages(app, cx)?;
    let page = pages.page(&params.slug)?;
    let references = pages.references(&page.summary.slug)?;
    Ok(PageDetail { page, references })
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

fn history(app: &App, cx: &CallContext, params: PageHistoryParams) -> Result<PageHistory, Failure> {
    Ok(PageHistory { entries: pages(app, cx)?.history(&params.slug, most(params.limit))? })
}

/// What pages can be filtered by, and how many have it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageFacets {
    /// Types.
    pub types: BTreeMap<String, usize>,
    /// Tags.
    pub tags: BTreeMap<String, usize>,
}

fn facets(app: &App, cx: &CallContext, _: NoParams) -> Result<PageFacets, Failure> {
    let pages = pages(app, cx)?;
    Ok(PageFacets { types: pages.types()?, tags: pages.tags()? })
}

/// What is loose in the workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LooseEnds {
    /// Links to pages that don't exist, by page and line.
    pub broken: Vec<BrokenLink>,
    /// Pages that nothing links to.
    pub orphans: Vec<PageSummary>,
}

fn loose_ends(app: &App, cx: &CallContext, _: NoParams) -> Result<LooseEnds, Failure> {
    let pages = pages(app, cx)?;
    Ok(LooseEnds { broken: pages.broken()?, orphans: pages.orphans()? })
}

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<PagesStatus, Failure> {
    Ok(pages(app, cx)?.status())
}

fn refresh(app: &App, cx: &CallContext, _: NoParams) -> Result<PageChanges, Failure> {
    Ok(pages(app, cx)?.refresh(&|_| (), &CancellationToken::new())?)
}

operations! { App;
    SearchPages = "page/search", Read, blocking search(PageSearchParams) -> PageHits;
    ListPages = "page/list", Read, blocking list(PageListParams) -> PageList;
    GetPage = "page/get", Read, blocking get(PageRef) -> PageDetail;
    HistoryOfPage = "page/history", Read, blocking history(PageHistoryParams) -> PageHistory;
    Facets = "page/facets", Read, blocking facets(NoParams) -> PageFacets;
    FindLooseEnds = "page/loose_ends", Read, blocking loose_ends(NoParams) -> LooseEnds;
    /// How the index stands. Answers at once, also while it is made.
    IndexStatus = "page/status", Read, blocking status(NoParams) -> PagesStatus;
    /// Compares the folder with the index now, instead of when it is noticed.
    RefreshPages = "page/refresh", Write["page"], blocking refresh(NoParams) -> PageChanges;
}
