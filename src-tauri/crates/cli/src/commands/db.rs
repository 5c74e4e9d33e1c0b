//! `inklings db …`: works on files, so that it helps where the app can't open them.

use std::path::PathBuf;

use inklings_app::features::db::{DatabaseCheck, DatabaseCopy, DatabaseRestored};
use inklings_engine::{AGENTS_DB, Options, database};
use inklings_rpc::Failure;

use crate::Ended;
use crate::args::{DbCommand, DbFile, ScopeArg};
use crate::out::Out;
use crate::progress::Progressing;

pub(crate) fn run(home: Option<PathBuf>, workspace: Option<PathBuf>, command: DbCommand, out: &Out) -> Result<(), Ended> {
    let file = |file: &DbFile| match (file.scope, &workspace) {
        (Some(ScopeArg::Workspace), None) => Err(Failure::invalid("no workspace is given").hint("name it with --workspace DIR")),
        (Some(ScopeArg::Account), _) | (None, None) => Ok(Options::with_home(home.clone()).home.join(AGENTS_DB)),
        (_, Some(workspace)) => Ok(workspace.join(AGENTS_DB)),
    };
    let refused = |error: inklings_core::StorageError| Ended::from(Failure::from(error));
    match command {
        DbCommand::Check(which) => {
            let path = file(&which)?;
            let findings = database::check(&path, Progressing::begin("checking", out).watch()).map_err(refused)?;
            let check = DatabaseCheck::new(&path, findings, &database::backups(&path));
            out.result(&check, |check| if check.ok { format!("{} is sound", check.path) } else { check.findings.join("\n") })?;
            if check.ok { Ok(()) } else { Err(Ended::Findings) }
        }
        DbCommand::Backup { file: which, to } => {
            let path = file(&which)?;
            database::copy(&path, &to, Progressing::of_bytes("copying", out).watch()).map_err(refused)?;
            out.result(&DatabaseCopy::new(&path, &to), |done| format!("copied {} to {}", done.path, done.copy))
        }
        DbCommand::Restore { file: which, from } => {
            let path = file(&which)?;
            let aside = database::restore(&path, &from, Progressing::of_bytes("restoring", out).watch()).map_err(refused)?;
            out.result(&DatabaseRestored::new(&path, aside.as_deref()), |done| {
                let kept = done.kept.as_ref().map(|kept| format!("; what was there is {kept}")).unwrap_or_default();
                format!("restored {} from {}{kept}", done.path, from.display())
            })
        }
    }
}
