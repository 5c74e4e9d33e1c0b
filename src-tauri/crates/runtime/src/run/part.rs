//! Runs that are parts of larger ones.

use std::sync::Arc;

use inklings_core::{ModelRef, Models};

use crate::budget::Budget;
use crate::context::RunModel;

/// What a run shares with the larger one that it is a part of.
pub struct RunPart {
    /// The request's limits are limits within this budget.
    pub budget: Arc<Budget>,
    pub models: Arc<dyn Models>,
    pub judge_models: Arc<dyn Models>,
    /// The model that judges outputs. None is the default model.
    pub judge: Option<ModelRef>,
}

/// What a run takes over from its caller.
pub(crate) struct CallerContext {
    pub(super) budget: Arc<Budget>,
    pub(super) model: Arc<RunModel>,
    pub(super) judge: Arc<RunModel>,
}
