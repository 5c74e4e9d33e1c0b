//! `path/*`: paths on the disk: their kind, and completions of typed ones.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Complete, ReadStatus};
pub(crate) use service::expand;
