//! `db/*`: checking, backing up and restoring the databases.

use std::path::{Path, PathBuf};

use inklings_core::Scope;
use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{BackupParams, DatabaseCheck, DatabaseCopy, DatabaseRef, DatabaseRestored, RestoreDatabaseParams};
use crate::app::App;
use crate::features::path::expand;

/// The folder of the workspace whose database is meant; none for the account's.
fn workspace_of(cx: &CallContext, scope: Option<Scope>) -> Result<Option<&Path>, Failure> {
    match (scope, cx.workspace.as_deref()) {
        (None | Some(Scope::Account), _) => Ok(None),
        (Some(Scope::Workspace), Some(path)) => Ok(Some(path)),
        (Some(Scope::Workspace), None) => Err(Failure::invalid("no workspace is open").hint("open a folder first")),
    }
}

/// A path for JSON, which has no place for names that aren't UTF-8.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

impl DatabaseCheck {
    /// The result of a check.
    #[must_use]
    pub fn new(path: &Path, findings: Vec<String>, backups: &[PathBuf]) -> Self {
        Self { path: shown(path), ok: findings.is_empty(), findings, backups: backups.iter().map(|copy| shown(copy)).collect() }
    }
}

fn check(app: &App, cx: &CallContext, params: DatabaseRef) -> Result<DatabaseCheck, Failure> {
    app.scopes.check_database(workspace_of(cx, params.scope)?, &cx.watch)
}

impl DatabaseCopy {
    /// A copy that was made.
    #[must_use]
    pub fn new(path: &Path, copy: &Path) -> Self {
        Self { path: shown(path), copy: shown(copy) }
    }
}

fn backup(app: &App, cx: &CallContext, params: BackupParams) -> Result<DatabaseCopy, Failure> {
    let workspace = workspace_of(cx, params.scope)?;
    let to = expand(&params.to)?;
    let to = if to.is_dir() { to.join(file_name(workspace, &app.clock.now().to_string())) } else { to };
    app.scopes.back_up_database(workspace, &to, &cx.watch)
}

/// `inklings-account-2026-03-14-093000.db`
fn file_name(workspace: Option<&Path>, now: &str) -> String {
    let whose = workspace.and_then(Path::file_name).map_or_else(|| "account".into(), |name| name.to_string_lossy());
    let (day, time) = now.split_once('T').unwrap_or((now, ""));
    let time: String = time.chars().filter(char::is_ascii_digit).take(6).collect();
    format!("inklings-{whose}-{day}-{time}.db")
}

impl DatabaseRestored {
    /// A copy that took the place of the database at `path`.
    #[must_use]
    pub fn new(path: &Path, kept: Option<&Path>) -> Self {
        Self { path: shown(path), kept: kept.map(shown) }
    }
}

fn restore(app: &App, cx: &CallContext, params: RestoreDatabaseParams) -> Result<DatabaseRestored, Failure> {
    let workspace = workspace_of(cx, params.scope)?;
    let going = app.runs.count();
    if going > 0 {
        let runs = if going == 1 { "a run is".to_owned() } else { format!("{going} runs are") };
        return Err(Failure::new(Code::Busy, format!("{runs} still in progress")).hint("cancel it or wait until it has finished"));
    }
    let restored = app.scopes.restore_database(workspace, &expand(&params.from)?, &cx.watch)?;
    // They are kept by revision, and the revisions of another file say something else.
    app.checks.clear();
    Ok(restored)
}

operations! { App;
    Check = "db/check", Read, blocking check(DatabaseRef) -> DatabaseCheck;
    Backup = "db/backup", Admin["database"], blocking backup(BackupParams) -> DatabaseCopy;
    /// Whoever follows the change feed is told to look at everything again.
    RestoreDatabase = "db/restore", Admin["database", "skill", "draft", "input", "setting", "workspace"], blocking restore(RestoreDatabaseParams) -> DatabaseRestored;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_named_by_whose_it_is_and_when_it_was_made() {
        assert_eq!(file_name(None, "2026-03-14T09:30:00.123Z"), "inklings-account-2026-03-14-093000.db");
        assert_eq!(file_name(Some(Path::new("/home/ada/notes")), "2026-03-14T09:30:00Z"), "inklings-notes-2026-03-14-093000.db");
    }
}
