//! Arguments of `inklings db`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::ScopeArg;

#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Check every page and index.
    Check(DbFile),
    /// Copy a database, also while the Studio has it open.
    Backup {
        #[command(flatten)]
        file: DbFile,
        /// The copy; it must not exist yet.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Put a copy in the place of a database; what was there is kept beside it.
    Restore {
        #[command(flatten)]
        file: DbFile,
        /// The copy.
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
    },
}

/// Which database.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DbFile {
    /// The scope's database; the workspace's when one is given, else the account's.
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}
