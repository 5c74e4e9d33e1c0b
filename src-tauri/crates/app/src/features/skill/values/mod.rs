//! Changing the metadata of a skill. The text around the values is kept. A value that was changed since the revision it was read from is a
//! conflict; changes of other values aren't.

mod api;
mod error;
pub(super) mod service;

pub use api::*;
pub(crate) use error::ValueError;
pub(crate) use service::line;
