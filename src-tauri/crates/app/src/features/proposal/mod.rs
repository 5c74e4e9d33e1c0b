//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

mod acceptance;
pub mod api;
pub(crate) mod composer;
mod composition;
mod declarations;
mod error;
pub(crate) mod operations;
mod optimized_state;
mod rebase;
mod service;
mod wrap;

pub use api::*;
pub(crate) use composition::{CheckedFiles, Composition};
pub(crate) use error::ProposalError;
pub use operations::*;
pub(crate) use service::{CONSENTED_TRUST, ProposalService};
