//! What a library shows of many skills at once: their use, their metadata, what their runs come to.

use std::collections::{HashMap, HashSet};

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
    let mut statement = connection.prepare_cached(SUMMED)?;
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
const SUMMED: &str = "
    SELECT skill_id, run_id, estimated_cost, model_id IS NOT NULL AND estimated_cost IS NULL
    FROM skill_execution_traces WHERE started_at >= ?1";

/// Adds as SQLite's `sum` does, keeping what each addition rounds off: a skill's cost is the same wherever it is shown.
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
        // What a sum without bounds lost is no number.
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
        let plan: String = connection.query_row(&format!("EXPLAIN QUERY PLAN {SUMMED}"), [""], |row| row.get("detail")).unwrap();
        assert_eq!(plan, "SEARCH skill_execution_traces USING COVERING INDEX idx_traces_sums (started_at>?)");
    }
}
