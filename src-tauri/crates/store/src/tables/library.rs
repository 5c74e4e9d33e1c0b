//! What a library shows of many skills at once: their use, their metadata, what their runs come to.

use inklings_core::trace::SkillSum;
use inklings_core::{SkillFacts, SkillId, Time};
use inklings_sqlite::Fault;
use rusqlite::Connection;

use crate::blob::broken;
use crate::tables::{json, parse, parse_optional};

/// When skills ran last; those that never did are left out.
pub(crate) fn last_used(connection: &Connection) -> Result<Vec<(SkillId, Time)>, Fault> {
    let mut statement = connection.prepare_cached("SELECT id, last_used_at FROM skills WHERE last_used_at IS NOT NULL")?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push((parse(row, "id")?, parse(row, "last_used_at")?));
    }
    Ok(all)
}

/// The use and the metadata of some skills.
pub(crate) fn facts(connection: &Connection, ids: &[SkillId]) -> Result<Vec<SkillFacts>, Fault> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let ids = serde_json::to_string(&ids).map_err(|error| broken(&error))?;
    let mut statement =
        connection.prepare_cached("SELECT id, last_used_at, metadata FROM skills WHERE id IN (SELECT value FROM json_each(?1))")?;
    let mut rows = statement.query([ids])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(SkillFacts {
            id: parse(row, "id")?,
            last_used_at: parse_optional(row, "last_used_at")?,
            metadata: json(row, "metadata")?,
        });
    }
    Ok(all)
}

/// What the runs since a time come to, by skill. A row that names no skill counts for none.
pub(crate) fn sums(connection: &Connection, since: Time) -> Result<Vec<SkillSum>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT skill_id, count(DISTINCT run_id), sum(estimated_cost), sum(model_id IS NOT NULL AND estimated_cost IS NULL)
         FROM skill_execution_traces WHERE started_at >= ?1 GROUP BY skill_id",
    )?;
    let mut rows = statement.query([since.to_string()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        if let Ok(id) = parse(row, "skill_id") {
            all.push(SkillSum { id, runs: row.get(1)?, cost: row.get(2)?, unpriced: row.get(3)? });
        }
    }
    Ok(all)
}
