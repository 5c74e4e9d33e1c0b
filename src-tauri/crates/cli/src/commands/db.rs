//! `inklings db …`: works on files, so that it helps where the app can't open them.

use std::path::{Path, PathBuf};

use inklings_app::Failure;
use inklings_core::Cancel;
use inklings_engine::{AGENTS_DB, Options, database};
use serde_json::json;

use crate::Ended;
use crate::args::{DbCommand, DbFile, ScopeArg};
use crate::out::Out;
use crate::progress::at_interrupt;

pub(crate) fn run(home: Option<PathBuf>, workspace: Option<PathBuf>, command: DbCommand, out: &Out) -> Result<(), Ended> {
    let file = |file: &DbFile| match (file.scope, &workspace) {
        (Some(ScopeArg::Workspace), None) => Err(Failure::invalid("no workspace is given").hint("name it with --workspace DIR")),
        (Some(ScopeArg::Account), _) | (None, None) => Ok(Options::with_home(home.clone()).home.join(AGENTS_DB)),
        (_, Some(workspace)) => Ok(workspace.join(AGENTS_DB)),
    };
    // What is half done is removed before the process ends.
    let cancel = Cancel::new();
    let asked = cancel.clone();
    let _interrupt = at_interrupt(move || asked.cancel());
    let refused = |error: inklings_core::StorageError| Ended::from(Failure::from(error));
    match command {
        DbCommand::Check(which) => {
            let path = file(&which)?;
            let findings = database::check(&path).map_err(refused)?;
            let copies: Vec<_> = database::backups(&path).iter().map(|copy| shown(copy)).collect();
            out.result(&json!({ "path": shown(&path), "ok": findings.is_empty(), "findings": findings, "backups": copies }), |_| {
                if findings.is_empty() { format!("{} is sound", path.display()) } else { findings.join("\n") }
            })?;
            if findings.is_empty() { Ok(()) } else { Err(Ended::Findings) }
        }
        DbCommand::Backup { file: which, to } => {
            let path = file(&which)?;
            database::copy(&path, &to, &cancel).map_err(refused)?;
            out.result(&json!({ "path": shown(&path), "copy": shown(&to) }), |_| format!("copied {} to {}", path.display(), to.display()))
        }
        DbCommand::Restore { file: which, from } => {
            let path = file(&which)?;
            let aside = database::restore(&path, &from, &cancel).map_err(refused)?;
            out.result(&json!({ "path": shown(&path), "kept": aside.as_deref().map(shown) }), |_| {
                let kept = aside.as_ref().map(|aside| format!("; what was there is {}", aside.display())).unwrap_or_default();
                format!("restored {} from {}{kept}", path.display(), from.display())
            })
        }
    }
}

/// A path for JSON, which has no place for names that are no UTF-8.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
