//! `server/*`: the server of this process, which lets other programs in.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use error::ServerError;
pub use operations::{GetServerStatus, StartServer, StopServer};
pub use service::starts_with_app;
pub(crate) use service::{SERVER_SETTINGS, ServerSettings};
