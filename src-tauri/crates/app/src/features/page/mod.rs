//! `page/*`: the open workspace's markdown pages. Reading them needs no trust.

pub mod api;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::*;
