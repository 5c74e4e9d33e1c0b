//! The error of all storage: skill databases, page indexes, settings.

use std::path::PathBuf;

use crate::check::Diagnostic;
use crate::name::Slug;

#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("{what} {name:?} not found")]
    NotFound {
        /// `skill`, `artifact`, `revision`, `file`.
        what: &'static str,
        /// As requested: a slug, title, ID or path.
        name: String,
    },
    /// The skill's current revision isn't the expected one.
    #[error("skill {slug} is at revision {actual}, the change was made to revision {expected}")]
    RevisionConflict {
        slug: Slug,
        /// 0 if no skill was expected.
        expected: i64,
        /// 0 if the skill was deleted.
        actual: i64,
    },
    /// The value must be unique, or the file already exists.
    #[error("the {what} {value:?} already exists")]
    Exists {
        /// `slug`, `title`, `artifact id`, `agent`, `token`, `file`.
        what: &'static str,
        value: String,
    },
    #[error("too many {what}: {found} (maximum {limit})")]
    Limit {
        /// The counted unit, e.g. `bytes of prompts/big.j2`.
        what: String,
        found: u64,
        limit: u64,
    },
    /// The caller's role doesn't let it change this skill.
    #[error("the skill {slug} {why}")]
    Refused { slug: Slug, why: &'static str },
    /// The content breaks a rule; at least one diagnostic is an error.
    #[error("{}", first_message(.0))]
    Invalid(Vec<Diagnostic>),
    #[error("{} can't be written", .path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} was written by a newer version (schema {found}, this version supports {known})", .path.display())]
    NewerDatabase { path: PathBuf, found: i64, known: i64 },
    /// The file isn't a database, or is damaged.
    #[error("{} is damaged: {detail}", .path.display())]
    Corrupt { path: PathBuf, detail: String },
    /// A database of another program.
    #[error("{} isn't a skill database: {detail}", .path.display())]
    Foreign { path: PathBuf, detail: String },
    /// A file that must not replace a database.
    #[error("{} isn't a backup of this database: {detail}", .path.display())]
    NotABackup { path: PathBuf, detail: &'static str },
    /// The file or its folder was removed while it was open.
    #[error("{} was moved or deleted", .path.display())]
    Removed { path: PathBuf },
    /// Another process has the database open, and the action needs it exclusively.
    #[error("{} is open in another program", .path.display())]
    InUse { path: PathBuf },
    /// Another process kept the database locked until the busy timeout ended.
    #[error("{} is busy: another program is writing to it", .path.display())]
    Busy { path: PathBuf },
    #[error("no space left to write {}", .path.display())]
    DiskFull { path: PathBuf },
    /// The caller cancelled; nothing was changed.
    #[error("{action} {} was cancelled", .path.display())]
    Cancelled {
        /// A present participle, e.g. `copying`.
        action: &'static str,
        path: PathBuf,
    },
    /// Another error of the operating system or the database.
    #[error("{action} {} failed: {source}", .path.display())]
    Failed {
        /// A present participle, e.g. `opening`.
        action: &'static str,
        path: PathBuf,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

fn first_message(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().find(|diagnostic| diagnostic.is_error()).or(diagnostics.first()).map_or_else(
        || "the content isn't valid".to_owned(),
        |diagnostic| match &diagnostic.file {
            Some(file) => format!("{file}: {}", diagnostic.message),
            None => diagnostic.message.clone(),
        },
    )
}
