//! `ledger`: what was done to a skill without making a revision.

use inklings_core::lifecycle::{LifecycleAction, LifecycleChange, LifecycleEntry};
use inklings_core::{Lifecycle, SkillId};
use inklings_sqlite::Fault;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tables::{json, parse};

/// What the entry of a change of the lifecycle tells beside its action.
#[derive(Serialize, Deserialize)]
struct LifecycleDetail {
    from: Lifecycle,
    to: Lifecycle,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Appends an entry.
pub(crate) fn append(
    connection: &Connection,
    skill: SkillId,
    slug: &str,
    action: &str,
    detail: &Value,
    actor: &str,
    now: &str,
) -> Result<(), Fault> {
    connection
        .prepare_cached("INSERT INTO ledger (skill_id, slug, action, detail, actor, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![skill.to_string(), slug, action, detail.to_string(), actor, now])?;
    Ok(())
}

pub(crate) fn lifecycle_detail(change: &LifecycleChange) -> Value {
    let detail = LifecycleDetail { from: change.from, to: change.to, reason: change.reason.clone() };
    serde_json::to_value(detail).unwrap_or_default()
}

/// Changes of a skill's lifecycle, newest first.
pub(crate) fn lifecycle_entries(connection: &Connection, skill: SkillId) -> Result<Vec<LifecycleEntry>, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT action, detail, actor, created_at FROM ledger WHERE skill_id = ?1 ORDER BY id DESC")?;
    let mut rows = statement.query([skill.to_string()])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        // Other entries are of the switch.
        let Ok(action) = parse::<LifecycleAction>(row, "action") else { continue };
        let LifecycleDetail { from, to, reason } = json(row, "detail")?;
        entries.push(LifecycleEntry { action, from, to, reason, actor: row.get("actor")?, at: parse(row, "created_at")? });
    }
    Ok(entries)
}
