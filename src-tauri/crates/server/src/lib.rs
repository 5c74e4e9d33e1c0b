//! The operations for other programs, over protocols that they speak.
//!
//! Nothing here knows what an operation does: a request becomes a call with the role of its caller, and the permissions of the table
//! decide.

mod activity;
mod caller;
mod catalog_version;
pub mod http;
pub mod mcp;

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::features::tool::ToolSet;
use inklings_app::wire::ChangeEvent;
use inklings_app::{App, RunEvent};
use tokio::sync::broadcast;

pub use activity::Activity;
pub use caller::Caller;

/// What is served: an account, and a workspace if there is one.
pub struct Served {
    pub app: Arc<App>,
    pub workspace: Option<PathBuf>,
    /// The tools that MCP clients are told of.
    pub tools: ToolSet,
    /// Subscribed to again for each client.
    pub changes: broadcast::Receiver<ChangeEvent>,
    /// The same for the events of runs.
    pub runs: broadcast::Receiver<RunEvent>,
    /// Where its calls are recorded.
    pub activity: Arc<Activity>,
}

impl Clone for Served {
    fn clone(&self) -> Self {
        Self {
            app: self.app.clone(),
            workspace: self.workspace.clone(),
            tools: self.tools,
            changes: self.changes.resubscribe(),
            runs: self.runs.resubscribe(),
            activity: self.activity.clone(),
        }
    }
}
