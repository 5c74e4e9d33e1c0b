//! `eval/*`: the cases of a skill, whether requests make it fire, and runs that show whether it helps.

pub mod api;
mod cached_models;
mod error;
mod execution;
pub(crate) mod operations;
mod plan;
mod service;
mod subject;

pub use api::*;
pub use inklings_evals::cases::{Case, CaseKind, Split};
pub use inklings_evals::report::{Report, RunComparison, VariantReport};
pub use inklings_evals::statistics::{Comparison, PassRate, Verdict};
pub use inklings_evals::triggers::{TriggerReport, TriggerResult};
pub use operations::*;
