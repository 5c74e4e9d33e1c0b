//! What the report for a question about the app needs of files, and the report of a start that failed.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use inklings_app::diagnostics::{DatabaseFile, Facts, LOG_LINES, of_failed_start};
use inklings_rpc::Failure;
use inklings_runtime::{NoSecrets, Redactor};

use crate::{AGENTS_DB, Options, log};

/// What the door knows of its process.
static ABOUT: OnceLock<Vec<(String, String)>> = OnceLock::new();

/// Takes what the door knows of itself and of the machine, as names and values; before the engine starts.
pub fn tell(about: Vec<(String, String)>) {
    // The process is the same for a second engine.
    let _ = ABOUT.set(about);
}

/// The report of an app that can't start, from what can be known without opening anything.
#[must_use]
pub fn of_failed(options: &Options, failure: &Failure) -> String {
    log::flush();
    let lines = log::tail(&options.home, LOG_LINES);
    let database = file_at(&options.home.join(AGENTS_DB), "not opened");
    of_failed_start(&facts(&options.home), failure, &database, &lines, &Redactor::new(Arc::new(NoSecrets)))
}

pub(crate) fn facts(home: &Path) -> Facts {
    Facts { home: home.to_owned(), about: ABOUT.get().cloned().unwrap_or_default() }
}

/// A database as its file lies there.
pub(crate) fn file_at(path: &Path, health: impl Into<String>) -> DatabaseFile {
    let bytes = |path: &Path| path.metadata().ok().map(|meta| meta.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let log_bytes = bytes(Path::new(&log)).unwrap_or_default();
    DatabaseFile { path: path.to_owned(), bytes: bytes(path), log_bytes, health: health.into() }
}
