//! `library/*`: finding one's way among many skills, with what they cost and how they are used.

pub mod api;
pub(crate) mod bulk;
pub(crate) mod operations;

pub use api::*;
pub use bulk::*;
pub use operations::*;
