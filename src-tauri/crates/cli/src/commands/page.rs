//! `inklings page`

use inklings_app::features::page::{
    Facets, FindLinkProblems, GetPage, HistoryOfPage, IndexStatus, LinkProblems, ListPages, PageDetail, PageFacets, PageHistory,
    PageHistoryParams, PageHits, PageListParams, PageRef, PageSearchParams, RefreshPages, SearchPages,
};
use inklings_core::pages::{PageChanges, PageFilter, PageList, PagesStatus};
use inklings_rpc::NoParams;

use crate::args::PageCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: PageCommand, out: &Out) -> Result<(), CliError> {
    match command {
        PageCommand::Skills { page } => super::readiness::page(session, page, out).await,
        PageCommand::Search { query, limit } => {
            let params = PageSearchParams { query: query.join(" "), limit: Some(limit) };
            out.result(&session.call::<SearchPages>(params).await?, hits)
        }
        PageCommand::List { kind, tag, folder, limit } => {
            let filter = PageFilter { kind, tag, folder, ..PageFilter::default() };
            let params = PageListParams { filter, offset: 0, limit: Some(limit) };
            out.result(&session.call::<ListPages>(params).await?, list)
        }
        PageCommand::Show { page } => out.content(&session.call::<GetPage>(PageRef { slug: page }).await?, |found| found.page.body.clone()),
        PageCommand::Links { page } => out.result(&session.call::<GetPage>(PageRef { slug: page }).await?, links),
        PageCommand::History { page, limit } => {
            let params = PageHistoryParams { slug: page, limit: Some(limit) };
            out.result(&session.call::<HistoryOfPage>(params).await?, history)
        }
        PageCommand::Facets => out.result(&session.call::<Facets>(NoParams {}).await?, facets),
        PageCommand::Status => out.result(&session.call::<IndexStatus>(NoParams {}).await?, status),
        PageCommand::Refresh => out.result(&session.call::<RefreshPages>(NoParams {}).await?, format_changes),
        PageCommand::Check => out.result(&session.call::<FindLinkProblems>(NoParams {}).await?, problems),
    }
}

fn facets(facets: &PageFacets) -> String {
    let rows = |kind: &'static str, counts: &std::collections::BTreeMap<String, usize>| {
        counts.iter().map(|(name, count)| vec![kind.to_owned(), name.clone(), count.to_string()]).collect::<Vec<_>>()
    };
    let rows = [rows("type", &facets.types), rows("tag", &facets.tags)].concat();
    if rows.is_empty() { "no types or tags".to_owned() } else { table(&rows) }
}

fn status(status: &PagesStatus) -> String {
    let mut rows = vec![vec!["pages".to_owned(), status.pages.to_string()]];
    rows.extend(status.indexed_at.map(|time| vec!["indexed".to_owned(), time.to_string()]));
    rows.extend(status.progress.map(|progress| vec!["indexing".to_owned(), format!("{} of {} files", progress.done, progress.total)]));
    rows.extend(status.temporary.clone().map(|why| vec!["temporary index".to_owned(), why]));
    rows.extend(status.skipped.iter().map(|one| vec!["skipped".to_owned(), format!("{}: {}", one.path, one.reason)]));
    table(&rows)
}

fn format_changes(changes: &PageChanges) -> String {
    let rows = |what: &'static str, slugs: &[String]| slugs.iter().map(|slug| vec![what.to_owned(), slug.clone()]).collect::<Vec<_>>();
    let rows = [rows("added", &changes.added), rows("changed", &changes.changed), rows("removed", &changes.removed)].concat();
    if rows.is_empty() { "index up to date".to_owned() } else { table(&rows) }
}

fn hits(found: &PageHits) -> String {
    if found.hits.is_empty() {
        return "no matches".to_owned();
    }
    table(&found.hits.iter().map(|hit| vec![hit.slug.clone(), hit.title.clone(), hit.snippet.clone()]).collect::<Vec<_>>())
}

fn list(list: &PageList) -> String {
    if list.pages.is_empty() {
        return "no pages".to_owned();
    }
    let row = |page: &inklings_core::pages::PageSummary| {
        vec![page.slug.clone(), page.kind.clone().unwrap_or_else(|| "-".to_owned()), page.title.clone(), page.tags.join(" ")]
    };
    let mut rows: Vec<_> = list.pages.iter().map(row).collect();
    if list.pages.len() < list.total {
        rows.push(vec![format!("… {} more; use --limit", list.total - list.pages.len())]);
    }
    table(&rows)
}

fn links(detail: &PageDetail) -> String {
    let references = &detail.references;
    let out = references.out.iter().map(|link| vec![format!("{}:{}", detail.page.summary.path, link.line), format!("-> {}", link.slug)]);
    let incoming = references.incoming.iter().map(|link| vec![format!("{}:{}", link.slug, link.line), "-> this page".to_owned()]);
    let broken = references
        .broken
        .iter()
        .map(|link| vec![format!("{}:{}", detail.page.summary.path, link.line), format!("-> {} (broken)", link.target)]);
    let rows: Vec<_> = out.chain(broken).chain(incoming).collect();
    if rows.is_empty() { "no links or backlinks".to_owned() } else { table(&rows) }
}

fn history(history: &PageHistory) -> String {
    let row = |entry: &inklings_core::pages::HistoryEntry| {
        let id = entry.id.get(..12).unwrap_or(&entry.id).to_owned();
        vec![entry.time.to_string(), id, entry.author.clone(), entry.summary.clone()]
    };
    table(&history.entries.iter().map(row).collect::<Vec<_>>())
}

fn problems(found: &LinkProblems) -> String {
    let mut rows: Vec<_> =
        found.broken.iter().map(|link| vec![format!("{}:{}", link.page, link.line), format!("broken link to {}", link.target)]).collect();
    rows.extend(found.orphans.iter().map(|page| vec![page.slug.clone(), "orphan".to_owned()]));
    if rows.is_empty() { "no broken links or orphans".to_owned() } else { table(&rows) }
}
