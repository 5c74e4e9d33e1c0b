use inklings_core::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StartServerParams {
    /// On the loopback address; 0 for any free one. [default: the port of the settings]
    pub port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerStatus {
    /// Null if no server runs.
    pub running: Option<RunningServer>,
    /// Why the last start failed. Null if it didn't, or once it was tried again.
    pub failure: Option<String>,
    /// Callers since the last start, the last one first.
    pub clients: Vec<ServerClient>,
    /// Calls since the last start, newest first.
    pub calls: Vec<ServerCall>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunningServer {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    /// Folder of the workspace that it serves. Null if it serves the account only.
    pub workspace: Option<String>,
    pub started_at: Time,
    /// File with a token for the person at this machine, as long as the server runs.
    pub token_file: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServerProtocol {
    Http,
    Mcp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerClient {
    pub protocol: ServerProtocol,
    /// `local`, or `token:NAME`.
    pub caller: String,
    /// Name and version of the program, as it states them itself.
    pub program: Option<String>,
    pub first_seen_at: Time,
    pub last_call_at: Time,
    pub calls: u64,
}

/// A call without its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerCall {
    pub at: Time,
    pub protocol: ServerProtocol,
    /// As in [`ServerClient`].
    pub caller: String,
    /// As in [`ServerClient`].
    pub program: Option<String>,
    /// HTTP method, or method of MCP.
    pub method: String,
    /// Operation, tool, or pattern of the address. Null if the method says it all.
    pub target: Option<String>,
    /// Status code of HTTP. Null for MCP.
    pub status: Option<u16>,
    pub failed: bool,
    pub milliseconds: u64,
}
