//! `db/*`: checking, backing up and restoring the databases.

pub mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
