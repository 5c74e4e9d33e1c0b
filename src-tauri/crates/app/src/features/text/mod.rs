//! `text/*`: searching and replacing in the texts of all skills.

pub mod api;
pub(crate) mod operations;

pub use api::*;
pub use operations::*;
