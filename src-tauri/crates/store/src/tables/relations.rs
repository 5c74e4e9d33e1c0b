//! `skill_relations`.

use inklings_core::name::{fold, lookup_key};
use inklings_core::{Relation, SkillId};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::blob::broken;
use crate::tables::parse;
use crate::tables::skills::SkillKey;

/// A skill's relations, in their written order.
pub(crate) fn list(connection: &Connection, skill: SkillKey) -> Result<Vec<Relation>, Fault> {
    let mut statement = connection.prepare_cached("SELECT kind, target FROM skill_relations WHERE skill = ?1 ORDER BY position")?;
    let mut rows = statement.query([skill])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(Relation { kind: parse(row, "kind")?, target: row.get("target")? });
    }
    Ok(all)
}

/// Replaces a skill's relations.
pub(crate) fn put(connection: &Connection, skill: SkillKey, relations: &[Relation]) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM skill_relations WHERE skill = ?1")?.execute([skill])?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO skill_relations (skill, kind, target, position) VALUES (?1, ?2, ?3, ?4)")?;
    for (position, relation) in relations.iter().enumerate() {
        insert.execute(params![skill, relation.kind.as_str(), relation.target, i64::try_from(position).unwrap_or(i64::MAX)])?;
    }
    Ok(())
}

/// The skills that name this slug in a relation, by slug. Only relations are read, not what the skills hold.
pub(crate) fn related_to(connection: &Connection, slug: &str) -> Result<Vec<SkillId>, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT skills.id, target FROM skill_relations JOIN skills ON skills.key = skill ORDER BY skills.slug, position")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if lookup_key(row.get_ref("target")?.as_str().map_err(|error| broken(&error))?) == slug {
            found.push(parse(row, "id")?);
        }
    }
    found.dedup();
    Ok(found)
}

/// Slugs of the skills that depend on the skill with this slug, however they write its name.
pub(crate) fn dependents(connection: &Connection, slug: &str) -> Result<Vec<String>, Fault> {
    let title: Option<String> =
        connection.prepare_cached("SELECT name_key FROM skills WHERE slug = ?1")?.query_row([slug], |row| row.get(0)).optional()?;
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT skills.slug, target FROM skill_relations JOIN skills ON skills.key = skill
         WHERE kind = 'depends_on' AND skills.slug <> ?1 ORDER BY skills.slug",
    )?;
    let rows = statement.query_map([slug], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut found = Vec::new();
    for row in rows {
        let (dependent, target) = row?;
        if (lookup_key(&target) == slug || title.as_ref() == Some(&fold(&target))) && found.last() != Some(&dependent) {
            found.push(dependent);
        }
    }
    Ok(found)
}
