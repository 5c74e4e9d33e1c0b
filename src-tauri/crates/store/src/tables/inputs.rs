//! `saved_inputs`: named parameters of an artifact's form, in the account's database.

use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Slug, StorageError};
use rusqlite::params;

use crate::feed;
use crate::store::Store;
use crate::tables::{json, parse, to_json};

/// The feed's id of an artifact's inputs.
fn feed_id(key: InputKey<'_>) -> String {
    format!("{}/{}", key.slug, key.path)
}

impl Store {
    pub(crate) fn inputs(&self, key: InputKey<'_>) -> Result<Vec<SavedInput>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT name, params, updated_at FROM saved_inputs WHERE workspace = ?1 AND slug = ?2 AND path = ?3 ORDER BY name",
            )?;
            let mut rows = statement.query(params![key.workspace, key.slug.as_str(), key.path.as_str()])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(SavedInput { name: row.get("name")?, params: json(row, "params")?, updated_at: parse(row, "updated_at")? });
            }
            Ok(all)
        })
    }

    pub(crate) fn put_input(&self, key: InputKey<'_>, input: &SavedInput, origin: &str) -> Result<(), StorageError> {
        let (params, now) = (to_json(&input.params), input.updated_at.to_string());
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO saved_inputs (workspace, slug, path, name, params, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT DO UPDATE SET params = excluded.params, updated_at = excluded.updated_at",
                )?
                .execute(params![key.workspace, key.slug.as_str(), key.path.as_str(), input.name, params?, now])?;
            feed::append(transaction, "input", &feed_id(key), origin)
        })
    }

    /// What the new slug has already stays under it.
    pub(crate) fn move_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError> {
        self.write(|transaction| {
            let moved = transaction.execute(
                "UPDATE OR IGNORE saved_inputs SET slug = ?2 WHERE slug = ?1 AND (?3 IS NULL OR workspace = ?3)",
                params![from.as_str(), to.as_str(), workspace],
            )?;
            if moved > 0 { feed::append(transaction, "input", to.as_str(), origin) } else { Ok(()) }
        })
    }

    /// What the new slug has already stays as it is.
    pub(crate) fn copy_inputs(&self, workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> Result<(), StorageError> {
        self.write(|transaction| {
            let copied = transaction.execute(
                "INSERT OR IGNORE INTO saved_inputs (workspace, slug, path, name, params, updated_at)
                 SELECT workspace, ?2, path, name, params, updated_at FROM saved_inputs WHERE slug = ?1 AND (?3 IS NULL OR workspace = ?3)",
                params![from.as_str(), to.as_str(), workspace],
            )?;
            if copied > 0 { feed::append(transaction, "input", to.as_str(), origin) } else { Ok(()) }
        })
    }

    pub(crate) fn delete_input(&self, key: InputKey<'_>, name: &str, origin: &str) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let deleted = transaction
                .prepare_cached("DELETE FROM saved_inputs WHERE workspace = ?1 AND slug = ?2 AND path = ?3 AND name = ?4")?
                .execute(params![key.workspace, key.slug.as_str(), key.path.as_str(), name])?;
            if deleted > 0 {
                feed::append(transaction, "input", &feed_id(key), origin)?;
            }
            Ok(deleted > 0)
        })
    }
}
