//! `link/*`: skills whose files are a folder on disk.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use error::LinkFailure;
pub use operations::{LinkFolder, ListLinks, SyncLinks, UnlinkSkill};
