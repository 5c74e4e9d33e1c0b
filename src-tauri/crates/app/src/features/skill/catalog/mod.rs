//! The skills that there are, as lists, trees and details show them.

mod api;
pub(crate) mod operations;
mod tokens;

pub use api::*;
pub use operations::{Get, List, Tokens, Tree};
