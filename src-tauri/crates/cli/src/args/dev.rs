//! Arguments of `inklings dev`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum DevCommand {
    /// Write a man page for each command
    Man {
        /// Output folder, created if needed
        folder: PathBuf,
    },
    /// Write the JSON Schema of all operations
    Schema {
        /// Output file
        file: PathBuf,
        /// Compare the file instead of writing it, and fail if it differs
        #[arg(long)]
        check: bool,
    },
    /// Write the guide's page about validation rules
    Rules {
        /// Output file
        file: PathBuf,
        /// Compare the file instead of writing it, and fail if it differs
        #[arg(long)]
        check: bool,
    },
    /// Write the vectors of the built-in skills
    Vectors {
        /// Output file
        file: PathBuf,
    },
    /// Write the JSON Schema of the messages between the app and the DSPy process
    SidecarSchema {
        /// Output file
        file: PathBuf,
        /// Compare the file instead of writing it, and fail if it differs
        #[arg(long)]
        check: bool,
    },
}
