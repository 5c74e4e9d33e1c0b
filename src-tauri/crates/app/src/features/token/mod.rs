//! `token/*`: what lets other programs in, and the log of what they did.

mod api;
mod audit;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub(crate) use audit::Audited;
pub use error::RandomError;
pub use operations::{CreateToken, ListCalls, ListTokens, RevokeToken};
pub use service::{authenticate, is_secret_of, new_secret};
