//! What Inklings Skill Studio can do, as one table of operations.
//!
//! The window's `rpc` command, the command line and later REST, MCP and chat are front ends to [`dispatch`] over [`REGISTRY`]; JSON
//! Schema and TypeScript types come from the same table. [`App`] holds ports only, so this crate knows no SQL, no window and no
//! network.

#![expect(clippy::unnecessary_wraps, reason = "an operation returns a Result whether or not it can fail")]

mod after_write;
mod agent_copies;
mod answering;
mod app;
mod check_cache;
mod composing;
pub mod diagnostics;
mod discovery;
mod editing;
mod evaluating;
pub mod features;
pub mod find;
pub mod library;
mod list_cache;
mod local_server;
pub mod log;
mod own_skills;
mod provenance;
mod registry;
mod rewriting;
pub mod schema;
pub mod wire;
mod workspace_manager;

pub use agent_copies::AgentCopyCache;
pub use app::App;
pub use check_cache::CheckCache;
pub use editing::SkillReferences;
pub use features::chat::{ActiveChats, ChatEvent, ChatEventKind, ChatEvents};
pub use features::marketplace::Marketplace;
pub use features::run::ActiveRuns;
pub use inklings_runtime::exec::MAX_STDIN_BYTES;
pub use inklings_runtime::plan::MESSAGE;
pub use inklings_runtime::{Limits, RunEvent, RunEventKind};
pub use list_cache::ListCache;
pub use local_server::LocalServer;
pub use registry::{REGISTRY, dispatch};
pub use workspace_manager::{Banner, DatabaseFile, WorkspaceAccessError, WorkspaceManager, WorkspaceState};
