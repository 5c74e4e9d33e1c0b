//! `target/*`: the skills of other agents on this machine, and the copies that were deployed to them.

mod api;
mod deploy;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use deploy::*;
pub use operations::{DeploySkills, GetTargetStatus, ListTargets, PullCopy, ReadCopyFile, RemoveCopies, redeploy_watched};
