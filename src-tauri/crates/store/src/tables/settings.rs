//! `settings`: values by dotted key, in the account's database.

use std::collections::BTreeMap;

use inklings_core::StorageError;
use rusqlite::params;
use serde_json::Value;

use crate::feed;
use crate::store::Store;
use crate::tables::json;

impl Store {
    /// All settings that were ever set.
    pub(crate) fn settings(&self) -> Result<BTreeMap<String, Value>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT key, value FROM settings")?;
            let mut rows = statement.query([])?;
            let mut all = BTreeMap::new();
            while let Some(row) = rows.next()? {
                all.insert(row.get("key")?, json(row, "value")?);
            }
            Ok(all)
        })
    }

    /// Sets a value; null removes it. `origin` marks the window that did.
    pub(crate) fn put_setting(&self, key: &str, value: &Value, origin: &str) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            if value.is_null() {
                transaction.prepare_cached("DELETE FROM settings WHERE key = ?1")?.execute([key])?;
            } else {
                transaction
                    .prepare_cached(
                        "INSERT INTO settings (key, value, updated_at) VALUES (?1, ?2, ?3)
                         ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
                    )?
                    .execute(params![key, value.to_string(), now])?;
            }
            feed::append(transaction, "setting", key, origin)
        })
    }
}
