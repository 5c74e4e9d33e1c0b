//! `reference/*`: pages, files and web addresses that a person attached to a skill as reference material, in the open workspace.
//!
//! They belong to the workspace: exports leave them out, and runs don't read them. Any skill that the workspace sees can have some, also
//! a locked one, since attaching changes nothing in it.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
