//! Remote procedure calls without a transport: what an operation is, how it is called, and what a caller gets back.
//!
//! The window, the command line and later REST, MCP and chat call operations through a [`Registry`]. This crate knows no operation;
//! [`operations!`] declares those of a family. [`Failure`] is the only error that a caller sees, and its conversions from the errors of
//! the crates below are the one place where an error becomes a code, a message and a hint.

mod context;
mod failure;
mod next_step;
mod operation;
mod registry;
mod schema;

pub use context::{AnswerRef, CallContext, Permission, Role};
pub use failure::{Code, Failure};
pub use inklings_core::access::RemoteRole;
pub use inklings_core::{CancellationToken, Progress, ProgressReporter};
pub use next_step::NextStep;
pub use operation::{BlockingOperation, Done, Effect, NoParams, Operation, OperationDef, Reply, blocking};
pub use registry::{Family, Registry, call};
