//! `skill_revisions` and the superseded contents in `blobs`.
//!
//! A revision is a list of paths and hashes. Current contents are in `skill_artifacts` and `skill_files`; a content moves to `blobs` when
//! it is superseded. Revisions outlive the skill's row, so that a deletion can be undone.
//!
//! History is read from the newest row down. What a revision changed is its difference to the row before it, so that a page never needs the
//! whole history.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use inklings_core::change::{FileStamp, RevisionFilter, RevisionPage, TreeManifest, changed_between};
use inklings_core::{ArtifactId, DeletedSummary, Digest, Head, RevisionInfo, SkillId, SkillPath, Time, Tree, TreeFile};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::blob::{self, broken, missing};
use crate::tables::parse;

/// Rows searched per page for revisions of a file.
const MAX_SEARCHED_REVISIONS: usize = 1_000;

pub(crate) struct NewRevision<'a> {
    pub(crate) skill: SkillId,
    pub(crate) number: i64,
    pub(crate) slug: &'a str,
    pub(crate) manifest: &'a TreeManifest,
    /// For a deletion: the head of the deleted row.
    pub(crate) head: Option<String>,
    pub(crate) actor: &'a str,
    pub(crate) why: &'a str,
    pub(crate) now: &'a str,
}

pub(crate) fn append(connection: &Connection, revision: &NewRevision<'_>) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "INSERT INTO skill_revisions (skill_id, number, slug, tree_hash, manifest, head, actor, why, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            revision.skill.to_string(),
            revision.number,
            revision.slug,
            manifest_hash(revision.manifest).bytes(),
            blob::encode(revision.manifest)?,
            revision.head,
            revision.actor,
            revision.why,
            revision.now,
        ])?;
    Ok(())
}

/// Hash of a folder: equal if and only if paths, contents and modes are equal.
#[must_use]
pub fn tree_hash(tree: &Tree) -> Digest {
    let stamp = |entry: &TreeFile| FileStamp { sha256: entry.digest(), executable: entry.executable };
    manifest_hash(&tree.iter().map(|(path, entry)| (path.clone(), stamp(entry))).collect())
}

fn manifest_hash(manifest: &TreeManifest) -> Digest {
    let mut bytes = Vec::with_capacity(manifest.len() * 64);
    for (path, stamp) in manifest {
        bytes.extend_from_slice(path.as_str().as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(stamp.sha256.bytes());
        bytes.push(u8::from(stamp.executable));
    }
    Digest::of(&bytes)
}

/// The folder of a revision by content hash.
pub(crate) fn manifest(connection: &Connection, skill: SkillId, number: i64) -> Result<Option<TreeManifest>, Fault> {
    let mut statement = connection.prepare_cached("SELECT manifest FROM skill_revisions WHERE skill_id = ?1 AND number = ?2")?;
    let stored: Option<Vec<u8>> = statement.query_row(params![skill.to_string(), number], |row| row.get(0)).optional()?;
    stored.map(|bytes| blob::decode(&bytes)).transpose()
}

/// 0 without history.
pub(crate) fn last(connection: &Connection, skill: SkillId) -> Result<i64, Fault> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(number), 0) FROM skill_revisions WHERE skill_id = ?1")?;
    Ok(statement.query_row([skill.to_string()], |row| row.get(0))?)
}

/// Newest first. The changes of a revision come from comparing it with the row before it, so each row is read once.
pub(crate) fn list(connection: &Connection, skill: SkillId, filter: &RevisionFilter, limit: usize) -> Result<RevisionPage, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT number, manifest, actor, why, created_at FROM skill_revisions WHERE skill_id = ?1 AND number < ?2 ORDER BY number DESC",
    )?;
    let mut rows = statement.query(params![skill.to_string(), filter.before.unwrap_or(i64::MAX)])?;
    let mut page = RevisionPage::default();
    let mut newer: Option<(RevisionInfo, TreeManifest)> = None;
    let mut seen = 0;
    while let Some(row) = rows.next()? {
        let folder = blob::decode(row.get_ref("manifest")?.as_blob().map_err(|error| broken(&error))?)?;
        let number: i64 = row.get("number")?;
        if let Some((mut info, after)) = newer.take() {
            info.previous = Some(number);
            let last = info.number;
            page.revisions.extend(with_changes(info, &folder, &after, filter));
            if page.revisions.len() >= limit || seen >= MAX_SEARCHED_REVISIONS {
                page.next = Some(last);
                return Ok(page);
            }
        }
        seen += 1;
        let info = RevisionInfo {
            number,
            created_at: parse(row, "created_at")?,
            actor: row.get("actor")?,
            why: row.get("why")?,
            previous: None,
            changed: Vec::new(),
        };
        newer = Some((info, folder));
    }
    if let Some((info, after)) = newer {
        page.revisions.extend(with_changes(info, &TreeManifest::new(), &after, filter));
    }
    Ok(page)
}

/// The revision with what it changed, if it is wanted.
fn with_changes(mut info: RevisionInfo, before: &TreeManifest, after: &TreeManifest, filter: &RevisionFilter) -> Option<RevisionInfo> {
    if filter.path.as_ref().is_some_and(|path| before.get(path) == after.get(path)) {
        return None;
    }
    info.changed = changed_between(before, after);
    Some(info)
}

/// The newest revision with exactly this folder.
pub(crate) fn with_tree(connection: &Connection, skill: SkillId, tree: &Tree) -> Result<Option<i64>, Fault> {
    let mut statement = connection.prepare_cached("SELECT max(number) FROM skill_revisions WHERE skill_id = ?1 AND tree_hash = ?2")?;
    Ok(statement.query_row(params![skill.to_string(), tree_hash(tree).bytes()], |row| row.get(0))?)
}

/// The bodies of a folder: kept ones, or current ones of the same content.
pub(crate) fn tree(connection: &Connection, manifest: &TreeManifest, current: &Tree) -> Result<Tree, Fault> {
    let known: HashMap<Digest, &TreeFile> = current.values().map(|entry| (entry.digest(), entry)).collect();
    manifest.iter().map(|(path, stamp)| Ok((path.clone(), body(connection, path, *stamp, &known)?))).collect()
}

fn body(connection: &Connection, path: &SkillPath, stamp: FileStamp, known: &HashMap<Digest, &TreeFile>) -> Result<TreeFile, Fault> {
    let bytes = match known.get(&stamp.sha256) {
        Some(entry) => entry.bytes.clone(),
        None => blob::get(connection, &stamp.sha256)?.ok_or_else(|| missing("file", path))?.into(),
    };
    Ok(TreeFile { bytes, executable: stamp.executable })
}

/// The head that a deleted skill had, and the folder before its deletion.
pub(crate) fn deleted(connection: &Connection, skill: SkillId) -> Result<Option<(serde_json::Value, TreeManifest)>, Fault> {
    let number = last(connection, skill)?;
    let mut statement = connection.prepare_cached("SELECT head FROM skill_revisions WHERE skill_id = ?1 AND number = ?2")?;
    let head: Option<Option<String>> = statement.query_row(params![skill.to_string(), number], |row| row.get(0)).optional()?;
    let Some(head) = head.flatten() else {
        return Ok(None);
    };
    let mut before = connection.prepare_cached("SELECT max(number) FROM skill_revisions WHERE skill_id = ?1 AND number < ?2")?;
    let before: Option<i64> = before.query_row(params![skill.to_string(), number], |row| row.get(0))?;
    let folder = before.map(|number| manifest(connection, skill, number)).transpose()?.flatten().unwrap_or_default();
    Ok(Some((serde_json::from_str(&head).map_err(|error| broken(&error))?, folder)))
}

/// The deleted skills, last deleted first.
pub(crate) fn list_deleted(connection: &Connection) -> Result<Vec<DeletedSummary>, Fault> {
    let mut statement = connection.prepare_cached(
        // Deletions before the title was recorded have the slug only.
        "SELECT skill_id, slug, coalesce(json_extract(head, '$.name'), slug) AS name, actor, created_at FROM skill_revisions r
         WHERE head IS NOT NULL AND number = (SELECT max(number) FROM skill_revisions last WHERE last.skill_id = r.skill_id)
           AND skill_id NOT IN (SELECT id FROM skills) ORDER BY created_at DESC, slug",
    )?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(DeletedSummary {
            id: parse(row, "skill_id")?,
            slug: parse(row, "slug")?,
            name: row.get("name")?,
            actor: row.get("actor")?,
            deleted_at: parse(row, "created_at")?,
        });
    }
    Ok(all)
}

/// The revisions that later merges start from: those that skills were imported as, and those of originals that their forks have the changes
/// of. `merged` are forks, and revisions of their originals that proposals brought into them.
pub(crate) fn merge_bases(connection: &Connection, merged: &[(SkillId, i64)]) -> Result<Vec<(SkillId, i64)>, Fault> {
    let mut statement = connection.prepare(
        // Older versions didn't store the imported revision, which is the first one unless the skill was imported again.
        "SELECT id, id AS base, CAST(iif(json_type(provenance, '$.revision') IS NULL, 1, provenance ->> '$.revision') AS INTEGER) AS number
         FROM skills WHERE provenance ->> '$.imported_from' IS NOT NULL
         UNION ALL
         SELECT id, provenance ->> '$.forked_from.id', CAST(provenance ->> '$.forked_from.revision' AS INTEGER)
         FROM skills WHERE provenance ->> '$.forked_from' IS NOT NULL",
    )?;
    let mut rows = statement.query([])?;
    let mut bases = Vec::new();
    while let Some(row) = rows.next()? {
        // A workspace's database may say anything.
        let (Ok(skill), Ok(base)) = (parse::<SkillId>(row, "id"), parse::<SkillId>(row, "base")) else { continue };
        bases.extend(row.get::<_, Option<i64>>("number")?.map(|number| (base, number)));
        bases.extend(merged.iter().filter(|(fork, _)| *fork == skill).map(|(_, number)| (base, *number)));
    }
    Ok(bases)
}

/// Gives up old history: everything of the last `keep_days` days stays, before that the last of each day, each skill's newest, what
/// a deletion would bring back, and the revisions `bases` that something is based on. Returns how many revisions went.
pub(crate) fn prune(connection: &Connection, now: Time, keep_days: i64, bases: &[(SkillId, i64)]) -> Result<usize, Fault> {
    let bases: Vec<_> = bases.iter().map(|(skill, number)| format!("{skill} {number}")).collect();
    let bases = serde_json::to_string(&bases).map_err(|error| broken(&error))?;
    let edge = Time::from_millis(now.millis() - keep_days * 24 * 60 * 60 * 1000).to_string();
    let deleted = connection.execute(
        "DELETE FROM skill_revisions WHERE pinned = 0 AND created_at < ?1
           AND number < (SELECT max(r.number) FROM skill_revisions r WHERE r.skill_id = skill_revisions.skill_id)
           AND EXISTS (SELECT 1 FROM skill_revisions r WHERE r.skill_id = skill_revisions.skill_id
                       AND r.number > skill_revisions.number AND substr(r.created_at, 1, 10) = substr(skill_revisions.created_at, 1, 10))
           AND NOT EXISTS (SELECT 1 FROM skill_revisions r WHERE r.skill_id = skill_revisions.skill_id
                           AND r.number = skill_revisions.number + 1 AND r.head IS NOT NULL)
           AND skill_id || ' ' || number NOT IN (SELECT value FROM json_each(?2))",
        [&edge, &bases],
    )? + connection.execute(
        "DELETE FROM skill_revisions WHERE skill_id IN (
            SELECT skill_id FROM skill_revisions r WHERE head IS NOT NULL AND created_at < ?1
              AND number = (SELECT max(last.number) FROM skill_revisions last WHERE last.skill_id = r.skill_id)
              AND skill_id NOT IN (SELECT id FROM skills))",
        [&edge],
    )?;
    if deleted > 0 {
        sweep(connection)?;
    }
    Ok(deleted)
}

/// Removes bodies that no revision names any more.
fn sweep(connection: &Connection) -> Result<(), Fault> {
    let mut named = BTreeSet::new();
    let mut statement = connection.prepare("SELECT manifest FROM skill_revisions")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let folder = blob::decode(row.get_ref(0)?.as_blob().map_err(|error| broken(&error))?)?;
        named.extend(folder.values().map(|stamp| stamp.sha256));
    }
    let mut hashes = connection.prepare("SELECT sha256 FROM blobs")?;
    let all = hashes.query_map([], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut delete = connection.prepare("DELETE FROM blobs WHERE sha256 = ?1")?;
    for hash in all.into_iter().filter(|hash| Digest::from_bytes(hash).is_none_or(|digest| !named.contains(&digest))) {
        delete.execute([hash])?;
    }
    Ok(())
}

/// A head as JSON, for the row that a deletion leaves.
pub(crate) fn head_json(head: &Head, slug: &str, name: &str, artifacts: &BTreeMap<SkillPath, ArtifactId>) -> serde_json::Value {
    serde_json::json!({
        "slug": slug, "name": name, "artifacts": artifacts,
        "source": head.source, "origin": head.origin, "lifecycle": head.lifecycle, "trust_tier": head.trust_tier,
        "enabled": head.enabled, "created_by": head.created_by, "parent_skill_id": head.parent_skill_id,
        "deprecated_reason": head.deprecated_reason, "source_session": head.source_session, "provenance": head.provenance,
        "package": head.package,
        "created_at": head.created_at,
    })
}

/// A field of a deleted skill's JSON.
pub(crate) fn field<T: serde::de::DeserializeOwned>(value: &serde_json::Value, name: &str) -> Result<T, Fault> {
    serde_json::from_value(value.get(name).cloned().unwrap_or_default()).map_err(|error| broken(&error))
}

/// A deleted skill's head from its JSON.
pub(crate) fn read_head_json(value: &serde_json::Value, fresh: Head) -> Result<Head, Fault> {
    Ok(Head {
        source: field(value, "source")?,
        origin: field(value, "origin")?,
        lifecycle: field(value, "lifecycle")?,
        trust_tier: field(value, "trust_tier")?,
        enabled: field(value, "enabled")?,
        created_by: field(value, "created_by")?,
        parent_skill_id: field(value, "parent_skill_id")?,
        deprecated_reason: field(value, "deprecated_reason")?,
        source_session: field(value, "source_session")?,
        provenance: field(value, "provenance")?,
        package: field(value, "package")?,
        created_at: field(value, "created_at")?,
        ..fresh
    })
}
