//! The host functions of a script: pages, models, skills and checkpoints.
//!
//! Python reports lines of the rendered script; errors and tracebacks are mapped to lines of the template before they are stored.
//!
//! [`ScriptHost`] answers its calls and checks every capability, since a script can call the raw import. [`compile`] reports
//! syntax errors before a run. Deliberately absent: executing scripts, which `sandbox` does. To add a function: a line in
//! `ScriptHost::call`, one in the guest's module `inklings`, one in `core::sandbox_api` (for lint, completion and hover).

mod ask;
mod capabilities;
mod host;
mod syntax;

pub use capabilities::Capabilities;
pub(crate) use host::ScriptHost;
pub use inklings_core::sandbox_api::{CAPABILITIES, Capability};
pub use syntax::compile;
