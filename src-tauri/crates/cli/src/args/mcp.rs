//! Arguments of `inklings mcp`.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use inklings_app::features::client::ClientScope;

use super::help::examples;

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List AI clients and whether they use inklings as an MCP server
    List,
    /// Add inklings to the MCP servers of a client, or update it there
    Install(InstallClientArgs),
    /// Remove inklings from the MCP servers of a client
    #[command(visible_alias = "rm", after_help = examples(&["inklings mcp uninstall claude-code"]))]
    Uninstall(ClientArgs),
}

#[derive(Debug, ClapArgs)]
#[command(
    long_about = "Add inklings to the MCP servers of a client, or update it there\n\nShows the change of the client's configuration file and asks before it is made. Everything else in the file stays as it is, and the text of before the first change is kept beside it.",
    after_help = examples(&["inklings mcp install claude-code", "inklings --workspace ~/notes mcp install vscode --scope project --dry-run"])
)]
pub(crate) struct InstallClientArgs {
    #[command(flatten)]
    pub(crate) client: ClientArgs,
    /// Role for the calls of the client, such as viewer [default: that of its entry, or of the server]
    #[arg(long)]
    pub(crate) role: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ClientArgs {
    /// ID of the client: claude-code, codex, cursor, vscode or gemini
    pub(crate) client: String,
    /// Configuration to change
    #[arg(long, value_enum, default_value_t = ClientScopeArg::User)]
    pub(crate) scope: ClientScopeArg,
    /// Replace or remove another server that has the name inklings
    #[arg(long)]
    pub(crate) replace: bool,
    /// Show what would change without changing it
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Change the file without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ClientScopeArg {
    /// Yours, for all projects
    User,
    /// The workspace's, for everybody who uses it
    Project,
}

impl From<ClientScopeArg> for ClientScope {
    fn from(scope: ClientScopeArg) -> Self {
        match scope {
            ClientScopeArg::User => Self::User,
            ClientScopeArg::Project => Self::Project,
        }
    }
}
