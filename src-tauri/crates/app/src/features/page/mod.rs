//! `page/*`: the open workspace's pages, as the pages browser and the command line see them. Looking needs no trust.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
