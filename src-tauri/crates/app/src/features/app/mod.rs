//! `app/*`: what the app is and how it is.

pub mod api;
pub(crate) mod operations;
pub(crate) mod report;

pub use api::*;
pub use operations::*;
pub use report::*;
