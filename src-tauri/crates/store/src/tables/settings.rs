//! `settings`: values by dotted key, in the account's database.

use std::collections::BTreeMap;

use inklings_core::StorageError;
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use crate::feed;
use crate::store::Store;
use crate::tables::json;

impl Store {
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

    /// Null removes the value. `origin` identifies the window in the change feed.
    pub(crate) fn put_setting(&self, key: &str, value: &Value, origin: &str) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| put(transaction, key, value, origin, &now))
    }

    /// Changes a value in one transaction.
    pub(crate) fn change_setting(
        &self,
        key: &str,
        origin: &str,
        change: &mut dyn FnMut(Option<Value>) -> Option<Value>,
    ) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            let stored: Option<String> =
                transaction.prepare_cached("SELECT value FROM settings WHERE key = ?1")?.query_row([key], |row| row.get(0)).optional()?;
            match change(stored.and_then(|text| serde_json::from_str(&text).ok())) {
                Some(value) => put(transaction, key, &value, origin, &now),
                None => Ok(()),
            }
        })
    }
}

fn put(connection: &Connection, key: &str, value: &Value, origin: &str, now: &str) -> Result<(), Fault> {
    if value.is_null() {
        connection.prepare_cached("DELETE FROM settings WHERE key = ?1")?.execute([key])?;
    } else {
        connection
            .prepare_cached(
                "INSERT INTO settings (key, value, updated_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
            )?
            .execute(params![key, value.to_string(), now])?;
    }
    feed::append(connection, "setting", key, origin)
}
