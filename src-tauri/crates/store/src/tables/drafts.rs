//! `drafts`: unsaved texts, in the account's database for every workspace: a workspace file is untrusted, and a draft must survive the
//! removal of its folder.

use inklings_core::user::{Draft, DraftKey, DraftMark, DraftMove, DraftStamp};
use inklings_core::{Digest, SkillId, SkillPath, StorageError, Time};
use inklings_sqlite::Fault;
use rusqlite::{Transaction, params};

use crate::blob::broken;
use crate::feed;
use crate::store::Store;
use crate::tables::parse;

/// Only discards are in the feed, so that another window with the same file open stores its unsaved text again. Stored drafts aren't,
/// since they change with every second of typing.
const FEED_KIND: &str = "draft";

impl Store {
    /// Replaces the draft of the same file.
    pub(crate) fn put_draft(&self, draft: &Draft) -> Result<(), StorageError> {
        let replace = "UPDATE SET base_revision = excluded.base_revision, base_sha256 = excluded.base_sha256,
                        content = excluded.content, updated_at = excluded.updated_at";
        self.write(|transaction| insert(transaction, draft, replace).map(drop))
    }

    /// False if the file has a draft already, which stays.
    pub(crate) fn add_draft(&self, draft: &Draft) -> Result<bool, StorageError> {
        self.write(|transaction| insert(transaction, draft, "NOTHING"))
    }

    /// The drafts of a skill's files in a workspace (empty: the account), newest first.
    pub(crate) fn drafts(&self, workspace: &str, skill: SkillId) -> Result<Vec<Draft>, StorageError> {
        self.read(|connection| {
            let sql = "SELECT * FROM drafts WHERE workspace = ?1 AND skill_id = ?2 ORDER BY updated_at DESC, path";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([workspace, &skill.to_string()])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let hash: Option<Vec<u8>> = row.get("base_sha256")?;
                all.push(Draft {
                    workspace: row.get("workspace")?,
                    skill: parse(row, "skill_id")?,
                    path: parse(row, "path")?,
                    base_revision: row.get("base_revision")?,
                    base_sha256: hash.map(|hash| Digest::from_bytes(&hash).ok_or_else(|| broken(&"not a hash"))).transpose()?,
                    content: row.get("content")?,
                    updated_at: parse(row, "updated_at")?,
                });
            }
            Ok(all)
        })
    }

    pub(crate) fn draft_marks(&self, workspace: &str) -> Result<Vec<DraftMark>, StorageError> {
        self.read(|connection| {
            // Doesn't read the texts, which are on overflow pages.
            let sql = "SELECT workspace, skill_id, path, base_revision, updated_at FROM drafts WHERE workspace = ?1
                       ORDER BY updated_at DESC, path";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([workspace])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(DraftMark {
                    workspace: row.get("workspace")?,
                    skill: parse(row, "skill_id")?,
                    path: parse(row, "path")?,
                    base_revision: row.get("base_revision")?,
                    updated_at: parse(row, "updated_at")?,
                });
            }
            Ok(all)
        })
    }

    /// Discards the draft of one file, or all drafts of a skill. False if there was none.
    pub(crate) fn discard_draft(&self, workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> Result<bool, StorageError> {
        if !self.exists() {
            return Ok(false);
        }
        self.write(|transaction| {
            let deleted = transaction
                .prepare_cached("DELETE FROM drafts WHERE workspace = ?1 AND skill_id = ?2 AND (?3 IS NULL OR path = ?3)")?
                .execute(params![workspace, skill.to_string(), path.map(SkillPath::as_str)])?;
            if deleted > 0 {
                feed::append(transaction, FEED_KIND, &skill.to_string(), self.origin())?;
            }
            Ok(deleted > 0)
        })
    }

    /// Discards drafts that weren't changed since they were read.
    pub(crate) fn discard_unchanged_drafts(&self, drafts: &[DraftStamp]) -> Result<(), StorageError> {
        if drafts.is_empty() || !self.exists() {
            return Ok(());
        }
        self.write(|transaction| {
            let sql = "DELETE FROM drafts WHERE workspace = ?1 AND skill_id = ?2 AND path = ?3 AND updated_at = ?4";
            let mut statement = transaction.prepare_cached(sql)?;
            for DraftStamp { key, updated_at } in drafts {
                let skill = key.skill.to_string();
                if statement.execute(params![key.workspace, skill, key.path.as_str(), updated_at.to_string()])? > 0 {
                    feed::append(transaction, FEED_KIND, &skill, self.origin())?;
                }
            }
            Ok(())
        })
    }

    /// Existing drafts at the target aren't overwritten. Returns the copied ones.
    pub(crate) fn copy_drafts(&self, moves: &[DraftMove]) -> Result<Vec<DraftStamp>, StorageError> {
        if moves.is_empty() || !self.exists() {
            return Ok(Vec::new());
        }
        self.write(|transaction| {
            let mut copies = Vec::new();
            for one in moves {
                if let Some(updated_at) = copy(transaction, one, "NOTHING")? {
                    copies.push(DraftStamp { key: one.to.clone(), updated_at });
                }
            }
            Ok(copies)
        })
    }

    /// Of two drafts with the same target, the newer one stays.
    pub(crate) fn move_drafts(&self, moves: &[DraftMove]) -> Result<(), StorageError> {
        if moves.is_empty() || !self.exists() {
            return Ok(());
        }
        self.write(|transaction| {
            for one in moves.iter().filter(|one| one.from != one.to) {
                copy(
                    transaction,
                    one,
                    "UPDATE SET base_revision = excluded.base_revision, base_sha256 = excluded.base_sha256,
                        content = excluded.content, updated_at = excluded.updated_at
                     WHERE excluded.updated_at >= drafts.updated_at",
                )?;
                let DraftKey { workspace, skill, path } = &one.from;
                transaction.prepare_cached("DELETE FROM drafts WHERE workspace = ?1 AND skill_id = ?2 AND path = ?3")?.execute(params![
                    workspace,
                    skill.to_string(),
                    path.as_str()
                ])?;
            }
            Ok(())
        })
    }
}

/// False if `on_conflict` left the row that is there.
fn insert(transaction: &Transaction<'_>, draft: &Draft, on_conflict: &str) -> Result<bool, Fault> {
    let sql = format!(
        "INSERT INTO drafts (workspace, skill_id, path, base_revision, base_sha256, content, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO {on_conflict}"
    );
    let written = transaction.prepare_cached(&sql)?.execute(params![
        draft.workspace,
        draft.skill.to_string(),
        draft.path.as_str(),
        draft.base_revision,
        draft.base_sha256.as_ref().map(Digest::bytes),
        draft.content,
        draft.updated_at.to_string(),
    ])?;
    Ok(written > 0)
}

/// Copies the row of a draft and returns when it was typed; none if there is no row, or `on_conflict` left the one that is there.
fn copy(transaction: &Transaction<'_>, DraftMove { from, to, base }: &DraftMove, on_conflict: &str) -> Result<Option<Time>, Fault> {
    let sql = format!(
        "INSERT INTO drafts (workspace, skill_id, path, base_revision, base_sha256, content, updated_at)
         SELECT ?4, ?5, ?6, iif(?7, ?8, base_revision), iif(?7, ?9, base_sha256), content, updated_at FROM drafts
         WHERE workspace = ?1 AND skill_id = ?2 AND path = ?3
         ON CONFLICT DO {on_conflict} RETURNING updated_at"
    );
    let (revision, sha256) = base.as_ref().map_or((0, None), |(revision, sha256)| (*revision, sha256.as_ref().map(Digest::bytes)));
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut rows = statement.query(params![
        from.workspace,
        from.skill.to_string(),
        from.path.as_str(),
        to.workspace,
        to.skill.to_string(),
        to.path.as_str(),
        base.is_some(),
        revision,
        sha256,
    ])?;
    rows.next()?.map(|row| parse(row, "updated_at")).transpose()
}
