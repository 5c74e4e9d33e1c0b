//! `page/*`: the open workspace's pages, as the pages browser and the command line see them. Looking needs no trust.

use std::collections::BTreeMap;
use std::sync::Arc;

use inklings_core::Cancel;
use inklings_core::pages::{
    BrokenLink, HistoryEntry, Hit, Page, PageChanges, PageFilter, PageList, PageSummary, Pages, PagesStatus, References,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::wire::NoParams;

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

/// `page/search`
pub struct SearchPages;

impl Blocking for SearchPages {
    const NAME: &'static str = "page/search";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = PageSearchParams;
    type Output = PageHits;

    fn run(app: &App, cx: &CallContext, params: PageSearchParams) -> Result<PageHits, Failure> {
        Ok(PageHits { hits: pages(app, cx)?.search(&params.query, most(params.limit))? })
    }
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

/// `page/list`
pub struct ListPages;

impl Blocking for ListPages {
    const NAME: &'static str = "page/list";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = PageListParams;
    type Output = PageList;

    fn run(app: &App, cx: &CallContext, params: PageListParams) -> Result<PageList, Failure> {
        Ok(pages(app, cx)?.list(&params.filter, params.offset, most(params.limit))?)
    }
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

/// `page/get`
pub struct GetPage;

impl Blocking for GetPage {
    const NAME: &'static str = "page/get";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = PageRef;
    type Output = PageDetail;

    fn run(app: &App, cx: &CallContext, params: PageRef) -> Result<PageDetail, Failure> {
        let pages = pages(app, cx)?;
        let page = pages.page(&params.slug)?;
        let references = pages.references(&page.summary.slug)?;
        Ok(PageDetail { page, references })
    }
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

/// `page/history`
pub struct HistoryOfPage;

impl Blocking for HistoryOfPage {
    const NAME: &'static str = "page/history";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = PageHistoryParams;
    type Output = PageHistory;

    fn run(app: &App, cx: &CallContext, params: PageHistoryParams) -> Result<PageHistory, Failure> {
        Ok(PageHistory { entries: pages(app, cx)?.history(&params.slug, most(params.limit))? })
    }
}

/// What pages can be filtered by, and how many have it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageFacets {
    /// Types.
    pub types: BTreeMap<String, usize>,
    /// Tags.
    pub tags: BTreeMap<String, usize>,
}

/// `page/facets`
pub struct Facets;

impl Blocking for Facets {
    const NAME: &'static str = "page/facets";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = PageFacets;

    fn run(app: &App, cx: &CallContext, _: NoParams) -> Result<PageFacets, Failure> {
        let pages = pages(app, cx)?;
        Ok(PageFacets { types: pages.types()?, tags: pages.tags()? })
    }
}

/// What is loose in the workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LooseEnds {
    /// Links to pages that don't exist, by page and line.
    pub broken: Vec<BrokenLink>,
    /// Pages that nothing links to.
    pub orphans: Vec<PageSummary>,
}

/// `page/loose_ends`
pub struct FindLooseEnds;

impl Blocking for FindLooseEnds {
    const NAME: &'static str = "page/loose_ends";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = LooseEnds;

    fn run(app: &App, cx: &CallContext, _: NoParams) -> Result<LooseEnds, Failure> {
        let pages = pages(app, cx)?;
        Ok(LooseEnds { broken: pages.broken()?, orphans: pages.orphans()? })
    }
}

/// `page/status`: how the index stands. Answers at once, also while it is made.
pub struct IndexStatus;

impl Blocking for IndexStatus {
    const NAME: &'static str = "page/status";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = PagesStatus;

    fn run(app: &App, cx: &CallContext, _: NoParams) -> Result<PagesStatus, Failure> {
        Ok(pages(app, cx)?.status())
    }
}

/// `page/refresh`: compares the folder with the index now, instead of when it is noticed.
pub struct RefreshPages;

impl Blocking for RefreshPages {
    const NAME: &'static str = "page/refresh";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["page"]);
    type Params = NoParams;
    type Output = PageChanges;

    fn run(app: &App, cx: &CallContext, _: NoParams) -> Result<PageChanges, Failure> {
        Ok(pages(app, cx)?.refresh(&|_| (), &Cancel::new())?)
    }
}

pub(crate) const TABLE: &[Entry] = &[
    Entry::of::<SearchPages>(),
    Entry::of::<ListPages>(),
    Entry::of::<GetPage>(),
    Entry::of::<HistoryOfPage>(),
    Entry::of::<Facets>(),
    Entry::of::<FindLooseEnds>(),
    Entry::of::<IndexStatus>(),
    Entry::of::<RefreshPages>(),
];
