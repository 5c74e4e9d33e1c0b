//! Copying a skill: under another name, as an override in the workspace, or into the other scope.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
