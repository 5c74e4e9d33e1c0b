//! Data for the diagnostics report, and the report of a failed start.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use inklings_app::DatabaseFile;
use inklings_app::diagnostics::{LOG_LINES, SystemFacts, of_failed_start};
use inklings_rpc::Failure;
use inklings_runtime::{NoSecrets, Redactor};

use crate::{AGENTS_DB, Options, log};

static ENVIRONMENT: OnceLock<Vec<(String, String)>> = OnceLock::new();

/// Sets names and values about the front end and the machine. Called before the engine starts.
pub fn set_environment(about: Vec<(String, String)>) {
    // Fails for a second engine of the same process.
    let _ = ENVIRONMENT.set(about);
}

/// The report of an app that can't start, made without opening anything.
#[must_use]
pub fn startup_report(options: &Options, failure: &Failure) -> String {
    log::flush();
    let lines = log::tail(&options.home, LOG_LINES);
    let database = file_at(&options.home.join(AGENTS_DB), "not opened");
    of_failed_start(&facts(&options.home), failure, &database, &lines, &Redactor::new(Arc::new(NoSecrets)))
}

pub(crate) fn facts(home: &Path) -> SystemFacts {
    SystemFacts { home: home.to_owned(), about: ENVIRONMENT.get().cloned().unwrap_or_default() }
}

pub(crate) fn file_at(path: &Path, health: impl Into<String>) -> DatabaseFile {
    let bytes = |path: &Path| path.metadata().ok().map(|meta| meta.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let log_bytes = bytes(Path::new(&log)).unwrap_or_default();
    DatabaseFile { path: path.to_owned(), bytes: bytes(path), log_bytes, health: health.into() }
}
