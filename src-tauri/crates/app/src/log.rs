//! The app's own log, as operations see it. What is kept has no secrets and no texts of prompts or answers.

use inklings_core::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad what a line says is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something isn't as it should be.
    Warn,
    /// Something happened.
    Info,
}

impl LogLevel {
    /// As it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "ERROR",
            Self::Warn => "WARN",
            Self::Info => "INFO",
        }
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogLine {
    /// Its number since the start, from 1.
    pub seq: u64,
    /// When it was written.
    pub time: Time,
    /// How bad it is.
    pub level: LogLevel,
    /// The part of the app that wrote it.
    pub target: String,
    /// What it says; may have several lines.
    pub message: String,
}

/// Some lines of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogPage {
    /// Oldest first.
    pub lines: Vec<LogLine>,
    /// Number of the newest line there is: what to ask after next.
    pub newest: u64,
    /// Lines after the wanted ones' beginning that are no longer kept.
    pub missed: u64,
    /// The file that they are in too; none where only this process knows them.
    pub file: Option<String>,
}

/// The app's log.
pub trait AppLog: Send + Sync {
    /// At most `limit` of the newest lines after the one of a number.
    fn after(&self, seq: u64, limit: usize) -> LogPage;
    /// Takes a line of a window. False when there were too many of late: it is only counted then.
    fn report(&self, level: LogLevel, message: &str) -> bool;
}
