//! `checkpoints`: what scripts keep from one run to the next, in the account's database.

use inklings_core::StorageError;
use inklings_core::user::{CHECKPOINTS, CHECKPOINTS_BYTES, CheckpointKey, Checkpoints};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Error, OptionalExtension as _, Row, params};
use serde_json::Value;

use crate::store::Store;
use crate::tables::to_json;

impl Checkpoints for Store {
    fn checkpoint(&self, key: CheckpointKey<'_>) -> Result<Option<Value>, StorageError> {
        let stored: Option<String> = self.read(|connection| {
            let sql = "SELECT value FROM checkpoints WHERE workspace = ?1 AND skill_id = ?2 AND script = ?3 AND key = ?4";
            let mut statement = connection.prepare_cached(sql)?;
            let row = params![key.workspace, key.skill.to_string(), key.script.bytes(), key.key];
            Ok(statement.query_row(row, |row| row.get(0)).optional()?)
        })?;
        // An invalid value is treated as missing: the script starts over.
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn put_checkpoint(&self, key: CheckpointKey<'_>, value: &Value) -> Result<(), StorageError> {
        let skill = key.skill.to_string();
        self.write(|transaction| {
            let value = to_json(value)?;
            let totals = CheckpointTotals::of(transaction, key)?;
            if totals.count >= CHECKPOINTS {
                return Err(limit("checkpoints of the script", totals.count + 1, CHECKPOINTS).into());
            }
            let bytes = totals.bytes + u64::try_from(key.key.len() + value.len()).unwrap_or(u64::MAX);
            if bytes > CHECKPOINTS_BYTES {
                return Err(limit("bytes of the skill's checkpoints in this workspace", bytes, CHECKPOINTS_BYTES).into());
            }
            // Checkpoints of other hashes usually belong to former versions of this script, but they may belong to another script of the
            // skill, so they are kept as long as there is room.
            if bytes + totals.others > CHECKPOINTS_BYTES {
                let sql = "DELETE FROM checkpoints WHERE workspace = ?1 AND skill_id = ?2 AND script <> ?3";
                transaction.prepare_cached(sql)?.execute(params![key.workspace, skill, key.script.bytes()])?;
            }
            let sql = "INSERT INTO checkpoints (workspace, skill_id, script, key, value, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";
            let row = params![key.workspace, skill, key.script.bytes(), key.key, value, self.now().to_string()];
            transaction.prepare_cached(sql)?.execute(row)?;
            Ok(())
        })
    }
}

/// Totals of a skill's checkpoints in a workspace, without one of them.
struct CheckpointTotals {
    /// Checkpoints of the same script.
    count: u64,
    bytes: u64,
    /// Bytes of other scripts' checkpoints.
    others: u64,
}

impl CheckpointTotals {
    /// SQLite knows lengths without reading the values.
    fn of(connection: &Connection, key: CheckpointKey<'_>) -> Result<Self, Fault> {
        let sql = "SELECT count(*) FILTER (WHERE script = ?3),
                sum(octet_length(key) + octet_length(value)) FILTER (WHERE script = ?3),
                sum(octet_length(key) + octet_length(value)) FILTER (WHERE script <> ?3)
            FROM checkpoints WHERE workspace = ?1 AND skill_id = ?2 AND NOT (script = ?3 AND key = ?4)";
        let row = params![key.workspace, key.skill.to_string(), key.script.bytes(), key.key];
        let number = |row: &Row<'_>, column| Ok::<_, Error>(row.get::<_, Option<i64>>(column)?.unwrap_or_default().unsigned_abs());
        let read = |row: &Row<'_>| Ok(Self { count: number(row, 0)?, bytes: number(row, 1)?, others: number(row, 2)? });
        Ok(connection.prepare_cached(sql)?.query_row(row, read)?)
    }
}

fn limit(what: &str, found: u64, limit: u64) -> StorageError {
    StorageError::Limit { what: what.to_owned(), found, limit }
}
