//! What an import would change, file by file, before anything is stored. The import itself is `skill/import`.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{FetchRepository, GetImportSource, ImportFile};
