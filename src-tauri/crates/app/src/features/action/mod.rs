//! `action/*`: saved runs that a person starts.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{DeleteAction, ListActions, RunAction, SaveAction};
pub(crate) use service::all;
