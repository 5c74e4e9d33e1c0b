//! Arguments of `inklings db`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::ScopeArg;
use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Check a database for damage
    Check(DbFile),
    /// Back up a database, even while the app is running
    #[command(after_help = examples(&["inklings db backup --to ~/agents.bak.db"]))]
    Backup {
        #[command(flatten)]
        file: DbFile,
        /// File to create
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Restore a database from a backup; the replaced file is kept
    #[command(after_help = examples(&["inklings db restore --from ~/agents.bak.db"]))]
    Restore {
        #[command(flatten)]
        file: DbFile,
        /// Backup to restore
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
    },
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DbFile {
    /// Scope of the database [default: the workspace if --workspace is set, otherwise the account]
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,
}
