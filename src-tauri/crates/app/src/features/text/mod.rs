//! `text/*`: searching and replacing in the texts of all skills.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
