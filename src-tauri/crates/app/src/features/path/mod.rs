//! Paths on the disk, before anything is read from them: what they are, and what typed ones can be completed to.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Complete, Look};
pub(crate) use service::expand;
