//! Creating skills, editing their files, enabling and disabling them.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
