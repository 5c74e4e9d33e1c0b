//! `note/*`: standing notes, which every answer of a chat is told.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use error::NoteError;
pub use operations::{GetNotes, SetNotes};
pub(crate) use service::{check, edit, key};
