//! The state of git repositories, and their skills. It runs the person's own `git`, which knows their proxies and credentials.
//!
//! Deliberately absent: what a skill is.

mod address;
mod command;
mod fetch;
mod state;

pub use address::{AddressError, RepositoryAddress};
pub use fetch::{FetchError, FetchedRepository, RepositorySource, fetch};
pub use state::{branch, is_modified};
