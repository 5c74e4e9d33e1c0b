//! Creating skills, editing their files, switching them on and off.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{Create, Edit, Enable};
