//! Arguments of `inklings settings`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// List the settings that differ from their defaults.
    List,
    /// Print a setting as JSON.
    Get {
        /// Dotted key, e.g. traces.retention.
        key: String,
    },
    /// Change a setting.
    Set {
        /// Dotted key, e.g. traces.retention.
        key: String,
        /// JSON, or text that isn't JSON.
        value: String,
    },
    /// Return a setting to its default.
    Reset {
        /// Dotted key.
        key: String,
    },
}
