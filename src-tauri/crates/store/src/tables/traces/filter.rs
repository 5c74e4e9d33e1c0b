//! The `WHERE` clause of a trace filter.

use std::fmt::Write as _;

use inklings_core::trace::TraceFilter;
use rusqlite::types::Value;

/// A list of conditions with their values, in order.
pub(super) struct Conditions {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    pub(super) fn of(filter: &TraceFilter) -> Self {
        let mut all = Self { sql: "1".to_owned(), values: Vec::new() };
        let mut equal = |column: &str, value: Option<String>| {
            if let Some(value) = value {
                all.and(&format!("{column} = ?"), [value]);
            }
        };
        equal("skill_slug", filter.skill.clone());
        equal("artifact_path", filter.artifact.clone());
        equal("artifact_kind", filter.kind.map(|kind| kind.as_str().to_owned()));
        equal("model_id", filter.model.clone());
        equal("session_id", filter.session.map(|id| id.to_string()));
        equal("run_id", filter.run.map(|id| id.to_string()));
        equal("parent_run_id", filter.parent.map(|id| id.to_string()));
        if !filter.status.is_empty() {
            let marks = vec!["?"; filter.status.len()].join(", ");
            all.and(&format!("status IN ({marks})"), filter.status.iter().map(|status| status.as_str().to_owned()));
        }
        if let Some(since) = filter.since {
            all.and("started_at >= ?", [since.to_string()]);
        }
        if let Some(until) = filter.until {
            all.and("started_at < ?", [until.to_string()]);
        }
        if let Some(text) = filter.text.as_deref().filter(|text| !text.is_empty()) {
            // SQLite folds ASCII only, so other letters are found as they are written.
            let columns = ["rendered_input", "raw_output", "error", "log", "artifact_name"];
            let any = columns.map(|column| format!("instr({column}, ?) > 0 OR instr(lower({column}), ?) > 0")).join(" OR ");
            all.and(&format!("({any})"), columns.iter().flat_map(|_| [text.to_owned(), text.to_ascii_lowercase()]));
        }
        if filter.failed_assertions {
            all.and::<String>("assertions_passed < assertions_run", []);
        }
        all
    }

    pub(super) fn and<V: Into<Value>>(&mut self, condition: &str, values: impl IntoIterator<Item = V>) {
        // Writing to a string can't fail.
        let _ = write!(self.sql, " AND {condition}");
        self.values.extend(values.into_iter().map(Into::into));
    }
}
