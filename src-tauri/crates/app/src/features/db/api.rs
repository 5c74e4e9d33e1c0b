use std::path::{Path, PathBuf};

use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatabaseRef {
    /// [default: the account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// The result of checking every page and index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DatabaseCheck {
    pub path: String,
    /// Whether no problems were found.
    pub ok: bool,
    /// Problems that SQLite reported.
    pub findings: Vec<String>,
    /// Copies that were made before migrations, oldest first.
    pub backups: Vec<String>,
}

impl DatabaseCheck {
    #[must_use]
    pub fn new(path: &Path, findings: Vec<String>, backups: &[PathBuf]) -> Self {
        Self { path: display(path), ok: findings.is_empty(), findings, backups: backups.iter().map(|copy| display(copy)).collect() }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupParams {
    /// [default: the account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of a file that doesn't exist yet, or of a folder, in which the copy is named by scope and time.
    pub to: String,
}

/// A copy of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DatabaseCopy {
    /// The database.
    pub path: String,
    pub copy: String,
}

impl DatabaseCopy {
    #[must_use]
    pub fn new(path: &Path, copy: &Path) -> Self {
        Self { path: display(path), copy: display(copy) }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreDatabaseParams {
    /// [default: the account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The copy to restore.
    pub from: String,
}

/// A database that was replaced by a copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RestoredDatabase {
    pub path: String,
    /// Where the replaced database is now. Null if there was none.
    pub previous: Option<String>,
}

impl RestoredDatabase {
    #[must_use]
    pub fn new(path: &Path, previous: Option<&Path>) -> Self {
        Self { path: display(path), previous: previous.map(display) }
    }
}

/// JSON can't represent a path that isn't UTF-8.
fn display(path: &Path) -> String {
    path.display().to_string()
}
