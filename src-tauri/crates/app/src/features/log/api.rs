//! Parameters and results of `log/*`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::log::LogLevel;

/// Which lines.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadParams {
    /// Number of the last line that is known already.
    #[serde(default)]
    pub after: u64,
    /// The newest of them, at most so many.
    pub limit: Option<usize>,
}

/// What went wrong in a window.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportParams {
    /// How bad it is.
    pub level: LogLevel,
    /// What went wrong, and where; cut when it is long.
    pub message: String,
}

/// What became of a report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Reported {
    /// Whether it was written down: of many in a short time only the first are.
    pub kept: bool,
}
