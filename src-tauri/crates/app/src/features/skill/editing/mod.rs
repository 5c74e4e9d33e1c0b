//! Creating skills, editing their files, enabling and disabling them.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::WriteError;
pub(crate) use service::{enable, new_package};
