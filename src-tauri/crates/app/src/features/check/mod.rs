//! `check/*`: the validator, for what is typed and for what is stored.

pub mod api;
pub(crate) mod folders;
pub(crate) mod operations;

pub use api::*;
pub use folders::*;
pub use operations::*;
