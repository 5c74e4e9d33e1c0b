//! Parameters and results of `db/*`.

use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Names a scope's database.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatabaseRef {
    /// Scope; the account without one.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// What a check of every page and index found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DatabaseCheck {
    /// The database.
    pub path: String,
    /// Whether it is sound.
    pub ok: bool,
    /// What SQLite found; empty if the database is sound.
    pub findings: Vec<String>,
    /// Copies that were made before migrations, oldest first.
    pub backups: Vec<String>,
}

/// Where a database is copied to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupParams {
    /// Scope; the account without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// A file that doesn't exist yet, or a folder in which the copy is named by scope and time.
    pub to: String,
}

/// A copy of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DatabaseCopy {
    /// The database.
    pub path: String,
    pub copy: String,
}

/// What takes a database's place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreDatabaseParams {
    /// Scope; the account without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The copy.
    pub from: String,
}

/// A database that a copy took the place of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DatabaseRestored {
    /// The database.
    pub path: String,
    /// Where the one before is kept; null if there was none.
    pub kept: Option<String>,
}
