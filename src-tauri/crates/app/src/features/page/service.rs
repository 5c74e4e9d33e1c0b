use inklings_core::pages::{Pages, PagesError};

use super::api::{LinkProblems, PageDetail, PageFacets};

pub(super) fn detail(pages: &dyn Pages, slug: &str) -> Result<PageDetail, PagesError> {
    let page = pages.page(slug)?;
    let references = pages.references(&page.summary.slug)?;
    Ok(PageDetail { page, references })
}

pub(super) fn facets(pages: &dyn Pages) -> Result<PageFacets, PagesError> {
    Ok(PageFacets { types: pages.types()?, tags: pages.tags()? })
}

pub(super) fn link_problems(pages: &dyn Pages) -> Result<LinkProblems, PagesError> {
    Ok(LinkProblems { broken: pages.broken()?, orphans: pages.orphans()? })
}
