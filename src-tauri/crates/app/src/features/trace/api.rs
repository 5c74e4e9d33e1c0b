//! Parameters and results of `trace/*`.

use std::path::PathBuf;

use inklings_core::TraceId;
use inklings_core::trace::{StatsBy, StatsRow, Trace, TraceFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceListParams {
    #[serde(default)]
    pub filter: TraceFilter,
    /// Use the account's traces instead of the open workspace's.
    #[serde(default)]
    pub account: bool,
    /// `next` of the previous page. [default: the first page]
    #[serde(default)]
    pub before: Option<i64>,
    /// Maximum number of traces, at most 1,000. [default: 100]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TraceList {
    /// Newest first.
    pub traces: Vec<Trace>,
    /// Null on the last page.
    pub next: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceRef {
    pub trace: TraceId,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    /// What to group by.
    pub by: StatsBy,
    #[serde(default)]
    pub filter: TraceFilter,
    /// Use the account's traces instead of the open workspace's.
    #[serde(default)]
    pub account: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stats {
    /// One per group: days in order, others by number of steps.
    pub rows: Vec<StatsRow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceFormat {
    /// JSON Lines with one trace per line.
    Jsonl,
    /// JSON Lines with one DSPy example per line: inputs, output, whether all assertions passed.
    Dspy,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceExportParams {
    pub format: TraceFormat,
    #[serde(default)]
    pub filter: TraceFilter,
    /// Use the account's traces instead of the open workspace's.
    #[serde(default)]
    pub account: bool,
    /// Absolute path of the file to write. [default: return the text]
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file.
    #[serde(default)]
    pub replace: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TraceExport {
    /// Number of lines.
    pub lines: usize,
    pub out: Option<PathBuf>,
    /// The text, if no file was requested.
    pub text: Option<String>,
}
