//! `registries` and `pinned_skills`, in the account's database.

use inklings_core::marketplace::{InstalledPackage, InstalledSkill, MarketplaceStore, RegistryRecord, SyncAttempt};
use inklings_core::{Digest, SkillId, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Row, named_params, params};

use crate::blob::broken;
use crate::feed;
use crate::store::Store;
use crate::tables::{json, parse, parse_optional, to_json};

const FEED_KIND: &str = "registry";

impl MarketplaceStore for Store {
    fn registries(&self) -> Result<Vec<RegistryRecord>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM registries ORDER BY priority DESC, id")?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(registry(row)?);
            }
            Ok(all)
        })
    }

    fn add_registry(&self, registry: &RegistryRecord) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let (tried_at, failure) = sync_columns(registry.last_sync.as_ref())?;
            let sql = "INSERT INTO registries (id, title, address, mirrors, fingerprint, priority, enabled, updates_built_in, added_at,
                                               tried_at, failure)
                       VALUES (:id, :title, :address, :mirrors, :fingerprint, :priority, :enabled, :updates_built_in, :added_at,
                               :tried_at, :failure)
                       ON CONFLICT (id) DO NOTHING";
            let added = transaction.prepare_cached(sql)?.execute(named_params! {
                ":id": registry.id,
                ":title": registry.title,
                ":address": registry.address,
                ":mirrors": to_json(&registry.mirrors)?,
                ":fingerprint": registry.fingerprint.bytes(),
                ":priority": registry.priority,
                ":enabled": registry.enabled,
                ":updates_built_in": registry.updates_built_in,
                ":added_at": registry.added_at.to_string(),
                ":tried_at": tried_at,
                ":failure": failure,
            })?;
            if added > 0 {
                feed::append(transaction, FEED_KIND, &registry.id, self.origin())?;
            }
            Ok(added > 0)
        })
    }

    fn change_registry(&self, id: &str, change: &mut dyn FnMut(&mut RegistryRecord)) -> Result<Option<RegistryRecord>, StorageError> {
        self.write(|transaction| {
            let Some(stored) = registry_of(transaction, id)? else { return Ok(None) };
            let mut changed = stored.clone();
            change(&mut changed);
            let changed = RegistryRecord { id: stored.id, fingerprint: stored.fingerprint, added_at: stored.added_at, ..changed };
            let (tried_at, failure) = sync_columns(changed.last_sync.as_ref())?;
            let sql = "UPDATE registries SET title = :title, address = :address, mirrors = :mirrors, priority = :priority,
                           enabled = :enabled, updates_built_in = :updates_built_in, tried_at = :tried_at, failure = :failure
                       WHERE id = :id";
            transaction.prepare_cached(sql)?.execute(named_params! {
                ":id": changed.id,
                ":title": changed.title,
                ":address": changed.address,
                ":mirrors": to_json(&changed.mirrors)?,
                ":priority": changed.priority,
                ":enabled": changed.enabled,
                ":updates_built_in": changed.updates_built_in,
                ":tried_at": tried_at,
                ":failure": failure,
            })?;
            feed::append(transaction, FEED_KIND, &changed.id, self.origin())?;
            Ok(Some(changed))
        })
    }

    fn remove_registry(&self, id: &str) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let removed = transaction.prepare_cached("DELETE FROM registries WHERE id = ?1")?.execute([id])? > 0;
            if removed {
                feed::append(transaction, FEED_KIND, id, self.origin())?;
            }
            Ok(removed)
        })
    }

    fn note_sync(&self, id: &str, attempt: &SyncAttempt) -> Result<(), StorageError> {
        self.write(|transaction| {
            let (tried_at, failure) = sync_columns(Some(attempt))?;
            let sql = "UPDATE registries SET tried_at = ?2, failure = ?3 WHERE id = ?1";
            if transaction.prepare_cached(sql)?.execute(params![id, tried_at, failure])? > 0 {
                feed::append(transaction, FEED_KIND, id, self.origin())?;
            }
            Ok(())
        })
    }

    fn installed_skills(&self) -> Result<Vec<InstalledSkill>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, slug, name, version, marketplace_id, sync_etag, EXISTS (SELECT 1 FROM pinned_skills WHERE skill_id = id) AS pinned
                 FROM skills WHERE marketplace_id IS NOT NULL ORDER BY slug",
            )?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let Some(package) = package(row)? else { continue };
                all.push(InstalledSkill {
                    skill: parse(row, "id")?,
                    slug: parse(row, "slug")?,
                    name: row.get("name")?,
                    version: row.get("version")?,
                    package,
                    is_pinned: row.get("pinned")?,
                });
            }
            Ok(all)
        })
    }

    fn set_pinned(&self, skill: SkillId, pinned: bool) -> Result<bool, StorageError> {
        self.write(|transaction| {
            let sql = if pinned {
                "INSERT INTO pinned_skills (skill_id) VALUES (?1) ON CONFLICT DO NOTHING"
            } else {
                "DELETE FROM pinned_skills WHERE skill_id = ?1"
            };
            let has_changed = transaction.prepare_cached(sql)?.execute([skill.to_string()])? > 0;
            if has_changed {
                feed::append(transaction, FEED_KIND, &skill.to_string(), self.origin())?;
            }
            Ok(has_changed)
        })
    }
}

fn registry_of(connection: &Connection, id: &str) -> Result<Option<RegistryRecord>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM registries WHERE id = ?1")?;
    let mut rows = statement.query([id])?;
    rows.next()?.map(registry).transpose()
}

/// `tried_at` and `failure`.
fn sync_columns(attempt: Option<&SyncAttempt>) -> Result<(Option<String>, Option<String>), Fault> {
    let failure = attempt.and_then(|attempt| attempt.failure.as_ref()).map(to_json).transpose()?;
    Ok((attempt.map(|attempt| attempt.at.to_string()), failure))
}

fn registry(row: &Row<'_>) -> Result<RegistryRecord, Fault> {
    let fingerprint: Vec<u8> = row.get("fingerprint")?;
    let failure: Option<String> = row.get("failure")?;
    let failure = failure.map(|text| serde_json::from_str(&text).map_err(|error| broken(&error))).transpose()?;
    Ok(RegistryRecord {
        id: row.get("id")?,
        title: row.get("title")?,
        address: row.get("address")?,
        mirrors: json(row, "mirrors")?,
        fingerprint: Digest::from_bytes(&fingerprint).ok_or_else(|| broken(&"a fingerprint has another length"))?,
        priority: row.get("priority")?,
        enabled: row.get("enabled")?,
        updates_built_in: row.get("updates_built_in")?,
        added_at: parse(row, "added_at")?,
        last_sync: parse_optional(row, "tried_at")?.map(|at| SyncAttempt { at, failure }),
    })
}

/// The package of a row of `skills`.
pub(super) fn package(row: &Row<'_>) -> Result<Option<InstalledPackage>, Fault> {
    let Some(marketplace_id) = row.get("marketplace_id")? else { return Ok(None) };
    Ok(parse_optional(row, "sync_etag")?.map(|sha256| InstalledPackage { marketplace_id, sha256 }))
}
