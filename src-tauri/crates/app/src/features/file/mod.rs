//! The files of a skill: reading, finding, copying, moving and deleting them.

mod api;
mod copying;
mod deleting;
mod error;
mod moving;
pub(crate) mod operations;
mod reading;
mod relinking;
mod search;

pub use api::*;
pub use operations::{AddFiles, Bytes, CopyFiles, DeleteFiles, Find, Move, Read};
