use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{AppStatus, Diagnostics};
use super::service::StatusService;
use crate::app::App;
use crate::diagnostics::{ReportSources, report};

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<AppStatus, Failure> {
    let service = StatusService { workspaces: app.workspace_service(), agent_dirs: app.agent_dirs.as_ref(), origin: &app.origin };
    Ok(service.status(&app.catalog(cx)?, cx.workspace.as_deref())?)
}

fn diagnostics(app: &App, cx: &CallContext, _: NoParams) -> Result<Diagnostics, Failure> {
    let sources = ReportSources {
        facts: &app.facts,
        workspaces: app.workspaces.as_ref(),
        user: app.user.as_ref(),
        models: app.models.as_ref(),
        programs: app.programs.as_ref(),
        sandbox: app.sandbox.as_ref(),
        log: app.log.as_ref(),
        redactor: &app.redactor,
    };
    Ok(Diagnostics { text: report(&sources, cx.workspace.as_deref()) })
}

operations! { App;
    Status = "app/status", Read, blocking status(NoParams) -> AppStatus;
    /// A report to send along with a question about the app. No secret, no text of the person's.
    Collect = "app/diagnostics", Read, blocking diagnostics(NoParams) -> Diagnostics;
}
