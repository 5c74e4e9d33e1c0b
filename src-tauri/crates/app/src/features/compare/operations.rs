use inklings_rpc::{CallContext, Failure, operations};

use super::api::{CompareFileParams, CompareParams, Comparison, FileTexts};
use super::service::CompareService;
use crate::app::App;

fn service<'a>(app: &'a App, cx: &'a CallContext) -> Result<CompareService<'a>, Failure> {
    Ok(CompareService { catalog: app.catalog(cx)?, copies: &app.agent_copies, folders: app.agent_folders(cx) })
}

fn files(app: &App, cx: &CallContext, params: CompareParams) -> Result<Comparison, Failure> {
    Ok(service(app, cx)?.files(&params)?)
}

fn texts(app: &App, cx: &CallContext, params: CompareFileParams) -> Result<FileTexts, Failure> {
    Ok(service(app, cx)?.texts(&params)?)
}

operations! { App;
    CompareFiles = "compare/files", ReadSkills, blocking files(CompareParams) -> Comparison;
    CompareTexts = "compare/texts", ReadSkills, blocking texts(CompareFileParams) -> FileTexts;
}
