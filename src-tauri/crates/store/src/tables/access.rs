//! `tokens` and `audit_log`, in the account's database.

use std::sync::atomic::Ordering;

use inklings_core::access::{AccessStore, AccessToken, AuditEntry, MAX_AUDIT_ENTRIES};
use inklings_core::{Digest, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Row, named_params, params};

use crate::feed;
use crate::store::Store;
use crate::tables::{parse, parse_optional};

const FEED_KIND: &str = "token";
/// Entries of the audit log after which old ones are deleted, which reads all of it.
const AUDIT_PRUNE_INTERVAL: i64 = 100;

impl AccessStore for Store {
    fn tokens(&self) -> Result<Vec<AccessToken>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM tokens ORDER BY name")?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(token(row)?);
            }
            Ok(all)
        })
    }

    fn token(&self, id: &str) -> Result<Option<(AccessToken, Digest)>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM tokens WHERE id = ?1")?;
            let mut rows = statement.query([id])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let hash: Vec<u8> = row.get("hash")?;
            let Some(hash) = Digest::from_bytes(&hash) else { return Ok(None) };
            Ok(Some((token(row)?, hash)))
        })
    }

    fn put_token(&self, token: &AccessToken, hash: Digest) -> Result<(), StorageError> {
        let added = self.write(|transaction| {
            let rows = transaction
                .prepare_cached(
                    "INSERT INTO tokens (id, name, role, external, hash, created_at, expires_at)
                     VALUES (:id, :name, :role, :external, :hash, :created_at, :expires_at)
                     ON CONFLICT DO NOTHING",
                )?
                .execute(named_params! {
                    ":id": token.id,
                    ":name": token.name,
                    ":role": token.role.as_str(),
                    ":external": token.external,
                    ":hash": hash.bytes(),
                    ":created_at": token.created_at.to_string(),
                    ":expires_at": token.expires_at.map(|time| time.to_string()),
                })?;
            if rows > 0 {
                feed::append(transaction, FEED_KIND, &token.id, self.origin())?;
            }
            Ok(rows > 0)
        })?;
        if added { Ok(()) } else { Err(StorageError::Exists { what: "token", value: token.name.clone() }) }
    }

    fn revoke_token(&self, id: &str) -> Result<bool, StorageError> {
        let found = self.write(|transaction| {
            let sql = "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1";
            let found = transaction.prepare_cached(sql)?.execute(params![id, self.now().to_string()])? > 0;
            if found {
                feed::append(transaction, FEED_KIND, id, self.origin())?;
            }
            Ok(found)
        })?;
        self.revocations.fetch_add(1, Ordering::Release);
        Ok(found)
    }

    fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::Acquire)
    }

    fn note_token_use(&self, id: &str) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("UPDATE tokens SET last_used_at = ?2 WHERE id = ?1")?
                .execute(params![id, self.now().to_string()])?;
            Ok(())
        })
    }

    fn append_audit(&self, entry: &AuditEntry) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO audit_log (at, actor, role, operation, workspace, code)
                     VALUES (:at, :actor, :role, :operation, :workspace, :code)",
                )?
                .execute(named_params! {
                    ":at": entry.at.to_string(),
                    ":actor": entry.actor,
                    ":role": entry.role,
                    ":operation": entry.operation,
                    ":workspace": entry.workspace,
                    ":code": entry.code,
                })?;
            if transaction.last_insert_rowid() % AUDIT_PRUNE_INTERVAL == 0 {
                transaction
                    .prepare_cached(
                        "DELETE FROM audit_log WHERE seq IN (SELECT seq FROM (
                             SELECT seq, row_number() OVER (PARTITION BY code IS NULL ORDER BY seq DESC) AS place FROM audit_log
                         ) WHERE place > ?1)",
                    )?
                    .execute([i64::try_from(MAX_AUDIT_ENTRIES).unwrap_or(i64::MAX)])?;
            }
            Ok(())
        })
    }

    fn audit(&self, limit: usize) -> Result<Vec<AuditEntry>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY code IS NULL ORDER BY seq DESC) AS place FROM audit_log)
                 WHERE place <= ?1 ORDER BY seq DESC",
            )?;
            let mut rows = statement.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(AuditEntry {
                    at: parse(row, "at")?,
                    actor: row.get("actor")?,
                    role: row.get("role")?,
                    operation: row.get("operation")?,
                    workspace: row.get("workspace")?,
                    code: row.get("code")?,
                });
            }
            Ok(all)
        })
    }
}

fn token(row: &Row<'_>) -> Result<AccessToken, Fault> {
    Ok(AccessToken {
        id: row.get("id")?,
        name: row.get("name")?,
        role: parse(row, "role")?,
        external: row.get("external")?,
        created_at: parse(row, "created_at")?,
        expires_at: parse_optional(row, "expires_at")?,
        revoked_at: parse_optional(row, "revoked_at")?,
        last_used_at: parse_optional(row, "last_used_at")?,
    })
}
