use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::log::LogLevel;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadParams {
    /// `newest` of the previous page. [default: 0, all lines]
    #[serde(default)]
    pub after: u64,
    /// Maximum number of lines, at most 5,000; older ones are skipped. [default: 5,000]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportParams {
    pub level: LogLevel,
    /// What failed, and where. Truncated after 4,000 characters.
    pub message: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReportResult {
    /// Whether it was logged. Reports beyond the rate limit aren't.
    pub logged: bool,
}
