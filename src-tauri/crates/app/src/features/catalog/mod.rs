//! `catalog/*`: skills as records, with the fields that other systems know them by, for programs.

mod api;
mod error;
mod health;
pub(crate) mod operations;
mod service;
mod shared_folder;
mod similarity;
mod tree;

pub use api::*;
pub use operations::*;
