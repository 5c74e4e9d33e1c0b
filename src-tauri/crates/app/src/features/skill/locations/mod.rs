//! Which scope's skill wins, what it overrides, and its copies on this machine.

mod api;
pub(super) mod service;

pub use api::*;
