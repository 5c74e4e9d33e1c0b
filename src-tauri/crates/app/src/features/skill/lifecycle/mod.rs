//! Promoting, deprecating, archiving and reinstating skills.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::LifecycleError;
pub(crate) use service::{change_lifecycle, plan};
