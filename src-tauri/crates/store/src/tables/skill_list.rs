//! `skills`, as a tree shows them: few columns, in pages by title.
//!
//! `kinds`, `file_count` and `byte_count` are derived at commit, so that a list of 10,000 skills reads one table.

use inklings_core::skill_list::{NameMatch, ScopeListPage, SkillListItem};
use inklings_core::{Scope, SkillId, Slug, Source};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::blob::broken;
use crate::tables::skills::kinds;
use crate::tables::{json, parse};

const COLUMNS: &str = "id, slug, name, name_key, revision, source, lifecycle, enabled, tags, kinds";

pub(crate) fn page(connection: &Connection, scope: Scope, after: Option<&str>, limit: usize) -> Result<ScopeListPage, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM skills WHERE name_key > ?1 ORDER BY name_key LIMIT ?2"))?;
    // One extra row tells whether there is a next page.
    let more = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
    let mut rows = statement.query((after.unwrap_or_default(), more))?;
    let (mut page, mut seen, mut last) = (ScopeListPage::default(), 0, None);
    while let Some(row) = rows.next()? {
        if seen == limit {
            page.next = last;
            break;
        }
        seen += 1;
        last = Some(row.get("name_key")?);
        // An invalid row must not hide the others.
        match item(row, scope) {
            Ok(item) => page.rows.push(item),
            Err(fault) => tracing::warn!(id = ?row.get_ref(0), ?fault, "a skill's row can't be read"),
        }
    }
    Ok(page)
}

/// Missing skills are skipped.
pub(crate) fn some(connection: &Connection, scope: Scope, ids: &[SkillId]) -> Result<Vec<SkillListItem>, Fault> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM skills WHERE id = ?1"))?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let mut rows = statement.query([id.to_string()])?;
        if let Some(row) = rows.next()? {
            found.push(item(row, scope)?);
        }
    }
    Ok(found)
}

fn item(row: &Row<'_>, scope: Scope) -> Result<SkillListItem, Fault> {
    let source: Source = parse(row, "source")?;
    Ok(SkillListItem {
        id: parse(row, "id")?,
        scope,
        slug: parse(row, "slug")?,
        name: row.get("name")?,
        revision: row.get("revision")?,
        lifecycle: parse(row, "lifecycle")?,
        enabled: row.get("enabled")?,
        source: Some(source).filter(|source| *source != Source::User),
        locked: source.is_locked(),
        shadows: false,
        shadowed: false,
        collides_with: None,
        tags: json(row, "tags")?,
        kinds: kinds(row.get_ref("kinds")?.as_str().map_err(|error| broken(&error))?)?,
    })
}

pub(crate) fn name_matches(connection: &Connection, names: &[(Slug, String)]) -> Result<Vec<NameMatch>, Fault> {
    let mut by_slug = connection.prepare_cached("SELECT 1 FROM skills WHERE slug = ?1")?;
    let mut by_title = connection.prepare_cached("SELECT slug FROM skills WHERE name_key = ?1 AND slug <> ?2")?;
    let mut found = Vec::with_capacity(names.len());
    for (slug, title) in names {
        let same_title: Option<String> = by_title.query_row((title, slug.as_str()), |row| row.get(0)).optional()?;
        found.push(NameMatch {
            same_slug: by_slug.exists([slug.as_str()])?,
            same_title: same_title.map(|slug| Slug::parse(&slug).map_err(|error| broken(&error))).transpose()?,
        });
    }
    Ok(found)
}
