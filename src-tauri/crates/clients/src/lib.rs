//! MCP configuration files of AI clients: where they are, and how the entry of our server gets into them and out again.
//!
//! [`CLIENTS`] is the table of clients; [`merged`] and [`removed`] change the text of a file; [`ConfigFile`] reads and writes it.
//! To add a client, add a row to the table and its folder to [`ClientEnvironment`].
//!
//! A text is changed by inserting and deleting parts of it, never by printing its values again, so everything else stays as it is.
//! Each change is parsed again before it is returned, and refused if other values differ. Configuration files may contain secrets:
//! errors name lines, never their text.

mod config;
mod entry;
mod environment;
mod file;
mod json;
mod splice;
mod toml;

pub use config::{ConfigError, EntryState, merged, others, removed, state};
pub use entry::{SERVER_NAME, ServerEntry};
pub use environment::ClientEnvironment;
pub use file::{Change, ConfigFile, FileError, MAX_CONFIG_BYTES};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    /// With comments and trailing commas.
    Jsonc,
    Toml,
}

/// An AI client and the shape of its configuration.
#[derive(Debug, PartialEq, Eq)]
pub struct Client {
    pub id: &'static str,
    pub name: &'static str,
    pub format: Format,
    /// Key of the table of servers.
    pub table: &'static str,
    /// Whether an entry says `"type": "stdio"`.
    pub typed: bool,
    /// Relative to the client's folder in [`ClientEnvironment`].
    user: &'static str,
    /// Relative to the workspace.
    project: &'static str,
    /// Its command, which tells whether it is installed if it has no folder yet.
    command: &'static str,
}

/// From the documentation of each client.
pub const CLIENTS: &[Client] = &[
    Client {
        id: "claude-code",
        name: "Claude Code",
        format: Format::Json,
        table: "mcpServers",
        typed: true,
        user: ".claude.json",
        project: ".mcp.json",
        command: "claude",
    },
    Client {
        id: "codex",
        name: "Codex",
        format: Format::Toml,
        table: "mcp_servers",
        typed: false,
        user: "config.toml",
        project: ".codex/config.toml",
        command: "codex",
    },
    Client {
        id: "cursor",
        name: "Cursor",
        format: Format::Jsonc,
        table: "mcpServers",
        typed: false,
        user: "mcp.json",
        project: ".cursor/mcp.json",
        command: "cursor",
    },
    Client {
        id: "vscode",
        name: "VS Code",
        format: Format::Jsonc,
        table: "servers",
        typed: true,
        user: "User/mcp.json",
        project: ".vscode/mcp.json",
        command: "code",
    },
    Client {
        id: "gemini",
        name: "Gemini CLI",
        format: Format::Jsonc,
        table: "mcpServers",
        typed: false,
        user: "settings.json",
        project: ".gemini/settings.json",
        command: "gemini",
    },
];

impl Client {
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        CLIENTS.iter().find(|client| client.id == id)
    }
}
