//! `symbol/*`: what is named at a place of a skill's text, where else it is named, and what could be written there.

pub mod api;
pub(crate) mod operations;
pub(crate) mod rename;

pub use api::*;
pub use operations::*;
pub use rename::*;
