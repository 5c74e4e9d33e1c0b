//! `saved_inputs`: named parameters of an artifact's form, in the account's database.

use inklings_core::{SkillPath, Slug, StorageError, Time};
use rusqlite::params;
use serde_json::{Map, Value};

use crate::feed;
use crate::store::Store;
use crate::tables::{json, parse, to_json};

/// One named set of parameters. The empty name holds what was used last.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedInput {
    /// Name.
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
    /// When it was saved.
    pub updated_at: Time,
}

impl Store {
    /// The saved inputs of an artifact, by name.
    pub fn inputs(
        &self,
        workspace: &str,
        slug: &Slug,
        path: &SkillPath,
    ) -> Result<Vec<SavedInput>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT name, params, updated_at FROM saved_inputs WHERE workspace = ?1 AND slug = ?2 AND path = ?3 ORDER BY name",
            )?;
            let mut rows = statement.query(params![workspace, slug.as_str(), path.as_str()])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(SavedInput { name: row.get("name")?, params: json(row, "params")?, updated_at: parse(row, "updated_at")? });
            }
            Ok(all)
        })
    }

    /// Saves parameters under a name.
    pub fn put_input(
        &self,
        workspace: &str,
        slug: &Slug,
        path: &SkillPath,
        input: &SavedInput,
    ) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO saved_inputs (workspace, slug, path, name, params, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT DO UPDATE SET params = excluded.params, updated_at = excluded.updated_at",
                )?
                .execute(params![
                    workspace,
                    slug.as_str(),
                    path.as_str(),
                    input.name,
                    to_json(&input.params)?,
                    input.updated_at.to_string()
                ])?;
            feed::append(transaction, "input", &format!("{slug}/{path}"), self.origin(), &input.updated_at.to_string())
        })
    }

    /// Forgets a named set. Returns whether there was one.
    pub fn delete_input(
        &self,
        workspace: &str,
        slug: &Slug,
        path: &SkillPath,
        name: &str,
    ) -> Result<bool, StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            let gone = transaction
                .prepare_cached("DELETE FROM saved_inputs WHERE workspace = ?1 AND slug = ?2 AND path = ?3 AND name = ?4")?
                .execute(params![workspace, slug.as_str(), path.as_str(), name])?;
            if gone > 0 {
                feed::append(transaction, "input", &format!("{slug}/{path}"), self.origin(), &now)?;
            }
            Ok(gone > 0)
        })
    }
}
