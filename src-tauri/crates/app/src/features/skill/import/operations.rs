use inklings_rpc::{CallContext, Failure, operations};

use super::api::{ImportParams, ImportReport};
use super::service;
use crate::app::App;

fn import(app: &App, cx: &CallContext, params: ImportParams) -> Result<ImportReport, Failure> {
    let editor = app.editor(cx)?;
    Ok(service::import(&editor, &params, cx.watch.cancel(), &|done, total| cx.watch.tell(done, Some(total)))?)
}

operations! { App;
    Import = "skill/import", Write["skill"], blocking import(ImportParams) -> ImportReport;
}
