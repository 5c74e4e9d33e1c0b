use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ReadParams, ReportParams, ReportResult};
use super::service;
use crate::app::App;
use crate::log::LogPage;

const MAX_LINES: usize = 5_000;

fn read(app: &App, _: &CallContext, params: ReadParams) -> Result<LogPage, Failure> {
    Ok(app.log.after(params.after, params.limit.unwrap_or(MAX_LINES).min(MAX_LINES)))
}

fn report(app: &App, _: &CallContext, params: ReportParams) -> Result<ReportResult, Failure> {
    Ok(ReportResult { logged: service::report(app.log.as_ref(), params.level, &params.message)? })
}

operations! { App;
    Read = "log/read", Read, blocking read(ReadParams) -> LogPage;
    /// Logs an error of a window.
    Report = "log/report", Write["log"], blocking report(ReportParams) -> ReportResult;
}
