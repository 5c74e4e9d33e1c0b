//! `kit/*`: named sets of skills, to deploy together.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use error::KitError;
pub use operations::{ChangeKit, DeleteKit, ListKits};
pub(crate) use service::{KITS, check, find, rename_skill};
