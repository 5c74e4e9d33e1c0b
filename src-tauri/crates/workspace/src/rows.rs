//! Writes pages to the index.
//!
//! Every function runs in the caller's transaction. Slugs are consistent only after [`Writer::finish`].
//! Deliberately absent: detecting changes.

use std::collections::{BTreeMap, BTreeSet};

use inklings_core::Digest;
use inklings_core::name::fold;
use inklings_core::pages::Skipped;
use inklings_sqlite::Fault;
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

use crate::names::{self, Rank};
use crate::parse::{Link, ParsedPage, parse};
use crate::search::indexed;
use crate::walk::FileStamp;

/// A parsed page, ready to be stored.
pub(crate) struct PageRows {
    path: String,
    stamp: FileStamp,
    hash: Digest,
    title: String,
    kind: Option<String>,
    tags: Vec<String>,
    aliases: Vec<String>,
    frontmatter: String,
    body: String,
    body_line: u32,
    links: Vec<Link>,
    remark: Option<String>,
}

impl PageRows {
    /// Parses a page's text.
    pub(crate) fn new(path: String, text: &str, lossy: bool, stamp: FileStamp, hash: Digest) -> Self {
        let ParsedPage { title, kind, tags, aliases, frontmatter, body, body_line, links, remark } = parse(&path, text);
        let remark = remark.or_else(|| lossy.then(|| "some bytes aren't UTF-8".to_owned()));
        let (frontmatter, body) = (Value::Object(frontmatter).to_string(), body.to_owned());
        Self { path, stamp, hash, title, kind, tags, aliases, frontmatter, body, body_line, links, remark }
    }
}

/// The pages that a refresh changed, with their former slugs, if any.
pub(crate) type TouchedPages = BTreeMap<String, Option<String>>;

/// The writes of one transaction.
pub(crate) struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    touched: &'a mut TouchedPages,
    unassigned: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    /// Records the changed pages in `touched`.
    pub(crate) fn new(transaction: &'a Transaction<'a>, touched: &'a mut TouchedPages) -> Self {
        Self { transaction, touched, unassigned: BTreeSet::new() }
    }

    /// Removes the page at `path` if its content is still the known one.
    pub(crate) fn remove(&mut self, path: &str, known: &[u8]) -> Result<(), Fault> {
        let sql = "SELECT id, slug, base FROM pages WHERE path = ?1 AND hash = ?2";
        let mut statement = self.transaction.prepare_cached(sql)?;
        let found = statement.query_row(params![path, known], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        let Some((id, slug, base)) = found else { return Ok(()) };
        self.delete(id)?;
        self.touched.entry(path.to_owned()).or_insert(Some(slug));
        self.unassigned.insert(base);
        Ok(())
    }

    /// Records new file metadata of an unchanged page.
    pub(crate) fn restamp(&self, path: &str, stamp: FileStamp) -> Result<(), Fault> {
        let sql = "UPDATE pages SET size = ?2, modified = ?3, changed = ?4 WHERE path = ?1";
        self.transaction.prepare_cached(sql)?.execute(params![path, stamp.size, stamp.modified, stamp.changed])?;
        Ok(())
    }

    /// Replaces the row of the path.
    pub(crate) fn put(&mut self, page: &PageRows) -> Result<(), Fault> {
        let mut statement = self.transaction.prepare_cached("SELECT id, slug, hash FROM pages WHERE path = ?1")?;
        let known = statement.query_row([&page.path], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?))).optional()?;
        let slug: Option<String> = match known {
            // Another process has already updated the row.
            Some((_, _, hash)) if hash == page.hash.bytes() => return self.restamp(&page.path, page.stamp),
            Some((id, slug, _)) => {
                self.delete(id)?;
                Some(slug)
            }
            None => None,
        };
        self.touched.entry(page.path.clone()).or_insert_with(|| slug.clone());
        self.insert(page, slug)
    }

    fn delete(&self, id: i64) -> Result<(), Fault> {
        let sql = "SELECT t.names, p.tags, t.body FROM pages p JOIN texts t ON t.page = p.id WHERE p.id = ?1";
        let (names, tags, body): (String, String, String) =
            self.transaction.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let tags: Vec<String> = serde_json::from_str(&tags).unwrap_or_default();
        // Must equal the inserted values.
        let sql = "INSERT INTO search (search, rowid, title, tags, body) VALUES ('delete', ?1, ?2, ?3, ?4)";
        self.transaction.prepare_cached(sql)?.execute(params![id, indexed(&names), indexed(&tags.join(" ")), indexed(&body)])?;
        self.transaction.prepare_cached("DELETE FROM pages WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    fn insert(&mut self, page: &PageRows, slug: Option<String>) -> Result<(), Fault> {
        let transaction = self.transaction;
        let base = names::slug(&page.path);
        let slug = match slug {
            Some(slug) => slug,
            None if self.is_free(&base)? => base.clone(),
            None => {
                self.unassigned.insert(base.clone());
                format!("~{}", page.path)
            }
        };
        let sql = "INSERT INTO pages (path, base, slug, title, title_key, kind, kind_key, tags, remark, size, modified, changed, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        transaction.prepare_cached(sql)?.execute(params![
            page.path,
            base,
            slug,
            page.title,
            fold(&page.title),
            page.kind,
            page.kind.as_deref().map(fold),
            Value::from(page.tags.clone()).to_string(),
            page.remark,
            page.stamp.size,
            page.stamp.modified,
            page.stamp.changed,
            page.hash.bytes(),
        ])?;
        let id = transaction.last_insert_rowid();
        let stem = names::without_extension(names::last(&page.path));
        let searched = [page.title.as_str(), stem].into_iter().chain(page.aliases.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        let sql = "INSERT INTO texts (page, names, frontmatter, body_line, body) VALUES (?1, ?2, ?3, ?4, ?5)";
        transaction.prepare_cached(sql)?.execute(params![id, searched, page.frontmatter, page.body_line, page.body])?;
        let mut tag = transaction.prepare_cached("INSERT INTO tags (tag, page) VALUES (?1, ?2)")?;
        for name in &page.tags {
            tag.execute(params![name, id])?;
        }
        let mut name = transaction.prepare_cached("INSERT INTO names (key, rank, path, page) VALUES (?1, ?2, ?3, ?4)")?;
        name.execute(params![slug, Rank::Slug as i64, page.path, id])?;
        for (key, rank) in names::names(&page.path, &page.title, &page.aliases) {
            name.execute(params![key, rank as i64, page.path, id])?;
        }
        let sql = "INSERT INTO links (page, ordinal, key, path, target, text, line, strict) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let mut row = transaction.prepare_cached(sql)?;
        for (ordinal, link) in (0_i64..).zip(&page.links) {
            row.execute(params![id, ordinal, link.key, link.path, link.target, link.text, link.line, link.strict])?;
        }
        let sql = "INSERT INTO search (rowid, title, tags, body) VALUES (?1, ?2, ?3, ?4)";
        transaction.prepare_cached(sql)?.execute(params![id, indexed(&searched), indexed(&page.tags.join(" ")), indexed(&page.body)])?;
        Ok(())
    }

    fn is_free(&self, base: &str) -> Result<bool, Fault> {
        let mut statement = self.transaction.prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM pages WHERE base = ?1)")?;
        Ok(statement.query_row([base], |row| row.get(0))?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Fault> {
        for base in std::mem::take(&mut self.unassigned) {
            self.assign_slugs(&base)?;
        }
        Ok(())
    }

    fn assign_slugs(&mut self, base: &str) -> Result<(), Fault> {
        let mut statement = self.transaction.prepare_cached("SELECT id, path, slug FROM pages WHERE base = ?1 ORDER BY path")?;
        let rows = statement.query_map([base], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)))?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let changed: Vec<_> =
            (0..).zip(rows).map(|(n, row)| (names::numbered(base, n), row)).filter(|(slug, row)| *slug != row.2).collect();
        // First to temporary slugs, to avoid conflicts.
        let mut update = self.transaction.prepare_cached("UPDATE pages SET slug = ?2 WHERE id = ?1")?;
        for (_, (id, path, _)) in &changed {
            update.execute(params![id, format!("~{path}")])?;
        }
        let mut forget = self.transaction.prepare_cached("DELETE FROM names WHERE page = ?1 AND rank = ?2")?;
        let mut name = self.transaction.prepare_cached("INSERT INTO names (key, rank, path, page) VALUES (?1, ?2, ?3, ?4)")?;
        for (slug, (id, path, before)) in changed {
            update.execute(params![id, slug])?;
            forget.execute(params![id, Rank::Slug as i64])?;
            name.execute(params![slug, Rank::Slug as i64, path, id])?;
            self.touched.entry(path).or_insert(Some(before));
        }
        Ok(())
    }
}

pub(crate) fn put_skipped(transaction: &Transaction<'_>, skipped: &[Skipped]) -> Result<(), Fault> {
    transaction.execute("DELETE FROM skipped", [])?;
    let mut insert = transaction.prepare_cached("INSERT OR REPLACE INTO skipped (path, reason) VALUES (?1, ?2)")?;
    for one in skipped {
        insert.execute(params![one.path, one.reason])?;
    }
    Ok(())
}
