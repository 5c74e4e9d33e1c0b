//! The port to the app's own log, which has no secrets and no texts of prompts or answers.

use inklings_core::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    Error,
    Warn,
    Info,
}

impl LogLevel {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "ERROR",
            Self::Warn => "WARN",
            Self::Info => "INFO",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogLine {
    /// Counts from 1 since the app started.
    pub seq: u64,
    pub time: Time,
    pub level: LogLevel,
    /// The module that logged it.
    pub target: String,
    /// May have several lines.
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogPage {
    /// Oldest first.
    pub lines: Vec<LogLine>,
    /// Number of the newest line; the next page begins after it.
    pub newest: u64,
    /// Number of requested lines that were already discarded.
    pub missed: u64,
    /// The log file; none if the log is in memory only.
    pub file: Option<String>,
}

pub trait AppLog: Send + Sync {
    /// The newest lines after line `seq`, at most `limit`.
    fn after(&self, seq: u64, limit: usize) -> LogPage;
    /// Logs a line of a window. Returns false if there were too many lately and it was only counted.
    fn report(&self, level: LogLevel, message: &str) -> bool;
}
