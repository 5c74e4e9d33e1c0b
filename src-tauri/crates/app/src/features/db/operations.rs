use std::path::Path;

use inklings_core::Scope;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{BackupParams, DatabaseCheck, DatabaseCopy, DatabaseRef, RestoreDatabaseParams, RestoredDatabase};
use super::service::DatabaseService;
use crate::app::App;
use crate::features::path::expand;

/// The folder of the workspace whose database is meant; none for the account's.
fn workspace_of(cx: &CallContext, scope: Option<Scope>) -> Result<Option<&Path>, Failure> {
    match scope {
        None | Some(Scope::Account) => Ok(None),
        Some(Scope::Workspace) => cx.require_workspace().map(Some),
    }
}

fn service<'a>(app: &'a App, cx: &'a CallContext, scope: Option<Scope>) -> Result<DatabaseService<'a>, Failure> {
    Ok(DatabaseService {
        workspaces: app.workspaces.as_ref(),
        workspace: workspace_of(cx, scope)?,
        clock: app.clock.as_ref(),
        runs: &app.runs,
        checks: &app.checks,
        lists: &app.lists,
        cancel: &cx.cancel,
        progress: &cx.progress,
    })
}

fn check(app: &App, cx: &CallContext, params: DatabaseRef) -> Result<DatabaseCheck, Failure> {
    Ok(app.workspaces.check_database(workspace_of(cx, params.scope)?, &cx.cancel)?)
}

fn backup(app: &App, cx: &CallContext, params: BackupParams) -> Result<DatabaseCopy, Failure> {
    Ok(service(app, cx, params.scope)?.back_up(&expand(&params.to)?)?)
}

fn restore(app: &App, cx: &CallContext, params: RestoreDatabaseParams) -> Result<RestoredDatabase, Failure> {
    Ok(service(app, cx, params.scope)?.restore(&expand(&params.from)?)?)
}

operations! { App;
    Check = "db/check", Local, blocking check(DatabaseRef) -> DatabaseCheck;
    Backup = "db/backup", Local["database"], blocking backup(BackupParams) -> DatabaseCopy;
    /// Makes clients reload everything.
    RestoreDatabase = "db/restore", Local["database", "skill", "draft", "input", "setting", "workspace"], blocking restore(RestoreDatabaseParams) -> RestoredDatabase;
}
