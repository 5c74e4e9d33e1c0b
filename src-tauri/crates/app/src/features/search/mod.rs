//! `search/*`: which skills fit a message.

mod api;
mod catalog_index;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use catalog_index::{SearchEvents, SkillSearch, text_of};
pub(crate) use error::SearchError;
pub use operations::{GetSearchStatus, SearchSkills, complete_index};
pub(crate) use service::{recommend, search};
