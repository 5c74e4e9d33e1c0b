use clap::Subcommand;
use inklings_rpc::RemoteRole;

use super::help::examples;
use super::serve::role;

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it; it can't be shown again
    #[command(after_help = examples(&["inklings token create laptop --role editor", "inklings token create partner --role viewer --external --days 30"]))]
    Create {
        /// Who gets it; recorded as the author of changes
        name: String,
        /// What the caller may do
        #[arg(long, value_parser = role())]
        role: RemoteRole,
        /// Give public summaries only, never instructions
        #[arg(long)]
        external: bool,
        /// Days until it expires [default: never]
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
    /// List tokens
    List,
    /// End the access of a token
    Revoke {
        /// ID or name of the token
        token: String,
    },
    /// List calls of other programs that changed something or were refused
    Calls {
        /// Maximum number of calls [default: 100]
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
}
