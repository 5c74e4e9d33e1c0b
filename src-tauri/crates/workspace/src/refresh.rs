//! Comparing the folder with the index and bringing it up to date.
//!
//! A file that looks as it did (size and times) is not read; one that was read and has the same hash is not parsed. Writes go in
//! batches, each one transaction, so that readers see whole pages and stopping halfway loses nothing. Several processes may do
//! this at once: each write says what it expects and gives way. Deliberately absent: when to do it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use cap_std::fs::Dir;
use inklings_core::pages::{IndexProgress, OnIndexProgress, PageChanges, PagesError, Skipped};
use inklings_core::{CancellationToken, Digest};
use inklings_sqlite::Database;

use crate::rows::{Prepared, Touched, Writer, put_skipped};
use crate::walk::{self, Content, FileStamp, Walked};

/// Pages of one transaction.
const BATCH_PAGES: usize = 500;
/// Bytes of text of one transaction.
const BATCH_BYTES: i64 = 8 * 1024 * 1024;
/// A file that was changed this shortly before it was read may be changed once more without looking different.
const MODIFIED_RECENTLY: Duration = Duration::from_secs(2);

/// What a refresh did.
#[derive(Debug)]
pub(crate) struct Refreshed {
    pub(crate) changes: PageChanges,
    /// All folders, for watching.
    pub(crate) folders: Vec<String>,
}

struct Known {
    stamp: FileStamp,
    hash: Vec<u8>,
}

/// Writes that wait for their transaction.
#[derive(Default)]
struct Batch {
    restamped: Vec<(String, FileStamp)>,
    read: Vec<Prepared>,
    bytes: i64,
}

/// Brings the index up to date with the folder `root`.
pub(crate) fn refresh(
    root: &Path,
    database: &Database,
    progress: OnIndexProgress<'_>,
    cancel: &CancellationToken,
) -> Result<Refreshed, PagesError> {
    // Before the folder is looked at: a page that another process adds in between is then not taken for a removed one.
    let known = known(database)?;
    let stable = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().saturating_sub(MODIFIED_RECENTLY);
    let stable = i64::try_from(stable.as_nanos()).unwrap_or(i64::MAX);
    let dir = walk::open(root)?;
    let mut walked = walk::walk(&dir, cancel)?;
    let total = walked.files.len();
    progress(IndexProgress { done: 0, total });

    let mut touched = Touched::new();
    let files = std::mem::take(&mut walked.files);
    let present: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let absent = known.iter().filter(|(path, _)| !present.contains(path.as_str()));
    let mut gone: Vec<_> = absent.map(|(path, known)| (path.clone(), known.hash.clone())).collect();
    let mut batch = Batch::default();
    for (done, (path, stamp)) in files.iter().enumerate() {
        if cancel.is_cancelled() {
            return Err(PagesError::Cancelled);
        }
        let before = known.get(path);
        if before.is_none_or(|before| before.stamp != *stamp) {
            gone.extend(read_page(&dir, path, before, stable, &mut batch, &mut walked).map(|hash| (path.clone(), hash)));
        }
        if batch.read.len() >= BATCH_PAGES || batch.bytes >= BATCH_BYTES {
            write(database, &std::mem::take(&mut gone), &std::mem::take(&mut batch), &mut touched)?;
            progress(IndexProgress { done: done + 1, total });
        }
    }
    write(database, &gone, &batch, &mut touched)?;
    note_skipped(database, walked.skipped)?;
    progress(IndexProgress { done: total, total });
    Ok(Refreshed { changes: changes(database, touched)?, folders: walked.folders })
}

fn known(database: &Database) -> Result<BTreeMap<String, Known>, PagesError> {
    Ok(database.read(|connection| {
        let mut statement = connection.prepare_cached("SELECT path, size, modified, changed, hash FROM pages")?;
        let rows = statement.query_map([], |row| {
            let stamp = FileStamp { size: row.get(1)?, modified: row.get(2)?, changed: row.get(3)? };
            Ok((row.get(0)?, Known { stamp, hash: row.get(4)? }))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    })?)
}

/// Reads a file that looks different. Gives the hash of a known page that is none any more.
fn read_page(dir: &Dir, path: &str, before: Option<&Known>, stable: i64, batch: &mut Batch, walked: &mut Walked) -> Option<Vec<u8>> {
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
                    batch.read.push(Prepared::new(path.to_owned(), &text, lossy, stamp, hash));
                }
            }
            return None;
        }
        Content::Skipped(reason) => walked.skip(path, reason),
        Content::Gone => {}
    }
    before.map(|before| before.hash.clone())
}

fn same(known: &[u8], hash: &Digest) -> bool {
    known == hash.bytes()
}

/// One transaction. What is gone goes first, so that a moved page can have its slug.
fn write(database: &Database, gone: &[(String, Vec<u8>)], batch: &Batch, touched: &mut Touched) -> Result<(), PagesError> {
    if gone.is_empty() && batch.restamped.is_empty() && batch.read.is_empty() {
        return Ok(());
    }
    database.write(|transaction| {
        let mut writer = Writer::new(transaction, touched);
        for (path, hash) in gone {
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

/// What became of the slugs of touched pages.
fn changes(database: &Database, touched: Touched) -> Result<PageChanges, PagesError> {
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
