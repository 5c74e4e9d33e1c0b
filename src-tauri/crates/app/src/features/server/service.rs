use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::user::setting;
use inklings_core::{StorageError, UserData};
use serde::{Deserialize, Serialize};

use super::api::ServerStatus;
use super::error::ServerError;
use crate::app::App;
use crate::local_server::LocalServer;

/// Setting with the [`ServerSettings`].
pub(crate) const SERVER_SETTINGS: &str = "server.http";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerSettings {
    pub(crate) start_with_app: bool,
    /// 0 for any free one.
    pub(crate) port: u16,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self { start_with_app: false, port: 4_680 }
    }
}

fn settings(user: &dyn UserData) -> Result<ServerSettings, StorageError> {
    setting(user, SERVER_SETTINGS)
}

/// Whether the app starts the server when it starts itself. Blocks.
pub fn starts_with_app(user: &dyn UserData) -> Result<bool, StorageError> {
    Ok(settings(user)?.start_with_app)
}

pub(super) fn server(app: &App) -> Result<&dyn LocalServer, ServerError> {
    app.server.get().map(AsRef::as_ref).ok_or(ServerError::Unavailable)
}

pub(super) fn start(app: Arc<App>, workspace: Option<PathBuf>, port: Option<u16>) -> Result<ServerStatus, ServerError> {
    let server = app.server.get().cloned().ok_or(ServerError::Unavailable)?;
    let port = port.map_or_else(|| settings(app.user.as_ref()).map(|settings| settings.port), Ok)?;
    server.start(app, workspace, port)?;
    Ok(server.status())
}
