//! `db/*`: checking, backing up and restoring the databases.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
