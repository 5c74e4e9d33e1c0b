//! `skill_files`: the folder's files that are no artifacts.

use inklings_core::{Digest, SkillFile, SkillPath, TreeFile};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Rows, params};

use crate::tables::parse;
use crate::tables::skills::SkillKey;

/// A skill's files, by path.
pub(crate) fn list(connection: &Connection, skill: SkillKey) -> Result<Vec<SkillFile>, Fault> {
    let mut statement = connection.prepare_cached("SELECT path, bytes, executable FROM skill_files WHERE skill = ?1 ORDER BY path")?;
    read(statement.query([skill])?)
}

/// The file at a path.
pub(crate) fn at(connection: &Connection, skill: SkillKey, path: &SkillPath) -> Result<Vec<SkillFile>, Fault> {
    let mut statement = connection.prepare_cached("SELECT path, bytes, executable FROM skill_files WHERE skill = ?1 AND path_key = ?2")?;
    read(statement.query(params![skill, path.folded()])?)
}

fn read(mut rows: Rows<'_>) -> Result<Vec<SkillFile>, Fault> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let bytes: Vec<u8> = row.get("bytes")?;
        let entry = TreeFile { bytes: bytes.into(), executable: row.get("executable")? };
        all.push(SkillFile { path: parse(row, "path")?, entry });
    }
    Ok(all)
}

pub(crate) fn put(connection: &Connection, skill: SkillKey, file: &SkillFile) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "INSERT INTO skill_files (skill, path, path_key, bytes, sha256, size, executable) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (skill, path_key) DO UPDATE SET path = excluded.path, bytes = excluded.bytes, sha256 = excluded.sha256,
                size = excluded.size, executable = excluded.executable",
        )?
        .execute(params![
            skill,
            file.path.as_str(),
            file.path.folded(),
            &*file.entry.bytes,
            Digest::of(&file.entry.bytes).bytes(),
            i64::try_from(file.entry.bytes.len()).unwrap_or(i64::MAX),
            file.entry.executable,
        ])?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, skill: SkillKey, path: &SkillPath) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM skill_files WHERE skill = ?1 AND path_key = ?2")?.execute(params![skill, path.folded()])?;
    Ok(())
}
