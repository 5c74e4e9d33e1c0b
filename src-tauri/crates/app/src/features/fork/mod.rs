//! `fork/*`: copies of skills whose originals have changed since.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{ListOutdatedForks, UpdateFork};
