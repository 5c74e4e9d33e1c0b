//! `skill_bindings`: what skills are bound to, in a workspace's database. Only references that a person attached are read.

use inklings_core::binding::{Binding, Bindings, MAX_REFERENCES, NewReference};
use inklings_core::trace::TracedSkill;
use inklings_core::{BindingId, SkillId, StorageError};
use inklings_sqlite::Fault;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params, params};

use crate::feed;
use crate::store::Store;
use crate::tables::parse;

/// What the feed calls a change of a skill's references.
const FEED_KIND: &str = "reference";
/// Rows that are references, among bindings of other kinds.
const IS_REFERENCE: &str = "relationship_type = 'references' AND target_kind IN ('entity', 'document')";

impl Bindings for Store {
    fn references(&self, skill: SkillId) -> Result<Vec<Binding>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT * FROM skill_bindings WHERE skill_id = ?1 AND {IS_REFERENCE} ORDER BY position, id LIMIT ?2"
            ))?;
            let mut rows = statement.query(params![skill.to_string(), MAX_REFERENCES])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(read(row)?);
            }
            Ok(all)
        })
    }

    fn add_reference(&self, skill: &TracedSkill, reference: &NewReference<'_>) -> Result<Option<Binding>, StorageError> {
        let now = self.now();
        let added = self.write(|transaction| {
            let (count, end) = extent(transaction, skill.id)?;
            if count >= i64::from(MAX_REFERENCES) {
                return Ok(Err(count));
            }
            let binding = Binding {
                id: reference.id,
                target_kind: reference.target.kind(),
                target_ref: reference.target.as_str().to_owned(),
                position: reference.position.map_or(end, |position| position.clamp(0, end)),
                created_by: reference.actor.to_owned(),
                created_at: now,
            };
            let is_new = insert(transaction, skill, &binding)?;
            if is_new {
                feed::append(transaction, FEED_KIND, &skill.id.to_string(), self.origin())?;
            }
            Ok(Ok(is_new.then_some(binding)))
        })?;
        added.map_err(|count| StorageError::Limit {
            what: format!("references of {}", skill.slug),
            found: count.unsigned_abs() + 1,
            limit: u64::from(MAX_REFERENCES),
        })
    }

    fn remove_reference(&self, skill: SkillId, id: BindingId) -> Result<Option<Binding>, StorageError> {
        self.write(|transaction| {
            let mut statement = transaction
                .prepare_cached(&format!("DELETE FROM skill_bindings WHERE skill_id = ?1 AND id = ?2 AND {IS_REFERENCE} RETURNING *"))?;
            let removed = statement.query_row(params![skill.to_string(), id.to_string()], |row| Ok(read(row))).optional()?.transpose()?;
            if removed.is_some() {
                feed::append(transaction, FEED_KIND, &skill.to_string(), self.origin())?;
            }
            Ok(removed)
        })
    }

    fn move_references(&self, from: SkillId, to: &TracedSkill) -> Result<(), StorageError> {
        // Nothing is written, and no file made, for a skill that has none.
        if self.references(from)?.is_empty() {
            return Ok(());
        }
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE OR IGNORE skill_bindings
                     SET skill_id = :id, skill_scope = :scope, skill_slug = :slug, skill_revision = :revision WHERE skill_id = :from",
                )?
                .execute(named_params! {
                    ":from": from.to_string(),
                    ":id": to.id.to_string(),
                    ":scope": to.scope.as_str(),
                    ":slug": to.slug.as_str(),
                    ":revision": to.revision,
                })?;
            transaction.prepare_cached("DELETE FROM skill_bindings WHERE skill_id = ?1")?.execute([from.to_string()])?;
            feed::append(transaction, FEED_KIND, &from.to_string(), self.origin())?;
            feed::append(transaction, FEED_KIND, &to.id.to_string(), self.origin())
        })
    }
}

/// How many references a skill has, and the position behind the last one.
fn extent(connection: &Connection, skill: SkillId) -> Result<(i64, i64), Fault> {
    let sql = format!("SELECT count(*), coalesce(max(position) + 1, 0) FROM skill_bindings WHERE skill_id = ?1 AND {IS_REFERENCE}");
    Ok(connection.prepare_cached(&sql)?.query_row([skill.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Makes room at the binding's position and puts it there. False when the skill has it already.
fn insert(transaction: &Transaction<'_>, skill: &TracedSkill, binding: &Binding) -> Result<bool, Fault> {
    let id = skill.id.to_string();
    let known = format!("SELECT 1 FROM skill_bindings WHERE skill_id = ?1 AND target_kind = ?2 AND target_ref = ?3 AND {IS_REFERENCE}");
    if transaction.prepare_cached(&known)?.exists(params![id, binding.target_kind.as_str(), binding.target_ref])? {
        return Ok(false);
    }
    let make_room = format!("UPDATE skill_bindings SET position = position + 1 WHERE skill_id = ?1 AND position >= ?2 AND {IS_REFERENCE}");
    transaction.prepare_cached(&make_room)?.execute(params![id, binding.position])?;
    transaction
        .prepare_cached(
            "INSERT INTO skill_bindings (id, skill_id, skill_scope, skill_slug, skill_revision, target_kind, target_ref, relationship_type,
                position, created_by, created_at)
             VALUES (:id, :skill_id, :skill_scope, :skill_slug, :skill_revision, :target_kind, :target_ref, 'references',
                :position, :created_by, :created_at)",
        )?
        .execute(named_params! {
            ":id": binding.id.to_string(),
            ":skill_id": id,
            ":skill_scope": skill.scope.as_str(),
            ":skill_slug": skill.slug.as_str(),
            ":skill_revision": skill.revision,
            ":target_kind": binding.target_kind.as_str(),
            ":target_ref": binding.target_ref,
            ":position": binding.position,
            ":created_by": binding.created_by,
            ":created_at": binding.created_at.to_string(),
        })?;
    Ok(true)
}

/// Forgets what skills of this file were bound to that neither exist nor can be restored any more.
pub(crate) fn prune(connection: &Connection) -> Result<usize, Fault> {
    Ok(connection.execute(
        "DELETE FROM skill_bindings WHERE skill_scope = 'workspace' AND skill_id NOT IN (SELECT id FROM skills)
           AND skill_id NOT IN (SELECT skill_id FROM skill_revisions)",
        [],
    )?)
}

fn read(row: &Row<'_>) -> Result<Binding, Fault> {
    Ok(Binding {
        id: parse(row, "id")?,
        target_kind: parse(row, "target_kind")?,
        target_ref: row.get("target_ref")?,
        position: row.get("position")?,
        created_by: row.get("created_by")?,
        created_at: parse(row, "created_at")?,
    })
}
