//! Skills in, after a look at what each would do.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use error::ImportError;
pub use operations::Import;
pub(crate) use service::import;
