//! `workspace/*`: folders that are opened.

pub mod api;
pub(crate) mod error;
pub(crate) mod operations;
pub(crate) mod service;

pub use api::*;
pub use operations::*;
