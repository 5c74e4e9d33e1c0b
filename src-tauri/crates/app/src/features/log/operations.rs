//! `log/*`: the app's own log.

use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ReadParams, ReportParams, Reported};
use crate::app::App;
use crate::log::LogPage;

/// Lines of an answer at most.
const MOST: usize = 5_000;

/// Letters of what a window reports.
const REPORT_LETTERS: usize = 4_000;

fn read(app: &App, _: &CallContext, params: ReadParams) -> Result<LogPage, Failure> {
    Ok(app.log.after(params.after, params.limit.unwrap_or(MOST).min(MOST)))
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
