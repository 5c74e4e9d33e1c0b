//! `skill_artifacts`.

use std::collections::BTreeMap;

use inklings_core::{Artifact, ArtifactId, ArtifactKind, SkillPath, State};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Row, named_params, params};

use crate::blob::broken;
use crate::tables::skills::SkillKey;
use crate::tables::{distinct_key, json, parse, parse_optional, to_json};

/// A skill's artifacts by ordinal, then path; of some kinds, or all when `kinds` is empty.
pub(crate) fn list(connection: &Connection, skill: SkillKey, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM skill_artifacts WHERE skill = ?1 ORDER BY ordinal, path")?;
    let mut rows = statement.query([skill])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        if kinds.is_empty() || kinds.contains(&parse(row, "kind")?) {
            all.push(read(row)?);
        }
    }
    Ok(all)
}

/// The artifact at a path, or with its state there.
pub(crate) fn at(connection: &Connection, skill: SkillKey, path: &SkillPath) -> Result<Vec<Artifact>, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT * FROM skill_artifacts WHERE skill = ?1 AND (path = ?2 OR state_path = ?2) ORDER BY ordinal")?;
    let mut rows = statement.query(params![skill, path.as_str()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

pub(crate) fn get(connection: &Connection, id: ArtifactId) -> Result<Option<Artifact>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM skill_artifacts WHERE id = ?1")?;
    let mut rows = statement.query([id.bytes()])?;
    rows.next()?.map(read).transpose()
}

fn id(row: &Row<'_>) -> Result<ArtifactId, Fault> {
    let bytes = row.get_ref("id")?.as_blob().map_err(|error| broken(&error))?;
    ArtifactId::from_bytes(bytes).ok_or_else(|| broken(&"not an id"))
}

fn read(row: &Row<'_>) -> Result<Artifact, Fault> {
    let state_blob: Option<Vec<u8>> = row.get("state_blob")?;
    let state_path = parse_optional(row, "state_path")?;
    Ok(Artifact {
        id: id(row)?,
        path: parse(row, "path")?,
        kind: parse(row, "kind")?,
        name: row.get("name")?,
        ordinal: row.get("ordinal")?,
        content: row.get::<_, String>("content")?.into(),
        variant: row.get("model_variant")?,
        metadata: json(row, "metadata")?,
        state: state_path.zip(state_blob).map(|(path, bytes)| State { path, bytes: bytes.into() }),
        executable: row.get("executable")?,
    })
}

pub(crate) fn put(connection: &Connection, skill: SkillKey, artifact: &Artifact) -> Result<(), Fault> {
    connection.prepare_cached(UPSERT)?.execute(named_params! {
        ":id": artifact.id.bytes(),
        ":skill": skill,
        ":path": artifact.path.as_str(),
        ":path_key": distinct_key(&artifact.path),
        ":kind": artifact.kind.as_str(),
        ":name": artifact.name,
        ":ordinal": artifact.ordinal,
        ":content": &*artifact.content,
        ":model_variant": artifact.variant,
        ":metadata": to_json(&artifact.metadata)?,
        ":state_path": artifact.state.as_ref().map(|state| state.path.as_str()),
        ":state_blob": artifact.state.as_ref().map(|state| &*state.bytes),
        ":executable": artifact.executable,
    })?;
    Ok(())
}

const UPSERT: &str = "
    INSERT INTO skill_artifacts (id, skill, path, path_key, kind, name, ordinal, content, model_variant, metadata, state_path,
        state_blob, executable)
    VALUES (:id, :skill, :path, :path_key, :kind, :name, :ordinal, :content, :model_variant, :metadata, :state_path, :state_blob,
        :executable)
    ON CONFLICT (id) DO UPDATE SET path = excluded.path, path_key = excluded.path_key, kind = excluded.kind, name = excluded.name,
        ordinal = excluded.ordinal, content = excluded.content, model_variant = excluded.model_variant, metadata = excluded.metadata,
        state_path = excluded.state_path, state_blob = excluded.state_blob, executable = excluded.executable
    WHERE skill = excluded.skill";

/// Runs before inserts, which may reuse paths and names.
pub(crate) fn remove(connection: &Connection, skill: SkillKey, id: ArtifactId) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM skill_artifacts WHERE skill = ?1 AND id = ?2")?.execute(params![skill, id.bytes()])?;
    Ok(())
}

/// Frees an artifact's path and name for another one of the same write, which then assigns its new ones.
pub(crate) fn park(connection: &Connection, skill: SkillKey, id: ArtifactId) -> Result<(), Fault> {
    connection
        .prepare_cached("UPDATE skill_artifacts SET path_key = hex(id), name = hex(id) WHERE skill = ?1 AND id = ?2")?
        .execute(params![skill, id.bytes()])?;
    Ok(())
}

/// The ids of a skill's artifacts, by path.
pub(crate) fn ids(connection: &Connection, skill: SkillKey) -> Result<BTreeMap<SkillPath, ArtifactId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT path, id FROM skill_artifacts WHERE skill = ?1")?;
    let mut rows = statement.query([skill])?;
    let mut all = BTreeMap::new();
    while let Some(row) = rows.next()? {
        all.insert(parse(row, "path")?, id(row)?);
    }
    Ok(all)
}

/// Which of these ids belong to another skill of this database.
pub(crate) fn used_id(connection: &Connection, skill: SkillKey, artifacts: &[Artifact]) -> Result<Option<ArtifactId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM skill_artifacts WHERE id = ?1 AND skill <> ?2")?;
    for artifact in artifacts {
        if statement.exists(params![artifact.id.bytes(), skill])? {
            return Ok(Some(artifact.id));
        }
    }
    Ok(None)
}
