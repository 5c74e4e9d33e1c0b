//! `inklings db`: works on the files, also when the app can't open them.

use std::path::PathBuf;

use inklings_app::features::db::{DatabaseCheck, DatabaseCopy, RestoredDatabase};
use inklings_core::{Scope, StorageError};
use inklings_engine::{AGENTS_DB, Options, database};
use inklings_rpc::Failure;

use crate::args::{DbCommand, DbFile, ScopeArg};
use crate::error::CliError;
use crate::out::Out;
use crate::progress::CallProgress;

pub(crate) fn run(home: Option<PathBuf>, workspace: Option<PathBuf>, command: DbCommand, out: &Out) -> Result<(), CliError> {
    let file = |file: &DbFile| match (file.scope, &workspace) {
        (Some(ScopeArg::Workspace), None) => Err(Failure::invalid("missing workspace").hint("set --workspace DIR")),
        (Some(ScopeArg::Account), _) | (None, None) => Ok((Scope::Account, Options::with_home(home.clone()).home.join(AGENTS_DB))),
        (_, Some(workspace)) => Ok((Scope::Workspace, workspace.join(AGENTS_DB))),
    };
    let refused = |error: StorageError| CliError::from(Failure::from(error));
    match command {
        DbCommand::Check(which) => {
            let (_, path) = file(&which)?;
            let findings = database::check(&path, CallProgress::begin("checking", out).cancel()).map_err(refused)?;
            let check = DatabaseCheck::new(&path, findings, &database::backups(&path));
            out.result(&check, |check| if check.ok { format!("no problems in {}", check.path) } else { check.findings.join("\n") })?;
            if check.ok { Ok(()) } else { Err(CliError::Findings) }
        }
        DbCommand::Backup { file: which, to } => {
            let (_, path) = file(&which)?;
            let progress = CallProgress::of_bytes("copying", out);
            database::copy(&path, &to, progress.cancel(), progress.reporter()).map_err(refused)?;
            progress.end();
            out.result(&DatabaseCopy::new(&path, &to), |done| format!("copied {} to {}", done.path, done.copy))
        }
        DbCommand::Restore { file: which, from } => {
            let (scope, path) = file(&which)?;
            let progress = CallProgress::of_bytes("restoring", out);
            let aside = database::restore(scope, &path, &from, progress.cancel(), progress.reporter()).map_err(refused)?;
            progress.end();
            out.result(&RestoredDatabase::new(&path, aside.as_deref()), |done| {
                let previous = done.previous.as_ref().map(|path| format!("; the replaced file is {path}")).unwrap_or_default();
                format!("restored {} from {}{previous}", done.path, from.display())
            })
        }
    }
}
