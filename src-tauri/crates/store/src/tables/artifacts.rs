//! `skill_artifacts`.

use std::collections::BTreeMap;

use inklings_core::{Artifact, ArtifactId, ArtifactKind, SkillId, SkillPath, State};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Row, named_params, params};

use crate::tables::{json, parse, parse_optional, to_json};

/// A skill's artifacts by ordinal, then path; of some kinds, or all when `kinds` is empty.
pub(crate) fn list(connection: &Connection, skill: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM skill_artifacts WHERE skill_id = ?1 ORDER BY ordinal, path")?;
    let mut rows = statement.query([skill.to_string()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        if kinds.is_empty() || kinds.contains(&parse(row, "kind")?) {
            all.push(read(row)?);
        }
    }
    Ok(all)
}

/// One artifact.
pub(crate) fn get(connection: &Connection, id: ArtifactId) -> Result<Option<Artifact>, Fault> {
    let mut statement = connection.prepare_cached("SELECT * FROM skill_artifacts WHERE id = ?1")?;
    let mut rows = statement.query([id.to_string()])?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Result<Artifact, Fault> {
    let state_blob: Option<Vec<u8>> = row.get("state_blob")?;
    let state_path = parse_optional(row, "state_path")?;
    Ok(Artifact {
        id: parse(row, "id")?,
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

/// Inserts or replaces.
pub(crate) fn put(connection: &Connection, skill: SkillId, artifact: &Artifact, now: &str) -> Result<(), Fault> {
    connection.prepare_cached(PUT)?.execute(named_params! {
        ":id": artifact.id.to_string(),
        ":skill_id": skill.to_string(),
        ":path": artifact.path.as_str(),
        ":path_key": artifact.path.folded(),
        ":kind": artifact.kind.as_str(),
        ":name": artifact.name,
        ":ordinal": artifact.ordinal,
        ":content": &*artifact.content,
        ":model_variant": artifact.variant,
        ":metadata": to_json(&artifact.metadata)?,
        ":state_path": artifact.state.as_ref().map(|state| state.path.as_str()),
        ":state_blob": artifact.state.as_ref().map(|state| &*state.bytes),
        ":executable": artifact.executable,
        ":now": now,
    })?;
    Ok(())
}

const PUT: &str = "
    INSERT INTO skill_artifacts (id, skill_id, path, path_key, kind, name, ordinal, content, model_variant, metadata, state_path,
        state_blob, executable, created_at, updated_at)
    VALUES (:id, :skill_id, :path, :path_key, :kind, :name, :ordinal, :content, :model_variant, :metadata, :state_path, :state_blob,
        :executable, :now, :now)
    ON CONFLICT (id) DO UPDATE SET path = excluded.path, path_key = excluded.path_key, kind = excluded.kind, name = excluded.name,
        ordinal = excluded.ordinal, content = excluded.content, model_variant = excluded.model_variant, metadata = excluded.metadata,
        state_path = excluded.state_path, state_blob = excluded.state_blob, executable = excluded.executable,
        updated_at = excluded.updated_at
    WHERE skill_id = excluded.skill_id";

/// Removes; what is put afterwards may take over its path and name.
pub(crate) fn remove(connection: &Connection, skill: SkillId, id: ArtifactId) -> Result<(), Fault> {
    connection
        .prepare_cached("DELETE FROM skill_artifacts WHERE skill_id = ?1 AND id = ?2")?
        .execute(params![skill.to_string(), id.to_string()])?;
    Ok(())
}

/// Frees an artifact's path and name for another of the same write; it gets its new ones in that write.
pub(crate) fn park(connection: &Connection, skill: SkillId, id: ArtifactId) -> Result<(), Fault> {
    connection
        .prepare_cached("UPDATE skill_artifacts SET path_key = id, name = id WHERE skill_id = ?1 AND id = ?2")?
        .execute(params![skill.to_string(), id.to_string()])?;
    Ok(())
}

/// The ids of a skill's artifacts, by path.
pub(crate) fn ids(connection: &Connection, skill: SkillId) -> Result<BTreeMap<SkillPath, ArtifactId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT path, id FROM skill_artifacts WHERE skill_id = ?1")?;
    let mut rows = statement.query([skill.to_string()])?;
    let mut all = BTreeMap::new();
    while let Some(row) = rows.next()? {
        all.insert(parse(row, "path")?, parse(row, "id")?);
    }
    Ok(all)
}

/// Which of these ids belong to another skill of this database.
pub(crate) fn taken(connection: &Connection, skill: SkillId, artifacts: &[Artifact]) -> Result<Option<ArtifactId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM skill_artifacts WHERE id = ?1 AND skill_id <> ?2")?;
    for artifact in artifacts {
        if statement.exists(params![artifact.id.to_string(), skill.to_string()])? {
            return Ok(Some(artifact.id));
        }
    }
    Ok(None)
}
