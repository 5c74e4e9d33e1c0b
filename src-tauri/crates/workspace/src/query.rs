//! Reads the index: pages, lists, tags, references.
//!
//! Links are resolved when they are queried, so that results don't depend on the order in which
//! pages were indexed. Deliberately absent: search, see [`crate::search`].

use std::collections::{BTreeMap, HashMap};

use inklings_core::Time;
use inklings_core::name::fold;
use inklings_core::pages::{
    BrokenLink, ENTRY_PAGES, Page, PageFilter, PageList, PageOrder, PageSummary, PagesError, Reference, References, Skipped,
};
use inklings_sqlite::{Database, Fault};
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde_json::Value;

use crate::names;

/// Columns of `pages p` for [`summary`].
pub(crate) const COLUMNS: &str = "p.slug, p.title, p.kind, p.tags, p.path, p.modified, p.size, p.remark";

/// The target of the link `w`: the page with its exact path, else among the pages with its name the one with the best rank, then the first path.
const LINK_TARGET: &str = "coalesce((SELECT n.page FROM names n WHERE n.key = w.key AND n.rank = 0 AND n.path = w.path),
    (SELECT n.page FROM names n WHERE n.key = w.key ORDER BY n.rank, n.path LIMIT 1))";

/// Condition: the link `w` is broken. Each name is looked up once, in order, which is three times as fast as per link.
const IS_BROKEN: &str = "w.strict = 1 AND w.key IN (
    SELECT k.key FROM (SELECT DISTINCT key FROM links) k WHERE NOT EXISTS (SELECT 1 FROM names n WHERE n.key = k.key))";

/// A page without its text, from [`COLUMNS`].
pub(crate) fn summary(row: &Row<'_>) -> rusqlite::Result<PageSummary> {
    let tags: String = row.get(3)?;
    Ok(PageSummary {
        slug: row.get(0)?,
        title: row.get(1)?,
        kind: row.get(2)?,
        // Written by this program. In a modified file, invalid tags are ignored.
        tags: serde_json::from_str(&tags).unwrap_or_default(),
        path: row.get(4)?,
        modified: Time::from_millis(row.get::<_, i64>(5)? / 1_000_000),
        size: row.get::<_, i64>(6)?.unsigned_abs(),
        remark: row.get(7)?,
    })
}

fn summaries(connection: &Connection, rest: &str, values: impl Params) -> Result<Vec<PageSummary>, Fault> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM pages p {rest}"))?;
    Ok(statement.query_map(values, summary)?.collect::<Result<_, _>>()?)
}

/// The row of the page with this slug, else with this title, alias or path.
fn resolve(connection: &Connection, name: &str) -> Result<Option<i64>, Fault> {
    let exact = "SELECT id FROM pages WHERE slug = ?1 OR path = ?1 ORDER BY slug = ?1 DESC";
    if let Some(id) = connection.prepare_cached(exact)?.query_row([name], |row| row.get(0)).optional()? {
        return Ok(Some(id));
    }
    let wanted = format!("SELECT {LINK_TARGET} FROM (SELECT ?1 AS key, NULL AS path) w");
    let key = names::key(names::without_extension(name.trim().trim_start_matches('/')));
    Ok(connection.prepare_cached(&wanted)?.query_row([key], |row| row.get(0))?)
}

fn missing(slug: &str) -> PagesError {
    PagesError::NotFound { slug: slug.to_owned() }
}

pub(crate) fn path_of(database: &Database, slug: &str) -> Result<PageSummary, PagesError> {
    let found = database.snapshot(|connection| match resolve(connection, slug)? {
        Some(id) => Ok(summaries(connection, "WHERE p.id = ?1", [id])?.pop()),
        None => Ok(None),
    })?;
    found.ok_or_else(|| missing(slug))
}

fn text(connection: &Connection, slug: &str) -> Result<Option<Page>, Fault> {
    let Some(id) = resolve(connection, slug)? else { return Ok(None) };
    let sql = format!("SELECT {COLUMNS}, t.frontmatter, t.body_line, t.body FROM pages p JOIN texts t ON t.page = p.id WHERE p.id = ?1");
    let page = connection.prepare_cached(&sql)?.query_row([id], |row| {
        let frontmatter = match serde_json::from_str(&row.get::<_, String>(8)?) {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        Ok(Page { summary: summary(row)?, body_line: row.get(9)?, body: row.get(10)?, frontmatter })
    })?;
    Ok(Some(page))
}

pub(crate) fn page(database: &Database, slug: &str) -> Result<Page, PagesError> {
    database.snapshot(|connection| text(connection, slug))?.ok_or_else(|| missing(slug))
}

/// The pages that exist.
pub(crate) fn pages(database: &Database, slugs: &[String]) -> Result<Vec<Page>, PagesError> {
    Ok(database.snapshot(|connection| slugs.iter().filter_map(|slug| text(connection, slug).transpose()).collect())?)
}

pub(crate) fn by_type(database: &Database, kind: &str) -> Result<Vec<PageSummary>, PagesError> {
    Ok(database.read(|connection| summaries(connection, "WHERE p.kind_key = ?1 ORDER BY p.slug", [fold(kind.trim())]))?)
}

fn counts(database: &Database, sql: &str) -> Result<BTreeMap<String, usize>, PagesError> {
    Ok(database.read(|connection| {
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.query_map([], |row| Ok((row.get(0)?, number(row, 1)?)))?.collect::<Result<_, _>>()?)
    })?)
}

/// SQLite has no unsigned integers.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// Types with their numbers of pages.
pub(crate) fn types(database: &Database) -> Result<BTreeMap<String, usize>, PagesError> {
    counts(database, "SELECT min(kind), count(*) FROM pages WHERE kind IS NOT NULL GROUP BY kind_key")
}

/// Tags with their numbers of pages.
pub(crate) fn tags(database: &Database) -> Result<BTreeMap<String, usize>, PagesError> {
    counts(database, "SELECT tag, count(*) FROM tags GROUP BY tag")
}

/// Number of pages.
pub(crate) fn count(database: &Database) -> Result<usize, PagesError> {
    Ok(database.read(|connection| Ok(connection.query_row("SELECT count(*) FROM pages", [], |row| number(row, 0))?))?)
}

pub(crate) fn skipped(database: &Database) -> Result<Vec<Skipped>, PagesError> {
    Ok(database.read(|connection| {
        let mut statement = connection.prepare_cached("SELECT path, reason FROM skipped ORDER BY path")?;
        Ok(statement.query_map([], |row| Ok(Skipped { path: row.get(0)?, reason: row.get(1)? }))?.collect::<Result<_, _>>()?)
    })?)
}

/// A page of a list.
pub(crate) fn list(database: &Database, filter: &PageFilter, offset: usize, limit: usize) -> Result<PageList, PagesError> {
    let order = match filter.order {
        PageOrder::Slug => "p.slug",
        PageOrder::Title => "p.title_key, p.slug",
        PageOrder::Modified => "p.modified DESC, p.slug",
    };
    let mut conditions = vec!["1"];
    let mut values: Vec<rusqlite::types::Value> = Vec::new();
    let mut only = |condition, value: String| {
        conditions.push(condition);
        values.push(value.into());
    };
    if let Some(kind) = &filter.kind {
        only("p.kind_key = ?", fold(kind.trim()));
    }
    if let Some(tag) = &filter.tag {
        only("p.id IN (SELECT page FROM tags WHERE tag = ?)", fold(tag.trim().trim_start_matches('#')));
    }
    if let Some(folder) = filter.folder.as_deref().map(|folder| folder.trim_matches('/')).filter(|folder| !folder.is_empty()) {
        only("instr(p.slug, ?) = 1", format!("{folder}/"));
    }
    let rest = format!("WHERE {}", conditions.join(" AND "));
    Ok(database.snapshot(|connection| {
        let count = format!("SELECT count(*) FROM pages p {rest}");
        let total = connection.prepare_cached(&count)?.query_row(rusqlite::params_from_iter(&values), |row| number(row, 0))?;
        let part = format!("{rest} ORDER BY {order} LIMIT ? OFFSET ?");
        let bounds = [limit, offset].map(|bound| i64::try_from(bound).unwrap_or(i64::MAX).into());
        Ok(PageList { pages: summaries(connection, &part, rusqlite::params_from_iter(values.iter().chain(&bounds)))?, total })
    })?)
}

/// A stored link with its target.
struct ResolvedLink {
    from: i64,
    to: Option<i64>,
    target: String,
    text: String,
    line: u32,
    strict: bool,
}

/// The links that match `which`, a condition on `links w`.
fn resolved_links(connection: &Connection, which: &str, values: impl Params) -> Result<Vec<ResolvedLink>, Fault> {
    let sql =
        format!("SELECT w.page, {LINK_TARGET}, w.target, w.text, w.line, w.strict FROM links w WHERE {which} ORDER BY w.page, w.ordinal");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(values, |row| {
        Ok(ResolvedLink {
            from: row.get(0)?,
            to: row.get(1)?,
            target: row.get(2)?,
            text: row.get(3)?,
            line: row.get(4)?,
            strict: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Slugs and titles by row.
#[derive(Default)]
struct Labels(HashMap<i64, (String, String)>);

impl Labels {
    fn get(&mut self, connection: &Connection, id: i64) -> Result<(String, String), Fault> {
        if let Some(known) = self.0.get(&id) {
            return Ok(known.clone());
        }
        let sql = "SELECT slug, title FROM pages WHERE id = ?1";
        let found: (String, String) = connection.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.0.insert(id, found.clone());
        Ok(found)
    }

    fn reference(&mut self, connection: &Connection, other: i64, link: ResolvedLink) -> Result<Reference, Fault> {
        let (slug, title) = self.get(connection, other)?;
        Ok(Reference { slug, title, text: link.text, target: link.target, line: link.line })
    }

    fn broken(&mut self, connection: &Connection, link: ResolvedLink) -> Result<BrokenLink, Fault> {
        let (page, title) = self.get(connection, link.from)?;
        Ok(BrokenLink { page, title, target: link.target, text: link.text, line: link.line })
    }
}

/// Links from and to a page.
pub(crate) fn references(database: &Database, slug: &str) -> Result<References, PagesError> {
    let found = database.snapshot(|connection| {
        let Some(id) = resolve(connection, slug)? else { return Ok(None) };
        let (mut labels, mut references) = (Labels::default(), References::default());
        for link in resolved_links(connection, "w.page = ?1", [id])? {
            match link.to {
                Some(to) => references.out.push(labels.reference(connection, to, link)?),
                None if link.strict => references.broken.push(labels.broken(connection, link)?),
                None => {}
            }
        }
        for link in resolved_links(connection, "w.key IN (SELECT key FROM names WHERE page = ?1)", [id])? {
            if link.to == Some(id) {
                references.incoming.push(labels.reference(connection, link.from, link)?);
            }
        }
        references.incoming.sort_by(|a, b| (&a.slug, a.line).cmp(&(&b.slug, b.line)));
        Ok(Some(references))
    })?;
    found.ok_or_else(|| missing(slug))
}

/// Broken links.
pub(crate) fn broken(database: &Database) -> Result<Vec<BrokenLink>, PagesError> {
    Ok(database.snapshot(|connection| {
        let mut labels = Labels::default();
        let all = resolved_links(connection, IS_BROKEN, [])?;
        let mut broken = all.into_iter().map(|link| labels.broken(connection, link)).collect::<Result<Vec<_>, _>>()?;
        broken.sort_by(|a, b| (&a.page, a.line).cmp(&(&b.page, b.line)));
        Ok(broken)
    })?)
}

/// Pages that no other page links to.
pub(crate) fn orphans(database: &Database) -> Result<Vec<PageSummary>, PagesError> {
    let sql =
        format!("WHERE p.id NOT IN (SELECT led FROM (SELECT w.page, {LINK_TARGET} AS led FROM links w) WHERE led <> page) ORDER BY p.slug");
    let pages = database.snapshot(|connection| summaries(connection, &sql, []))?;
    Ok(pages.into_iter().filter(|page| !ENTRY_PAGES.contains(&names::last(&page.slug))).collect())
}
