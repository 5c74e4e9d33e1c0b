//! Skills out, as folders or in one of the forms of a package.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::Export;
