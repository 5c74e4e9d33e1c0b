use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose configuration of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientScope {
    /// The user's, for all their projects.
    User,
    /// The workspace's, for all its users.
    Project,
}

/// The entry of the server in a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientState {
    None,
    Current,
    /// It starts another installed version, or for another workspace.
    Outdated,
    /// The name is used for another server.
    Foreign,
    /// The file can't be read or changed. `reason` says why.
    Broken,
}

/// A configuration file of a client, which may not exist.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientFile {
    pub scope: ClientScope,
    pub path: String,
    pub state: ClientState,
    /// Role with which the server is started. Null for its default one.
    pub role: Option<String>,
    /// Why the file is broken.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientEntry {
    pub id: String,
    pub name: String,
    /// Whether it left a trace on this machine.
    pub installed: bool,
    /// The user's file, and the workspace's if one is open.
    pub files: Vec<ClientFile>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientList {
    pub clients: Vec<ClientEntry>,
    /// Absolute path of the program that clients start. Null if it isn't installed.
    pub program: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientParams {
    /// ID of the client.
    pub client: String,
    pub scope: ClientScope,
    /// Role for the calls of the client. [default: that of its entry, or the server's default role]
    #[serde(default)]
    pub role: Option<String>,
    /// Replace or remove an entry for another server of the same name.
    #[serde(default)]
    pub replace: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientChange {
    Install,
    Uninstall,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewClientParams {
    pub change: ClientChange,
    /// ID of the client.
    pub client: String,
    pub scope: ClientScope,
    /// As for the change.
    #[serde(default)]
    pub role: Option<String>,
    /// As for the change.
    #[serde(default)]
    pub replace: bool,
}

/// What a change would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientPreview {
    pub path: String,
    /// Unified diff without file names. Empty if nothing changes. It may have secrets that are beside the change.
    pub diff: String,
    /// Whether the file will be created.
    pub creates: bool,
    /// Whether the file will be deleted, since it has nothing else.
    pub deletes: bool,
    /// Path of the copy that will be made of the file. Null if there is one already.
    pub backup: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientReport {
    /// False if it was so already.
    pub changed: bool,
    pub file: ClientFile,
}
