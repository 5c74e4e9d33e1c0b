//! `ledger`: what was done to a skill without making a revision.

use inklings_core::SkillId;
use inklings_sqlite::Fault;
use rusqlite::{Connection, params};

/// Appends an entry.
pub(crate) fn append(
    connection: &Connection,
    skill: SkillId,
    slug: &str,
    action: &str,
    detail: &serde_json::Value,
    actor: &str,
    now: &str,
) -> Result<(), Fault> {
    connection
        .prepare_cached("INSERT INTO ledger (skill_id, slug, action, detail, actor, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![skill.to_string(), slug, action, detail.to_string(), actor, now])?;
    Ok(())
}
