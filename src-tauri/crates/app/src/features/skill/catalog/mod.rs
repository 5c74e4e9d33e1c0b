//! The skills of both scopes, as lists, trees and details show them.

mod api;
pub(super) mod service;
pub(super) mod tokens;

pub use api::*;
