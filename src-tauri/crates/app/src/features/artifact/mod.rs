//! Which files of a skill are artifacts. The rules of names and paths are the folder's.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Declare, Undeclare};
