//! `eval/*`: the cases of a skill, whether requests make it fire, and runs that show whether it helps.

pub mod api;
mod cached_models;
mod editing;
mod error;
pub(crate) mod execution;
mod model_choice;
pub(crate) mod operations;
pub(crate) mod plan;
pub(crate) mod service;
mod subject;

pub use api::*;
pub(crate) use error::EvalError;
pub use inklings_evals::cases::{Case, CaseKind, Split};
pub use inklings_evals::optimization_loop::{OptimizationLoop, Stage, StageId, StageStatus};
pub use inklings_evals::report::{Report, RunComparison, VariantReport};
pub use inklings_evals::statistics::{Comparison, ComparisonVerdict, PassRate};
pub use inklings_evals::triggers::{TriggerReport, TriggerResult};
pub use operations::*;
