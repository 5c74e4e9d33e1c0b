//! Copies of skills in the folders of agents: deploying, checking, merging their edits, removing.

mod api;
pub(super) mod deployer;
mod error;
mod link;
mod pull;
mod watched;

pub use api::*;
