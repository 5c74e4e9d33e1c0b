//! `target/*`: the skills of other agents on this machine.

mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::ListTargets;
