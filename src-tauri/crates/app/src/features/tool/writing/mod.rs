//! `skill_write`.

mod api;
pub(super) mod service;

pub use api::*;
pub(crate) use service::plan;
