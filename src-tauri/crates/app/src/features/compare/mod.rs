//! `compare/*`: what differs between two skills, two revisions, or a skill and its copy in another agent's folder. Of other
//! folders only those that `skill/locations` lists are read.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
pub(crate) use service::differences;
