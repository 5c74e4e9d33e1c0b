//! What Inklings Skill Studio can do, as one table of operations.
//!
//! The desktop's `rpc` command, the command line and later REST, MCP and chat are doors to [`dispatch`] over
//! [`operations`]; JSON Schema and TypeScript types come from the same table. [`App`] holds ports only, so this crate knows
//! no SQL, no window and no network. To add an operation: a module function under [`ops`], one line in its table.

mod app;
mod checks;
mod context;
mod copies;
pub mod diagnostics;
mod error;
pub mod find;
pub mod incoming;
pub mod library;
pub mod log;
mod operation;
pub mod ops;
mod provenance;
mod reach;
mod runs;
pub mod schema;
mod training;
mod watch;
pub mod wire;

pub use app::{App, Banner, Scopes, WorkspaceState};
pub use checks::Checks;
pub use context::{CallContext, Permission, Role};
pub use copies::Copies;
pub use error::{Code, Failure};
pub use inklings_runtime::{Happened, Limits, RunEvent};
pub use operation::{Blocking, Effect, Entry, Operation, call, dispatch, operations};
pub use runs::Runs;
pub use watch::{Progress, Watch};
