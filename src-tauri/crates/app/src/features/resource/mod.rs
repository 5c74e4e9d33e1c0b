//! `resource/*`: skills as other agents see them, file by file.
//!
//! Only what agents are offered is exposed: the visible skills that are enabled, current, proven if a model wrote them, and not hidden by
//! their manifest.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{GetResource, ListResources, ReadResource};
