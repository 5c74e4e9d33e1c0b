//! `compare/*`: what differs between two skills, two revisions, or a skill and its copy in another agent's folder.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
