//! `drafts`: typing that is not saved yet, in the account's database.

use inklings_core::user::{Draft, DraftMark};
use inklings_core::{Digest, SkillId, SkillPath, StorageError};
use rusqlite::params;

use crate::blob::broken;
use crate::store::Store;
use crate::tables::parse;

impl Store {
    /// Keeps a draft; the one before of the same file is replaced.
    pub(crate) fn put_draft(&self, draft: &Draft) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO drafts (workspace, skill_id, path, base_revision, base_sha256, content, updated_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                     ON CONFLICT DO UPDATE SET base_revision = excluded.base_revision, base_sha256 = excluded.base_sha256,
                        content = excluded.content, updated_at = excluded.updated_at",
                )?
                .execute(params![
                    draft.workspace,
                    draft.skill.to_string(),
                    draft.path.as_str(),
                    draft.base_revision,
                    draft.base_sha256.as_ref().map(Digest::bytes),
                    draft.content,
                    draft.updated_at.to_string(),
                ])?;
            Ok(())
        })
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
            // Long texts lie apart from the row, and stay where they are.
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

    /// Gives up the draft of one file, or of a whole skill. Returns whether there was one.
    pub(crate) fn discard_draft(&self, workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> Result<bool, StorageError> {
        if !self.exists() {
            return Ok(false);
        }
        self.write(|transaction| {
            let gone = transaction
                .prepare_cached("DELETE FROM drafts WHERE workspace = ?1 AND skill_id = ?2 AND (?3 IS NULL OR path = ?3)")?
                .execute(params![workspace, skill.to_string(), path.map(SkillPath::as_str)])?;
            Ok(gone > 0)
        })
    }
}
