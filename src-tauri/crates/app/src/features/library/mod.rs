//! `library/*`: searching, sorting and counting all skills, and changing many of them at once.

pub mod api;
pub(crate) mod bulk;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
