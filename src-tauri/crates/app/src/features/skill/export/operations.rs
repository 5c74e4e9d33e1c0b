use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ExportParams, ExportReport};
use super::service;
use crate::after_write::log_failure;
use crate::app::App;

fn export(app: &App, cx: &CallContext, params: ExportParams) -> Result<ExportReport, Failure> {
    let catalog = app.catalog(cx)?;
    let bindings = |path| app.scopes.bindings(path).map_err(|error| log_failure("references can't be counted", error)).ok();
    let references = cx.workspace.as_deref().and_then(bindings);
    let on_progress = |done, total| cx.watch.tell(done, Some(total));
    Ok(service::export(&catalog, &app.folder, references.as_deref(), &params, cx.watch.cancel(), &on_progress)?)
}

operations! { App;
    Export = "skill/export", Write["export"], blocking export(ExportParams) -> ExportReport;
}
