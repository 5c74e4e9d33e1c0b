//! `skill_relations`.

use inklings_core::{Relation, SkillId};
use inklings_sqlite::Fault;
use rusqlite::{Connection, params};

use crate::tables::parse;

/// A skill's relations, in their written order.
pub(crate) fn list(connection: &Connection, skill: SkillId) -> Result<Vec<Relation>, Fault> {
    let mut statement = connection.prepare_cached("SELECT kind, target FROM skill_relations WHERE skill_id = ?1 ORDER BY position")?;
    let mut rows = statement.query([skill.to_string()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Relation { kind: parse(row, "kind")?, target: row.get("target")? });
    }
    Ok(all)
}

/// Replaces a skill's relations.
pub(crate) fn put(connection: &Connection, skill: SkillId, relations: &[Relation]) -> Result<(), Fault> {
    let skill = skill.to_string();
    connection.prepare_cached("DELETE FROM skill_relations WHERE skill_id = ?1")?.execute([&skill])?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO skill_relations (skill_id, kind, target, position) VALUES (?1, ?2, ?3, ?4)")?;
    for (position, relation) in relations.iter().enumerate() {
        insert.execute(params![skill, relation.kind.as_str(), relation.target, i64::try_from(position).unwrap_or(i64::MAX)])?;
    }
    Ok(())
}

/// Slugs of the skills that depend on `target`.
pub(crate) fn dependents(connection: &Connection, target: &str) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT skills.slug FROM skill_relations JOIN skills ON skills.id = skill_id
         WHERE target = ?1 AND kind = 'depends_on' AND skills.slug <> ?1 ORDER BY skills.slug",
    )?;
    let rows = statement.query_map([target], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
