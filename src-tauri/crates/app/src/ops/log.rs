//! `log/*`: the app's own log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::log::{LogLevel, LogPage};
use inklings_rpc::{CallContext, Failure, operations};

/// Lines of an answer at most.
const MOST: usize = 5_000;
/// Letters of what a window reports.
const REPORT_LETTERS: usize = 4_000;

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

fn read(app: &App, _: &CallContext, params: ReadParams) -> Result<LogPage, Failure> {
    Ok(app.log.after(params.after, params.limit.unwrap_or(MOST).min(MOST)))
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

fn report(app: &App, _: &CallContext, params: ReportParams) -> Result<Reported, Failure> {
    let plain = |letter: &char| *letter == '\n' || !letter.is_control();
    let message: String = params.message.chars().filter(plain).take(REPORT_LETTERS).collect();
    if message.trim().is_empty() {
        return Err(Failure::invalid("a report without a message says nothing"));
    }
    Ok(Reported { kept: app.log.report(params.level, message.trim()) })
}

operations! { App;
    Read = "log/read", Read, blocking read(ReadParams) -> LogPage;
    /// Writes down what went wrong in a window.
    Report = "log/report", Write["log"], blocking report(ReportParams) -> Reported;
}
