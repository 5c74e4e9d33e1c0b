//! `publish/*`: the registries that the user publishes: folders of signed static files for a web server.
//!
//! Secret keys are files of their own, by default in the account's `registry-keys`. They are read when something is signed, and are in no
//! result, log or database.

mod api;
mod changelog;
mod error;
mod keys;
pub(crate) mod operations;
mod plan;
mod release;
mod rotation;
mod service;
mod version;

pub use api::*;
pub use operations::*;
