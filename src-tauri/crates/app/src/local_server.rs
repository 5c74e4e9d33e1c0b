//! The port to the server that this process runs beside its window.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::App;
use crate::features::server::{ServerError, ServerStatus};

/// Serves one workspace at a time. Calls block, on a thread of the async runtime's blocking pool.
pub trait LocalServer: Send + Sync {
    fn status(&self) -> ServerStatus;
    /// Does nothing if the workspace is served already, whatever the port. Fails if another one is.
    fn start(&self, app: Arc<App>, workspace: Option<PathBuf>, port: u16) -> Result<(), ServerError>;
    /// Returns when the address is closed.
    fn stop(&self);
}
