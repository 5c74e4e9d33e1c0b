//! `check/*`: the validator, for unsaved texts, for stored skills and for folders on the disk.
//!
//! The list of all problems doesn't compile scripts, which needs the sandbox: Python's syntax errors are found when a script is opened.

pub mod api;
pub(crate) mod folders;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use folders::validate;
pub use operations::*;
pub use service::rules_page;
