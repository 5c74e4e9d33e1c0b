//! `skill_relations`.

use std::collections::HashMap;

use inklings_core::name::{fold, lookup_key};
use inklings_core::{Relation, SkillId, Slug};
use inklings_sqlite::Fault;
use rusqlite::{Connection, params};

use crate::blob::broken;
use crate::tables::parse;
use crate::tables::skill_list::name_matches;
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

/// For each slug and folded title, the slugs of the skills that depend on the skill of that name, however they write it. A title that
/// another skill here has means that one.
pub(crate) fn dependents(connection: &Connection, names: &[(Slug, String)]) -> Result<Vec<Vec<String>>, Fault> {
    let (mut by_slug, mut by_title) = (HashMap::<&str, Vec<usize>>::new(), HashMap::<&str, Vec<usize>>::new());
    for (at, ((slug, title), found)) in names.iter().zip(name_matches(connection, names)?).enumerate() {
        by_slug.entry(slug.as_str()).or_default().push(at);
        if found.same_title.is_none() {
            by_title.entry(title).or_default().push(at);
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT skills.slug, target FROM skill_relations JOIN skills ON skills.key = skill
         WHERE kind = 'depends_on' ORDER BY skills.slug",
    )?;
    let mut rows = statement.query([])?;
    let mut found = vec![Vec::new(); names.len()];
    while let Some(row) = rows.next()? {
        let text = |column| row.get_ref(column)?.as_str().map_err(|error| broken(&error));
        let (dependent, target) = (text("slug")?, text("target")?);
        let slugs = by_slug.get(lookup_key(target).as_str());
        let titles = by_title.get(fold(target).as_str());
        for at in slugs.into_iter().chain(titles).flatten() {
            let so_far: &mut Vec<String> = &mut found[*at];
            if dependent != names[*at].0.as_str() && so_far.last().is_none_or(|last| last != dependent) {
                so_far.push(dependent.to_owned());
            }
        }
    }
    Ok(found)
}
