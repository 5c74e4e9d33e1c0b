use std::sync::Arc;

use inklings_core::pages::{PageChanges, PageList, Pages, PagesStatus};
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{
    LinkProblems, PageDetail, PageFacets, PageHistory, PageHistoryParams, PageHits, PageListParams, PageRef, PageSearchParams,
};
use super::service;
use crate::app::App;

const DEFAULT_PAGE_SIZE: usize = 50;
const MAX_PAGE_SIZE: usize = 1_000;

fn open_pages(app: &App, cx: &CallContext) -> Result<Arc<dyn Pages>, Failure> {
    Ok(app.workspaces.pages(cx.require_workspace()?)?)
}

fn page_size(limit: Option<usize>) -> usize {
    limit.unwrap_or(DEFAULT_PAGE_SIZE).min(MAX_PAGE_SIZE)
}

fn search(app: &App, cx: &CallContext, params: PageSearchParams) -> Result<PageHits, Failure> {
    Ok(PageHits { hits: open_pages(app, cx)?.search(&params.query, page_size(params.limit))? })
}

fn list(app: &App, cx: &CallContext, params: PageListParams) -> Result<PageList, Failure> {
    Ok(open_pages(app, cx)?.list(&params.filter, params.offset, page_size(params.limit))?)
}

fn get(app: &App, cx: &CallContext, params: PageRef) -> Result<PageDetail, Failure> {
    Ok(service::detail(open_pages(app, cx)?.as_ref(), &params.slug)?)
}

fn history(app: &App, cx: &CallContext, params: PageHistoryParams) -> Result<PageHistory, Failure> {
    Ok(PageHistory { entries: open_pages(app, cx)?.history(&params.slug, page_size(params.limit))? })
}

fn facets(app: &App, cx: &CallContext, _: NoParams) -> Result<PageFacets, Failure> {
    Ok(service::facets(open_pages(app, cx)?.as_ref())?)
}

fn link_problems(app: &App, cx: &CallContext, _: NoParams) -> Result<LinkProblems, Failure> {
    Ok(service::link_problems(open_pages(app, cx)?.as_ref())?)
}

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<PagesStatus, Failure> {
    Ok(open_pages(app, cx)?.status())
}

fn refresh(app: &App, cx: &CallContext, _: NoParams) -> Result<PageChanges, Failure> {
    Ok(open_pages(app, cx)?.refresh(&|_| (), &cx.cancel)?)
}

operations! { App;
    SearchPages = "page/search", Read, blocking search(PageSearchParams) -> PageHits;
    ListPages = "page/list", Read, blocking list(PageListParams) -> PageList;
    GetPage = "page/get", Read, blocking get(PageRef) -> PageDetail;
    HistoryOfPage = "page/history", Read, blocking history(PageHistoryParams) -> PageHistory;
    Facets = "page/facets", Read, blocking facets(NoParams) -> PageFacets;
    /// Broken links and orphans.
    FindLinkProblems = "page/link_problems", Read, blocking link_problems(NoParams) -> LinkProblems;
    /// The state of the index. Returns at once, also while the index is built.
    IndexStatus = "page/status", Read, blocking status(NoParams) -> PagesStatus;
    /// Updates the index now, instead of when a change of the folder is noticed.
    RefreshPages = "page/refresh", Write["page"], blocking refresh(NoParams) -> PageChanges;
}
