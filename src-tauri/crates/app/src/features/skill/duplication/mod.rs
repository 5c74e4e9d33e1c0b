//! Copies of a skill: under another name, as an override in the workspace, in the other scope.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Duplicate, Fork, MoveSkill};
