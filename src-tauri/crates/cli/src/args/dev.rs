//! Arguments of `inklings dev`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum DevCommand {
    /// Write the manual pages, one for each command.
    Man {
        /// Folder to write to; it is created if it doesn't exist.
        folder: PathBuf,
    },
    /// Write the operation table's JSON Schema.
    Schema {
        /// The file.
        file: PathBuf,
        /// Only compare; fail if it differs.
        #[arg(long)]
        check: bool,
    },
    /// Write the guide's page of rules.
    Rules {
        /// The file.
        file: PathBuf,
        /// Only compare; fail if it differs.
        #[arg(long)]
        check: bool,
    },
    /// Write the JSON Schema of what travels to the DSPy process and back.
    SidecarSchema {
        /// The file.
        file: PathBuf,
        /// Only compare; fail if it differs.
        #[arg(long)]
        check: bool,
    },
}
