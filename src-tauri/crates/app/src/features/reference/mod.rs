//! `reference/*`: pages, files and web addresses that are attached to a skill as reference material, in the open workspace.
//!
//! They belong to the workspace: exports leave them out, and runs don't read them. A locked skill can have some too, since attaching
//! changes nothing in it.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
