//! `check/*`: the validator, for unsaved texts, for stored skills and for folders on the disk.

pub mod api;
pub(crate) mod folders;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use folders::validate;
pub use operations::*;
pub use service::rules_page;
