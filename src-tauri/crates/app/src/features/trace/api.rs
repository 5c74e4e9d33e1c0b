//! Parameters and results of `trace/*`.

use std::path::PathBuf;

use inklings_core::TraceId;
use inklings_core::trace::{StatsBy, StatsRow, Trace, TraceFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which traces to list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceListParams {
    /// Conditions.
    #[serde(default)]
    pub filter: TraceFilter,
    /// The traces of the account's database, even while a workspace is open.
    #[serde(default)]
    pub account: bool,
    /// The page that begins here, a `next` of the same conditions; the first one without.
    #[serde(default)]
    pub before: Option<i64>,
    /// Most traces; 100 without it, at most 1,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A page of traces.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TraceList {
    /// Newest first.
    pub traces: Vec<Trace>,
    /// Where the next page begins; null at the end.
    pub next: Option<i64>,
}

/// Names a trace.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceRef {
    pub trace: TraceId,
}

/// Which numbers to give.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    /// What they are told apart by.
    pub by: StatsBy,
    /// Conditions.
    #[serde(default)]
    pub filter: TraceFilter,
    /// The traces of the account's database, even while a workspace is open.
    #[serde(default)]
    pub account: bool,
}

/// Numbers over traces.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stats {
    /// One row a group: days in order, else by number of executions.
    pub rows: Vec<StatsRow>,
}

/// In which form traces leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceFormat {
    /// A trace a line, with every column.
    Jsonl,
    /// An example a line, as DSPy's trainers take it: the values, the output, whether every assertion held.
    Dspy,
}

/// What to write where.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceExportParams {
    /// The form.
    pub format: TraceFormat,
    /// Conditions.
    #[serde(default)]
    pub filter: TraceFilter,
    /// The traces of the account's database, even while a workspace is open.
    #[serde(default)]
    pub account: bool,
    /// The file to write, absolute; its text is in the answer without one.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Write over a file that is there already.
    #[serde(default)]
    pub replace: bool,
}

/// What was written.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TraceExport {
    /// Number of lines.
    pub lines: usize,
    /// The file.
    pub out: Option<PathBuf>,
    /// The text, if no file was asked for.
    pub text: Option<String>,
}
