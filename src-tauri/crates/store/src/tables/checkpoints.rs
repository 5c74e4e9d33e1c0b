//! `checkpoints`: what scripts keep from one run to the next, in the account's database.

use inklings_core::StorageError;
use inklings_core::user::{CHECKPOINTS, CheckpointKey, Checkpoints};
use rusqlite::{OptionalExtension as _, params};
use serde_json::Value;

use crate::store::Store;
use crate::tables::to_json;

impl Checkpoints for Store {
    fn checkpoint(&self, key: CheckpointKey<'_>) -> Result<Option<Value>, StorageError> {
        let kept: Option<String> = self.read(|connection| {
            let sql = "SELECT value FROM checkpoints WHERE workspace = ?1 AND skill_id = ?2 AND script = ?3 AND key = ?4";
            let mut statement = connection.prepare_cached(sql)?;
            let row = params![key.workspace, key.skill.to_string(), key.script.bytes(), key.key];
            Ok(statement.query_row(row, |row| row.get(0)).optional()?)
        })?;
        // What can't be read is as good as nothing: the script begins anew.
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn put_checkpoint(&self, key: CheckpointKey<'_>, value: &Value) -> Result<(), StorageError> {
        let skill = key.skill.to_string();
        self.write(|transaction| {
            let sql = "SELECT count(*) FROM checkpoints WHERE workspace = ?1 AND skill_id = ?2 AND script = ?3 AND key <> ?4";
            let mut statement = transaction.prepare_cached(sql)?;
            let others: i64 = statement.query_row(params![key.workspace, skill, key.script.bytes(), key.key], |row| row.get(0))?;
            if u64::try_from(others).is_ok_and(|others| others >= CHECKPOINTS) {
                return Err(StorageError::Limit {
                    what: "checkpoints of the script".to_owned(),
                    found: CHECKPOINTS + 1,
                    limit: CHECKPOINTS,
                }
                .into());
            }
            let sql = "INSERT INTO checkpoints (workspace, skill_id, script, key, value, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";
            let row = params![key.workspace, skill, key.script.bytes(), key.key, to_json(value)?, self.now().to_string()];
            transaction.prepare_cached(sql)?.execute(row)?;
            Ok(())
        })
    }
}
