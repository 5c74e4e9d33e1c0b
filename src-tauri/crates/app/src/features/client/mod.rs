//! `client/*`: our MCP server in the configuration of AI clients.

mod api;
mod diff;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{InstallClient, ListClients, PreviewClient, UninstallClient};
