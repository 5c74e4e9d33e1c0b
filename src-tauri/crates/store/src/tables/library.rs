//! Data of many skills for the library: usage, metadata, and totals of their runs.

use std::collections::{HashMap, HashSet};

use inklings_core::reliability::{SkillUsage, UsageSignals};
use inklings_core::trace::SkillSum;
use inklings_core::{SkillFacts, SkillId, Time};
use inklings_sqlite::Fault;
use rusqlite::{Connection, Row};

use crate::blob::broken;
use crate::tables::{json, parse, parse_optional};

/// Of the skills that were run.
const USAGE: &str = "SELECT id, invocation_count, success_count, utility_score, load_count, judged_count, accepted_count
                     FROM skills WHERE invocation_count > 0";

pub(crate) fn usage(connection: &Connection) -> Result<Vec<SkillUsage>, Fault> {
    let mut statement = connection.prepare_cached(USAGE)?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(SkillUsage { id: parse(row, "id")?, signals: signals(row)? });
    }
    Ok(all)
}

/// The columns of [`USAGE`] first.
const FACTS: &str = "SELECT id, invocation_count, success_count, utility_score, load_count, judged_count, accepted_count,
                            last_used_at, last_validated_at, metadata
                     FROM skills WHERE id IN (SELECT value FROM json_each(?1))";

/// `None` if the skill wasn't run.
pub(crate) fn usage_of(connection: &Connection, id: SkillId) -> Result<Option<UsageSignals>, Fault> {
    let mut statement = connection.prepare_cached(&format!("{USAGE} AND id = ?1"))?;
    let mut rows = statement.query([id.to_string()])?;
    Ok(rows.next()?.map(signals).transpose()?)
}

fn signals(row: &Row<'_>) -> rusqlite::Result<UsageSignals> {
    let count = |index| row.get::<_, i64>(index).map(|count| u32::try_from(count).unwrap_or_default());
    // A workspace's database may say anything.
    let utility = row.get::<_, f64>(3)?.clamp(0.0, 1.0);
    let (invocations, judged) = (count(1)?, count(5)?);
    let outcomes = invocations.saturating_sub(count(4)?).saturating_add(judged).min(invocations);
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
    Ok(UsageSignals {
        invocations,
        outcomes,
        successes: count(2)?.min(outcomes),
        judged,
        accepted: count(6)?.min(judged),
        utility: utility as f32,
    })
}

/// Skills that never ran are skipped.
pub(crate) fn forks(connection: &Connection) -> Result<Vec<SkillId>, Fault> {
    let mut statement = connection.prepare_cached("SELECT id FROM skills WHERE parent_skill_id IS NOT NULL")?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(parse(row, "id")?);
    }
    Ok(all)
}

pub(crate) fn last_used(connection: &Connection) -> Result<Vec<(SkillId, Time)>, Fault> {
    let mut statement = connection.prepare_cached("SELECT id, last_used_at FROM skills WHERE last_used_at IS NOT NULL")?;
    let mut rows = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push((parse(row, "id")?, parse(row, "last_used_at")?));
    }
    Ok(all)
}

pub(crate) fn facts(connection: &Connection, ids: &[SkillId]) -> Result<Vec<SkillFacts>, Fault> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let ids = serde_json::to_string(&ids).map_err(|error| broken(&error))?;
    let mut statement = connection.prepare_cached(FACTS)?;
    let mut rows = statement.query([ids])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(SkillFacts {
            id: parse(row, "id")?,
            last_used_at: parse_optional(row, "last_used_at")?,
            last_validated_at: parse_optional(row, "last_validated_at")?,
            usage: if row.get::<_, i64>(1)? > 0 { signals(row)? } else { UsageSignals::default() },
            metadata: json(row, "metadata")?,
        });
    }
    Ok(all)
}

/// Sums by skill over the runs since a time.
pub(crate) fn sums(connection: &Connection, since: Time) -> Result<Vec<SkillSum>, Fault> {
    let mut statement = connection.prepare_cached(SELECT_SUMS)?;
    let mut rows = statement.query([since.to_string()])?;
    let mut runs: HashSet<(SkillId, String)> = HashSet::new();
    let mut all: HashMap<SkillId, (SkillSum, Sum)> = HashMap::new();
    while let Some(row) = rows.next()? {
        let Ok(id) = parse(row, "skill_id") else { continue };
        let (sum, cost) = all.entry(id).or_insert((SkillSum { id, runs: 0, cost: None, unpriced: 0 }, Sum::default()));
        sum.runs += u32::from(runs.insert((id, row.get(1)?)));
        sum.unpriced += row.get::<_, u32>(3)?;
        if let Some(one) = row.get(2)? {
            cost.add(one);
            sum.cost = Some(cost.total());
        }
    }
    Ok(all.into_values().map(|(sum, _)| sum).collect())
}

/// Nothing but columns of `idx_traces_sums`, in its order: the rows themselves have a page of text each, and grouped by skill SQLite
/// would have to sort them.
const SELECT_SUMS: &str = "
    SELECT skill_id, run_id, estimated_cost, model_id IS NOT NULL AND estimated_cost IS NULL
    FROM skill_execution_traces WHERE started_at >= ?1";

/// Kahan-Babuska summation as in SQLite's `sum`, so that a skill's cost is the same wherever it is shown.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    rounded: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, one: f64) {
        let rounded = self.rounded + one;
        let (larger, smaller) = if self.rounded.abs() > one.abs() { (self.rounded, one) } else { (one, self.rounded) };
        self.lost += (larger - rounded) + smaller;
        self.rounded = rounded;
    }

    fn total(self) -> f64 {
        // The compensation of an infinite sum is NaN.
        if self.lost.is_finite() { self.rounded + self.lost } else { self.rounded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::SCHEMA;

    #[test]
    fn sums_are_read_from_their_index_alone() {
        let connection = Connection::open_in_memory().unwrap();
        SCHEMA.migrations.iter().for_each(|step| connection.execute_batch(step).unwrap());
        let plan: String = connection.query_row(&format!("EXPLAIN QUERY PLAN {SELECT_SUMS}"), [""], |row| row.get("detail")).unwrap();
        assert_eq!(plan, "SEARCH skill_execution_traces USING COVERING INDEX idx_traces_sums (started_at>?)");
    }
}
