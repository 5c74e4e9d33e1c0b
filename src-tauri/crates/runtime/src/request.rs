//! What a run is asked to do.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::{CancellationToken, ModelRef, RunId, SessionId, Skill, TraceId};
use serde_json::{Map, Value};

use crate::budget::Limits;
use crate::resources::RunResources;

/// A run that is wanted.
#[derive(Debug, Clone)]
pub struct RunRequest {
    pub run: RunId,
    /// The session that it belongs to; one of its own without it.
    pub session: Option<SessionId>,
    /// The run that asks for it.
    pub parent: Option<RunId>,
    /// How many runs are above it.
    pub depth: u32,
    pub skill: Arc<Skill>,
    /// The folder of the workspace that it belongs to.
    pub workspace: Option<PathBuf>,
    /// Run this artifact alone, given by path or name; the whole skill without it.
    pub artifact: Option<String>,
    pub params: Map<String, Value>,
    /// The model; the default without it.
    pub model: Option<ModelRef>,
    /// What it may use.
    pub limits: Limits,
    /// Stops it.
    pub cancel: CancellationToken,
    /// The trace whose inputs are run again.
    pub replay_of: Option<TraceId>,
    /// What its scripts can reach.
    pub resources: RunResources,
}
