//! `symbol/*`: what a text of a skill names at a position, where else that is named, and what can be written there.

pub mod api;
mod error;
mod hover;
mod names;
pub(crate) mod operations;
mod rename;
mod service;
mod uses;

pub use api::*;
pub use inklings_symbols::Symbol;
pub use operations::*;
