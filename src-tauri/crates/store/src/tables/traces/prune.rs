//! Deleting traces by age and size.

use inklings_core::StorageError;
use inklings_sqlite::Fault;
use rusqlite::{Connection, params};

use super::{FEED_KIND, delete_empty_sessions};
use crate::feed;
use crate::store::Store;

/// Runs or rows that are deleted in one transaction, so that no writer waits long.
pub(super) const PRUNE_BATCH: usize = 100;
/// Deletes all rows of a run, or none while one of them is running.
pub(super) const DELETE_ENDED_RUN: &str = "DELETE FROM skill_execution_traces WHERE run_id = ?1
    AND NOT EXISTS (SELECT 1 FROM skill_execution_traces WHERE run_id = ?1 AND status = 'running')";

impl Store {
    /// Deletes rows, one statement for each key. Returns how many rows were deleted.
    pub(super) fn delete_each(&self, sql: &str, keys: &[impl rusqlite::ToSql]) -> Result<usize, StorageError> {
        self.write(|transaction| {
            let mut deleted = 0;
            for key in keys {
                deleted += transaction.prepare_cached(sql)?.execute([key])?;
            }
            if deleted > 0 {
                delete_empty_sessions(transaction)?;
                feed::append(transaction, FEED_KIND, "", self.origin())?;
            }
            Ok(deleted)
        })
    }
}

pub(super) fn numbers(connection: &Connection, sql: &str, edge: &str) -> Result<Vec<i64>, Fault> {
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_map([edge], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The runs that no longer fit into `allowed` bytes, counted from the newest; one that still runs stays, and what began before
/// `edge` is deleted anyway. `octet_length` of a column reads no text: SQLite knows it from the row's header.
pub(super) fn runs_over(connection: &Connection, allowed: i64, edge: &str) -> Result<Vec<String>, Fault> {
    let texts = ["rendered_input", "raw_output", "log", "params", "error", "detail"];
    let bytes = texts.map(|column| format!("ifnull(octet_length({column}), 0)")).join(" + ");
    let sql = format!(
        "SELECT run_id FROM (
            SELECT run_id, running, sum(bytes) OVER (ORDER BY newest DESC) AS kept FROM (
                SELECT run_id, max(seq) AS newest, max(status = 'running') AS running, sum({bytes}) AS bytes
                FROM skill_execution_traces WHERE status = 'running' OR started_at >= ?2 GROUP BY run_id))
         WHERE kept > ?1 AND running = 0"
    );
    let mut statement = connection.prepare(&sql)?;
    Ok(statement.query_map(params![allowed, edge], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
