//! Compares the folder with the index and updates it.
//!
//! A file with unchanged metadata (size and times) isn't read, and one with an unchanged hash isn't parsed. Writes are
//! batched, each batch in a transaction, so that readers see complete pages and an interruption loses nothing. Several processes may refresh
//! concurrently: each write is conditional on the expected row. Deliberately absent: scheduling.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use cap_std::fs::Dir;
use inklings_core::pages::{IndexProgress, OnIndexProgress, PageChanges, PagesError, Skipped};
use inklings_core::{CancellationToken, Digest};
use inklings_sqlite::Database;

use crate::rows::{PageRows, TouchedPages, Writer, put_skipped};
use crate::walk::{self, Content, FileStamp, WalkResult};

/// Maximum pages of a transaction.
const BATCH_PAGES: usize = 500;
/// Maximum bytes of text of a transaction.
const BATCH_BYTES: i64 = 8 * 1024 * 1024;
/// A file that changed this recently may change again with the same modification time.
const MODIFIED_RECENTLY: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct RefreshReport {
    pub(crate) changes: PageChanges,
    /// All folders, for watching.
    pub(crate) folders: Vec<String>,
}

struct StoredPage {
    stamp: FileStamp,
    hash: Vec<u8>,
}

/// Writes for the next transaction.
#[derive(Default)]
struct Batch {
    restamped: Vec<(String, FileStamp)>,
    read: Vec<PageRows>,
    bytes: i64,
}

/// Updates the index of the folder `root`.
pub(crate) fn refresh(
    root: &Path,
    database: &Database,
    progress: OnIndexProgress<'_>,
    cancel: &CancellationToken,
) -> Result<RefreshReport, PagesError> {
    // Read before the walk: a page that another process adds meanwhile must not count as removed.
    let known = known(database)?;
    let stable = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().saturating_sub(MODIFIED_RECENTLY);
    let stable = i64::try_from(stable.as_nanos()).unwrap_or(i64::MAX);
    let dir = walk::open(root)?;
    let mut walked = walk::walk(&dir, cancel)?;
    let total = walked.files.len();
    progress(IndexProgress { done: 0, total });

    let mut touched = TouchedPages::new();
    let files = std::mem::take(&mut walked.files);
    let present: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let absent = known.iter().filter(|(path, _)| !present.contains(path.as_str()));
    let mut removed: Vec<_> = absent.map(|(path, known)| (path.clone(), known.hash.clone())).collect();
    let mut batch = Batch::default();
    for (done, (path, stamp)) in files.iter().enumerate() {
        if cancel.is_cancelled() {
            return Err(PagesError::Cancelled);
        }
        let before = known.get(path);
        if before.is_none_or(|before| before.stamp != *stamp) {
            removed.extend(read_page(&dir, path, before, stable, &mut batch, &mut walked).map(|hash| (path.clone(), hash)));
        }
        if batch.read.len() >= BATCH_PAGES || batch.bytes >= BATCH_BYTES {
            write(database, &std::mem::take(&mut removed), &std::mem::take(&mut batch), &mut touched)?;
            progress(IndexProgress { done: done + 1, total });
        }
    }
    write(database, &removed, &batch, &mut touched)?;
    note_skipped(database, walked.skipped)?;
    progress(IndexProgress { done: total, total });
    Ok(RefreshReport { changes: changes(database, touched)?, folders: walked.folders })
}

fn known(database: &Database) -> Result<BTreeMap<String, StoredPage>, PagesError> {
    Ok(database.read(|connection| {
        let mut statement = connection.prepare_cached("SELECT path, size, modified, changed, hash FROM pages")?;
        let rows = statement.query_map([], |row| {
            let stamp = FileStamp { size: row.get(1)?, modified: row.get(2)?, changed: row.get(3)? };
            Ok((row.get(0)?, StoredPage { stamp, hash: row.get(4)? }))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    })?)
}

/// Reads a changed file. Returns the hash of an indexed page that isn't a page anymore.
fn read_page(
    dir: &Dir,
    path: &str,
    before: Option<&StoredPage>,
    stable: i64,
    batch: &mut Batch,
    walked: &mut WalkResult,
) -> Option<Vec<u8>> {
    match walk::read(dir, path) {
        Content::Text { text, lossy, mut stamp, hash } => {
            if stamp.changed >= stable {
                stamp.changed = 0;
            }
            match before {
                Some(before) if same(&before.hash, &hash) => {
                    if before.stamp != stamp {
                        batch.restamped.push((path.to_owned(), stamp));
                    }
                }
                _ => {
                    batch.bytes += stamp.size;
                    batch.read.push(PageRows::new(path.to_owned(), &text, lossy, stamp, hash));
                }
            }
            return None;
        }
        Content::Skipped(reason) => walked.skip(path, reason),
        Content::Removed => {}
    }
    before.map(|before| before.hash.clone())
}

fn same(known: &[u8], hash: &Digest) -> bool {
    known == hash.bytes()
}

/// One transaction. Removed pages are deleted first, so that a moved page can keep its slug.
fn write(database: &Database, removed: &[(String, Vec<u8>)], batch: &Batch, touched: &mut TouchedPages) -> Result<(), PagesError> {
    if removed.is_empty() && batch.restamped.is_empty() && batch.read.is_empty() {
        return Ok(());
    }
    database.write(|transaction| {
        let mut writer = Writer::new(transaction, touched);
        for (path, hash) in removed {
            writer.remove(path, hash)?;
        }
        for (path, stamp) in &batch.restamped {
            writer.restamp(path, *stamp)?;
        }
        for page in &batch.read {
            writer.put(page)?;
        }
        writer.finish()
    })?;
    Ok(())
}

fn note_skipped(database: &Database, mut skipped: Vec<Skipped>) -> Result<(), PagesError> {
    skipped.sort_by(|a, b| a.path.cmp(&b.path));
    if skipped != crate::query::skipped(database)? {
        database.write(|transaction| put_skipped(transaction, &skipped))?;
    }
    Ok(())
}

/// Slugs of changed pages.
fn changes(database: &Database, touched: TouchedPages) -> Result<PageChanges, PagesError> {
    if touched.is_empty() {
        return Ok(PageChanges::default());
    }
    let after: BTreeSet<String> = database.snapshot(|connection| {
        let mut statement = connection.prepare_cached("SELECT slug FROM pages WHERE path = ?1")?;
        let mut slugs = BTreeSet::new();
        for path in touched.keys() {
            slugs.extend(statement.query_map([path], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(slugs)
    })?;
    let before: BTreeSet<String> = touched.into_values().flatten().collect();
    Ok(PageChanges {
        added: after.difference(&before).cloned().collect(),
        changed: after.intersection(&before).cloned().collect(),
        removed: before.difference(&after).cloned().collect(),
    })
}
