//! Arguments of `inklings settings`.

use clap::Subcommand;

use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// List settings that differ from their defaults
    List,
    /// Print the value of a setting as JSON
    Get {
        /// Key, e.g. ui.theme
        key: String,
    },
    /// Change a setting
    #[command(after_help = examples(&["inklings settings set ui.theme dark"]))]
    Set {
        /// Key, e.g. ui.theme
        key: String,
        /// Value as JSON; anything else is a string
        value: String,
    },
    /// Reset a setting to its default
    Reset {
        /// Key, e.g. ui.theme
        key: String,
    },
}
