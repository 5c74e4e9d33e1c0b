//! Which skills depend on each other.

mod api;
pub(super) mod service;

pub use api::*;
pub(crate) use service::{dependencies_of, dependents_of};
