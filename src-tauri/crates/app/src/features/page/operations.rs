//! `page/*`: the open workspace's pages, as the pages browser and the command line see them. Looking needs no trust.

use std::sync::Arc;

use inklings_core::CancellationToken;
use inklings_core::pages::{PageChanges, PageList, Pages, PagesStatus};
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{LooseEnds, PageDetail, PageFacets, PageHistory, PageHistoryParams, PageHits, PageListParams, PageRef, PageSearchParams};
use crate::app::App;

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

fn search(app: &App, cx: &CallContext, params: PageSearchParams) -> Result<PageHits, Failure> {
    Ok(PageHits { hits: pages(app, cx)?.search(&params.query, most(params.limit))? })
}

fn list(app: &App, cx: &CallContext, params: PageListParams) -> Result<PageList, Failure> {
    Ok(pages(app, cx)?.list(&params.filter, params.offset, most(params.limit))?)
}

fn get(app: &App, cx: &CallContext, params: PageRef) -> Result<PageDetail, Failure> {
    let pages = pages(app, cx)?;
    let page = pages.page(&params.slug)?;
    let references = pages.references(&page.summary.slug)?;
    Ok(PageDetail { page, references })
}

fn history(app: &App, cx: &CallContext, params: PageHistoryParams) -> Result<PageHistory, Failure> {
    Ok(PageHistory { entries: pages(app, cx)?.history(&params.slug, most(params.limit))? })
}

fn facets(app: &App, cx: &CallContext, _: NoParams) -> Result<PageFacets, Failure> {
    let pages = pages(app, cx)?;
    Ok(PageFacets { types: pages.types()?, tags: pages.tags()? })
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
