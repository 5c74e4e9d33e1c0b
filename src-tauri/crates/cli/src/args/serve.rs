use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};
use inklings_app::features::tool::ToolSet;
use inklings_rpc::RemoteRole;

use super::help;

#[derive(Debug, ClapArgs)]
#[command(after_help = help::examples(&["inklings serve --port 4680", "inklings serve --mcp-stdio", "inklings serve --mcp-stdio --workspace ~/notes --role viewer"]))]
pub(crate) struct ServeArgs {
    /// Serve one MCP client over standard input and output instead of HTTP
    #[arg(long, conflicts_with = "port")]
    pub(crate) mcp_stdio: bool,
    /// Role of the MCP client: what it may do
    #[arg(long, requires = "mcp_stdio", default_value = RemoteRole::Member.as_str(), value_parser = role())]
    pub(crate) role: RemoteRole,
    /// Tools that MCP clients are told of
    #[arg(long, value_enum, default_value_t = ToolSetArg::Default)]
    pub(crate) toolset: ToolSetArg,
    /// Port on the loopback address [default: any free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ToolSetArg {
    /// Each function by one name
    Default,
    /// With the names that other systems have for them
    All,
}

impl From<ToolSetArg> for ToolSet {
    fn from(set: ToolSetArg) -> Self {
        match set {
            ToolSetArg::Default => Self::Default,
            ToolSetArg::All => Self::All,
        }
    }
}

pub(super) fn role() -> impl TypedValueParser<Value = RemoteRole> {
    PossibleValuesParser::new(RemoteRole::ALL.map(RemoteRole::as_str)).try_map(|name| name.parse::<RemoteRole>())
}
