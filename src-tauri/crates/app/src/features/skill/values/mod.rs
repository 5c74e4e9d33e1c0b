//! What a skill says of itself, changed value by value. The texts around the values stay as they are.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::Describe;
pub(crate) use service::line;
