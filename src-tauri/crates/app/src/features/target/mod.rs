//! `target/*`: the skills of other agents on this machine, and the copies that were deployed to them.

mod api;
mod deploy_api;
mod deployer;
mod error;
pub(crate) mod operations;
mod pull;
mod service;

pub use api::*;
pub use deploy_api::*;
pub use operations::{DeploySkills, GetTargetStatus, ListTargets, PullCopy, RemoveCopies};
