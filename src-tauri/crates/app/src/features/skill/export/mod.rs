//! Exporting skills, as folders or packages.
//!
//! Skills are exported one by one. What prevents the export of one (its manifest, a foreign file at its path, a second skill of its name) is
//! reported and doesn't affect the others. A dry run reports the same for a format that is only considered.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use service::export;
